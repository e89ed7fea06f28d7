/* spin_under_own_lock.c - a loop that looks at a variable under its own spin lock */
#include <pthread.h>
#include <stdatomic.h>
static atomic_flag l = ATOMIC_FLAG_INIT;
static int done;
static void lock(void)
{
    while (atomic_flag_test_and_set(&l))
        ;
}
static void unlock(void)
{
    atomic_flag_clear(&l);
}
static void *poll_(void *a)
{
    int d;
    do {
        lock();
        d = done;
        unlock();
    } while (!d);
    return 0;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, poll_, 0);
    lock();
    done = 1;
    unlock();
    pthread_join(t, 0);
    return 0;
}
