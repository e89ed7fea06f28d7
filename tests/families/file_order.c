/* file_order.c - a thread makes a file, another one looks for it: either may come first (-DNEG: the other order fails) */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>
static int got;
static void *w(void *x)
{
    int f = open("flag.tmp", O_CREAT | O_WRONLY, 0600);
    close(f);
    return 0;
}
static void *r(void *x)
{
    got = access("flag.tmp", F_OK) == 0;
    return 0;
}
int main()
{
    unlink("flag.tmp");
    pthread_t t, u;
    pthread_create(&t, 0, w, 0);
    pthread_create(&u, 0, r, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
#ifdef NEG
    assert(!got);
#else
    assert(got);
#endif
}
