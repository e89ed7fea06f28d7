/* stat_beyond.c - stat fills a structure that has no room (-DFREED: that has been freed, -DRACE: that is read) */
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
static struct stat *status;
static void *look(void *argument)
{
    return status->st_mode ? argument : NULL;
}
int main(void)
{
    pthread_t t;
#ifdef RACE
    status = calloc(1, sizeof *status);
    pthread_create(&t, NULL, look, NULL);
    stat("/", status);
    pthread_join(t, NULL);
#else
    status = malloc(sizeof *status - 8);
#ifdef FREED
    free(status);
#endif
    (void)t, (void)look;
    stat("/", status);
#endif
    return 0;
}
