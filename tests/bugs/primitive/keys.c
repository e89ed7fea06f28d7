// bug: leak
// fixed: exhaustive
// options: --check=leak
// Without a destructor nobody frees a thread's value.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;

static void *worker(void *arg)
{
    assert(pthread_getspecific(key) == NULL);
    int *mine = malloc(sizeof *mine); // BUG
    *mine = *(int *)arg;
    pthread_setspecific(key, mine);
    assert(pthread_getspecific(key) == mine && *mine == *(int *)arg);
    return NULL;
}

int main(void)
{
    static int number[2] = {1, 2};
    pthread_t a, b;
#ifdef FIXED
    pthread_key_create(&key, free);
#else
    pthread_key_create(&key, NULL);
#endif
    pthread_create(&a, NULL, worker, &number[0]);
    pthread_create(&b, NULL, worker, &number[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_key_delete(key);
    return 0;
}
