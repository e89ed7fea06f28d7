/* queue.c - a bounded queue with one condition variable for "not empty"
 *
 * The consumer checks with `if` what must be checked with `while`: when another consumer
 * comes in between the signal and the wake-up, it takes an item that is not there.
 *
 * litmus: -> executions 30 bugs assertion
 * litmus: -DFIXED -> executions 30
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

enum { CAPACITY = 4, CONSUMERS = 2 };

static int items[CAPACITY];
static int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER;

static void put(int item)
{
    pthread_mutex_lock(&lock);
    assert(count < CAPACITY);
    items[count++] = item;
    pthread_cond_signal(&not_empty);
    pthread_mutex_unlock(&lock);
}

static int take(void)
{
    pthread_mutex_lock(&lock);
#ifdef FIXED
    while (count == 0)
#else
    if (count == 0)
#endif
        pthread_cond_wait(&not_empty, &lock);
    assert(count > 0);
    int item = items[--count];
    pthread_mutex_unlock(&lock);
    return item;
}

static void *consumer(void *unused)
{
    printf("took %d\n", take());
    return unused;
}

int main(void)
{
    pthread_t consumers[CONSUMERS];
    for (int i = 0; i < CONSUMERS; i++)
        pthread_create(&consumers[i], NULL, consumer, NULL);
    for (int i = 0; i < CONSUMERS; i++)
        put(i);
    for (int i = 0; i < CONSUMERS; i++)
        pthread_join(consumers[i], NULL);
    return 0;
}
