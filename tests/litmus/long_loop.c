/* long_loop.c - an execution that is long is not a livelock
 *
 * litmus: -DCOUNT=100000 -> executions 1
 * litmus: -DCOUNT=100000 -DREADS -> executions 1
 * litmus: -DCOUNT=5000000 -> executions 1
 *
 * The cost of many steps of one thread is linear; tests/cli/limits.sh has more steps than an execution may have.
 */
#include "litmus.h"

static atomic_int x;

int main(void)
{
    for (int i = 0; i < COUNT; i++)
        x++;
#ifdef READS
    for (int i = 0; i < COUNT; i++)
        if (x != COUNT)
            return 1;
#endif
    return x != COUNT;
}
