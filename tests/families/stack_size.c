/* stack_size.c - a thread with a stack of 64 MB has room for a variable of 32 MB */
#include <pthread.h>
#include <string.h>
static void *th(void *p)
{
    char big[32 << 20];
    memset(big, 1, sizeof big);
    return (void *)(long)(big[12345] != 1);
}
int main(void)
{
    pthread_attr_t a;
    pthread_attr_init(&a);
    pthread_attr_setstacksize(&a, 64 << 20);
    pthread_t t;
    void *r;
    if (pthread_create(&t, &a, th, 0))
        return 1;
    pthread_join(t, &r);
    return r != 0;
}
