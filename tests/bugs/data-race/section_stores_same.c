// bug: data-race
// fixed: exhaustive
// A section that stores what was there writes all the same; a plain read beside it is a race.
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int x, got;

static void *store(void *arg)
{
    __VERIFIER_atomic_begin();
    x = 0; // BUG
    __VERIFIER_atomic_end();
    return NULL;
}

static void *look(void *arg)
{
#ifdef FIXED
    __VERIFIER_atomic_begin();
    got = x;
    __VERIFIER_atomic_end();
#else
    got = x; // BUG
#endif
    return NULL;
}

int main(void)
{
    pthread_t s, l;
    pthread_create(&s, NULL, store, NULL);
    pthread_create(&l, NULL, look, NULL);
    pthread_join(s, NULL);
    pthread_join(l, NULL);
    return 0;
}
