/* in_step.c - a bug in the middle of a step, in the second schedule. PART 0: of an actor, in an atomic section;
 * 1: in an observer; 2: of a thread; 3: a race with a section that continues. */
#include <assert.h>
#include <pthread.h>
#include <sennit/actor.h>
#include <sennit/monitor.h>

void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);

static int requests, answers, behind;
static sennit_pid server_pid;

static void answer(void)
{
#if PART == 1
    sennit_observe({ answers++; assert(answers <= requests); behind++; });
#else
    __VERIFIER_atomic_begin();
    answers++;
#if PART == 3
    if (answers > requests)
        behind++;
#else
    assert(answers <= requests);
#endif
    behind--;
    __VERIFIER_atomic_end();
#endif
}

static void count(void)
{
#if PART == 1
    sennit_observe(requests++);
#else
    __VERIFIER_atomic_begin();
    requests++;
    __VERIFIER_atomic_end();
#endif
}

static void server(void *unused)
{
    int number;
    (void)unused;
    sennit_receive(&number, sizeof number);
    answer();
}

static void client(void *unused)
{
    int number = 1;
    (void)unused;
    sennit_send(server_pid, &number, sizeof number);
    count();
}

static void *answering(void *unused)
{
    answer();
    return unused;
}

static void *counting(void *unused)
{
    if (PART == 3)
        behind = 7;
    count();
    return unused;
}

int main(void)
{
#if PART < 2
    server_pid = sennit_spawn("server", server, 0);
    sennit_spawn("client", client, 0);
    sennit_run();
#else
    pthread_t threads[2];
    (void)server, (void)client;
    pthread_create(&threads[0], NULL, counting, NULL);
    pthread_create(&threads[1], NULL, answering, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
#endif
}
