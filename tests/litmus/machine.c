/* machine.c - what differs from process to process is the same in all executions, or named
 *
 * litmus: -> executions 1
 * litmus: -DRANDOM -> executions 1 verdict exhaustive-but-for
 */
#include "litmus.h"

#include <sys/auxv.h>
#include <unistd.h>

static atomic_long number;

static void *store(void *unused)
{
    number = getppid() + 2;
    assert(sysconf(_SC_AVPHYS_PAGES) == sysconf(_SC_PHYS_PAGES));
#ifdef RANDOM
    number = *(unsigned char *)getauxval(AT_RANDOM);
#endif
    return unused;
}

int main(void)
{
    start(store, 0);
    join_all();
#ifndef RANDOM
    assert(number == 3);
#else
    assert(number == 73);
#endif
    return 0;
}
