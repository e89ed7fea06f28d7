/* rand_order.c - rand in two threads: either may come first */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
void *t(void *a)
{
    rand();
    return 0;
}
int main(void)
{
    srand(1);
    int first = rand();
    srand(1);
    pthread_t p;
    pthread_create(&p, 0, t, 0);
    assert(rand() == first);
    pthread_join(p, 0);
}
