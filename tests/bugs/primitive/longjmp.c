// bug: deadlock
// fixed: exhaustive
// The jump out of the critical section leaves the lock behind if the input is bad.
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int bad;
static int handled;

static void parse(jmp_buf *error)
{
    pthread_mutex_lock(&lock);
    if (atomic_load(&bad)) {
#ifdef FIXED
        pthread_mutex_unlock(&lock);
#endif
        longjmp(*error, 1);
    }
    pthread_mutex_unlock(&lock);
}

static void *worker(void *arg)
{
    jmp_buf error;
    if (setjmp(error) == 0)
        parse(&error);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    atomic_store(&bad, 1);
    pthread_mutex_lock(&lock); // BUG
    handled = 1;
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return handled == 1 ? 0 : 1;
}
