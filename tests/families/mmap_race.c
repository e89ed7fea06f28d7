/* mmap_race.c - two threads increment a number in mapped memory */
#include <assert.h>
#include <pthread.h>
#include <sys/mman.h>
static int *x;
static void *th(void *a)
{
    (*x)++;
    return 0;
}
int main(void)
{
    x = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_t a, b;
    pthread_create(&a, 0, th, 0);
    pthread_create(&b, 0, th, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(*x == 2);
    munmap(x, 4096);
    return 0;
}
