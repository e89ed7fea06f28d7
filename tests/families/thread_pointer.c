/* thread_pointer.c - each thread has a thread pointer of its own */
#include <pthread.h>
#include <stdatomic.h>
static void *owner;
static int local;
static atomic_int remote;
static void release(void)
{
    if (owner == __builtin_thread_pointer())
        local++;
    else
        remote++;
}
static void *th(void *a)
{
    release();
    return 0;
}
int main(void)
{
    owner = __builtin_thread_pointer();
    pthread_t t;
    pthread_create(&t, 0, th, 0);
    release();
    pthread_join(t, 0);
    return 0;
}
