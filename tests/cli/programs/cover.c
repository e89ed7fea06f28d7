/* cover.c - some of it is never executed; two schedules; with -DCRASH one of them crashes */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static int classify(int a, int b)
{
    if (a > 3 && b)
        return 1;
    switch (a) {
    case 1:
    case 2:
        return 5;
    case 3:
        break;
    default:
        a++;
    }
    for (int i = 0; i < b; i++)
        a += i;
    return a;
}

static void *other(void *unused)
{
    while (!x)
        ;
    y = classify(x, 1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    x = 1;
    if (y == 5) {
        x = 2;
#ifdef CRASH
        *(volatile int *)8 = 1;
#endif
    }
    pthread_join(thread, 0);
    assert(y == 5);
    return 0;
}
