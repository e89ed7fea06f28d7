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

/* Concretised values: as JSON, and in words for the verdict. */
typedef struct ConcretisedList {
    Program *program;
    Json json;
    Text words;
    uint32_t places;
    uint64_t count;
} ConcretisedList;

static void add_place(void *context, uint64_t site, const char *what, uint64_t count)
{
    ConcretisedList *found = context;
    Place place = {0};
    bool known = site && found->program->ops->place(found->program, site, &place);
    json_open_object(&found->json, NULL);
    json_add_string(&found->json, "what", what);
    json_add_string(&found->json, "file", known ? place.file : NULL);
    json_add_count(&found->json, "line", known ? place.line : 0);
    json_add_string(&found->json, "function", known ? place.function : NULL);
    json_add_count(&found->json, "count", count);
    json_close_object(&found->json);
    found->count += count;
    if (++found->places > PLACES_SHOWN)
        return;
    text_add(&found->words, "%s%s", found->places > 1 ? ", " : "", what);
    if (known)
        text_add(&found->words, " at %s:%u", source_base_name(place.file), place.line);
}

static void add_concretised(Program *program, Summary *summary)
{
    Text list = {0}, phrase = {0};
    ConcretisedList found = {.program = program, .json = {.text = &list}};
    json_open_list(&found.json, NULL);
    concretise_each(add_place, &found);
    json_close_list(&found.json);
    summary_add_part(summary, "concretised", &list);
    if (found.count) {
        text_add(&phrase, "symbolic values concretised (%s%s)", text_borrow(&found.words),
                 found.places > PLACES_SHOWN ? ", .." : "");
        summary_add_bound(summary, "concretised", 0, found.count, phrase.data); /* lives until the process ends */
    }
    text_release(&found.words);
    text_release(&list);
}

/* Whether the program would have overflowed a stack there is unknown. */
static void add_deep_stacks(Program *program, Summary *summary)
{
    Place place;
    Text phrase = {0};
    uint64_t site, count = program_c_deep_stacks(&site);
    if (!count)
        return;
    text_add(&phrase, "stacks that may overflow, as instrumented frames are larger than the program's");
    if (site && program->ops->place(program, site, &place))
        text_add(&phrase, " (after %s:%u)", source_base_name(place.file), place.line);
    summary_add_bound(summary, "stack", 0, count, phrase.data); /* lives until the process ends */
}

void summary_c_add(Program *program, Summary *summary)
{
    SymStats stats;
    summary->stats.symmetric = actor_mail_symmetric();
    add_deep_stacks(program, summary);
    if (!tracking_stats(&stats))
        return;
    solving_summarise(&stats, summary);
    add_concretised(program, summary);
}
