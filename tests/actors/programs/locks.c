/* locks.c - actors that use locks and semaphores of threads, also across receives
 *
 * litmus: -DACROSS -> executions 2
 * litmus: -DCROSSED --channels=fifo -> executions 3 bugs deadlock
 * litmus: -DRELOCKED --channels=fifo -> executions 1 bugs deadlock
 * litmus: -DREADERS --channels=fifo -> executions 1
 * litmus: -DLATER --channels=fifo -> executions 1
 * litmus: -DNEVER --channels=fifo -> executions 1 bugs deadlock
 *
 * What an actor locks while it handles one message it can unlock while it handles another.
 * An actor that waits for a semaphore forever is a deadlock like any other.
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <sennit/actor.h>

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static sem_t never;
static sennit_pid a, b;
static int inside;

static void receive(void)
{
    char nothing;
    sennit_receive(&nothing, 1);
}

static void run_a(void *argument)
{
    (void)argument;
#if defined ACROSS
    pthread_mutex_lock(&first);
    inside++;
    receive();
    assert(inside == 1);
    inside--;
    pthread_mutex_unlock(&first);
#elif defined CROSSED
    receive();
    pthread_mutex_lock(&first);
    receive();
    pthread_mutex_lock(&second);
    pthread_mutex_unlock(&second);
    pthread_mutex_unlock(&first);
#elif defined RELOCKED
    pthread_mutex_lock(&first);
    receive();
    receive();
    pthread_mutex_lock(&first);
#elif defined READERS
    assert(pthread_rwlock_rdlock(&shared) == 0);
    receive();
    receive();
    assert(pthread_rwlock_unlock(&shared) == 0);
#else
    receive();
    sem_wait(&never);
#endif
}

static void run_b(void *argument)
{
    (void)argument;
    sennit_send(a, "", 1);
#if defined ACROSS
    pthread_mutex_lock(&first);
    assert(inside == 0);
    pthread_mutex_unlock(&first);
#elif defined CROSSED
    sennit_send(a, "", 1);
    pthread_mutex_lock(&second);
    pthread_mutex_lock(&first);
    pthread_mutex_unlock(&first);
    pthread_mutex_unlock(&second);
#else
    sennit_send(a, "", 1);
#endif
}

int main(void)
{
    sem_init(&never, 0, 0);
    a = sennit_spawn("a", run_a, NULL);
    b = sennit_spawn("b", run_b, NULL);
    sennit_run();
#ifdef LATER
    sem_post(&never);
    sennit_run();
#endif
    (void)inside, (void)first, (void)second, (void)shared;
    return 0;
}
