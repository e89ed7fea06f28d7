/* set.c - a set of small numbers whose size is kept beside it
 *
 * Adding and removing change the set and then its size. Whoever asks for the size in between gets one that the set never
 * had: a removal may even be counted before the addition, and the size be -1. No thread does anything wrong by itself;
 * the history as a whole is not that of a set. Repaired, the size is computed from the set.
 *
 * litmus: -> executions 11 bugs assertion
 * litmus: -DFIXED -> executions 10
 */
#include <pthread.h>
#include <stdatomic.h>

#include <sennit/linearizable.h>

static atomic_uint members; /* a bit for each number */
static atomic_int size;

static int add(unsigned number)
{
    unsigned bit = 1u << number;
    if (atomic_fetch_or(&members, bit) & bit)
        return 0;
    size++;
    return 1;
}

static int take(unsigned number)
{
    unsigned bit = 1u << number;
    if (!(atomic_fetch_and(&members, ~bit) & bit))
        return 0;
    size--;
    return 1;
}

static int count(void)
{
#ifdef FIXED
    return __builtin_popcount(members);
#else
    return size;
#endif
}

/* What a set is: its operations one after the other. The numbers are in a word of bits, zero at first. */
enum { ADD, TAKE, COUNT };

static long set_specified(void *state, int operation, long number)
{
    unsigned *in = (unsigned *)state, bit = 1u << number, was = *in & bit;
    switch (operation) {
    case ADD: *in |= bit; return !was;
    case TAKE: *in &= ~bit; return was != 0;
    default: return __builtin_popcount(*in);
    }
}
SENNIT_LINEARIZABLE(history, "set", unsigned, set_specified);

static void *adder(void *unused)
{
    sennit_invoke(&history, 0, ADD, 3);
    sennit_return(&history, 0, add(3));
    return unused;
}

static void *taker(void *unused)
{
    sennit_invoke(&history, 1, TAKE, 3);
    sennit_return(&history, 1, take(3));
    sennit_invoke(&history, 1, COUNT, 0);
    sennit_return(&history, 1, count());
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, adder, NULL);
    pthread_create(&second, NULL, taker, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    sennit_linearizable(&history);
    return 0;
}
