// bug: heap-bounds
// fixed: exhaustive
// Two pops of a stack with one entry: the second must come before the count is checked.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *stack;
static atomic_int count = 1;

static void *pop(void *arg)
{
#ifdef FIXED
    int seen = atomic_load(&count);
    if (seen > 0 && atomic_compare_exchange_strong(&count, &seen, seen - 1))
        stack[seen - 1] = 0;
#else
    if (atomic_load(&count) > 0)
        stack[atomic_fetch_sub(&count, 1) - 1] = 0; // BUG
#endif
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    stack = calloc(1, sizeof *stack); // (BUG)
    pthread_create(&a, NULL, pop, NULL);
    pthread_create(&b, NULL, pop, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(stack);
    return 0;
}
