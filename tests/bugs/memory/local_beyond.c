// bug: bounds
// fixed: exhaustive
// A text that is as long as the buffer leaves no room for its end; the callee writes it.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int length = 3;

static void copy(char *to, const char *from, int size)
{
    int i = 0;
    for (; i < size; i++)
        to[i] = from[i];
    to[i] = 0; // BUG
}

static void *grow(void *arg)
{
    atomic_fetch_add(&length, 2);
    return arg;
}

int main(void)
{
    pthread_t t;
#ifdef FIXED
    char name[6];
#else
    char name[5];
#endif
    pthread_create(&t, NULL, grow, NULL);
    copy(name, "abcdefgh", atomic_load(&length)); // (BUG)
    pthread_join(t, NULL);
    return 0;
}
