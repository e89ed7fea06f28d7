/* explore_model.h - explores a model given as a text and counts */
#ifndef TEST_EXPLORE_MODEL_H
#define TEST_EXPLORE_MODEL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "abs/program/program_abs.h"
#include "core/explore.h"

typedef struct Counts {
    AbsObserver observer;
    uint64_t executions, failing, blocked, probes;
    uint32_t most_concretised;
    ExploreResult result;
} Counts;

static void count_pinned(AbsObserver *observer, AbsProgram *program, const Execution *ex)
{
    Counts *counts = (Counts *)observer;
    uint32_t concretised = program_abs_machine(program)->concretised;
    (void)ex;
    counts->most_concretised = concretised > counts->most_concretised ? concretised : counts->most_concretised;
}

/* The k-th search for inputs fails; 0: none does. */
static uint32_t failing_solve, solves;
static bool (*really_solve)(Program *program, const Execution *ex);

static bool solve_or_fail(Program *program, const Execution *ex)
{
    return ++solves != failing_solve && really_solve(program, ex);
}

static Counts explore_model(const char *text, AbsOptions options, Reduction reduction)
{
    Counts counts = {.observer = {.ended = count_pinned}};
    Text diagnostics = {0};
    Error error = {0};
    AbsProgram *program = program_abs_create_text("test.abs", text, strlen(text), &options, &diagnostics, &error);
    if (!program)
        fail_msg("%s%s", text_borrow(&diagnostics), error.text);
    program_abs_observe(program, &counts.observer);
    ProgramOps ops = *program_abs_program(program)->ops;
    really_solve = ops.solve;
    ops.solve = solve_or_fail;
    solves = 0;
    program_abs_program(program)->ops = &ops;
    Region *region = region_create((size_t)1 << 30);
    ExploreOptions explore_options = {.reduction = reduction, .max_preemptions = -1, .keep_going = true, .max_executions = 5000};
    Explore *explore = explore_create(region, program_abs_program(program), &explore_options);
    counts.result = explore_run(explore, NULL, 0);
    const ExploreStats *stats = explore_stats(explore);
    counts.executions = stats->executions;
    counts.failing = stats->failing;
    counts.blocked = stats->blocked;
    counts.probes = stats->probes;
    explore_destroy(explore);
    region_destroy(region);
    program_abs_destroy(program);
    text_release(&diagnostics);
    return counts;
}

#endif
