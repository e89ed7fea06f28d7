/* test_weak.c - atomic operations under weak memory: counted programs, races, dead memory, what is refused */
#include <sys/wait.h>
#include <unistd.h>

#include "instrumented.h"
#include "rt/libc/api_libc.h"
#include "rt/kernel/runtime.h"

enum { RLX = memory_order_relaxed, ACQ = memory_order_acquire, REL = memory_order_release, SC = memory_order_seq_cst };

static int x, y, z, data;
static int *pointer;
static uint64_t wide[2], pair[2] __attribute__((aligned(16)));
GLOBAL(x);
GLOBAL(y);
GLOBAL(z);
GLOBAL(data);
GLOBAL(pointer);
GLOBAL(wide);
GLOBAL(pair);

/* ---- Exploring ----------------------------------------------------------------------------- */

static void (*parts[4])(void);

static void *run_part(void *argument)
{
    parts[(uintptr_t)argument]();
    return argument;
}

/* Without cancellation: a join that can be cancelled is ordered with all others. */
static void run_threads(unsigned count)
{
    sennit_rt_pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    sandbox_threads(count, run_part);
}

static void parts_body(void)
{
    unsigned count = 0;
    while (count < 4 && parts[count])
        count++;
    run_threads(count);
}

static Result explore(MemoryModel memory, void (*body)(void))
{
    Result result = {0};
    Collector collector = {.observer = {.found = collect}, .result = &result};
    ExploreOptions options = {.max_preemptions = -1, .keep_going = true, .memory = memory};
    sandbox_body = body;
    sandbox_open(false)->memory = memory;
    Explore *search = explore_create(sandbox_region, sandbox_program, &options);
    result.end = explore_run(search, &collector.observer, 0);
    result.executions = explore_stats(search)->executions;
    result.blocked = explore_stats(search)->blocked;
    result.redundant = explore_stats(search)->redundant;
    explore_destroy(search);
    return result;
}

static Result explore_parts(MemoryModel memory, void (*first)(void), void (*second)(void), void (*third)(void),
                            void (*fourth)(void))
{
    parts[0] = first;
    parts[1] = second;
    parts[2] = third;
    parts[3] = fourth;
    return explore(memory, parts_body);
}

/* The number of executions under TSO and RC11; nothing is wrong in any. */
static void expect(uint64_t tso, uint64_t rc11, void (*first)(void), void (*second)(void), void (*third)(void),
                   void (*fourth)(void))
{
    for (int i = 0; i < 2; i++) {
        Result result = explore_parts(i ? MEMORY_RC11 : MEMORY_TSO, first, second, third, fourth);
        assert_int_equal(result.end, EXPLORE_DONE);
        for (int kind = 0; kind < BUG_KIND_COUNT; kind++)
            if (result.findings[kind])
                fail_msg("%u executions with: %s", result.findings[kind], bug_kind_name((BugKind)kind));
        assert_int_equal(result.executions, i ? rc11 : tso);
    }
}

/* Under RC11 some execution has this bug, and none has another. */
static void expect_bug(BugKind expected, void (*first)(void), void (*second)(void), void (*third)(void))
{
    Result result = explore_parts(MEMORY_RC11, first, second, third, NULL);
    assert_int_equal(result.end, EXPLORE_DONE);
    for (int kind = 0; kind < BUG_KIND_COUNT; kind++)
        if ((result.findings[kind] > 0) != (kind == (int)expected))
            fail_msg("%u executions with: %s", result.findings[kind], bug_kind_name((BugKind)kind));
}

static void expect_no_bug(void (*first)(void), void (*second)(void), void (*third)(void))
{
    Result result = explore_parts(MEMORY_RC11, first, second, third, NULL);
    assert_int_equal(result.end, EXPLORE_DONE);
    for (int kind = 0; kind < BUG_KIND_COUNT; kind++)
        if (result.findings[kind])
            fail_msg("%u executions with: %s", result.findings[kind], bug_kind_name((BugKind)kind));
}

/* ---- Counted programs ------------------------------------------------------------------------- */

#define PART(name, code) static void name(void) { code; }

PART(sb1, STORE_AS(x, 1, RLX); LOAD_AS(y, RLX))
PART(sb2, STORE_AS(y, 1, RLX); LOAD_AS(x, RLX))
PART(sb1_sc, STORE(x, 1); LOAD(y))
PART(sb2_sc, STORE(y, 1); LOAD(x))
PART(sb1_fence, STORE_AS(x, 1, RLX); FENCE(SC); LOAD_AS(y, RLX))
PART(sb2_fence, STORE_AS(y, 1, RLX); FENCE(SC); LOAD_AS(x, RLX))
PART(mp1, STORE_AS(x, 1, RLX); STORE_AS(y, 1, RLX))
PART(mp2, LOAD_AS(y, RLX); LOAD_AS(x, RLX))
PART(mp1_rel, STORE_AS(x, 1, RLX); STORE_AS(y, 1, REL))
PART(mp2_acq, LOAD_AS(y, ACQ); LOAD_AS(x, RLX))
PART(mp1_fence, STORE_AS(x, 1, RLX); FENCE(REL); STORE_AS(y, 1, RLX))
PART(mp2_fence, LOAD_AS(y, RLX); FENCE(ACQ); LOAD_AS(x, RLX))
PART(lb1, LOAD_AS(x, RLX); STORE_AS(y, 1, RLX))
PART(lb2, LOAD_AS(y, RLX); STORE_AS(x, 1, RLX))
PART(ww1, STORE_AS(x, 1, RLX); STORE_AS(y, 2, RLX))
PART(ww2, STORE_AS(y, 1, RLX); STORE_AS(x, 2, RLX))
PART(set_x, STORE_AS(x, 1, RLX))
PART(set_y, STORE_AS(y, 1, RLX))
PART(read_xy, LOAD_AS(x, RLX); LOAD_AS(y, RLX))
PART(read_yx, LOAD_AS(y, RLX); LOAD_AS(x, RLX))
PART(set_x_sc, STORE(x, 1))
PART(set_y_sc, STORE(y, 1))
PART(read_xy_sc, LOAD(x); LOAD(y))
PART(read_yx_sc, LOAD(y); LOAD(x))
PART(read_xx, LOAD_AS(x, RLX); LOAD_AS(x, RLX))
PART(add_x, sennit_rt_atomic_rmw(&x, SENNIT_RMW_ADD, 1, 4, RLX, 0, SITE))
PART(add_x_unused, sennit_rt_atomic_rmw(&x, SENNIT_RMW_ADD, 1, 4, RLX, 1, SITE))

static void counts(void **state)
{
    (void)state;
    expect(4, 4, sb1, sb2, NULL, NULL);
    expect(3, 3, sb1_sc, sb2_sc, NULL, NULL);
    expect(3, 3, sb1_fence, sb2_fence, NULL, NULL);
    expect(3, 4, mp1, mp2, NULL, NULL);
    expect(3, 3, mp1_rel, mp2_acq, NULL, NULL);
    expect(3, 3, mp1_fence, mp2_fence, NULL, NULL);
    expect(3, 3, lb1, lb2, NULL, NULL);
    expect(3, 4, ww1, ww2, NULL, NULL);
    expect(3, 3, set_x, read_xx, NULL, NULL);
    expect(15, 16, set_x, set_y, read_xy, read_yx);
    expect(15, 15, set_x_sc, set_y_sc, read_xy_sc, read_yx_sc);
    expect(6, 6, add_x, add_x, add_x, NULL);
    expect(6, 6, add_x_unused, add_x_unused, add_x_unused, NULL);
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
GLOBAL(mutex);

PART(locked, sennit_rt_pthread_mutex_lock(&mutex); STORE_AS(x, 1, RLX); sennit_rt_pthread_mutex_unlock(&mutex))
PART(locked_plain, sennit_rt_pthread_mutex_lock(&mutex); WRITE4(data, READ4(data) + 1);
     sennit_rt_pthread_mutex_unlock(&mutex))

/* Loops that read two locations are no waits: a thread stops after an iteration that changed nothing. Peterson's
 * algorithm; the loops are as the instrumenter leaves them. */
static void enter(int *mine, const int *others, int me, uint32_t order)
{
    sennit_rt_atomic_store(mine, 1, 4, order, SITE);
    sennit_rt_atomic_store(&z, (uint64_t)me, 4, order, SITE);
    sennit_rt_spin_enter(SITE);
    while (sennit_rt_atomic_load(others, 4, order == REL ? ACQ : order, SITE) &&
           sennit_rt_atomic_load(&z, 4, order == REL ? ACQ : order, SITE) == (uint64_t)me)
        sennit_rt_spin_again(SITE);
    sennit_rt_spin_leave();
    WRITE4(data, READ4(data) + 1);
    sennit_rt_atomic_store(mine, 0, 4, order, SITE);
}

PART(peterson1, enter(&x, &y, 1, SC))
PART(peterson2, enter(&y, &x, 2, SC))
PART(peterson1_weak, enter(&x, &y, 1, REL))
PART(peterson2_weak, enter(&y, &x, 2, REL))

static void loops(void **state)
{
    (void)state;
    Result result = explore_parts(MEMORY_RC11, peterson1, peterson2, NULL, NULL);
    assert_int_equal(result.end, EXPLORE_DONE);
    for (int kind = 0; kind < BUG_KIND_COUNT; kind++)
        assert_int_equal(result.findings[kind], 0);
    assert_int_equal(result.executions, 12); /* as under sequential consistency */
    result = explore_parts(MEMORY_RC11, peterson1_weak, peterson2_weak, NULL, NULL);
    assert_int_equal(result.end, EXPLORE_DONE);
    assert_true(result.findings[BUG_DATA_RACE] > 0);
    assert_int_equal(result.findings[BUG_LIVELOCK], 0);
}

/* The value never comes. */
static void spin_forever(void)
{
    sennit_rt_spin_enter(SITE);
    while (LOAD_AS(x, RLX) != 1 || LOAD_AS(y, RLX) != 1)
        sennit_rt_spin_again(SITE);
    sennit_rt_spin_leave();
}

static void livelocks(void **state)
{
    (void)state;
    expect_bug(BUG_LIVELOCK, set_x, spin_forever, NULL);
    expect_no_bug(set_x, set_y, spin_forever);
}

static void locks(void **state)
{
    (void)state;
    expect(6, 6, locked, locked, locked, NULL);
    expect(6, 6, locked_plain, locked_plain, locked_plain, NULL);
}

/* A wait may read a write that is not the last: in one graph it does. If it comes too late it waits for ever. */
PART(up_and_down, STORE_AS(x, 1, RLX); STORE_AS(x, 0, RLX))
PART(wait_for_up, sennit_rt_atomic_await(&x, 4, RLX, REL_EQ, UINT64_MAX, 1, SITE))
PART(take_1, sennit_rt_atomic_await_cas(&x, 1, 2, 4, ACQ, SITE))

static void waits(void **state)
{
    (void)state;
    Result result = explore_parts(MEMORY_RC11, up_and_down, wait_for_up, NULL, NULL);
    assert_int_equal(result.end, EXPLORE_DONE);
    assert_int_equal(result.executions - result.blocked, 1);
    expect(1, 1, set_x, take_1, NULL, NULL);
}

/* ---- Races ------------------------------------------------------------------------------------- */

#define IF_LOADS(location, value, order, code) \
    if (LOAD_AS(location, order) == (value)) { \
        code;                                  \
    }

PART(publish_rel, WRITE4(data, 1); STORE_AS(x, 1, REL))
PART(publish_rlx, WRITE4(data, 1); STORE_AS(x, 1, RLX))
PART(take_acq, IF_LOADS(x, 1, ACQ, (void)READ4(data)))
PART(take_rlx, IF_LOADS(x, 1, RLX, (void)READ4(data)))
PART(take_fence, IF_LOADS(x, 1, RLX, FENCE(ACQ); (void)READ4(data)))
/* The stale value 1 tells that data was written, not the newest one. */
PART(publish_twice, WRITE4(data, 1); STORE_AS(x, 1, REL); STORE_AS(x, 2, RLX))
PART(take_2_acq, IF_LOADS(x, 2, ACQ, (void)READ4(data)))
PART(other_then_2, STORE_AS(x, 2, RLX))

static void races(void **state)
{
    (void)state;
    expect_no_bug(publish_rel, take_acq, NULL);
    expect_bug(BUG_DATA_RACE, publish_rlx, take_acq, NULL);
    expect_bug(BUG_DATA_RACE, publish_rel, take_rlx, NULL);
    expect_no_bug(publish_rel, take_fence, NULL);
    expect_no_bug(publish_twice, take_2_acq, NULL);
    expect_bug(BUG_DATA_RACE, publish_rel, other_then_2, take_2_acq);
}

/* Dekker's algorithm without fences: both read 0 and enter. */
PART(dekker1, STORE_AS(x, 1, REL); IF_LOADS(y, 0, ACQ, WRITE4(data, 1)))
PART(dekker2, STORE_AS(y, 1, REL); IF_LOADS(x, 0, ACQ, WRITE4(data, 2)))
PART(dekker1_sc, STORE(x, 1); IF_LOADS(y, 0, SC, WRITE4(data, 1)))
PART(dekker2_sc, STORE(y, 1); IF_LOADS(x, 0, SC, WRITE4(data, 2)))

static void stale_reads(void **state)
{
    (void)state;
    expect_bug(BUG_DATA_RACE, dekker1, dekker2, NULL);
    expect_no_bug(dekker1_sc, dekker2_sc, NULL);
}

/* ---- Memory ------------------------------------------------------------------------------------- */

static void stale_pointer_free(void)
{
    int *block = pointer;
    STORE_AS(pointer, NULL, RLX);
    sennit_rt_free(block);
}

/* The flag is newer than the pointer that is read. */
static void stale_pointer_use(void)
{
    int *block = (int *)(uintptr_t)LOAD_AS(pointer, RLX);
    if (block)
        (void)READ4(*block);
}

static void stale_pointer_body(void)
{
    WRITE(pointer, sennit_rt_malloc(sizeof *pointer));
    WRITE4(*pointer, 1);
    parts[0] = stale_pointer_free;
    parts[1] = stale_pointer_use;
    parts[2] = NULL;
    parts_body();
}

/* The block that is freed holds the atomic object itself; the thread knows that it is freed, and still has its address. */
static void freed_object_body(void)
{
    int *block = sennit_rt_malloc(sizeof *block);
    WRITE4(*block, 0);
    STORE_AS(*block, 1, RLX);
    sennit_rt_free(block);
    CHECK(LOAD_AS(*block, RLX) == 1);
}

static void dead_memory(void **state)
{
    (void)state;
    Result result = explore(MEMORY_RC11, stale_pointer_body);
    assert_int_equal(result.end, EXPLORE_DONE);
    assert_true(result.findings[BUG_USE_AFTER_FREE] > 0);
    assert_int_equal(result.findings[BUG_ASSERTION], 0);
    result = explore(MEMORY_RC11, freed_object_body);
    assert_int_equal(result.end, EXPLORE_DONE);
    assert_int_equal(result.executions, 1);
    assert_int_equal(result.findings[BUG_USE_AFTER_FREE], 1);
}

/* Plain code initialises the object again: nothing older can be read. */
static void again_body(void)
{
    STORE_AS(x, 1, RLX);
    WRITE4(x, 7);
    run_threads(2);
    CHECK(READ4(x) == 9);
}
PART(add_one, sennit_rt_atomic_rmw(&x, SENNIT_RMW_ADD, 1, 4, RLX, 0, SITE))

static void initialised_again(void **state)
{
    (void)state;
    parts[0] = parts[1] = add_one;
    Result result = explore(MEMORY_RC11, again_body);
    assert_int_equal(result.end, EXPLORE_DONE);
    assert_int_equal(result.executions, 2);
    for (int kind = 0; kind < BUG_KIND_COUNT; kind++)
        assert_int_equal(result.findings[kind], 0);
}

/* ---- Texts ------------------------------------------------------------------------------------- */

static char stale_text[160];

static void keep_text(ExploreObserver *self, const Execution *ex)
{
    char text[160];
    (void)self;
    for (uint32_t e = 0; e < ex->event_count; e++) {
        const Event *event = &ex->events[e];
        sandbox_program->ops->step_text(sandbox_program, event->op, &ex->accesses[event->first_access],
                                        event->access_count, text, sizeof text);
        if (strstr(text, "stale"))
            memcpy(stale_text, text, sizeof text);
    }
}

PART(tell_if_old, if (LOAD_AS(y, RLX) == 1 && LOAD_AS(x, RLX) == 0) report_note(BUG_ASSERTION, "old"))

static void texts(void **state)
{
    ExploreOptions options = {.max_preemptions = -1, .keep_going = true, .memory = MEMORY_RC11};
    ExploreObserver observer = {.found = keep_text};
    (void)state;
    parts[0] = mp1;
    parts[1] = tell_if_old;
    parts[2] = NULL;
    sandbox_body = parts_body;
    sandbox_open(false)->memory = MEMORY_RC11;
    Explore *search = explore_create(sandbox_region, sandbox_program, &options);
    assert_int_equal(explore_run(search, &observer, 0), EXPLORE_DONE);
    explore_destroy(search);
    assert_non_null(strstr(stale_text, "load x: 0 (stale, not 1)"));
}

/* ---- What is refused ---------------------------------------------------------------------------- */

/* Explores in a process of its own, which must end with this message. */
static void expect_refusal(MemoryModel memory, void (*body)(void), const char *message)
{
    int status = 0;
    sandbox_open(false);
    pid_t child = fork();
    if (child == 0) {
        explore(memory, body);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), RT_EXIT_NOT_MODELLED);
    const char *found = program_c_message(sandbox_program);
    if (!strstr(found, message) || !strstr(found, "test_weak.c:"))
        fail_msg("the message is: %s", found);
}

PART(mixed_body, STORE_AS(wide[0], 1, RLX); sennit_rt_atomic_load(&wide[0], 4, RLX, SITE))
PART(wide_body, uint64_t found[4]; sennit_rt_atomic_load_n(32, wide, found, RLX, SITE))
PART(mixed_wide_body, uint64_t found[2]; sennit_rt_atomic_load_n(16, pair, found, RLX, SITE);
     sennit_rt_atomic_load(&pair[1], 8, RLX, SITE))
PART(mixed_first_body, uint64_t found[2]; sennit_rt_atomic_load(&pair[0], 8, RLX, SITE);
     sennit_rt_atomic_load_n(16, pair, found, RLX, SITE))
PART(misaligned_body, sennit_rt_atomic_load((char *)wide + 6, 4, RLX, SITE))
PART(section_body, sennit_rt_atomic_section_begin(SITE); STORE_AS(x, 1, RLX); sennit_rt_atomic_section_end(SITE))
PART(section_and_atomic_body, sennit_rt_atomic_section_begin(SITE); WRITE4(x, 1); sennit_rt_atomic_section_end(SITE);
     LOAD_AS(x, RLX))
PART(atomic_and_section_body, LOAD_AS(x, RLX); sennit_rt_atomic_section_begin(SITE); WRITE4(x, 1);
     sennit_rt_atomic_section_end(SITE))
PART(release_load_body, uint64_t found; sennit_rt_atomic_load_n(8, wide, &found, REL, SITE))
PART(acquire_store_body, uint64_t new = 1; sennit_rt_atomic_store_n(8, wide, &new, ACQ, SITE))
PART(release_failure_body, uint64_t old = 1; uint64_t new = 1;
     sennit_rt_atomic_cas_n(8, wide, &old, &new, SC, REL, SITE))
PART(unknown_fence_body, FENCE(17))

static void refusals(void **state)
{
    (void)state;
    expect_refusal(MEMORY_RC11, mixed_body, "different sizes");
    expect_refusal(MEMORY_RC11, wide_body, "wider than 16 bytes");
    expect_refusal(MEMORY_RC11, mixed_wide_body, "different sizes");
    expect_refusal(MEMORY_RC11, mixed_first_body, "different sizes");
    expect_refusal(MEMORY_RC11, misaligned_body, "not aligned");
    expect_refusal(MEMORY_RC11, section_body, "in an atomic section needs --memory=sc");
    expect_refusal(MEMORY_RC11, section_and_atomic_body, "atomic section");
    expect_refusal(MEMORY_RC11, atomic_and_section_body, "atomic section");
    for (int i = 0; i < 2; i++) {
        MemoryModel memory = i ? MEMORY_RC11 : MEMORY_SC;
        expect_refusal(memory, release_load_body, "an atomic load must not have memory_order_release");
        expect_refusal(memory, acquire_store_body, "an atomic store must not have memory_order_acquire");
        expect_refusal(memory, release_failure_body, "a failed exchange must not have memory_order_release");
        expect_refusal(memory, unknown_fence_body, "a fence has the unknown memory order 17");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts),      cmocka_unit_test(locks),       cmocka_unit_test(waits),
        cmocka_unit_test(loops), cmocka_unit_test(livelocks), cmocka_unit_test(races),       cmocka_unit_test(stale_reads), cmocka_unit_test(dead_memory),
        cmocka_unit_test(initialised_again), cmocka_unit_test(texts), cmocka_unit_test(refusals),
    };
    return sandbox_main(tests, sizeof tests / sizeof *tests);
}
