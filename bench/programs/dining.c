/* dining.c - philosophers who take the fork with the smaller number first
 *
 * litmus: -DN=3 -DR=1 -> executions 6
 * litmus: -DN=3 -DR=2 -> executions 90
 * litmus: -DN=5 -DR=2 -> executions 5730
 *
 * Ordered forks cannot deadlock. N philosophers, R meals each.
 */
#include "threads.h"

#ifndef N
#define N 5
#endif
#ifndef R
#define R 2
#endif

static pthread_mutex_t fork_[N];

static void *philosopher(void *argument)
{
    int left = number_of(argument);
    int right = (left + 1) % N;
    int first = left < right ? left : right;
    int second = left < right ? right : left;
    for (int meal = 0; meal < R; meal++) {
        pthread_mutex_lock(&fork_[first]);
        pthread_mutex_lock(&fork_[second]);
        pthread_mutex_unlock(&fork_[second]);
        pthread_mutex_unlock(&fork_[first]);
    }
    return NULL;
}

int main(void)
{
    for (int i = 0; i < N; i++)
        pthread_mutex_init(&fork_[i], NULL);
    start_all(N, philosopher);
    join_all();
    return 0;
}
