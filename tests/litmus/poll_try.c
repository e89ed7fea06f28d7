/* poll_try.c - a loop that polls in a program that asks for locks turns, and others get on
 *
 * litmus: --max-execs=3 -> executions 3 verdict incomplete exit 3
 *
 * There is no end to the number of schedules, but each of them ends: a thread that turns is not
 * always at the same place of its round when others may go on.
 */
#include "litmus.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, never = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void *other(void *argument)
{
    pthread_mutex_lock(&m);
    done = 1;
    pthread_mutex_unlock(&m);
    return argument;
}

int main(void)
{
    pthread_t thread;
    if (pthread_mutex_trylock(&never))
        return 1;
    pthread_create(&thread, NULL, other, NULL);
    for (int now = 0; !now;) {
        pthread_mutex_lock(&m);
        now = done;
        pthread_mutex_unlock(&m);
    }
    pthread_join(thread, NULL);
    return 0;
}
