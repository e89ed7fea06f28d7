/* inputs.c - inputs decide what threads do to each other: schedules and inputs are one search */
#include <pthread.h>
#include <sennit/sennit.h>
#include <stdatomic.h>

#ifndef N
#define N 2
#endif

static atomic_int x, y;
static int amount, limit;

static void *left(void *argument)
{
    if (amount > 10)
        atomic_fetch_add(&x, 1);
    else
        atomic_store(&y, 2);
    if (atomic_load(&y) == 2 && limit == amount)
        atomic_store(&x, 5);
    return argument;
}

static void *right(void *argument)
{
    if (limit > 3)
        atomic_store(&x, 7);
    atomic_store(&y, atomic_load(&x));
    if (limit - amount > 1)
        atomic_store(&x, 9);
    return argument;
}

int main(void)
{
    pthread_t threads[N];
    amount = sennit_int("amount");
    limit = sennit_int("limit");
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, i % 2 ? right : left, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
