// bug: data-race
// fixed: exhaustive
// pthread_create stores the name of the new thread, which runs already and looks for it.
#include <pthread.h>

static pthread_t worker;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int known;

static void *work(void *arg)
{
#ifdef FIXED
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
#endif
    known = pthread_equal(worker, pthread_self()); // BUG
    return arg;
}

int main(void)
{
    pthread_mutex_lock(&lock);
    pthread_create(&worker, NULL, work, NULL); // BUG
    pthread_mutex_unlock(&lock);
    pthread_join(worker, NULL);
    return !known;
}
