/* barrier.c - N threads meet at a barrier
 *
 * litmus: -DN=2 -> executions 2
 * litmus: -DN=3 -> executions 3
 * litmus: -DN=4 -> executions 4
 * litmus: -DN=2 -DROUNDS=2 -> executions 8
 *
 * Who arrives last opens the barrier and is told to be the serial thread: N; the others'
 * arrivals commute. The program with two rounds meets three times: N^3.
 */
#include "litmus.h"

#ifndef ROUNDS
#define ROUNDS 1
#endif

static pthread_barrier_t barrier;
static int before[N], serial[ROUNDS];

static void *body(void *argument)
{
    int self = number_of(argument);
    for (int round = 0; round < ROUNDS; round++) {
        before[self] = round + 1;
        if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
            serial[round]++;
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
    for (int round = 0; round < ROUNDS; round++)
        assert(serial[round] == 1);
    pthread_barrier_destroy(&barrier);
    return 0;
}
