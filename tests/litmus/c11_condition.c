/* c11_condition.c - C11 condition variables
 *
 * litmus: -> executions 2
 *
 * The flag is set before the waiter looks, or the waiter waits and is woken.
 */
#include <assert.h>
#include <threads.h>

static mtx_t lock;
static cnd_t changed;
static int ready;

static int waiter(void *unused)
{
    (void)unused;
    mtx_lock(&lock);
    while (!ready)
        cnd_wait(&changed, &lock);
    mtx_unlock(&lock);
    return 0;
}

int main(void)
{
    thrd_t thread;
    mtx_init(&lock, mtx_plain);
    cnd_init(&changed);
    thrd_create(&thread, waiter, NULL);
    mtx_lock(&lock);
    ready = 1;
    cnd_signal(&changed);
    mtx_unlock(&lock);
    thrd_join(thread, NULL);
    cnd_destroy(&changed);
    mtx_destroy(&lock);
    return 0;
}
