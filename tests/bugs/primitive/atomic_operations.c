// bug: assertion
// fixed: exhaustive
// Every read-modify-write returns the value it replaced; the two exchanges must not both get the token.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int token = 1, owners;

static void single_thread(void)
{
    atomic_int x = 12;
    assert(atomic_fetch_add(&x, 3) == 12 && atomic_fetch_sub(&x, 5) == 15);
    assert(atomic_fetch_and(&x, 6) == 10 && atomic_fetch_or(&x, 9) == 2);
    assert(atomic_fetch_xor(&x, 1) == 11 && atomic_exchange(&x, 20) == 10);
    assert(++x == 21 && x-- == 21 && (x *= 2) == 40);
    int expected = 1;
    assert(!atomic_compare_exchange_strong(&x, &expected, 2) && expected == 40);
    while (!atomic_compare_exchange_weak(&x, &expected, 2))
        ;
    assert(x == 2);
    _Atomic bool flag = false;
    assert(!atomic_exchange(&flag, true) && flag);
    char *_Atomic pointer = NULL;
    static char array[4];
    pointer = array;
    assert(atomic_fetch_add(&pointer, 2) == array && pointer == array + 2);
}

static void *grab(void *arg)
{
#ifdef FIXED
    if (atomic_exchange(&token, 0))
#else
    if (atomic_load(&token) && (atomic_store(&token, 0), 1))
#endif
        atomic_fetch_add(&owners, 1);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    single_thread();
    pthread_create(&a, NULL, grab, NULL);
    pthread_create(&b, NULL, grab, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(owners == 1); // BUG
    return 0;
}
