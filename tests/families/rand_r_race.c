/* rand_r_race.c - rand_r writes the seed that another thread writes, too */
#include <pthread.h>
#include <stdlib.h>
unsigned s = 1;
void *t(void *x)
{
    rand_r(&s);
    return 0;
}
int main(void)
{
    pthread_t p;
    pthread_create(&p, 0, t, 0);
    s = 4;
    pthread_join(p, 0);
}
