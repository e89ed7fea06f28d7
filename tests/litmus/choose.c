/* choose.c - sennit_choose takes every option; sennit_assume drops some
 *
 * litmus: -DN=1 -> executions 3
 * litmus: -DN=2 -> executions 9
 * litmus: -DN=2 -DWRONG -> executions 9 bugs assertion
 *
 * N threads choose one of three: 3^N. Choosing orders nothing. Executions that end at a
 * failed assumption are counted.
 */
#include "litmus.h"

#include <sennit/sennit.h>

static unsigned chosen[N];

static void *chooser(void *argument)
{
    unsigned *mine = argument;
    *mine = sennit_choose(3);
    sennit_assume(*mine != 1);
#ifdef WRONG
    sennit_assert(*mine != 2);
#else
    sennit_assert(*mine == 0 || *mine == 2);
#endif
    return NULL;
}

int main(void)
{
    pthread_t thread[N];
    for (int i = 0; i < N; i++)
        pthread_create(&thread[i], NULL, chooser, &chosen[i]);
    for (int i = 0; i < N; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
