/* detach.c - detached threads go on after main has returned
 *
 * litmus: -DN=2 -> executions 2
 * litmus: -DN=3 -> executions 6
 *
 * Their stores come in any order: N!; the end of main orders nothing.
 */
#include "litmus.h"

static atomic_int x;

static void *body(void *argument)
{
    pthread_detach(pthread_self());
    atomic_store(&x, number_of(argument));
    return NULL;
}

int main(void)
{
    start_all(N, body);
    return 0;
}
