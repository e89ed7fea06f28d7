// bug: livelock
// fixed: exhaustive
// The first thread inside keeps the flag; the other spins forever.
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag taken = ATOMIC_FLAG_INIT;
static int slots = 2;

static void *reserve(void *arg)
{
    while (atomic_flag_test_and_set(&taken)) // BUG
        ;
    if (slots-- == 2) {
#ifdef FIXED
        atomic_flag_clear(&taken);
#endif
        return NULL;
    }
    atomic_flag_clear(&taken);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, reserve, NULL);
    pthread_create(&b, NULL, reserve, NULL);
    pthread_join(a, NULL); // (BUG)
    pthread_join(b, NULL); // (BUG)
    return 0;
}
