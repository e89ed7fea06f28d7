// bug: assertion
// fixed: exhaustive
// Needs main's look at the counter between the two increments; everything here is from threads.h.
#include <assert.h>
#include <threads.h>

static mtx_t lock;
static once_flag flag = ONCE_FLAG_INIT;
static tss_t slot;
static int counter, setups, gone;

static void set_up(void)
{
    setups++;
    tss_create(&slot, NULL);
}

static int worker(void *arg)
{
    call_once(&flag, set_up);
    tss_set(slot, arg);
    thrd_yield();
    mtx_lock(&lock);
    counter++;
    mtx_unlock(&lock);
    assert(tss_get(slot) == arg);
    if (arg == &gone)
        thrd_exit(5);
    return 6;
}

int main(void)
{
    thrd_t a, b;
    int first, second;
    mtx_init(&lock, mtx_plain);
    assert(thrd_create(&a, worker, &gone) == thrd_success);
    assert(thrd_create(&b, worker, &counter) == thrd_success);
    assert(!thrd_equal(a, b) && !thrd_equal(a, thrd_current()));
    thrd_join(a, &first);
#ifdef FIXED
    thrd_join(b, &second);
#endif
    mtx_lock(&lock);
    int seen = counter;
    mtx_unlock(&lock);
#ifndef FIXED
    thrd_join(b, &second);
#endif
    assert(first == 5 && second == 6 && setups == 1);
    assert(seen == 2); // BUG
    mtx_destroy(&lock);
    tss_delete(slot);
    return 0;
}
