/* assumed_by_all.c - assumptions of several threads, each about inputs of its own
 *
 * litmus: -> executions 1
 * litmus: --reduction=source -> executions 1
 * litmus: --reduction=none -> executions any
 * litmus: -DLINKED -> executions 4
 * litmus: -DNEVER -> executions 2 bugs assertion
 * litmus: -DNEVER --reduction=none -> executions any bugs assertion
 *
 * The first inputs violate each of them, whichever thread comes first. LINKED: own inputs depend on a shared one, so
 * that the two assumptions exclude each other. NEVER: no input satisfies a third thread's; that stops this thread,
 * perhaps after the others have done everything.
 */
#include <pthread.h>
#include <sennit/sennit.h>

static int shared;

static void *assume(void *sign)
{
    int own = sennit_int("own");
#ifdef LINKED
    if (own != shared)
        return NULL;
#endif
    sennit_assume(sign ? own > 0 : own < 0);
    return NULL;
}

static void *exclude(void *unused)
{
    int own = sennit_int("own");
    sennit_assume(own > 5);
    sennit_assume(own < 5);
    return unused;
}

static void *use(void *unused)
{
    int own = sennit_int("own");
    sennit_assert(own <= 0);
    return unused;
}

int main(void)
{
    pthread_t threads[4];
    int count = 2;
    shared = sennit_int("shared");
#ifdef NEVER
    count = 4;
#endif
    for (int i = 0; i < count; i++)
        pthread_create(&threads[i], NULL, i == 3 ? use : i == 2 ? exclude : assume, i == 0 ? &shared : NULL);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
