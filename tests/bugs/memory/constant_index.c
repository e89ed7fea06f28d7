// bug: bounds
// fixed: exhaustive
// One state too many for its table of names.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int state = 1;
#ifdef FIXED
static const char *const names[] = {"new", "ready", "running", "over"};
#else
static const char *const names[] = {"new", "ready", "running"};
#endif

static void *advance(void *arg)
{
    atomic_fetch_add(&state, 1);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, advance, NULL);
    pthread_create(&b, NULL, advance, NULL);
    int now = atomic_load(&state);
    char first = *names[now]; // BUG
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return first == 0;
}
