/* repeated.c - a loop that leaves an input where it was for one value of it only
 *
 * litmus: --max-steps=12 -> executions 16 verdict bounded bugs assertion
 *
 * For 0 the state of the thread repeats, but not for the other inputs of the same path: the thread does not wait.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern int __VERIFIER_nondet_int(void);

static atomic_int flag;
static int sum, input;

static int is_set(void) { return atomic_load(&flag); }
static int (*volatile look)(void) = is_set;
static __attribute__((noinline)) void add(int *to, int number) { *to += number; }

static void *set(void *argument)
{
    atomic_store(&flag, 1);
    return argument;
}

int main(void)
{
    pthread_t thread;
    input = __VERIFIER_nondet_int();
    if (input < 0 || input > 3)
        return 0;
    pthread_create(&thread, NULL, set, NULL);
    while (!look())
        add(&sum, input);
    pthread_join(thread, NULL);
    assert(sum != 6); /* two iterations, and 3 */
    return 0;
}
