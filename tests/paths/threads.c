/* threads.c - inputs of two threads, and a value that goes from one to the other
 *
 * litmus: -DSORT -> executions 36
 * litmus: -DPASS -> executions 4
 * litmus: -DPASS -DWRONG -> executions 4 bugs assertion
 *
 * Two threads that sort three numbers each: 3! * 3!, whatever their order. A value that is
 * stored only if it is above 5: not stored; stored and seen late; stored and seen, 7 or not.
 */
#include <pthread.h>
#include <sennit/sennit.h>
#include <stdatomic.h>

#ifdef SORT
static void sort(const char *name)
{
    int a[3];
    for (int i = 0; i < 3; i++)
        a[i] = sennit_int(name);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2 - i; j++)
            if (a[j] > a[j + 1]) {
                int t = a[j];
                a[j] = a[j + 1];
                a[j + 1] = t;
            }
}

static void *worker(void *argument)
{
    sort("b");
    return argument;
}

static void meanwhile(void)
{
    sort("a");
}
#else
static atomic_int value;

static void *worker(void *argument)
{
    int x = sennit_int("x");
    if (x > 5)
        atomic_store(&value, x);
    return argument;
}

static void meanwhile(void)
{
    int seen = atomic_load(&value);
    if (seen == 7) {
#ifdef WRONG
        sennit_assert(atomic_load(&value) != 7);
#endif
    }
}
#endif

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    meanwhile();
    pthread_join(thread, NULL);
    return 0;
}
