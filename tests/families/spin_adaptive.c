/* spin_adaptive.c - a loop that looks ten times, then sleeps */
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int done;
static void *th(void *a)
{
    atomic_store(&done, 1);
    return 0;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, th, 0);
    for (int n = 0; !atomic_load(&done);) {
        if (++n >= 10) {
            poll(0, 0, 10);
            n = 0;
        }
    }
    pthread_join(t, 0);
    return 0;
}
