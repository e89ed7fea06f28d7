/* allocation.c - a block is used by a thread that its allocation need not have happened for
 *
 * The allocation counts as a write of the block: of calloc because it is one, of malloc because there is no block
 * before it. The reader writes or reads the block, the owner may have read it before.
 *
 * litmus: -DORDER=memory_order_relaxed -DBLOCK=malloc(4) -> executions 2 bugs data-race
 * litmus: -DORDER=memory_order_relaxed -DBLOCK=calloc(1,4) --memory=rc11 -> executions 2 bugs data-race
 * litmus: -DORDER=memory_order_relaxed -DBLOCK=calloc(1,4) -DREAD --memory=rc11 -> executions 2 bugs data-race
 * litmus: -DORDER=memory_order_relaxed -DBLOCK=calloc(1,4) -DREAD -DOWNER --memory=rc11 -> executions 2 bugs data-race
 * litmus: -DORDER=memory_order_relaxed -DBLOCK=calloc(1,4) -DATOMIC --memory=rc11 -> executions 2 bugs data-race
 * litmus: -DORDER=memory_order_relaxed -DBLOCK=malloc(4) -DFREE --memory=rc11 -> executions 2 bugs data-race
 * litmus: -DORDER=memory_order_seq_cst -DBLOCK=calloc(1,4) -> executions 2
 * litmus: -DORDER=memory_order_seq_cst -DBLOCK=calloc(1,4) -DREAD -DOWNER --memory=rc11 -> executions 2
 * litmus: -DORDER=memory_order_seq_cst -DBLOCK=malloc(4) -DFREE --memory=rc11 -> executions 2
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) shared;
static int seen;

static void *owner(void *unused)
{
    int *block = BLOCK;
#ifdef OWNER
    seen = *block;
#endif
    atomic_store_explicit(&shared, block, ORDER);
    return unused;
}

static void *user(void *unused)
{
    int *block = atomic_load_explicit(&shared, ORDER);
    if (!block)
        return unused;
#if defined FREE
    free(block);
#elif defined ATOMIC
    atomic_store((_Atomic int *)block, 18);
#elif defined READ
    return *block ? block : unused;
#else
    *block = 18;
#endif
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, owner, NULL);
    pthread_create(&second, NULL, user, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return seen;
}
