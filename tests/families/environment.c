/* environment.c - setenv in one thread, getenv in another: either may come first */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
void *t(void *a)
{
    setenv("QQ", "1", 1);
    return 0;
}
int main(void)
{
    pthread_t p;
    pthread_create(&p, 0, t, 0);
    assert(!getenv("QQ"));
    pthread_join(p, 0);
}
