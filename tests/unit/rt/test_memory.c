/* test_memory.c - the program's heap: allocation functions, their errors, wrong accesses */
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

#include "instrumented.h"
#include "rt/libc/api_libc.h"

static int global;
GLOBAL(global);

/* ---- Allocation ------------------------------------------------------------------------ */

static void family_body(void)
{
    char *a = sennit_rt_malloc(10), *b = sennit_rt_calloc(3, 7), *c;
    void *aligned = NULL;
    CHECK(a && b && (uintptr_t)a % 16 == 0 && b[0] == 0 && b[20] == 0);
    memcpy(a, "123456789", 10);
    c = sennit_rt_realloc(a, 100);
    CHECK(c && c != a && !strcmp(c, "123456789"));
    CHECK(sennit_rt_malloc_usable_size(c) == 100);
    CHECK(sennit_rt_posix_memalign(&aligned, 256, 5) == 0 && (uintptr_t)aligned % 256 == 0);
    CHECK(sennit_rt_posix_memalign(&aligned, 3, 5) == EINVAL);
    CHECK((uintptr_t)sennit_rt_aligned_alloc(64, 64) % 64 == 0);
    CHECK(!strcmp(sennit_rt_strdup("abc"), "abc") && !strcmp(sennit_rt_strndup("abc", 2), "ab"));
    CHECK(sennit_rt_realloc(NULL, 4) && !sennit_rt_realloc(c, 0));
    sennit_rt_free(b);
    sennit_rt_free(NULL);
}

static void limits_body(void)
{
    CHECK(!sennit_rt_calloc(UNKNOWN(SIZE_MAX / 2), 4) && errno == ENOMEM);
    CHECK(!sennit_rt_malloc(UNKNOWN(SIZE_MAX / 2)) && errno == ENOMEM);
    char *large = sennit_rt_malloc(64 << 20);
    CHECK(large && large[0] == 0 && large[(64 << 20) - 1] == 0);
    large[0] = large[(64 << 20) - 1] = 1;
    sennit_rt_free(large);
    CHECK(sennit_rt_malloc(0) != sennit_rt_malloc(0));
}

static void *first_address;
static void same_body(void)
{
    void *here = sennit_rt_malloc(24);
    CHECK(!first_address || here == first_address);
    first_address = here;
}

static void test_allocation(void **state)
{
    (void)state;
    sandbox_expect(family_body, 1);
    sandbox_expect(limits_body, 1);
    for (int i = 0; i < 3; i++) /* the same addresses and contents in every execution */
        sandbox_expect(same_body, 1);
    sandbox_expect(limits_body, 1);
}

/* ---- Wrong accesses ------------------------------------------------------------------------ */

static void beyond_body(void)
{
    char *p = sennit_rt_malloc(5);
    (void)READ(p[5]);
}

static void before_body(void)
{
    char *p = sennit_rt_malloc(5);
    (void)READ(p[-1]);
}

static void straddling_body(void)
{
    char *p = sennit_rt_malloc(6);
    sennit_rt_write4(p + 4, SITE);
}

static void far_body(void)
{
    int *p = sennit_rt_malloc(40 * sizeof *p);
    WRITE4(p[UNKNOWN(44)], 1);
}

static void range_body(void)
{
    char *p = sennit_rt_malloc(20);
    sennit_rt_memset(p, 0, 21);
}

static void string_body(void)
{
    char *p = sennit_rt_malloc(4);
    memcpy(p, "abcd", 4);
    sennit_rt_strlen(p);
}

static void atomic_body(void)
{
    int *p = sennit_rt_malloc(sizeof *p);
    LOAD(p[1]);
}

static void fitting_body(void)
{
    char *p = sennit_rt_malloc(21);
    sennit_rt_memset(p, 0, 21);
    (void)READ(p[20]);
    sennit_rt_write4(p + 17, SITE);
    sennit_rt_read_n(p, 21, SITE);
    CHECK(sennit_rt_strlen(p + 20) == 0);
}

static void test_bounds(void **state)
{
    void (*const bodies[])(void) = {beyond_body, before_body, straddling_body, far_body, range_body, string_body, atomic_body};
    (void)state;
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++)
        sandbox_expect_bug(bodies[i], 1, BUG_HEAP_BOUNDS, 1);
    sandbox_expect(fitting_body, 1);
}

/* ---- Freeing ---------------------------------------------------------------------------------- */

static void use_body(void)
{
    int *p = sennit_rt_malloc(sizeof *p);
    sennit_rt_free(p);
    (void)READ4(*p);
}

static void stale_body(void)
{
    char *p = sennit_rt_malloc(8);
    sennit_rt_free(sennit_rt_realloc(p, 16));
    (void)READ(p[0]);
}

static void twice_body(void)
{
    void *p = sennit_rt_malloc(8);
    sennit_rt_free(p);
    sennit_rt_free(p);
}

static void inside_body(void)
{
    char *p = sennit_rt_malloc(8);
    sennit_rt_free(p + 4);
}

static void stack_body(void) { sennit_rt_free(__builtin_frame_address(0)); }

static void global_body(void) { sennit_rt_free(&global); }

static void test_freeing(void **state)
{
    (void)state;
    sandbox_expect_bug(use_body, 1, BUG_USE_AFTER_FREE, 1);
    sandbox_expect_bug(stale_body, 1, BUG_USE_AFTER_FREE, 1);
    sandbox_expect_bug(twice_body, 1, BUG_DOUBLE_FREE, 1);
    sandbox_expect_bug(inside_body, 1, BUG_INVALID_FREE, 1);
    sandbox_expect_bug(stack_body, 1, BUG_INVALID_FREE, 1);
    sandbox_expect_bug(global_body, 1, BUG_INVALID_FREE, 1);
}

/* ---- Two threads --------------------------------------------------------------------------------- */

static int *shared;

static void *free_or_use(void *argument)
{
    if ((uintptr_t)argument)
        sennit_rt_free(shared);
    else
        (void)READ4(*shared);
    return argument;
}

static void unordered_body(void)
{
    shared = sennit_rt_calloc(1, sizeof *shared);
    sandbox_threads(2, free_or_use);
}

/* Whichever comes first in the one execution. */
static void test_unordered(void **state)
{
    (void)state;
    sandbox_expect_bug(unordered_body, 1, BUG_USE_AFTER_FREE, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_allocation),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_freeing),
        cmocka_unit_test(test_unordered),
    };
    return sandbox_main(tests, sizeof tests / sizeof tests[0]);
}
