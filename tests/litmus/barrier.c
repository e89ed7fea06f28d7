/* barrier.c - N threads meet at a barrier
 *
 * litmus: -DN=2 -> executions 2
 * litmus: -DN=3 -> executions 3
 * litmus: -DN=4 -> executions 4
 * litmus: -DN=2 -DROUNDS=2 -> executions 8
 * litmus: -DN=3 --barriers=ordered -> executions 6
 * litmus: -DN=2 -DNOBODY_ASKS -DROUNDS=3 -> executions 1
 * litmus: -DN=5 -DNOBODY_ASKS -DROUNDS=2 -> executions 1
 * litmus: -DN=5 -DNOBODY_ASKS -DROUNDS=2 --memory=rc11 -> executions 1
 * litmus: -DN=3 -DNOBODY_ASKS --barriers=ordered -> executions 6
 *
 * The first to leave is told to be the serial thread, or of two the last to arrive: N; arrivals
 * commute. The program with two rounds meets three times: N^3. If no thread asks which one is
 * serial, there is one execution. Ordered arrivals: N!.
 */
#include "litmus.h"

#ifndef ROUNDS
#define ROUNDS 1
#endif

static pthread_barrier_t barrier;
static int before[N];
#ifndef NOBODY_ASKS
static int serial[ROUNDS];
#endif

static void *body(void *argument)
{
    int self = number_of(argument);
    for (int round = 0; round < ROUNDS; round++) {
        before[self] = round + 1;
#ifdef NOBODY_ASKS
        pthread_barrier_wait(&barrier);
#else
        if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
            serial[round]++;
#endif
        for (int i = 0; i < N; i++)
            assert(before[i] == round + 1);
        if (round + 1 < ROUNDS)
            pthread_barrier_wait(&barrier);
    }
    return NULL;
}

int main(void)
{
    pthread_barrier_init(&barrier, NULL, N);
    start_all(N, body);
    join_all();
#ifndef NOBODY_ASKS
    for (int round = 0; round < ROUNDS; round++)
        assert(serial[round] == 1);
#endif
    pthread_barrier_destroy(&barrier);
    return 0;
}
