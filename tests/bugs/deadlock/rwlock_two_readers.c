// bug: deadlock
// fixed: exhaustive
// Each reader holds one table and wants to write the other: both must read first.
#include <pthread.h>

static pthread_rwlock_t left = PTHREAD_RWLOCK_INITIALIZER, right = PTHREAD_RWLOCK_INITIALIZER;

static void *copy_right(void *arg)
{
    pthread_rwlock_rdlock(&left);
    pthread_rwlock_wrlock(&right); // BUG
    pthread_rwlock_unlock(&right);
    pthread_rwlock_unlock(&left);
    return NULL;
}

static void *copy_left(void *arg)
{
#ifdef FIXED
    pthread_rwlock_wrlock(&left);
    pthread_rwlock_rdlock(&right);
#else
    pthread_rwlock_rdlock(&right);
    pthread_rwlock_wrlock(&left); // BUG
#endif
    pthread_rwlock_unlock(&left);
    pthread_rwlock_unlock(&right);
    return NULL;
}

int main(void)
{
    pthread_t r, l;
    pthread_create(&r, NULL, copy_right, NULL);
    pthread_create(&l, NULL, copy_left, NULL);
    pthread_join(r, NULL); // (BUG)
    pthread_join(l, NULL); // (BUG)
    return 0;
}
