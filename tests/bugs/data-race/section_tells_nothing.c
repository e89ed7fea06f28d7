// bug: data-race
// fixed: exhaustive
// The flag is set already: who finds it set knows nothing about the section that sets it again.
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

#ifdef FIXED
static int flag;
#else
static int flag = 1;
#endif
static int data, got;

static void *publish(void *arg)
{
    data = 1; // BUG
    __VERIFIER_atomic_begin();
    flag = 1;
    __VERIFIER_atomic_end();
    return NULL;
}

static void *use(void *arg)
{
    __VERIFIER_atomic_begin();
    int set = flag;
    __VERIFIER_atomic_end();
    if (set)
        got = data; // BUG
    return NULL;
}

int main(void)
{
    pthread_t p, u;
    pthread_create(&p, NULL, publish, NULL);
    pthread_create(&u, NULL, use, NULL);
    pthread_join(p, NULL);
    pthread_join(u, NULL);
    return 0;
}
