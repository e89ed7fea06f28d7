/* unlocked_increment.c - an increment in assembly that is not locked: an update can be lost */
#include <assert.h>
#include <pthread.h>
static int x;
static void *th(void *a)
{
    __asm__ volatile("incl %0" : "+m"(x));
    return 0;
} /* not locked */
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, th, 0);
    pthread_create(&b, 0, th, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x == 2);
    return 0;
}
