// bug: heap-bounds
// fixed: exhaustive
// The room of a pointer is not enough for what it points to.
#include <pthread.h>
#include <stdlib.h>

int main(void)
{
    pthread_mutex_t *lock;
#ifdef FIXED
    lock = malloc(sizeof *lock);
#else
    lock = malloc(sizeof lock); // (BUG)
#endif
    pthread_mutex_init(lock, NULL); // (BUG)
    pthread_mutex_lock(lock);
    pthread_mutex_unlock(lock);
    pthread_mutex_destroy(lock);
    free(lock);
    return 0;
}
