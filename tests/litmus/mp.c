/* mp.c - message passing: data, then a flag; the reader looks at the flag first
 *
 * litmus: -> executions 3
 * litmus: --reduction=source -> executions 3 redundant any
 *
 * The flag's load before or after the flag's store, the data's load before or after the
 * data's store; flag seen but not the data is a circle.
 */
#include "litmus.h"

static atomic_int data, flag;

static void *writer(void *unused)
{
    atomic_store(&data, 1);
    atomic_store(&flag, 1);
    return unused;
}

static void *reader(void *unused)
{
    int ready = atomic_load(&flag);
    int value = atomic_load(&data);
    assert(!ready || value);
    return unused;
}

int main(void)
{
    start(writer, 0);
    start(reader, 0);
    join_all();
    return 0;
}
