/* spin_yield_relax.c - the function of spin_yield_elsewhere.c that yields */
#include <sched.h>
void relax(void)
{
    sched_yield();
}
