/* flockfile.c - flockfile excludes other threads */
#include <pthread.h>
#include <stdio.h>
static int x;
static void *th(void *p)
{
    flockfile(stdout);
    x++;
    funlockfile(stdout);
    return 0;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, th, 0);
    th(0);
    pthread_join(t, 0);
    return x != 2;
}
