/* depends on something outside: the number of its run, kept in a file */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static atomic_int x;

static void *add(void *unused)
{
    atomic_fetch_add(&x, 1);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    char name[32];
    int run = 0;
    while (snprintf(name, sizeof name, "changing.%d", run), access(name, F_OK) == 0)
        run++;
    fclose(fopen(name, "w"));
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, add, NULL);
    if (run % 2)
        atomic_store(&x, run);
    atomic_load(&x);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
