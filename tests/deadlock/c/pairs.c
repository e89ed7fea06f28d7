/* Four pairs of threads, each with its own two locks, all through one function: four cycles that share their places. With
 * -DSAFE=N the N-th pair agrees on an order. */
#include <pthread.h>

typedef struct Pair {
    pthread_mutex_t left, right;
} Pair;

static Pair pairs[4] = {{PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER}, {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER},
                        {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER}, {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER}};

#ifndef SAFE
#define SAFE -1
#endif

static void both(pthread_mutex_t *first, pthread_mutex_t *second)
{
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

static void *forth(void *argument)
{
    Pair *pair = argument;
    both(&pair->left, &pair->right);
    return NULL;
}

static void *back(void *argument)
{
    Pair *pair = argument;
    if (pair == &pairs[SAFE < 0 ? 0 : SAFE] && SAFE >= 0)
        both(&pair->left, &pair->right);
    else
        both(&pair->right, &pair->left);
    return NULL;
}

int main(void)
{
    pthread_t threads[8];
    for (int i = 0; i < 4; i++) {
        pthread_create(&threads[2 * i], NULL, forth, &pairs[i]);
        pthread_create(&threads[2 * i + 1], NULL, back, &pairs[i]);
    }
    for (int i = 0; i < 8; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
