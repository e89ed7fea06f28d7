/* sennit.h - how a program can use Sennit: assertions, assumptions, inputs, choices
 *
 * None of this is required: a program with threads and assert() is explored without a change.
 * The header also works with any other compiler; then an assertion aborts, an assumption that
 * fails ends the program, inputs are 0 and a choice takes its first option.
 */
#ifndef SENNIT_SENNIT_H
#define SENNIT_SENNIT_H

#ifdef __cplusplus
extern "C" {
#endif

/* Must hold in every execution; otherwise Sennit reports an assertion failure here. Unlike
 * assert() it does not depend on NDEBUG. */
#define sennit_assert(condition) ((condition) ? (void)0 : sennit_assert_failed(#condition))

#if defined __SENNIT__ || defined SENNIT_DRIVER

void sennit_assert_failed(const char *condition);

/* Excludes executions in which the condition is false: the calling thread stops there. What
 * other threads did or still do is explored; it could have come before. */
void sennit_assume(int condition);

/* Inputs: every path that some value leads to is explored. Any thread may ask, at any time.
 * Reports and tests call the input `name`; the second one of that name is "name#2", one of
 * another thread "name@0.1". Floating-point numbers are concretised, which the verdict says. */
_Bool sennit_bool(const char *name);
char sennit_char(const char *name);
unsigned char sennit_uchar(const char *name);
short sennit_short(const char *name);
unsigned short sennit_ushort(const char *name);
int sennit_int(const char *name);
unsigned sennit_uint(const char *name);
long sennit_long(const char *name);
unsigned long sennit_ulong(const char *name);
float sennit_float(const char *name);
double sennit_double(const char *name);
void sennit_bytes(void *bytes, unsigned long size, const char *name);

/* One of 0 .. options - 1; every one is explored. */
unsigned sennit_choose(unsigned options);

/* A goal: the report says which goals were reached by some execution, and which were not. */
#define sennit_reach(goal)                                                                     \
    do {                                                                                       \
        static const char sennit_goal_[] __attribute__((section("sennit_goals"), used, aligned(1))) = goal; \
        sennit_reached(sennit_goal_);                                                          \
    } while (0)
void sennit_reached(const char *goal);

/* Says how the inputs of this program are bounded ("lists of at most 3 nodes"): the verdict names it and is never more
 * than exhaustive within bounds. Counts wherever it stands in a function. */
#define sennit_bounded(what)                                                                   \
    do {                                                                                       \
        static const char sennit_bound_[] __attribute__((section("sennit_bounds"), used, aligned(1))) = what; \
    } while (0)

#else

#include <stdio.h>
#include <stdlib.h>

static inline void sennit_assert_failed(const char *condition)
{
    fprintf(stderr, "assertion failed: %s\n", condition);
    abort();
}

static inline void sennit_assume(int condition)
{
    if (!condition)
        exit(0);
}

#define SENNIT_ZERO(type, function)              \
    static inline type function(const char *name) \
    {                                            \
        (void)name;                              \
        return 0;                                \
    }
SENNIT_ZERO(_Bool, sennit_bool)
SENNIT_ZERO(char, sennit_char)
SENNIT_ZERO(unsigned char, sennit_uchar)
SENNIT_ZERO(short, sennit_short)
SENNIT_ZERO(unsigned short, sennit_ushort)
SENNIT_ZERO(int, sennit_int)
SENNIT_ZERO(unsigned, sennit_uint)
SENNIT_ZERO(long, sennit_long)
SENNIT_ZERO(unsigned long, sennit_ulong)
SENNIT_ZERO(float, sennit_float)
SENNIT_ZERO(double, sennit_double)
#undef SENNIT_ZERO

static inline void sennit_bytes(void *bytes, unsigned long size, const char *name)
{
    (void)name;
    for (unsigned long i = 0; i < size; i++)
        ((char *)bytes)[i] = 0;
}

static inline unsigned sennit_choose(unsigned options)
{
    (void)options;
    return 0;
}

#define sennit_reach(goal) ((void)0)
#define sennit_bounded(what) ((void)0)

#endif

#ifdef __cplusplus
}
#endif

#endif
