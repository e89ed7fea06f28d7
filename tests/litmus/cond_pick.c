/* cond_pick.c - which of the waiting threads a signal wakes is a choice
 *
 * litmus: -DN=2 -> executions 4 bugs deadlock
 * litmus: -DN=3 -> executions 18 bugs deadlock
 *
 * N threads begin to wait one after another, N! orders; then one signal, N picks. The
 * others wait forever.
 */
#include "litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static atomic_int waiting;

static void *waiter(void *unused)
{
    pthread_mutex_lock(&lock);
    atomic_fetch_add(&waiting, 1);
    pthread_cond_wait(&condition, &lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *signaller(void *unused)
{
    while (atomic_load(&waiting) != N)
        ;
    pthread_mutex_lock(&lock);
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    start_all(N, waiter);
    start(signaller, 0);
    join_all();
    return 0;
}
