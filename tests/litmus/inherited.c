/* inherited.c - what a thread has from its creator
 *
 * litmus: -lm -> executions 1
 */
#include "litmus.h"

#include <fenv.h>
#include <string.h>

static void *check(void *unused)
{
    char name[16];
    assert(fegetround() == FE_UPWARD);
    fesetround(FE_DOWNWARD);
    assert(pthread_getname_np(pthread_self(), name, sizeof name) == 0 && strcmp(name, "creator") == 0);
    return unused;
}

int main(void)
{
    pthread_setname_np(pthread_self(), "creator");
    fesetround(FE_UPWARD);
    start(check, 0);
    fesetround(FE_TOWARDZERO);
    join_all();
    assert(fegetround() == FE_TOWARDZERO);
    return 0;
}
