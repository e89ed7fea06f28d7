// bug: assertion
// fixed: exhaustive
// Owner and thief take the last task at once if neither competes for `top`.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int top, bottom = 2, runs[2];

static void run(int task)
{
    assert(atomic_fetch_add(&runs[task], 1) == 0); // BUG
}

static void pop(void)
{
    int last = atomic_load(&bottom) - 1;
    atomic_store(&bottom, last);
    int first = atomic_load(&top);
    if (first < last) {
        run(last);
        return;
    }
    if (first == last) {
#ifdef FIXED
        if (atomic_compare_exchange_strong(&top, &first, first + 1))
            run(last);
#else
        run(last);
        atomic_store(&top, first + 1);
#endif
    }
    atomic_store(&bottom, last + 1);
}

static void *thief(void *arg)
{
    int first = atomic_load(&top);
    if (first < atomic_load(&bottom) && atomic_compare_exchange_strong(&top, &first, first + 1))
        run(first);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, thief, NULL);
    pop();
    pop();
    pthread_join(t, NULL);
    return 0;
}
