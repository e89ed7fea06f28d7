/* large_copy.c - a copy of many bytes takes several steps, each of which has its effect at once
 *
 * litmus: --plain=visible -> executions 1
 * litmus: --plain=visible -DCOPY -> executions 4 bugs assertion
 * litmus: --plain=visible -DCOPY -DLARGE=4 -> executions 4 bugs assertion
 *
 * Whoever waits for the first word goes on when that one is there. COPY: the original changes after it was
 * read and before the copy is written, which then has the old value.
 */
#include <string.h>

#include "litmus.h"
#ifndef LARGE
#define LARGE 3000
#endif

static struct {
    atomic_int flag;
    char rest[LARGE];
} original, copy = {.flag = 9};
static int before;

#ifdef COPY
static void *other(void *unused)
{
    original.flag = 2;
    before = copy.flag;
    return unused;
}
#else
static void *other(void *unused)
{
    while (!original.flag)
        ;
    return unused;
}
#endif

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, other, NULL);
#ifdef COPY
    memcpy(&copy, &original, sizeof copy);
    pthread_join(t, NULL);
    assert(!(before == 9 && copy.flag == 0));
#else
    memset(&original, 1, sizeof original);
    pthread_join(t, NULL);
#endif
    return 0;
}
