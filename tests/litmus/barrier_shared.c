/* barrier_shared.c - four threads share a barrier of two
 *
 * litmus: --barriers=ordered -> executions 24
 * litmus: -DASKS -> executions 24
 *
 * Who meets whom depends on the order of arrivals: 4!. If a thread asks whether it is the serial one, arrivals at a
 * barrier of two are ordered anyway.
 */
#include "litmus.h"

static pthread_barrier_t barrier;

static void *body(void *argument)
{
#ifdef ASKS
    return pthread_barrier_wait(&barrier) ? argument : NULL;
#else
    pthread_barrier_wait(&barrier);
    return argument;
#endif
}

int main(void)
{
    pthread_barrier_init(&barrier, NULL, 2);
    start_all(4, body);
    join_all();
    return 0;
}
