/* stream_order.c - two threads write to one stream: either may come first */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
FILE *f;
void *t(void *a)
{
    fputc('1', f);
    return 0;
}
int main(void)
{
    f = tmpfile();
    pthread_t p;
    pthread_create(&p, 0, t, 0);
    fputc('2', f);
    pthread_join(p, 0);
    rewind(f);
    assert(fgetc(f) == '2');
}
