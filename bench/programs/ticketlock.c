/* ticketlock.c - a ticket lock around one critical section per thread
 *
 * litmus: -DN=3 -> executions 6
 * litmus: -DN=6 -> executions 720
 * litmus long: -DN=8 -> executions 40320
 *
 * The order of the tickets fixes everything else: N!. Waiting for the turn is a spin
 * loop; it must neither hang nor multiply executions.
 */
#include <assert.h>
#include <stdatomic.h>

#include "threads.h"

#ifndef N
#define N 6
#endif

static atomic_int next_ticket, owner;
static int counter;

static void *body(void *unused)
{
    int ticket = atomic_fetch_add(&next_ticket, 1);
    while (atomic_load(&owner) != ticket)
        ;
    counter++;
    atomic_store(&owner, ticket + 1);
    return unused;
}

int main(void)
{
    start_all(N, body);
    join_all();
    assert(counter == N);
    return 0;
}
