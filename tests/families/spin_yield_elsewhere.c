/* spin_yield_elsewhere.c - a loop that waits and yields in a function of another file (spin_yield_relax.c) */
#include <pthread.h>
#include <stdatomic.h>
void relax(void);
static atomic_int done;
static void *th(void *a)
{
    atomic_store(&done, 1);
    return 0;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, th, 0);
    while (!atomic_load(&done))
        relax();
    pthread_join(t, 0);
    return 0;
}
