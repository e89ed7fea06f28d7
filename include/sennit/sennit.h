/* sennit.h - what a program can say to Sennit
 *
 * Nothing here is needed: a program with threads and assert() is explored as it is. The
 * header also works with any other compiler; then an assertion aborts, an assumption that
 * fails ends the program, and a choice takes its first option.
 */
#ifndef SENNIT_SENNIT_H
#define SENNIT_SENNIT_H

#ifdef __cplusplus
extern "C" {
#endif

/* Must hold in every schedule; else Sennit reports an assertion failure here. Unlike
 * assert() it does not depend on NDEBUG. */
#define sennit_assert(condition) ((condition) ? (void)0 : sennit_assert_failed(#condition))

#ifdef __SENNIT__

void sennit_assert_failed(const char *condition);

/* Executions in which the condition is false are of no interest: the calling thread goes no
 * further. What other threads did or still do is explored; it could have come before. */
void sennit_assume(int condition);

/* Inputs: every path that some value leads to is explored. `name` is how reports call it. */
int sennit_int(const char *name);
void sennit_bytes(void *bytes, unsigned long size, const char *name);

/* One of 0 .. options - 1; every one is explored. */
unsigned sennit_choose(unsigned options);

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

static inline unsigned sennit_choose(unsigned options)
{
    (void)options;
    return 0;
}

#endif

#ifdef __cplusplus
}
#endif

#endif
