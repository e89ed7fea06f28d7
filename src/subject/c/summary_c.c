/* summary_c.c - see summary_c.h */
#include "subject/c/summary_c.h"

#include "app/run/solving.h"
#include "report/json.h"
#include "report/source.h"
#include "rt/actors/actor_mail.h"
#include "rt/inputs/concretise.h"
#include "rt/inputs/tracking.h"
#include "rt/program/program_c.h"

enum { PLACES_SHOWN = 3 };

/* Values that were taken as they are: as JSON, and in words for the verdict. */
typedef struct ConcretisedList {
    Program *program;
    Json json;
    Text words;
    uint32_t places;
    uint64_t count;
} ConcretisedList;

static void add_place(void *context, uint64_t site, const char *what, uint64_t count)
{
    ConcretisedList *taken = context;
    Place place = {0};
    bool known = site && taken->program->ops->place(taken->program, site, &place);
    json_open_object(&taken->json, NULL);
    json_add_string(&taken->json, "what", what);
    json_add_string(&taken->json, "file", known ? place.file : NULL);
    json_add_count(&taken->json, "line", known ? place.line : 0);
    json_add_string(&taken->json, "function", known ? place.function : NULL);
    json_add_count(&taken->json, "count", count);
    json_close_object(&taken->json);
    taken->count += count;
    if (++taken->places > PLACES_SHOWN)
        return;
    text_add(&taken->words, "%s%s", taken->places > 1 ? ", " : "", what);
    if (known)
        text_add(&taken->words, " at %s:%u", source_base_name(place.file), place.line);
}

static void add_taken(Program *program, Summary *summary)
{
    Text list = {0}, phrase = {0};
    ConcretisedList taken = {.program = program, .json = {.text = &list}};
    json_open_list(&taken.json, NULL);
    concretise_each(add_place, &taken);
    json_close_list(&taken.json);
    summary_add_part(summary, "concretised", &list);
    if (taken.count) {
        text_add(&phrase, "symbolic values concretised (%s%s)", text_borrow(&taken.words),
                 taken.places > PLACES_SHOWN ? ", .." : "");
        summary_add_bound(summary, "concretised", 0, taken.count, phrase.data); /* stays until the process ends */
    }
    text_release(&taken.words);
    text_release(&list);
}

void summary_c_add(Program *program, Summary *summary)
{
    SymStats stats;
    summary->stats.symmetric = actor_mail_symmetric();
    if (!tracking_stats(&stats))
        return;
    solving_summarise(&stats, summary);
    add_taken(program, summary);
}
