/* eventfd_order.c - a reader of an eventfd that does not block, and a writer: either may come first (-DNEG: the other order fails) */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <unistd.h>
static int e;
static int got;
static void *w(void *a)
{
    unsigned long long x = 1;
    write(e, &x, 8);
    return 0;
}
static void *r(void *a)
{
    unsigned long long x = 0;
    got = read(e, &x, 8) == 8;
    return 0;
}
int main()
{
    e = eventfd(0, EFD_NONBLOCK);
    pthread_t t, u;
    pthread_create(&t, 0, w, 0);
    pthread_create(&u, 0, r, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
#ifdef NEG
    assert(!got);
#else
    assert(got); /* wrong if the reader comes first */
#endif
}
