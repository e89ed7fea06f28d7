/* depends on something outside: the name of its process, which it changes */
#include <pthread.h>
#include <stdatomic.h>
#include <sys/prctl.h>

static atomic_int x;

static void *add(void *unused)
{
    atomic_fetch_add(&x, 1);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    char name[16];
    prctl(PR_GET_NAME, name);
    int run = *name == '1';
    prctl(PR_SET_NAME, run ? "0" : "1");
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, add, NULL);
    if (run % 2)
        atomic_store(&x, run);
    atomic_load(&x);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
