/* left_frame.c - a thread that uses a variable of a function that has returned stops; the others go on
 *
 * litmus: -> executions 5 bugs assertion,use-after-return
 * litmus: --reduction=none -> executions any bugs assertion,use-after-return
 */
#include "litmus.h"

#include <stdatomic.h>

static int *left;
static atomic_int count;

static __attribute__((noinline)) void leave(void)
{
    int number = 3;
    left = &number;
}

static void *watch(void *unused)
{
    assert(count != 1);
    assert(count != 2);
    return unused;
}

int main(void)
{
    start(watch, 0);
    count = 1;
    count = 2;
    leave();
    *left = 9;
    join_all();
}
