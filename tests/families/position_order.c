/* position_order.c - the position of a descriptor is read by a step: a read of another thread may come before */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>
int fd;
char c;
void *t(void *x)
{
    read(fd, &c, 1);
    return 0;
}
int main(void)
{
    fd = open("in.txt", O_RDONLY);
    pthread_t p;
    pthread_create(&p, 0, t, 0);
    assert(lseek(fd, 0, SEEK_CUR) == 0);
    pthread_join(p, 0);
}
