// bug: deadlock
// fixed: exhaustive
// An initialiser that asks for its own initialisation waits for itself.
#include <pthread.h>
#include <stdatomic.h>

static pthread_once_t once = PTHREAD_ONCE_INIT, other = PTHREAD_ONCE_INIT;
static atomic_int verbose;
static int value;

static void noting(void) {}

static void set_up(void)
{
    value = 1;
    if (atomic_load(&verbose))
#ifdef FIXED
        pthread_once(&other, noting);
#else
        pthread_once(&once, noting); // BUG
#endif
}

static void *user(void *arg)
{
    pthread_once(&once, set_up);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, user, NULL);
    atomic_store(&verbose, 1);
    pthread_join(t, NULL); // (BUG)
    pthread_once(&other, noting);
    return 0;
}
