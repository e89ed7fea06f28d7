/* poll_race.c - loops that wait, and look at plain memory besides that somebody writes: a data race, no more
 *
 * litmus: -DLOCK -> executions 2 bugs data-race
 * litmus: -DATOMIC -> executions 2 bugs data-race
 * litmus: -DOTHER -> executions 1 bugs data-race
 * litmus: -DLOCK --plain=visible -> executions 7
 *
 * The flag is written in the middle of a step, so whether the loop sees it is no matter of the order of
 * steps: it waits for what else it looks at, and whether that changed before: 2. That it never ends then is
 * due to the race. If plain accesses are steps, the flag is looked at by each round.
 * OTHER: the flag is looked at under one lock and written under another one; steps of different locks have
 * no order: 1.
 */
#include "litmus.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int number;
static int flag, work;

#ifdef OTHER
static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;

static void *writer(void *argument)
{
    pthread_mutex_lock(&other);
    flag = 1;
    pthread_mutex_unlock(&other);
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, writer, NULL);
    for (int now = 0; !now;) {
        pthread_mutex_lock(&lock);
        now = flag;
        pthread_mutex_unlock(&lock);
    }
    pthread_join(thread, NULL);
    return 0;
}
#else
static void *poller(void *argument)
{
    while (!flag) {
#ifdef LOCK
        pthread_mutex_lock(&lock);
        int now = work;
        pthread_mutex_unlock(&lock);
        if (now == 2)
            break;
#else
        if (atomic_load(&number) == 2)
            break;
#endif
    }
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, poller, NULL);
#ifdef LOCK
    pthread_mutex_lock(&lock);
    work = 1;
    pthread_mutex_unlock(&lock);
#else
    atomic_store(&number, 1);
#endif
    flag = 1;
    pthread_join(thread, NULL);
    return 0;
}
#endif
