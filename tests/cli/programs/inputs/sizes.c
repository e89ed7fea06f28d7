/* Blocks whose size is an input: what is explored is what the program does, not every size. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sennit/sennit.h>

#if SHAPE == 1 /* sizes 0 to 3 are too small: found without trying every size */
int main(void)
{
    unsigned n = sennit_uint("n");
    sennit_assume(n <= 1000);
    char *p = malloc(n);
    p[3] = 1;
    free(p);
}
#elif SHAPE == 2 /* size and index are inputs */
int main(void)
{
    unsigned n = sennit_uint("n"), i = sennit_uint("i");
    sennit_assume(n <= 200 && i <= n);
    char *p = calloc(n, 1);
    int result = p[i];
    free(p);
    return result;
}
#elif SHAPE == 3 /* a loop tells sizes apart: 0 to 4 elements */
int main(void)
{
    unsigned n = sennit_uint("n");
    sennit_assume(n <= 4);
    int *p = malloc(n * sizeof *p), sum = 0;
    for (unsigned i = 0; i < n; i++)
        p[i] = (int)i;
    for (unsigned i = 0; i < n; i++)
        sum += p[i];
    free(p);
    sennit_assert(sum == (int)(n * (n - 1) / 2));
}
#elif SHAPE == 4 /* threads and atomics; sizes below 16 are too small for the second */
static _Atomic int *p;
static void *second(void *arg) { atomic_fetch_add(&p[3], 1); return arg; }
int main(void)
{
    pthread_t t;
    unsigned n = sennit_uint("n");
    sennit_assume(n >= 4 && n <= 64);
    p = calloc(1, n);
    pthread_create(&t, NULL, second, NULL);
    atomic_fetch_add(&p[0], 1);
    pthread_join(t, NULL);
    free((void *)p);
}
#elif SHAPE == 5 /* realloc needs the size */
int main(void)
{
    unsigned n = sennit_uint("n");
    sennit_assume(n <= 5);
    char *p = malloc(n), *q = realloc(p, 8);
    q[7] = 1;
    free(q);
}
#elif SHAPE == 6 /* use after free is one, whatever the size */
int main(void)
{
    unsigned n = sennit_uint("n");
    sennit_assume(n >= 1 && n <= 100);
    char *p = malloc(n);
    free(p);
    return p[0];
}
#endif
