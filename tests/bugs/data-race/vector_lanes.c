// bug: data-race
// fixed: exhaustive
// A store of some elements of a vector is a write of these, and of no others.
#include <pthread.h>
#ifdef __x86_64__
#include <emmintrin.h>
#endif

static char cells[16];

/* Stores the first `count` bytes. */
static void store(int count)
{
#ifdef __x86_64__
    char mask[16] = {0};
    for (int i = 0; i < count; i++)
        mask[i] = -1;
    __m128i lanes = _mm_loadu_si128((const __m128i *)mask);
    _mm_maskmoveu_si128(_mm_set1_epi8(7), lanes, cells); // (BUG)
#else
    for (int i = 0; i < count; i++)
        cells[i] = 7; // (BUG)
#endif
}

static void *lower(void *arg)
{
#ifdef FIXED
    store(4);
#else
    store(5);
#endif
    return arg;
}

static void *upper(void *arg)
{
    cells[4] = 1; // BUG
    return arg;
}

int main(void)
{
    pthread_t l, u;
    pthread_create(&l, NULL, lower, NULL);
    pthread_create(&u, NULL, upper, NULL);
    pthread_join(l, NULL);
    pthread_join(u, NULL);
    return 0;
}
