/* semaphore_try.c - sem_trywait takes a token or reads that there is none
 *
 * litmus: -DN=2 -> executions 2
 * litmus: -DN=3 -> executions 3
 * litmus: -DN=2 -DTIMED -> executions 2
 *
 * One token, never given back: who tries first gets it, the failures commute.
 */
#include <semaphore.h>
#include <time.h>

#include "litmus.h"

static sem_t tokens;

static void *body(void *unused)
{
#ifdef TIMED
    struct timespec soon;
    clock_gettime(CLOCK_REALTIME, &soon);
    if (sem_timedwait(&tokens, &soon) != 0)
        assert(errno == ETIMEDOUT);
#else
    if (sem_trywait(&tokens) != 0)
        assert(errno == EAGAIN);
#endif
    return unused;
}

int main(void)
{
    sem_init(&tokens, 0, 1);
    start_all(N, body);
    join_all();
    int left;
    sem_getvalue(&tokens, &left);
    assert(left == 0);
    return 0;
}
