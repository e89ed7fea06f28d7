/* gettid_lock.c - each thread has a number of its own */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <unistd.h>
static int a;
static void *th(void *p)
{
    a = gettid();
    return 0;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, th, 0);
    pthread_join(t, 0);
    assert(a != gettid());
    return 0;
}
