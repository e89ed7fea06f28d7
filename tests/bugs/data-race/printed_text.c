// bug: data-race
// fixed: exhaustive
// What is printed is read: the strings among the arguments, up to their end or the precision, and no more.
#include <pthread.h>
#include <stdio.h>

static char name[8] = "name";
static char line[32];

static void *print(void *arg)
{
    snprintf(line, sizeof line, "%-*d|%lf|%.2s", 4, 1, 0.5, name);
#ifdef FIXED
    printf("%Lf %ld %c %.3s\n", 1.0L, 1L, 'c', name);
#else
    printf("%Lf %ld %c %s\n", 1.0L, 1L, 'c', name); // BUG
#endif
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, print, NULL);
    name[3] = 'E'; // BUG
    pthread_join(t, NULL);
    puts(line);
    return 0;
}
