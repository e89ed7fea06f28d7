/* c11_threads.c - the threads of C11 are the same models under other names
 *
 * litmus: -DN=3 -> executions 6
 *
 * Critical sections in N! orders; call_once adds who is first, but that is the order of
 * the mutex around it. Results, thread storage and mtx_trylock are checked on the way.
 */
#include <assert.h>
#include <threads.h>

static mtx_t lock;
static once_flag flag = ONCE_FLAG_INIT;
static tss_t key;
static int calls, counter;

static void initialise(void)
{
    calls++;
}

static int body(void *argument)
{
    int self = *(int *)argument;
    assert(tss_set(key, argument) == thrd_success);
    mtx_lock(&lock);
    call_once(&flag, initialise);
    counter++;
    mtx_unlock(&lock);
    assert(tss_get(key) == argument);
    return self * 10;
}

int main(void)
{
    thrd_t threads[N];
    int numbers[N];
    assert(mtx_init(&lock, mtx_plain) == thrd_success);
    assert(tss_create(&key, NULL) == thrd_success);
    for (int i = 0; i < N; i++) {
        numbers[i] = i;
        assert(thrd_create(&threads[i], body, &numbers[i]) == thrd_success);
    }
    for (int i = 0; i < N; i++) {
        int result;
        assert(thrd_join(threads[i], &result) == thrd_success);
        assert(result == i * 10);
    }
    assert(calls == 1 && counter == N);
    assert(mtx_trylock(&lock) == thrd_success);
    assert(mtx_trylock(&lock) == thrd_busy);
    mtx_unlock(&lock);
    tss_delete(key);
    mtx_destroy(&lock);
    return 0;
}
