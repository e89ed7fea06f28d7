// bug: data-race
// fixed: exhaustive
// Members of a union share their bytes; members of a struct do not.
#include <pthread.h>

#ifdef FIXED
static struct {
#else
static union {
#endif
    int number;
    char text[4];
} value;

static void *set_number(void *arg)
{
    value.number = 1; // BUG
    return NULL;
}

static void *set_text(void *arg)
{
    value.text[3] = 'x'; // BUG
    return NULL;
}

int main(void)
{
    pthread_t n, t;
    pthread_create(&n, NULL, set_number, NULL);
    pthread_create(&t, NULL, set_text, NULL);
    pthread_join(n, NULL);
    pthread_join(t, NULL);
    return 0;
}
