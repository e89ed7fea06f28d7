/* sandbox.h - explores a function of a unit test that calls the runtime's models directly
 *
 * The function is the program's main. It is not instrumented: its globals are not reset
 * between executions (it resets what it needs itself), and its plain accesses are unseen.
 */
#ifndef UNIT_RT_SANDBOX_H
#define UNIT_RT_SANDBOX_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/explore.h"
#include "rt/abi/hooks.h"
#include "rt/detect/bug.h"
#include "rt/libc/api.h"
#include "rt/program/program_c.h"

typedef struct Result {
    uint64_t executions, redundant, blocked, bounded;
    uint32_t findings[BUG_KIND_COUNT]; /* executions with such a finding */
    ExploreResult end;
} Result;

typedef struct Collector {
    ExploreObserver observer;
    Result *result;
} Collector;

static void (*sandbox_body)(void);
static Program *sandbox_program;
static Region *sandbox_region;

int sennit_user_main(int argc, char **argv, char **envp)
{
    (void)argc;
    (void)argv;
    (void)envp;
    sandbox_body();
    return 0;
}

static void collect(ExploreObserver *self, const Execution *ex)
{
    for (uint32_t i = 0; i < ex->finding_count; i++)
        ((Collector *)self)->result->findings[ex->findings[i].kind]++;
}

static Program *sandbox_open(bool spurious)
{
    static char *none[] = {NULL};
    RtOptions options = {.max_timeouts = 3, .spurious = spurious, .envp = none, .argv = none};
    Error error = {0};
    if (!sandbox_program) {
        sandbox_region = region_create((size_t)1 << 30);
        sandbox_program = program_c_create(sandbox_region, &options, &error);
    }
    return sandbox_program;
}

/* Every schedule of `body`, up to equivalence. */
static inline Result sandbox_explore(void (*body)(void))
{
    Result result = {0};
    Collector collector = {.observer = {.found = collect}, .result = &result};
    ExploreOptions options = {.max_preemptions = -1, .keep_going = true};
    sandbox_body = body;
    Explore *explore = explore_create(sandbox_region, sandbox_open(false), &options);
    result.end = explore_run(explore, &collector.observer, 0);
    const ExploreStats *stats = explore_stats(explore);
    result.executions = stats->executions;
    result.redundant = stats->redundant;
    result.blocked = stats->blocked;
    result.bounded = stats->cuts[CUT_TIMEOUTS];
    explore_destroy(explore);
    return result;
}

/* No bug in any of `executions` schedules. */
static inline void sandbox_expect(void (*body)(void), uint64_t executions)
{
    Result result = sandbox_explore(body);
    assert_int_equal(result.end, EXPLORE_DONE);
    for (int kind = 0; kind < BUG_KIND_COUNT; kind++)
        if (result.findings[kind])
            fail_msg("%u executions with: %s", result.findings[kind], bug_kind_name((BugKind)kind));
    assert_int_equal(result.redundant, 0);
    assert_int_equal(result.executions, executions);
}

/* `found` of `executions` schedules show a bug of this kind, and of no other. */
static inline void sandbox_expect_bug(void (*body)(void), uint64_t executions, BugKind expected, uint32_t found)
{
    Result result = sandbox_explore(body);
    assert_int_equal(result.end, EXPLORE_DONE);
    for (int kind = 0; kind < BUG_KIND_COUNT; kind++)
        if (result.findings[kind] != (kind == (int)expected ? found : 0))
            fail_msg("%u executions with: %s", result.findings[kind], bug_kind_name((BugKind)kind));
    assert_int_equal(result.executions, executions);
}

/* Inside a body, where cmocka's own assertions cannot be used: they would jump off the
 * coroutine. */
#define CHECK(condition) ((condition) ? (void)0 : report_bug(BUG_ASSERTION, "%s:%d: %s", __FILE__, __LINE__, #condition))

/* Starts `count` threads and joins them. */
static inline void sandbox_threads(unsigned count, void *(*start)(void *))
{
    pthread_t handle[8];
    for (unsigned i = 0; i < count; i++)
        CHECK(sennit_rt_pthread_create(&handle[i], NULL, start, (void *)(uintptr_t)i) == 0);
    for (unsigned i = 0; i < count; i++)
        CHECK(sennit_rt_pthread_join(handle[i], NULL) == 0);
}

static inline int sandbox_main(const struct CMUnitTest *tests, size_t count)
{
    sandbox_open(false);
    return _cmocka_run_group_tests("rt", tests, count, NULL, NULL);
}

#endif
