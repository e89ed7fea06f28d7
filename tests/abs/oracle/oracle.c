/* oracle.c - the exploration of ABS models against brute force
 *
 *     abs_oracle FIRST LAST          models with seeds FIRST..LAST-1
 *     abs_oracle --show SEED         prints a model
 *
 * For each model and each way to wait and level of dependence: plain enumeration finds
 * all classes and final states; two executions of one class must end in one state; the
 * optimal reduction must run exactly one execution per class, with the same states; and
 * the states that the literal reading of `await` reaches must be among them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abs/program_abs.h"
#include "base/map.h"
#include "core/explore.h"
#include "generate.h"

enum { MOST_EXECUTIONS = 4000 };

/* ---- Classes ------------------------------------------------------------------------ */

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93ull;
    x = (x ^ x >> 32) * 0xd6e8feb86659fd93ull;
    return x ^ x >> 32;
}

typedef struct EventName {
    uint64_t name;
    uint64_t *past; /* set of positions, itself included */
} EventName;

static bool depends(const Execution *ex, const Event *earlier, const Event *later)
{
    const Agent *agent = &ex->agents[later->agent];
    if (earlier->agent == later->agent || (agent->creator == earlier->agent && agent->creator_step >= earlier->index))
        return true;
    for (uint32_t i = 0; i < earlier->access_count; i++)
        for (uint32_t k = 0; k < later->access_count; k++)
            if (accesses_conflict(&ex->accesses[earlier->first_access + i], &ex->accesses[later->first_access + k]))
                return true;
    return false;
}

/* Equal for executions with the same steps, choices and happens-before order. Tasks go by
 * their structural names: their numbers differ from search to search. */
static uint64_t class_of(AbsProgram *program, const Execution *ex)
{
    const Names *tasks = program_abs_machine(program)->names;
    uint32_t count = ex->event_count, words = count / 64 + 1;
    uint64_t *pasts = calloc((size_t)count * words + 1, sizeof *pasts), *names = calloc(count + 1, sizeof *names), class = 0;
    for (uint32_t n = 0; n < count; n++) {
        const Event *event = &ex->events[n];
        uint64_t *past = pasts + (size_t)n * words, sum = 0;
        for (uint32_t i = n; i-- > 0;)
            if (!(past[i / 64] >> i % 64 & 1) && depends(ex, &ex->events[i], event))
                for (uint32_t w = 0; w < words; w++)
                    past[w] |= pasts[(size_t)i * words + w];
        for (uint32_t i = 0; i < n; i++)
            if (past[i / 64] >> i % 64 & 1)
                sum += mix(names[i]);
        names[n] = mix(sum + mix(names_task_name(tasks, event->agent)->hash + event->index));
        for (uint32_t c = 0; c < event->choice_count; c++)
            names[n] = mix(names[n] + 1 + ex->choices[event->first_choice + c].taken);
        past[n / 64] |= 1ull << n % 64;
        class += mix(names[n] + 0x1234567);
    }
    free(pasts);
    free(names);
    return class >> 1;
}

/* ---- One search ----------------------------------------------------------------------- */

typedef struct Result {
    AbsObserver observer;
    Map classes; /* class -> state */
    Map states;
    uint64_t executions;
    const char *problem;
    bool too_large;
} Result;

static uint64_t outcome_of(AbsProgram *program, const Execution *ex)
{
    uint64_t hash = program_abs_state_hash(program);
    for (uint32_t i = 0; i < ex->finding_count; i++) {
        uint64_t finding = mix(ex->findings[i].kind);
        for (uint32_t k = 0; k < ex->findings[i].site_count; k++)
            finding += mix(ex->findings[i].sites[k]);
        hash += mix(finding);
    }
    return hash >> 1;
}

static void record(AbsObserver *observer, AbsProgram *program, const Execution *ex)
{
    Result *result = (Result *)observer;
    bool added;
    uint64_t state = outcome_of(program, ex), *place = map_insert(&result->classes, class_of(program, ex), &added);
    if (added)
        *place = state;
    else if (*place != state)
        result->problem = "two executions of one class end in different states";
    *map_insert(&result->states, state, NULL) = 1;
    result->executions++;
}

static Result search(const char *text, size_t size, AbsOptions options, Reduction reduction)
{
    Result result = {.observer = {.ended = record}};
    Text diagnostics = {0};
    Error error = {0};
    AbsProgram *program = program_abs_create_text("generated.abs", text, size, &options, &diagnostics, &error);
    if (!program) {
        fprintf(stderr, "%s%s\n", text_borrow(&diagnostics), error.text);
        exit(2);
    }
    program_abs_observe(program, &result.observer);
    Region *region = region_create((size_t)1 << 34);
    ExploreOptions explore_options = {.reduction = reduction, .max_preemptions = -1, .keep_going = true,
                                      .max_executions = MOST_EXECUTIONS, .max_agent_steps = 30};
    Explore *explore = explore_create(region, program_abs_program(program), &explore_options);
    ExploreResult outcome = explore_run(explore, NULL, 0);
    if (outcome == EXPLORE_DIVERGED)
        result.problem = "the search diverged";
    if (explore_stats(explore)->redundant)
        result.problem = "an execution was cut off";
    result.too_large = outcome == EXPLORE_BUDGET;
    explore_destroy(explore);
    region_destroy(region);
    program_abs_destroy(program);
    text_release(&diagnostics);
    return result;
}

static void release(Result *result)
{
    map_release(&result->classes);
    map_release(&result->states);
}

static bool includes(const Map *whole, const Map *part, bool with_values)
{
    for (uint32_t i = 0; i < part->room; i++) {
        if (part->entries[i].key == MAP_NO_KEY)
            continue;
        const uint64_t *value = map_find(whole, part->entries[i].key);
        if (!value || (with_values && *value != part->entries[i].value))
            return false;
    }
    return true;
}

/* ---- One model --------------------------------------------------------------------------- */

typedef struct Totals {
    uint64_t models, too_large, classes, naive, mismatches, permissive;
} Totals;

static const char *compare(const Result *truth, const Result *found)
{
    if (truth->problem || found->problem)
        return truth->problem ? truth->problem : found->problem;
    if (!includes(&truth->classes, &found->classes, true))
        return "the reduction reaches a class that enumeration does not";
    if (!includes(&found->classes, &truth->classes, true))
        return "the reduction misses a class";
    if (found->executions != found->classes.count)
        return "the reduction repeats a class";
    return NULL;
}

static bool test_level(uint64_t seed, const Text *text, AwaitMode await, DependenceLevel level, Totals *totals)
{
    AbsOptions options = {.await = await, .dependence = level};
    Result truth = search(text->data, text->length, options, REDUCTION_NONE), found = {0}, literal = {0};
    const char *problem = NULL;
    if (truth.too_large) {
        totals->too_large++;
    } else {
        found = search(text->data, text->length, options, REDUCTION_OPTIMAL);
        problem = compare(&truth, &found);
        totals->classes += truth.classes.count;
        totals->naive += truth.executions;
    }
    if (!problem && !truth.too_large && await == AWAIT_CONTINUE) {
        options.await = AWAIT_LITERAL;
        literal = search(text->data, text->length, options, REDUCTION_NONE);
        totals->permissive += !literal.too_large && !includes(&literal.states, &truth.states, false);
    }
    if (problem) {
        printf("seed %llu, %s, level %d: %s (%u classes, %u found in %llu executions)\n", (unsigned long long)seed,
               await == AWAIT_CONTINUE ? "continue" : "release", level, problem, truth.classes.count,
               found.classes.count, (unsigned long long)found.executions);
        totals->mismatches++;
    }
    release(&truth);
    release(&found);
    release(&literal);
    return !problem;
}

static void test_model(uint64_t seed, Totals *totals)
{
    Text text = {0};
    generate_model(seed, &text);
    totals->models++;
    AwaitMode await = seed % 3 == 2 ? AWAIT_RELEASE : AWAIT_CONTINUE;
    test_level(seed, &text, await, seed % 4 == 3 ? DEPENDENCE_ACTOR : DEPENDENCE_FIELDS, totals);
    text_release(&text);
}

int main(int argc, char **argv)
{
    Totals totals = {0};
    if (argc == 3 && strcmp(argv[1], "--show") == 0) {
        Text text = {0};
        generate_model(strtoull(argv[2], NULL, 10), &text);
        fputs(text_borrow(&text), stdout);
        text_release(&text);
        return 0;
    }
    if (argc != 3) {
        fprintf(stderr, "usage: abs_oracle FIRST LAST | --show SEED\n");
        return 2;
    }
    for (uint64_t seed = strtoull(argv[1], NULL, 10), last = strtoull(argv[2], NULL, 10); seed < last; seed++)
        test_model(seed, &totals);
    printf("%llu models (%llu too large), %llu classes in %llu executions, %llu mismatches; "
           "%llu models where knowing is more permissive than the literal reading\n",
           (unsigned long long)totals.models, (unsigned long long)totals.too_large, (unsigned long long)totals.classes,
           (unsigned long long)totals.naive, (unsigned long long)totals.mismatches,
           (unsigned long long)totals.permissive);
    return totals.mismatches > 0;
}
