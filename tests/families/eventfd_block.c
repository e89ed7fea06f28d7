/* eventfd_block.c - a read of an eventfd blocks until another thread writes to it */
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>
static int fd;
static void *th(void *a)
{
    uint64_t v = 1;
    write(fd, &v, 8);
    return 0;
}
int main(void)
{
    fd = eventfd(0, 0);
    pthread_t t;
    pthread_create(&t, 0, th, 0);
    uint64_t v;
    read(fd, &v, 8); /* th writes: this returns */
    pthread_join(t, 0);
    return 0;
}
