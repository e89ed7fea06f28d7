/* Two loops that keep step with each other for 20 rounds make Fibonacci numbers, no other schedule does. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { ROUNDS = 20, LARGEST = 165580141 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int a = 1, b = 1;

static void *run(void *second)
{
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&lock);
        *(second ? &b : &a) += second ? a : b;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, run, (void *)i);
    pthread_mutex_lock(&lock); /* last of all */
    assert(a < LARGEST && b < LARGEST);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
