/* once.c - N threads call pthread_once
 *
 * litmus: -DN=2 -> executions 2
 * litmus: -DN=4 -> executions 4
 *
 * Who comes first runs the function; the others wait for its end and only read: N.
 */
#include "litmus.h"

static pthread_once_t control = PTHREAD_ONCE_INIT;
static int calls;

static void initialise(void)
{
    calls++;
}

static void *body(void *unused)
{
    pthread_once(&control, initialise);
    assert(calls == 1);
    return unused;
}

int main(void)
{
    start_all(N, body);
    join_all();
    return 0;
}
