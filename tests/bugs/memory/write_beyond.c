// bug: heap-bounds
// fixed: exhaustive
// Both pushers must see room for one more before either takes it.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { ROOM = 1 };
static char *stack;
static atomic_int top;

static void *push(void *arg)
{
#ifdef FIXED
    int slot = atomic_fetch_add(&top, 1);
    if (slot < ROOM)
        stack[slot] = 'x';
#else
    if (atomic_load(&top) < ROOM)
        stack[atomic_fetch_add(&top, 1)] = 'x'; // BUG
#endif
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    stack = malloc(ROOM); // (BUG)
    pthread_create(&a, NULL, push, NULL);
    pthread_create(&b, NULL, push, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(stack);
    return 0;
}
