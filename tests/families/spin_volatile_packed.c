/* spin_volatile_packed.c - a ticket lock in one volatile word; its last read acquires nothing, so the data race remains */
#include <pthread.h>
static volatile unsigned v;
static int shared;
static void lock(void)
{
    unsigned t = __sync_fetch_and_add(&v, 0x10000), pos = t & 0xffff;
    t >>= 16;
    while (t != pos)
        pos = v & 0xffff;
}
static void *th(void *a)
{
    lock();
    shared++;
    __sync_fetch_and_add(&v, 1);
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
