/* product_oracle.c - products of product lines against models that another program flattened
 *
 *     flatten.py FIRST COUNT | product_oracle
 *
 * Reads pairs "SEED SIZE SIZE\n", a model with deltas and product P, and the flat model. Both must have the same
 * outcomes (final states with the kinds of bugs) and the same number of executions. If the flat model is empty, the
 * product must be rejected.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abs/program/program_abs.h"
#include "base/map.h"
#include "core/explore.h"

enum { MOST_EXECUTIONS = 300, MOST_STEPS = 30 };

typedef struct Outcomes {
    AbsObserver observer;
    Map hashes;
    uint64_t executions;
} Outcomes;

static void record(AbsObserver *observer, AbsProgram *program, const Execution *ex)
{
    Outcomes *outcomes = (Outcomes *)observer;
    Text state = {0};
    program_abs_print_state(program, &state);
    uint64_t hash = 1, kinds = 0;
    for (size_t i = 0; i < state.length; i++)
        hash = map_mix(hash, (unsigned char)state.data[i]);
    for (uint32_t i = 0; i < ex->finding_count; i++)
        kinds += map_mix(7, ex->findings[i].kind);
    text_release(&state);
    *map_insert(&outcomes->hashes, map_mix(hash, kinds) >> 1, NULL) = 1;
    outcomes->executions++;
}

static Outcomes explore(AbsProgram *program)
{
    Outcomes outcomes = {.observer = {.ended = record}};
    program_abs_observe(program, &outcomes.observer);
    Region *region = region_create((size_t)1 << 28);
    ExploreOptions options = {.max_preemptions = -1, .keep_going = true, .max_executions = MOST_EXECUTIONS,
                              .max_agent_steps = MOST_STEPS};
    Explore *search = explore_create(region, program_abs_program(program), &options);
    explore_run(search, NULL, 0);
    explore_destroy(search);
    region_destroy(region);
    return outcomes;
}

static bool includes(const Map *whole, const Map *part)
{
    for (uint32_t i = 0; i < part->room; i++)
        if (part->entries[i].key != MAP_NO_KEY && !map_find(whole, part->entries[i].key))
            return false;
    return true;
}

static const char *compare(AbsProgram *product, AbsProgram *flat)
{
    Outcomes a = explore(product), b = explore(flat);
    const char *problem = NULL;
    if (a.executions != b.executions)
        problem = "other numbers of executions";
    else if (a.executions < MOST_EXECUTIONS && (!includes(&a.hashes, &b.hashes) || !includes(&b.hashes, &a.hashes)))
        problem = "other outcomes";
    map_release(&a.hashes);
    map_release(&b.hashes);
    return problem;
}

static AbsProgram *load(const char *text, size_t size, const char *product, Text *messages)
{
    Error error;
    AbsOptions options = {.reading = {.product = product}, .dependence = DEPENDENCE_FIELDS};
    return program_abs_create_text("model.abs", text, size, &options, messages, &error);
}

static bool test_pair(unsigned long seed, const char *text, size_t size, const char *flat_text, size_t flat_size)
{
    Text messages = {0};
    AbsProgram *product = load(text, size, "P", &messages);
    AbsProgram *flat = flat_size ? load(flat_text, flat_size, NULL, &messages) : NULL;
    const char *problem = NULL;
    if (flat_size && !flat)
        problem = "the flat model is rejected";
    else if (flat && !product)
        problem = "the product is rejected";
    else if (!flat && product)
        problem = "the product is accepted";
    else if (flat)
        problem = compare(product, flat);
    if (problem)
        printf("seed %lu: %s\n%s", seed, problem, text_borrow(&messages));
    program_abs_destroy(product);
    program_abs_destroy(flat);
    text_release(&messages);
    return !problem;
}

static char *take(size_t size)
{
    char *text = calloc(size + 1, 1);
    return text && fread(text, 1, size, stdin) == size ? text : NULL;
}

int main(void)
{
    unsigned long seed, size, flat_size, models = 0, rejected = 0, wrong = 0;
    while (scanf("%lu %lu %lu", &seed, &size, &flat_size) == 3 && getchar() == '\n') {
        char *text = take(size), *flat = take(flat_size);
        if (!text || !flat)
            return 2;
        wrong += !test_pair(seed, text, size, flat, flat_size);
        models++;
        rejected += flat_size == 0;
        free(text);
        free(flat);
    }
    printf("%lu products, %lu of them not allowed, %lu differences\n", models, rejected, wrong);
    return wrong || !models || !feof(stdin);
}
