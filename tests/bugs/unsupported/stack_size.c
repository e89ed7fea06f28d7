// not modelled: more than 128 MB of its stack
// The program may use what it asks for, but no stack is that large here.
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static atomic_int begun;

static int fill(void)
{
    char large[300 << 20];
    memset(large, 1, sizeof large);
    return large[7];
}

static void *work(void *unused)
{
    atomic_store(&begun, 1); // HERE
    return fill() ? unused : NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, (size_t)400 << 20);
    pthread_create(&thread, &attributes, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
