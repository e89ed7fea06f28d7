// bug: data-race
// fixed: exhaustive
// The terminating zero of the copied string lands on the other thread's byte.
#include <pthread.h>
#include <string.h>

static char record[8];

static void *set_name(void *arg)
{
#ifdef FIXED
    strcpy(record, "bob");
#else
    strcpy(record, "bill"); // BUG
#endif
    return NULL;
}

static void *set_grade(void *arg)
{
    record[4] = 'A'; // BUG
    return NULL;
}

int main(void)
{
    pthread_t n, g;
    pthread_create(&n, NULL, set_name, NULL);
    pthread_create(&g, NULL, set_grade, NULL);
    pthread_join(n, NULL);
    pthread_join(g, NULL);
    return 0;
}
