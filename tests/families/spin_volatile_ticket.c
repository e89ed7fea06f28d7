/* spin_volatile_ticket.c - a ticket lock whose turn is a plain volatile variable */
#include <pthread.h>
static unsigned next;
static volatile unsigned position;
static int shared;
static void lock(void)
{
    unsigned r = __sync_fetch_and_add(&next, 1);
    while (position != r)
        __builtin_ia32_pause();
    __sync_synchronize();
}
static void unlock(void)
{
    __sync_synchronize();
    unsigned p = position;
    position = p + 1;
}
static void *th(void *a)
{
    lock();
    shared++;
    unlock();
    return 0;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, th, 0);
    pthread_create(&b, 0, th, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return shared != 2;
}
