/* alarm_default.c - SIGALRM without a handler ends the process, at a time that nothing orders: the verdict says so
 *
 * litmus: -> executions 1 verdict exhaustive-but-for
 * litmus: -DIGNORED -> executions 2
 * litmus: -DCANCELLED -> executions 2 verdict exhaustive-but-for
 */
#include <signal.h>
#include <unistd.h>

#include "litmus.h"

int main(void)
{
#ifdef IGNORED
    signal(SIGALRM, SIG_IGN);
#endif
    alarm(1);
#ifdef CANCELLED
    alarm(0);
#else
    sleep(5);
#endif
    return 0;
}
