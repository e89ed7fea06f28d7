/* mutex_two.c - critical sections of different mutexes are independent
 *
 * litmus: -> executions 4
 *
 * Two mutexes, two threads for each: 2 * 2.
 */
#include "litmus.h"

static pthread_mutex_t lock[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *body(void *argument)
{
    int which = number_of(argument) % 2;
    pthread_mutex_lock(&lock[which]);
    pthread_mutex_unlock(&lock[which]);
    return NULL;
}

int main(void)
{
    start_all(4, body);
    join_all();
    return 0;
}
