// bug: assertion
// fixed: exhaustive
// Every width has a counter; the 16-bit one is updated in two steps, and the other thread comes between.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static _Atomic uint8_t bits;
static _Atomic uint16_t half;
static _Atomic uint32_t word = 8;
static _Atomic uint64_t wide;

static void *worker(void *arg)
{
    atomic_fetch_or(&bits, *(uint8_t *)arg);
#ifdef FIXED
    half += 300;
#else
    half = half + 300;
#endif
    atomic_fetch_sub(&word, 3);
    atomic_fetch_add(&wide, UINT64_C(1) << 40);
    return NULL;
}

int main(void)
{
    static uint8_t bit[2] = {1, 128};
    pthread_t a, b;
    pthread_create(&a, NULL, worker, &bit[0]);
    pthread_create(&b, NULL, worker, &bit[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(bits == 129 && word == 2 && wide == UINT64_C(1) << 41);
    assert(half == 600); // BUG
    return 0;
}
