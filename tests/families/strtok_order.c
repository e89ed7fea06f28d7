/* strtok_order.c - strtok in two threads: one continues the text of the other */
#include <assert.h>
#include <pthread.h>
#include <string.h>
void *t(void *a)
{
    static char s[] = "x y";
    strtok(s, " ");
    return 0;
}
int main(void)
{
    char s[] = "a b";
    pthread_t p;
    pthread_create(&p, 0, t, 0);
    strtok(s, " ");
    char *r = strtok(0, " ");
    assert(r && *r == 'b');
    pthread_join(p, 0);
}
