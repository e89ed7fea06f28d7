/* starvation.c - locks and protocols of threads in which something never happens, and their repairs
 *
 * litmus: -DTEST_AND_SET -O2 --reduction=states -> states 14 bugs liveness
 * litmus: -DTEST_AND_SET -DFIXED -O2 --reduction=states -> states 202
 * litmus: -DMUTEX -O2 --reduction=states -> states 8 bugs liveness
 * litmus: -DMUTEX -DFIXED -O2 --reduction=states -> states 8
 * litmus: -DCOURTESY -O2 --reduction=states -> states 36 bugs liveness
 * litmus: -DCOURTESY -DFIXED -O2 --reduction=states -> states 47
 * litmus: -DLOST_WAKEUP -O2 --reduction=states -> states 97 bugs liveness
 * litmus: -DLOST_WAKEUP -DFIXED -O2 --reduction=states -> states 66
 * litmus: -DLOST_POST -O2 --reduction=states -> states 83 bugs liveness
 * litmus: -DLOST_POST -DFIXED -O2 --reduction=states -> states 34
 * litmus: -DREADERS -O2 --reduction=states -> states any bugs liveness
 * litmus: -DREADERS -DFIXED -O2 --reduction=states -> states any
 * litmus: -DPHILOSOPHERS -O2 --reduction=states -> states 134 bugs liveness
 * litmus: -DPHILOSOPHERS -DFIXED -O2 --reduction=states -> states 32
 * litmus: -DALTERNATION -O2 --reduction=states -> states 21 bugs liveness
 * litmus: -DALTERNATION -DFIXED -O2 --reduction=states -> states 54
 * litmus: -DRETRY -O2 --reduction=states -> states any bugs liveness
 * litmus: -DRETRY -DFIXED -O2 --reduction=states -> states any
 * litmus: -DSEQLOCK -O2 --reduction=states -> states 64 bugs liveness
 * litmus: -DSEQLOCK -DFIXED -O2 --reduction=states -> states 86
 * litmus: -DHAND_OVER -O2 --reduction=states -> states any bugs livelock
 * litmus: -DHAND_OVER -DFIXED -O2 --reduction=states -> states any
 *
 * TEST_AND_SET: who takes the lock is a matter of luck; repaired by tickets. MUTEX: the same of a lock of the
 * system, which is free again and again, but not all the time; repaired by one that is strongly fair. COURTESY: both
 * step back for each other for ever; repaired by Peterson. LOST_WAKEUP: the flag is looked at before the lock is
 * taken. LOST_POST: a semaphore is posted only if somebody seems to wait. READERS come in turns, and the writer
 * never; repaired: they wait while it wants to. PHILOSOPHERS put the first fork back if they do not get the second
 * one; repaired by an order of the forks. ALTERNATION: it is the turn of a thread that has ended. RETRY: an exchange
 * fails for ever; repaired by an addition. SEQLOCK: a reader never finds the version unchanged; repaired: the writer
 * lets it. HAND_OVER: a queue lock (Mellor-Crummey and Scott) whose holder does not wait for the one behind it to be
 * linked.
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

#include <sennit/monitor.h>

SENNIT_OBLIGATION(served, "the first thread has its turn");

static void run(void *(*first)(void *), void *(*second)(void *), void *(*third)(void *))
{
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, first, (void *)0);
    pthread_create(&threads[1], NULL, second, (void *)1);
    if (third)
        pthread_create(&threads[2], NULL, third, (void *)2);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    if (third)
        pthread_join(threads[2], NULL);
}

static inline void wants(size_t me)
{
    if (me == 0)
        sennit_hot(&served);
}

static inline void has(size_t me)
{
    if (me == 0)
        sennit_cold(&served);
}

#if defined TEST_AND_SET

static atomic_uchar lock, next, now; /* tickets count in 64s, modulo 256 */

static void *work(void *argument)
{
    size_t me = (size_t)argument;
    for (;;) {
        wants(me);
#ifdef FIXED
        unsigned char ticket = atomic_fetch_add(&next, 64);
        while (atomic_load(&now) != ticket)
            ;
        has(me);
        atomic_fetch_add(&now, 64);
#else
        while (atomic_exchange(&lock, 1))
            ;
        has(me);
        atomic_store(&lock, 0);
#endif
    }
}
int main(void) { run(work, work, NULL); }

#elif defined MUTEX

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *argument)
{
    size_t me = (size_t)argument;
    for (;;) {
        wants(me);
#ifdef FIXED
        sennit_strong();
#endif
        pthread_mutex_lock(&mutex);
        has(me);
        pthread_mutex_unlock(&mutex);
    }
}
int main(void) { run(work, work, NULL); }

#elif defined COURTESY

static atomic_int wish[2], turn;

static void *work(void *argument)
{
    size_t me = (size_t)argument;
    for (;;) {
        wants(me);
#ifdef FIXED
        wish[me] = 1;
        turn = 1 - (int)me;
        while (wish[1 - me] && turn == 1 - (int)me)
            ;
#else
        wish[me] = 1;
        while (wish[1 - me]) {
            wish[me] = 0;
            wish[me] = 1;
        }
#endif
        has(me);
        wish[me] = 0;
    }
}
int main(void) { run(work, work, NULL); }

#elif defined LOST_WAKEUP

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_int ready, other;

static void *waiter(void *argument)
{
    wants(0);
#ifdef FIXED
    pthread_mutex_lock(&mutex);
    while (!ready)
        pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
#else
    if (!ready) {
        pthread_mutex_lock(&mutex);
        pthread_cond_wait(&changed, &mutex);
        pthread_mutex_unlock(&mutex);
    }
#endif
    has(0);
    return argument;
}

static void *waker(void *argument)
{
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    return argument;
}

static void *busy(void *argument)
{
    (void)argument;
    for (;;)
        atomic_fetch_xor(&other, 1);
}
int main(void) { run(waiter, waker, busy); }

#elif defined LOST_POST

static sem_t full;
static atomic_int waiting, items, other;

static void *consumer(void *argument)
{
    wants(0);
#ifdef FIXED
    sem_wait(&full);
#else
    if (!items) {
        waiting = 1;
        sem_wait(&full);
    }
#endif
    has(0);
    return argument;
}

static void *producer(void *argument)
{
    items = 1;
#ifdef FIXED
    sem_post(&full);
#else
    if (waiting)
        sem_post(&full);
#endif
    return argument;
}

static void *busy(void *argument)
{
    (void)argument;
    for (;;)
        atomic_fetch_xor(&other, 1);
}

int main(void)
{
    sem_init(&full, 0, 0);
    run(consumer, producer, busy);
}

#elif defined READERS

static atomic_int readers, wish; /* readers: -1 while there is the writer */

static void *write(void *argument)
{
    for (;;) {
        wants(0);
        wish = 1;
        for (int none = 0; !atomic_compare_exchange_strong(&readers, &none, -1); none = 0)
            ;
        has(0);
        wish = 0;
        readers = 0;
    }
    return argument;
}

static void *read(void *argument)
{
    for (;;) {
#ifdef FIXED
        while (wish)
            ;
#endif
        int seen = readers;
        if (seen >= 0 && atomic_compare_exchange_strong(&readers, &seen, seen + 1))
            atomic_fetch_sub(&readers, 1);
    }
    return argument;
}
int main(void) { run(write, read, read); }

#elif defined PHILOSOPHERS

static atomic_int forks[2];

static void *dine(void *argument)
{
    size_t left = (size_t)argument, right = 1 - left;
#ifdef FIXED
    left = 0;
    right = 1;
#endif
    for (;;) {
        while (atomic_exchange(&forks[left], 1))
            ;
#ifdef FIXED
        while (atomic_exchange(&forks[right], 1))
            ;
#else
        if (atomic_exchange(&forks[right], 1)) {
            forks[left] = 0;
            continue;
        }
#endif
        sennit_cold(&served); /* by anybody */
        forks[right] = 0;
        forks[left] = 0;
    }
}

int main(void)
{
    sennit_hot(&served);
    run(dine, dine, NULL);
}

#elif defined ALTERNATION

static atomic_int turn, done, other;

static void *often(void *argument)
{
    for (int i = 0; i < 2; i++) {
        wants(0);
#ifdef FIXED
        while (turn != 0 && !done)
            ;
#else
        while (turn != 0)
            ;
#endif
        has(0);
        turn = 1;
    }
    return argument;
}

static void *once(void *argument)
{
    while (turn != 1)
        ;
#ifdef FIXED
    done = 1;
#endif
    return argument;
}

static void *busy(void *argument)
{
    (void)argument;
    for (;;)
        atomic_fetch_xor(&other, 1);
}
int main(void) { run(often, once, busy); }

#elif defined RETRY

static atomic_uchar count;

static void *add(void *argument)
{
    size_t me = (size_t)argument;
    for (;;) {
        wants(me);
#ifdef FIXED
        atomic_fetch_add(&count, 64);
#else
        unsigned char seen = count;
        while (!atomic_compare_exchange_strong(&count, &seen, (unsigned char)(seen + 64)))
            ;
#endif
        has(me);
    }
}
int main(void) { run(add, add, NULL); }

#elif defined SEQLOCK

static atomic_uchar version, wish;

static void *read(void *argument)
{
    for (;;) {
        wants(0);
#ifdef FIXED
        wish = 1;
#endif
        unsigned char before, after;
        do {
            before = version;
            after = version;
        } while (before & 64 || before != after);
        has(0);
        wish = 0;
    }
    return argument;
}

static void *write(void *argument)
{
    for (;;) {
#ifdef FIXED
        while (wish)
            ;
#endif
        atomic_fetch_add(&version, 64);
        atomic_fetch_add(&version, 64);
    }
    return argument;
}
int main(void) { run(read, write, NULL); }

#else

typedef struct Node {
    _Atomic(struct Node *) next;
    atomic_int waits;
} Node;
static Node nodes[2];
static _Atomic(Node *) last;

static void *work(void *argument)
{
    size_t me = (size_t)argument;
    Node *node = &nodes[me];
    for (;;) {
        wants(me);
        node->next = NULL;
        node->waits = 1;
        Node *before = atomic_exchange(&last, node);
        if (before) {
            before->next = node;
            while (node->waits)
                ;
        }
        has(me);
        Node *mine = node;
        if (node->next || !atomic_compare_exchange_strong(&last, &mine, NULL)) {
#ifdef FIXED
            while (!node->next)
                ;
#else
            if (!node->next)
                continue;
#endif
            node->next->waits = 0;
        }
    }
}
int main(void) { run(work, work, NULL); }

#endif
