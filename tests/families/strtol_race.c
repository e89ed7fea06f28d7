/* strtol_race.c - strtol reads a text that another thread writes */
#include <pthread.h>
#include <stdlib.h>
char a[4] = "15";
void *t(void *x)
{
    volatile long d = strtol(a, 0, 10);
    return 0;
}
int main(void)
{
    pthread_t p;
    pthread_create(&p, 0, t, 0);
    a[0] = '2';
    pthread_join(p, 0);
}
