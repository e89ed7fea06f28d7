/* peterson.c - Peterson's mutual exclusion: a spin loop over two variables
 *
 * litmus: -> executions 12
 *
 * The waiting loop reads the other's flag and whose turn it is; brute force agrees.
 */
#include "litmus.h"

static atomic_int wants[2], turn;
static int counter;

static void *body(void *argument)
{
    int self = number_of(argument);
    int other = 1 - self;
    atomic_store(&wants[self], 1);
    atomic_store(&turn, other);
    while (atomic_load(&wants[other]) && atomic_load(&turn) == other)
        ;
    counter++;
    atomic_store(&wants[self], 0);
    return NULL;
}

int main(void)
{
    start_all(2, body);
    join_all();
    assert(counter == 2);
    return 0;
}
