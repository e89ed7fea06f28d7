/* large_write.c - a thread waits for a value that depends on an input and is then overwritten with many others
 *
 * litmus: --plain=visible -> executions 4
 * litmus: --plain=visible -DSIZE=4 -> executions 4
 *
 * It sees the value before the input, or the input, or what comes after; and the input suffices or not.
 */
#include <pthread.h>
#include <sennit/sennit.h>
#include <stdatomic.h>
#include <string.h>
#ifndef SIZE
#define SIZE 4000
#endif

static struct {
    atomic_int flag;
    char rest[SIZE];
} shared;

static void *wait_for(void *unused)
{
    while (atomic_load(&shared.flag) < 3)
        ;
    return unused;
}

int main(void)
{
    pthread_t t;
    int x = sennit_int("x");
    sennit_assume(x >= 0 && x < 5);
    pthread_create(&t, NULL, wait_for, NULL);
    atomic_store(&shared.flag, x);
    memset(&shared, 1, sizeof shared);
    pthread_join(t, NULL);
    return 0;
}
