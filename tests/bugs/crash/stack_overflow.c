// bug: crash
// fixed: exhaustive
// The recursion starts below its bottom, and so has no end, if the depth changes between the two looks.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int top = 3;

static int descend(int level, int bottom, const char *parent)
{
    char frame[256]; // (BUG)
    frame[0] = parent[0]; // (BUG)
    if (level == bottom)
        return frame[0];
    return descend(level - 1, bottom, frame) + frame[0]; // (BUG)
}

static void *walker(void *arg)
{
    int bottom = atomic_load(&top) - 3;
#ifdef FIXED
    int start = bottom + 3;
#else
    int start = atomic_load(&top);
#endif
    return descend(start, bottom, "r") < 0 ? arg : NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, walker, NULL);
    atomic_store(&top, -4);
    pthread_join(t, NULL);
    return 0;
}
