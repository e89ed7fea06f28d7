// bug: data-race
// fixed: exhaustive
// The thread reads the loop variable of main while main counts it up.
#include <pthread.h>

static int seen[2];

static void *note(void *arg)
{
    int number = *(int *)arg; // BUG
    if (number < 2)
        __atomic_fetch_add(&seen[number], 1, __ATOMIC_SEQ_CST);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
#ifdef FIXED
    int number[2] = {0, 1};
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, note, &number[i]);
#else
    int i;
    for (i = 0; i < 2; i++) // BUG
        pthread_create(&t[i], NULL, note, &i);
#endif
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
