/* parts.c - small programs, each with a part of its state on which everything depends
 *
 *     parts CASE [PART]     the part is left out of the state (rt/kernel/part.h)
 *
 * In each case two ways lead to states that differ in one part only, and what comes behind them differs: sennit_reach
 * says what, or a bug is found on one of them. Without the part the two are taken for one, and something is missed
 * (parts.sh). What decides the way leaves no other trace: coin() is called in functions of their own.
 */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "rt/kernel/part.h"
#include "sennit/actor.h"
#include "sennit/monitor.h"
#include "sennit/sennit.h"

#define APART __attribute__((noinline))

static int global, *block;
static atomic_int cell, other, still;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, special;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static pthread_t child;
static sem_t sem;

static APART int coin(void) { return (int)sennit_choose(2); }

/* What returned functions have left on the stack is no difference that these tests are about. */
static APART void scrub(void)
{
    volatile char below[512];
    for (unsigned i = 0; i < sizeof below; i++)
        below[i] = 0;
}
static APART void look(void) { atomic_load(&still); }
static void rest(void)
{
    scrub();
    look();
}

static void tell(int first)
{
    if (first)
        sennit_reach("one");
    else
        sennit_reach("other");
}

/* ---- Memory, stacks, calls ---- */

static APART void set_global(void) { global = coin(); }
static void globals(void)
{
    set_global();
    rest();
    tell(global);
}

static APART void set_block(void) { *block = coin(); }
static void heap(void)
{
    block = calloc(1, sizeof *block);
    set_block();
    rest();
    tell(*block);
}

static void stack(void)
{
    volatile int kept = coin();
    rest();
    tell(kept);
}

static APART void set_errno(void) { errno = coin(); }
static void error(void)
{
    set_errno();
    rest();
    tell(errno);
}

static APART void store_coin(void) { atomic_store(&cell, coin()); }
static void call(void)
{
    store_coin();
    tell(atomic_load(&cell));
}

/* Main writes the value that is there, or not, and never behind its child. */
static void *write_late(void *argument)
{
    atomic_store(&cell, 1);
    global = 0;
    return argument;
}
static APART void write_early(void)
{
    int write = coin();
    int early = atomic_load(&cell) == 0;
    if (write & early)
        global = 0;
}
static void segment(void)
{
    pthread_create(&child, NULL, write_late, NULL);
    write_early();
    rest();
}

/* ---- Locks ---- */

static APART void lock_if(void)
{
    if (coin())
        pthread_mutex_lock(&mutex);
}
static void locks(void)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    lock_if();
    rest();
    tell(pthread_mutex_trylock(&mutex) == 0);
}

static APART void init_special(int recursive)
{
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&special, &kind);
    memset(&kind, 0, sizeof kind);
}
static APART void init_either(void) { init_special(coin()); }
static void kind(void)
{
    init_either();
    pthread_mutex_lock(&special);
    tell(pthread_mutex_lock(&special) == 0);
}

static APART void lock_often(void)
{
    pthread_mutex_lock(&special);
    if (coin())
        pthread_mutex_lock(&special);
}
static void depth(void)
{
    init_special(1);
    lock_often();
    rest();
    pthread_mutex_unlock(&special);
    tell(pthread_mutex_unlock(&special) == 0);
}

/* Main or its child holds the lock. */
static void *read_perhaps(void *argument)
{
    if (atomic_exchange(&cell, 0))
        pthread_rwlock_rdlock(&rwlock);
    return argument;
}
static APART void read_or_let_read(void)
{
    if (coin())
        pthread_rwlock_rdlock(&rwlock);
    else
        atomic_store(&cell, 1);
}
static void readers(void)
{
    read_or_let_read();
    pthread_create(&child, NULL, read_perhaps, NULL);
    pthread_join(child, NULL);
    rest();
    tell(pthread_rwlock_unlock(&rwlock) == 0);
}

static APART void destroy_if(void)
{
    if (coin())
        pthread_mutex_destroy(&mutex);
}
static void destroyed(void)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    destroy_if();
    rest();
    pthread_mutex_lock(&mutex);
}

/* ---- Condition variables, semaphores, barriers ---- */

static void *wait(void *argument)
{
    pthread_mutex_lock(&mutex);
    pthread_cond_wait(&cond, &mutex);
    pthread_mutex_unlock(&mutex);
    return argument;
}
static APART void signal_if(void)
{
    if (coin())
        pthread_cond_signal(&cond);
}
static void queue(void)
{
    pthread_create(&child, NULL, wait, NULL);
    signal_if();
    rest();
    pthread_join(child, NULL);
    tell(1);
}

static APART void post_if(void)
{
    if (coin())
        sem_post(&sem);
}
static void semaphores(void)
{
    sem_init(&sem, 0, 1);
    sem_wait(&sem);
    post_if();
    rest();
    tell(sem_trywait(&sem) == 0);
}

/* The child waits in the second round, which main has joined or not. What it sees when it leaves is a race. */
static void *meet_twice(void *argument)
{
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    tell(global);
    return argument;
}
static APART void meet(void) { pthread_barrier_wait(&barrier); }
static APART void meet_if(void)
{
    if (coin() && coin() && coin()) /* so that its states are met later */
        meet();
}
static void rounds(void)
{
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&child, NULL, meet_twice, NULL);
    meet();
    rest();
    meet_if();
    rest();
    global = 1;
    rest();
    pthread_exit(NULL);
}

/* ---- Threads ---- */

static void *end_with(void *argument)
{
    (void)argument;
    return (void *)(size_t)coin();
}
static void result(void)
{
    void *seen;
    pthread_create(&child, NULL, end_with, NULL);
    pthread_join(child, &seen);
    tell(seen != NULL);
}

static void *nothing(void *argument) { return argument; }
static APART void join_if(void)
{
    if (coin())
        pthread_join(child, NULL);
}
static void joined(void)
{
    pthread_create(&child, NULL, nothing, NULL);
    rest();
    join_if();
    rest();
    pthread_detach(child);
}

static APART void detach_if(void)
{
    if (coin())
        pthread_detach(child);
}
static void detached(void)
{
    pthread_create(&child, NULL, nothing, NULL);
    detach_if();
    rest();
    rest();
    pthread_join(child, NULL);
}

SENNIT_OBLIGATION(promise, "kept");

/* A finding keeps obligations at the end from being looked at. */
static void *write_once(void *argument)
{
    global = 0;
    return argument;
}
static APART void race_unless(void)
{
    if (!coin())
        global = 0;
}
static void ends(void)
{
    sennit_hot(&promise);
    pthread_create(&child, NULL, write_once, NULL);
    race_unless();
    pthread_join(child, NULL);
    rest();
    pthread_exit(NULL);
}

/* ---- Actors ---- */

static sennit_pid a, b;
static int data;

static void send_number(sennit_pid to, int number) { sennit_send(to, &number, sizeof number); }

/* Whether something was received. */
static void receive_all(void *argument)
{
    int message;
    (void)argument;
    for (sennit_daemon();; atomic_store(&cell, 1))
        sennit_receive(&message, sizeof message);
}
static void run_and_tell(void)
{
    sennit_run();
    tell(atomic_load(&cell));
}

static APART void cut_if(void)
{
    if (coin())
        sennit_cut(a, b);
}
static void cut_and_send(void *argument)
{
    (void)argument;
    cut_if();
    send_number(b, 1);
}
static void links(void)
{
    a = sennit_spawn("a", cut_and_send, NULL);
    b = sennit_spawn("b", receive_all, NULL);
    sennit_link(a, b);
    run_and_tell();
}

static APART void start_either(void) { sennit_timer(coin(), 10); }
static void start_and_receive(void *argument)
{
    int nothing;
    (void)argument;
    start_either();
    rest();
    sennit_receive(&nothing, sizeof nothing);
    tell(sennit_message_tag());
}
static void timers(void)
{
    a = sennit_spawn("a", start_and_receive, NULL);
    sennit_run();
}

static void tell_data(void *argument)
{
    (void)argument;
    tell(data);
}
static void tell_one(void *argument)
{
    (void)argument;
    tell(1);
}
static void tell_other(void *argument)
{
    (void)argument;
    tell(0);
}
static APART void keep_coin(void)
{
    data = coin();
    sennit_durable(&data, sizeof data);
    data = 5;
}
static void keep_and_receive(void *argument)
{
    sennit_restart(tell_data, NULL);
    keep_coin();
    rest();
    receive_all(argument);
}
static void durable(void)
{
    a = sennit_spawn("a", keep_and_receive, NULL);
    sennit_crash(a, 1);
    send_number(a, 1);
    sennit_run();
}

static APART void restart_either(void) { sennit_restart(coin() ? tell_one : tell_other, NULL); }
static void restart_and_receive(void *argument)
{
    restart_either();
    rest();
    receive_all(argument);
}
static void restart(void)
{
    a = sennit_spawn("a", restart_and_receive, NULL);
    sennit_crash(a, 1);
    send_number(a, 1);
    sennit_run();
}

static APART void serve_unless(void)
{
    if (!coin())
        sennit_daemon();
}
static void serve(void *argument)
{
    int message;
    (void)argument;
    serve_unless();
    rest();
    sennit_receive(&message, sizeof message);
}
static void daemon(void)
{
    a = sennit_spawn("a", serve, NULL);
    sennit_run();
}

static void send_perhaps(void *argument)
{
    (void)argument;
    if (atomic_exchange(&other, 0))
        send_number(b, 1);
    sem_post(&sem);
}
static void receive_from_a(void *argument)
{
    int message;
    (void)argument;
    sennit_daemon();
    sem_wait(&sem);
    sennit_receive_from(a, &message, sizeof message);
    atomic_store(&cell, 1);
}
static APART void send_or_let_send(void)
{
    if (coin())
        send_number(b, 1);
    else
        atomic_store(&other, 1);
}
static void sender(void)
{
    sem_init(&sem, 0, 0);
    a = sennit_spawn("a", send_perhaps, NULL);
    b = sennit_spawn("b", receive_from_a, NULL);
    send_or_let_send();
    run_and_tell();
}

static int equals(const void *message, size_t size, const void *argument)
{
    return size == sizeof(int) && *(const int *)message == *(const int *)argument;
}
static void receive_wanted(void *argument)
{
    int message;
    (void)argument;
    sennit_daemon();
    sennit_receive_if(equals, &data, sizeof data, &message, sizeof message);
    atomic_store(&cell, 1);
}
static APART void set_data(void) { data = coin(); }
static void stand(void)
{
    set_data();
    a = sennit_spawn("a", receive_wanted, NULL);
    sennit_run();
    data = 0;
    rest();
    send_number(a, 1);
    run_and_tell();
}

static void receive_and_look(void *argument)
{
    int message;
    (void)argument;
    sennit_receive(&message, sizeof message);
    rest();
    tell(sennit_message_tag());
}
static APART void send_tagged(void)
{
    int nothing = 0, tag = coin();
    sennit_send_tag(a, tag, &nothing, sizeof nothing);
}
static void last(void)
{
    a = sennit_spawn("a", receive_and_look, NULL);
    send_tagged();
    sennit_run();
}

/* Its second message says whether the first one, to who receives both, was sent before. */
static APART void send_both(void)
{
    if (coin() && coin() && coin() && coin() && coin() && coin())
        send_number(a, 2), send_number(b, 1);
    else
        send_number(b, 1), send_number(a, 2);
}
static void send_and_post(void *argument)
{
    (void)argument;
    send_both();
    sem_post(&sem);
}
static void pass_on(void *argument)
{
    int message;
    (void)argument;
    sem_wait(&sem);
    sennit_receive(&message, sizeof message);
    rest();
    send_number(b, 2);
}
static void receive_two(void *argument)
{
    int first, second;
    (void)argument;
    sennit_receive(&first, sizeof first);
    tell(first == 1);
    sennit_receive(&second, sizeof second);
}
static void known(void)
{
    a = sennit_spawn("a", pass_on, NULL);
    b = sennit_spawn("b", receive_two, NULL);
    sem_init(&sem, 0, 0);
    sennit_spawn("c", send_and_post, NULL);
    sennit_run();
}

/* The same message twice to the same actor: how far the call has come is seen nowhere else. */
static void tell_twice(void *argument)
{
    (void)argument;
    sennit_broadcast((sennit_pid[]){b, b}, 2, 0, &data, sizeof data);
}
static void forget_all(void *argument)
{
    int message;
    (void)argument;
    for (sennit_daemon();;)
        sennit_receive(&message, sizeof message);
}
static void progress(void)
{
    a = sennit_spawn("a", tell_twice, NULL);
    b = sennit_spawn("b", forget_all, NULL);
    sennit_run();
}

/* ---- The table ---- */

#define CASES(CASE)                                                                                                  \
    CASE(globals) CASE(heap) CASE(stack) CASE(error) CASE(call) CASE(segment) CASE(locks) CASE(kind) CASE(depth)      \
    CASE(readers) CASE(destroyed) CASE(queue) CASE(semaphores) CASE(rounds) CASE(result) CASE(joined) CASE(detached)  \
    CASE(ends) CASE(links) CASE(timers) CASE(durable) CASE(restart) CASE(daemon) CASE(sender)            \
    CASE(stand) CASE(last) CASE(known) CASE(progress)

static void run(const char *name)
{
#define CASE(label)                 \
    if (strcmp(name, #label) == 0) \
        label();
    CASES(CASE)
#undef CASE
}

static void leave_out(const char *name)
{
    static const char *const names[] = {
#define PART(NAME, label) #label,
        PARTS(PART)
#undef PART
    };
    for (unsigned i = 0; i < PART_COUNT; i++)
        if (strcmp(names[i], name) == 0)
            rt.options.state_without = 1ull << i;
}

int main(int argc, char **argv)
{
    if (argc > 2)
        leave_out(argv[2]);
    run(argv[1]);
    return 0;
}
