// bug: data-race
// fixed: exhaustive
// Neighbouring bytes are no race; the wrong bound makes one thread touch the other's first byte.
#include <pthread.h>

static char cells[8];

static void *lower(void *arg)
{
#ifdef FIXED
    for (int i = 0; i < 4; i++)
#else
    for (int i = 0; i <= 4; i++)
#endif
        cells[i] = 'l'; // BUG
    return NULL;
}

static void *upper(void *arg)
{
    for (int i = 4; i < 8; i++)
        cells[i] = 'u'; // BUG
    return NULL;
}

int main(void)
{
    pthread_t l, u;
    pthread_create(&l, NULL, lower, NULL);
    pthread_create(&u, NULL, upper, NULL);
    pthread_join(l, NULL);
    pthread_join(u, NULL);
    return 0;
}
