/* account.c - N threads update one balance under one mutex
 *
 * litmus: -DN=3 -> executions 6
 * litmus: -DN=7 -> executions 5040
 *
 * The order of the critical sections: N!.
 */
#include <assert.h>

#include "threads.h"

#ifndef N
#define N 7
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;

static void *deposit(void *argument)
{
    pthread_mutex_lock(&lock);
    balance += number_of(argument);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    start_all(N, deposit);
    join_all();
    assert(balance == 100 + N * (N - 1) / 2);
    return 0;
}
