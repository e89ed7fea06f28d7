/* independent.c - threads that share nothing have one class, however many they are
 *
 * litmus: -DN=2 -> executions 1
 * litmus: -DN=20 -> executions 1
 *
 * Also neighbouring bytes of one machine word are different variables.
 */
#include "litmus.h"

static atomic_char bytes[N];
static _Atomic long words[N];

static void *body(void *argument)
{
    int i = number_of(argument);
    atomic_store(&bytes[i], 1);
    atomic_fetch_add(&words[i], 2);
    return NULL;
}

int main(void)
{
    start_all(N, body);
    join_all();
    for (int i = 0; i < N; i++)
        assert(atomic_load(&bytes[i]) == 1 && atomic_load(&words[i]) == 2);
    return 0;
}
