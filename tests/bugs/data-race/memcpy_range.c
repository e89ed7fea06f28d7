// bug: data-race
// fixed: exhaustive
// The copy is one byte too long and reaches the other thread's half.
#include <pthread.h>
#include <string.h>

static char buffer[16];
static const char text[16] = "0123456789abcde";

#ifdef FIXED
enum { LENGTH = 8 };
#else
enum { LENGTH = 9 };
#endif

static void *lower(void *arg)
{
    memcpy(buffer, text, LENGTH); // BUG
    return NULL;
}

static void *upper(void *arg)
{
    memset(buffer + 8, '-', 8); // BUG
    return NULL;
}

int main(void)
{
    pthread_t l, u;
    pthread_create(&l, NULL, lower, NULL);
    pthread_create(&u, NULL, upper, NULL);
    pthread_join(l, NULL);
    pthread_join(u, NULL);
    return 0;
}
