/* test_atomic.c - atomic operations: values of every width, what commutes, waiting, sections */
#include "instrumented.h"

static int x, y, z;
static uint64_t wide;
static unsigned char bytes[32] __attribute__((aligned(16)));
GLOBAL(x);
GLOBAL(y);
GLOBAL(z);
GLOBAL(wide);
GLOBAL(bytes);

/* ---- Values -------------------------------------------------------------------------- */

static uint64_t apply(unsigned op, uint64_t old, uint64_t operand, unsigned size)
{
    memcpy(bytes, &old, size);
    uint64_t found = sennit_rt_atomic_rmw(bytes, op, operand, size, memory_order_relaxed, 0, SITE);
    CHECK(found == (size == 8 ? old : old & ((1ull << 8 * size) - 1)));
    uint64_t new = sennit_rt_atomic_load(bytes, size, memory_order_relaxed, SITE);
    memset(bytes, 0, sizeof bytes);
    return new;
}

static void updates_body(void)
{
    CHECK(apply(SENNIT_RMW_XCHG, 5, 9, 4) == 9);
    CHECK(apply(SENNIT_RMW_ADD, 0xff, 2, 1) == 1);
    CHECK(apply(SENNIT_RMW_SUB, 0, 1, 2) == 0xffff);
    CHECK(apply(SENNIT_RMW_AND, 0xf0f0, 0xff00, 8) == 0xf000);
    CHECK(apply(SENNIT_RMW_NAND, 0xff, 0x0f, 1) == 0xf0);
    CHECK(apply(SENNIT_RMW_OR, 1, 6, 4) == 7);
    CHECK(apply(SENNIT_RMW_XOR, 7, 2, 8) == 5);
    CHECK(apply(SENNIT_RMW_MAX, 0xff, 1, 1) == 1);
    CHECK(apply(SENNIT_RMW_MIN, 0xffff, 1, 2) == 0xffff);
    CHECK(apply(SENNIT_RMW_UMAX, 0xff, 1, 1) == 0xff);
    CHECK(apply(SENNIT_RMW_UMIN, 0xffffffff, 1, 4) == 1);
}

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint64_t float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void float_body(void)
{
    CHECK(apply(SENNIT_RMW_FADD, bits_of(1.5), bits_of(2.25), 8) == bits_of(3.75));
    CHECK(apply(SENNIT_RMW_FSUB, float_bits(1.5f), float_bits(2.0f), 4) == float_bits(-0.5f));
    CHECK(apply(SENNIT_RMW_FMAX, bits_of(-1), bits_of(4), 8) == bits_of(4));
    CHECK(apply(SENNIT_RMW_FMIN, float_bits(-1), float_bits(4), 4) == float_bits(-1));
}

static void exchange_body(void)
{
    x = 3;
    CHECK(CAS(x, 3, 4) && x == 4);
    CHECK(!CAS(x, 3, 5) && x == 4);
    wide = 1;
    CHECK(CAS(wide, 1, UINT64_MAX) && wide == UINT64_MAX);
}

/* Objects that lie in two words. */
static void two_words_body(void)
{
    uint64_t pair[2] = {1, 2}, found[2] = {0, 0}, next[2] = {7, 8};
    memcpy(bytes, pair, sizeof pair);
    CHECK(!sennit_rt_atomic_cas_n(16, bytes, found, next, 5, 5, SITE) && found[0] == 1 && found[1] == 2);
    CHECK(sennit_rt_atomic_cas_n(16, bytes, found, next, 5, 5, SITE));
    sennit_rt_atomic_xchg_n(16, bytes, pair, found, 5, SITE);
    CHECK(!memcmp(found, next, 16) && !memcmp(bytes, pair, 16));
    sennit_rt_atomic_store_n(16, bytes, next, 5, SITE);
    sennit_rt_atomic_load_n(16, bytes, found, 5, SITE);
    CHECK(!memcmp(found, next, 16));
    memset(bytes, 0, sizeof bytes);
    sennit_rt_atomic_store(bytes + 6, 0x01020304, 4, 5, SITE);
    CHECK(sennit_rt_atomic_load(bytes + 6, 4, 5, SITE) == 0x01020304);
    CHECK(sennit_rt_atomic_rmw(bytes + 6, SENNIT_RMW_ADD, 1, 4, 5, 0, SITE) == 0x01020304);
    CHECK(sennit_rt_atomic_cas(bytes + 6, 0x01020305, 0, 4, 5, 5, 0, SITE) == 0x01020305);
    memset(bytes, 0, sizeof bytes);
}

static void test_values(void **state)
{
    (void)state;
    sandbox_expect(updates_body, 1);
    sandbox_expect(float_body, 1);
    sandbox_expect(exchange_body, 1);
    sandbox_expect(two_words_body, 1);
}

/* ---- What commutes ----------------------------------------------------------------------- */

static void *add_seen(void *argument)
{
    RMW(x, ADD, 1);
    return argument;
}

static void *add_unseen(void *argument)
{
    if ((uintptr_t)argument % 2)
        UPDATE(x, SUB, 1);
    else
        UPDATE(x, ADD, 1);
    return argument;
}

static void *five_or_one_and(void *argument)
{
    if ((uintptr_t)argument)
        UPDATE(x, OR, 1 << (uintptr_t)argument);
    else
        UPDATE(x, AND, 1);
    return argument;
}

static void *neighbours(void *argument)
{
    sennit_rt_atomic_store(&bytes[(uintptr_t)argument], 1, 1, 5, SITE);
    return argument;
}

static void *try_once(void *argument)
{
    CAS(x, 1, 2); /* nobody makes it 1: four reads */
    return argument;
}

static void seen_body(void) { sandbox_threads(3, add_seen); }
static void unseen_body(void) { sandbox_threads(4, add_unseen); }
static void groups_body(void) { sandbox_threads(6, five_or_one_and); }
static void lanes_body(void) { sandbox_threads(4, neighbours); }
static void failing_body(void) { sandbox_threads(4, try_once); }

static void test_commuting(void **state)
{
    (void)state;
    sandbox_expect(seen_body, 6);
    sandbox_expect(unseen_body, 1);
    sandbox_expect(groups_body, 32);
    sandbox_expect(lanes_body, 1);
    sandbox_expect(failing_body, 1);
}

/* ---- Waiting ------------------------------------------------------------------------------- */

static void *pass_on(void *argument)
{
    int me = (int)(uintptr_t)argument;
    CHECK(AWAIT(x, REL_EQ, me) == (uint64_t)me);
    STORE(x, me + 1);
    return argument;
}

static void *take_lock(void *argument)
{
    sennit_rt_atomic_await_cas(&x, 0, 1, sizeof x, 5, SITE);
    CHECK(LOAD(y) == 0);
    STORE(y, 1);
    STORE(y, 0);
    STORE(x, 0);
    return argument;
}

static void *wait_for_ever(void *argument)
{
    AWAIT(x, REL_NE, 0);
    return argument;
}

static void relay_body(void) { sandbox_threads(4, pass_on); }
static void lock_body(void) { sandbox_threads(3, take_lock); }
static void never_body(void) { sandbox_threads(1, wait_for_ever); }

static void test_await(void **state)
{
    (void)state;
    sandbox_expect(relay_body, 1);
    sandbox_expect(lock_body, 6);
    sandbox_expect_bug(never_body, 1, BUG_LIVELOCK, 1);
}

/* Waits in a loop that looks at two places. */
static void look_at_both(void)
{
    const SennitSite *loop = SITE;
    sennit_rt_spin_enter(loop);
    while (!LOAD(x) && !LOAD(y))
        sennit_rt_spin_again(loop);
    sennit_rt_spin_leave();
}

static void *set_or_look(void *argument)
{
    if ((uintptr_t)argument)
        STORE(y, 1);
    else
        look_at_both();
    return argument;
}

static void either_body(void) { sandbox_threads(2, set_or_look); }
static void nobody_body(void) { look_at_both(); }

static void test_spin(void **state)
{
    (void)state;
    sandbox_expect(either_body, 2); /* the first look comes before or after the store */
    sandbox_expect_bug(nobody_body, 1, BUG_LIVELOCK, 1);
}

/* ---- Sections --------------------------------------------------------------------------------- */

static void *move_one(void *argument)
{
    sennit_rt_atomic_section_begin(SITE);
    int from = READ4(x);
    WRITE4(x, from - 1);
    WRITE4(y, READ4(y) + 1);
    CHECK(x + y == 0);
    sennit_rt_atomic_section_end(SITE);
    return argument;
}

static void *touch_own(void *argument)
{
    sennit_rt_atomic_section_begin(SITE);
    if ((uintptr_t)argument)
        STORE(x, 1);
    else
        WRITE4(y, 1);
    sennit_rt_atomic_section_end(SITE);
    return argument;
}

static void together_body(void)
{
    sandbox_threads(3, move_one);
    CHECK(READ4(y) == 3);
}

static void apart_body(void) { sandbox_threads(2, touch_own); }

static void test_sections(void **state)
{
    (void)state;
    sandbox_expect(together_body, 6);
    sandbox_expect(apart_body, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values), cmocka_unit_test(test_commuting), cmocka_unit_test(test_await),
        cmocka_unit_test(test_spin),   cmocka_unit_test(test_sections),
    };
    return sandbox_main(tests, sizeof tests / sizeof tests[0]);
}
