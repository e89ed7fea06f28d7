/* both.c - an input and a schedule: the bug needs both */
#include <pthread.h>
#include <sennit/sennit.h>
#include <stdatomic.h>

static atomic_int flag;

static void *setter(void *unused)
{
    if (sennit_int("y") > 100)
        flag = 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    unsigned which = sennit_choose(3);
    pthread_create(&thread, 0, setter, 0);
    if (which == 2 && sennit_int("x") == 4711)
        sennit_assert(!flag);
    pthread_join(thread, 0);
    return 0;
}
