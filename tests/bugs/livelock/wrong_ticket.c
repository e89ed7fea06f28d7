// bug: livelock
// fixed: exhaustive
// The first client hands over a number too small, so whoever drew the second ticket spins forever.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int tickets;
static atomic_int served;

static void *client(void *arg)
{
    int mine = atomic_fetch_add(&tickets, 1);
    while (atomic_load(&served) < mine) // BUG
        ;
#ifdef FIXED
    atomic_store(&served, mine + 1);
#else
    atomic_store(&served, mine * 2);
#endif
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, client, NULL);
    pthread_create(&b, NULL, client, NULL);
    pthread_join(a, NULL); // (BUG)
    pthread_join(b, NULL); // (BUG)
    return 0;
}
