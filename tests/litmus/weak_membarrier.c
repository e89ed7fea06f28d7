/* weak_membarrier.c - a program that asks for membarrier is told that there is none, and uses its own fences
 *
 * litmus: --memory=sc -> executions 3
 * litmus: --memory=rc11 -> executions 3
 * litmus: --memory=tso -> executions 3
 * litmus: -DFENCELESS --memory=sc -> executions 3
 * litmus: -DFENCELESS --memory=rc11 -> executions 4 bugs assertion
 *
 * Store buffering: one thread is rare and would call membarrier, so that the frequent one needs no fence. Whether there
 * is such a call is found out before main. FENCELESS: the frequent one trusts a call that fails.
 */
#include <assert.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int x, y;
static int available, seen_x, seen_y;

__attribute__((constructor)) static void ask(void)
{
    available = syscall(SYS_membarrier, MEMBARRIER_CMD_QUERY, 0) > 0;
#ifdef FENCELESS
    available = 1;
#endif
}

static void *frequent(void *argument)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    if (!available)
        atomic_thread_fence(memory_order_seq_cst);
    seen_y = atomic_load_explicit(&y, memory_order_relaxed);
    return argument;
}

static void *rare(void *argument)
{
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    if (!available || syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0))
        atomic_thread_fence(memory_order_seq_cst);
    seen_x = atomic_load_explicit(&x, memory_order_relaxed);
    return argument;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, frequent, NULL);
    pthread_create(&b, NULL, rare, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(seen_x || seen_y);
}
