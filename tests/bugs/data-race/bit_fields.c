// bug: data-race
// fixed: exhaustive
// Adjacent bit-fields are one memory location: writing one rewrites its neighbour.
#include <pthread.h>

static struct {
    unsigned open : 1;
#ifdef FIXED
    unsigned : 0;
#endif
    unsigned dirty : 1;
} file;

static void *open_file(void *arg)
{
    file.open = 1; // BUG
    return NULL;
}

static void *dirty_file(void *arg)
{
    file.dirty = 1; // BUG
    return NULL;
}

int main(void)
{
    pthread_t o, d;
    pthread_create(&o, NULL, open_file, NULL);
    pthread_create(&d, NULL, dirty_file, NULL);
    pthread_join(o, NULL);
    pthread_join(d, NULL);
    return 0;
}
