// bug: data-race
// fixed: exhaustive
// Two fields of one struct are two locations; one field is one.
#include <pthread.h>

static struct {
    int width, height;
} size;

static void *set_width(void *arg)
{
    size.width = 3; // BUG
    return NULL;
}

static void *set_height(void *arg)
{
#ifdef FIXED
    size.height = 4;
#else
    size.width = 4; // BUG
#endif
    return NULL;
}

int main(void)
{
    pthread_t w, h;
    pthread_create(&w, NULL, set_width, NULL);
    pthread_create(&h, NULL, set_height, NULL);
    pthread_join(w, NULL);
    pthread_join(h, NULL);
    return size.width > 4;
}
