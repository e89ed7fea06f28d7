/* summary_c.c - see summary_c.h */
#include "subject/c/summary_c.h"

#include "app/run/solving.h"
#include "report/json.h"
#include "report/source.h"
#include "rt/actors/actor_fault.h"
#include "rt/actors/actor_mail.h"
#include "rt/actors/fault_rule.h"
#include "rt/detect/busiest.h"
#include "rt/detect/unseen.h"
#include "rt/inputs/concretise.h"
#include "rt/inputs/input_bounds.h"
#include "rt/inputs/tracking.h"
#include "rt/kernel/runtime.h"
#include "rt/net/partition.h"
#include "rt/program/program_c.h"
#include "rt/weak/order.h"

/* What was not seen, for the verdict; and concretised values as JSON. */
typedef struct UnseenList {
    Program *program;
    Summary *summary;
    Json json;
} UnseenList;

static bool find_place(const UnseenList *list, uint64_t site, Place *place)
{
    *place = (Place){0};
    return site && list->program->ops->place(list->program, site, place);
}

static void add_unseen(void *context, UnseenKind kind, const char *name, uint64_t site)
{
    UnseenList *list = context;
    Place place;
    bool known = find_place(list, site, &place);
    summary_add_unseen(list->summary, &(Unseen){.kind = kind, .name = name, .file = known ? place.file : NULL,
                                                .function = place.function, .line = place.line});
}

static void add_concretised(void *context, uint64_t site, const char *what, uint64_t count)
{
    UnseenList *list = context;
    Place place;
    bool known = find_place(list, site, &place);
    json_open_object(&list->json, NULL);
    json_add_string(&list->json, "what", what);
    json_add_string(&list->json, "file", known ? place.file : NULL);
    json_add_count(&list->json, "line", known ? place.line : 0);
    json_add_string(&list->json, "function", known ? place.function : NULL);
    json_add_count(&list->json, "count", count);
    json_close_object(&list->json);
    summary_add_unseen(list->summary, &(Unseen){.kind = UNSEEN_VALUE, .name = what,
                                                .file = known ? place.file : NULL, .function = place.function,
                                                .line = place.line, .count = count});
}

void summary_c_add_unseen(Program *program, Summary *summary)
{
    UnseenList list = {.program = program, .summary = summary};
    unseen_each(add_unseen, &list);
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

static void add_busiest(Program *program, Summary *summary)
{
    Place place;
    uint64_t site, length, steps = busiest_steps(&site, &length);
    if (steps && program->ops->place(program, site, &place))
        summary->busiest = (Busiest){place.file, place.function, place.line, steps, length};
}

/* How inputs are bounded holds for every execution. */
static void add_input_bound(void *context, const char *name, uint64_t limit, const char *text)
{
    Summary *summary = context;
    summary_add_bound(summary, name, (double)limit, summary->stats.executions, text);
}

static const char *const memory_names[] = {[MEMORY_SC] = "sc", [MEMORY_TSO] = "tso", [MEMORY_RC11] = "rc11"};

static const char *const restore_names[] = {[RESTORE_ON] = "on", [RESTORE_CHECK] = "check"};

void summary_c_add(Program *program, Summary *summary)
{
    SymStats stats;
    Text concretised = {0};
    UnseenList list = {.program = program, .summary = summary, .json = {.text = &concretised}};
    summary->memory = memory_names[program->memory];
    summary->weak_orders = order_weak_in_program() || rt.options.volatile_atomic; /* relaxed atomic accesses */
    summary->restore = restore_names[rt.options.restore];
    summary->stats.symmetric = actor_mail_symmetric();
    summary->faults = (FaultTotals){.possible = fault_rule_possible() || partition_possible(),
                                    .lost = actor_fault_total(FAULT_LOSE),
                                    .duplicated = actor_fault_total(FAULT_DUPLICATE),
                                    .crashed = actor_fault_total(FAULT_CRASH),
                                    .may_reset = fault_rule_possible_kind(FAULT_RESET),
                                    .reset = actor_fault_total(FAULT_RESET),
                                    .may_shorten = fault_rule_possible_kind(FAULT_SHORT),
                                    .shortened = actor_fault_total(FAULT_SHORT),
                                    .may_part = partition_possible(),
                                    .parted = actor_fault_total(FAULT_PARTITION),
                                    .cut_off = actor_fault_total(FAULT_CUT)};
    add_deep_stacks(program, summary);
    add_busiest(program, summary);
    input_bounds_each(add_input_bound, summary);
    summary_c_add_unseen(program, summary);
    if (!tracking_stats(&stats))
        return;
    solving_summarise(&stats, summary);
    json_open_list(&list.json, NULL);
    concretise_each(add_concretised, &list);
    json_close_list(&list.json);
    summary_add_part(summary, "concretised", &concretised);
    text_release(&concretised);
}
