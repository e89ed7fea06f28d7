/* Locks that do not simply wait. One of
 *   -DTRY        the second order only tries: no deadlock
 *   -DTIMED      the same with a time limit
 *   -DREADERS    both orders, all for reading: no deadlock
 *   -DWRITERS    one asks for writing
 *   -DRECURSIVE  a lock that its owner may take again */
#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t x = PTHREAD_RWLOCK_INITIALIZER, y = PTHREAD_RWLOCK_INITIALIZER;

static void *forth(void *argument)
{
#if defined READERS || defined WRITERS
    pthread_rwlock_rdlock(&x);
    pthread_rwlock_rdlock(&y);
    pthread_rwlock_unlock(&y);
    pthread_rwlock_unlock(&x);
#else
    pthread_mutex_lock(&a);
#ifdef RECURSIVE
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
#endif
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
#endif
    return argument;
}

static void *back(void *argument)
{
#if defined READERS
    pthread_rwlock_rdlock(&y);
    pthread_rwlock_rdlock(&x);
    pthread_rwlock_unlock(&x);
    pthread_rwlock_unlock(&y);
#elif defined WRITERS
    pthread_rwlock_wrlock(&y);
    pthread_rwlock_wrlock(&x);
    pthread_rwlock_unlock(&x);
    pthread_rwlock_unlock(&y);
#elif defined TRY
    pthread_mutex_lock(&b);
    if (pthread_mutex_trylock(&a) == 0)
        pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
#elif defined TIMED
    struct timespec soon = {.tv_sec = 1};
    pthread_mutex_lock(&b);
    if (pthread_mutex_timedlock(&a, &soon) == 0)
        pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
#else
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
#endif
    return argument;
}

int main(void)
{
    pthread_t first, second;
#ifdef RECURSIVE
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&a, &kind);
#endif
    (void)x, (void)y;
    pthread_create(&first, NULL, forth, NULL);
    pthread_create(&second, NULL, back, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
