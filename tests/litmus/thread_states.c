/* thread_states.c - threads in searches that recognise states (--reduction=states)
 *
 * litmus: -DCOUNTER=10 -O2 --reduction=states -> states 407
 * litmus: -DCOUNTER=20 -O2 --reduction=states -> states 1407
 * litmus: -DTRIANGULAR=5 -O2 --reduction=states -> states 3888
 * litmus: -DTRIANGULAR=10 -O2 --reduction=states -> states 27408
 * litmus: -DPETERSON -O2 --reduction=states -> states 48
 * litmus: -DPETERSON -DWRONG -O2 --reduction=states -> executions any states any bugs assertion
 * litmus: -DPHILOSOPHERS=3 -DMEALS=5 -O2 --reduction=states -> states 5480
 * litmus: -DPHILOSOPHERS=3 -DMEALS=5 -DWRONG -O2 --reduction=states -> states 7005 bugs deadlock
 * litmus: -DRACE -O2 --reduction=states -> states 27 bugs data-race
 * litmus: -DRACE -DFIXED -O2 --reduction=states -> states 20
 * litmus: -DWAIT -O2 --reduction=states -> states 14
 * litmus: -DWAIT -DNEVER -O2 --reduction=states -> states 7 bugs livelock
 * litmus: -DBACK_OFF -O2 --reduction=states -> states any
 * litmus: -DSTARVE -O2 --reduction=states -> states any
 * litmus: -DRELAXED -O2 --reduction=states -> states 16 verdict exhaustive-but-for
 *
 * COUNTER, TRIANGULAR and PHILOSOPHERS have the states of an explicit model, enumerated apart; with mutexes one more,
 * before they are used. PETERSON runs for ever. RACE: the ways to a state differ by what they order; the access that races
 * is met first on a way that orders it. WAIT polls a flag under a lock, which is set or NEVER. BACK_OFF and STARVE
 * can go on for ever without a change, but only because others do not let them pass in time: that is no livelock.
 * RELAXED orders nothing.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static void run(void *(*first)(void *), void *(*second)(void *))
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, first, (void *)0);
    pthread_create(&threads[1], NULL, second, (void *)1);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
}

#if defined COUNTER

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *work(void *argument)
{
    for (int i = 0; i < COUNTER; i++) {
        pthread_mutex_lock(&mutex);
        count++;
        pthread_mutex_unlock(&mutex);
    }
    return argument;
}

int main(void)
{
    run(work, work);
    assert(count == 2 * COUNTER);
}

#elif defined TRIANGULAR

static atomic_int i = 3, j = 6;

static void *raise_i(void *argument)
{
    for (int k = 0; k < TRIANGULAR; k++)
        i = j + 1;
    return argument;
}

static void *raise_j(void *argument)
{
    for (int k = 0; k < TRIANGULAR; k++)
        j = i + 1;
    return argument;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, raise_i, NULL);
    pthread_create(&threads[1], NULL, raise_j, NULL);
    int seen_i = i;
    assert(seen_i < 2 * (TRIANGULAR + 3) + 1);
    int seen_j = j;
    assert(seen_j < 2 * (TRIANGULAR + 3) + 1);
}

#elif defined PETERSON

static atomic_int wants[2], turn, inside;

static void *work(void *argument)
{
    int me = (int)(size_t)argument;
    for (;;) {
        wants[me] = 1;
#ifdef WRONG
        turn = me;
#else
        turn = 1 - me;
#endif
        while (wants[1 - me] && turn == 1 - me)
            ;
        assert(inside++ == 0);
        inside--;
        wants[me] = 0;
    }
    return argument;
}

int main(void) { run(work, work); }

#elif defined PHILOSOPHERS

static pthread_mutex_t forks[PHILOSOPHERS];

static void *dine(void *argument)
{
    size_t left = (size_t)argument, right = (left + 1) % PHILOSOPHERS;
#ifndef WRONG
    if (right < left) {
        right = left;
        left = 0;
    }
#endif
    for (int i = 0; i < MEALS; i++) {
        pthread_mutex_lock(&forks[left]);
        pthread_mutex_lock(&forks[right]);
        pthread_mutex_unlock(&forks[right]);
        pthread_mutex_unlock(&forks[left]);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[PHILOSOPHERS];
    for (size_t i = 0; i < PHILOSOPHERS; i++)
        pthread_mutex_init(&forks[i], NULL);
    for (size_t i = 0; i < PHILOSOPHERS; i++)
        pthread_create(&threads[i], NULL, dine, (void *)i);
    for (size_t i = 0; i < PHILOSOPHERS; i++)
        pthread_join(threads[i], NULL);
}

#elif defined RACE

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void *one(void *argument)
{
#ifdef FIXED
    pthread_mutex_lock(&mutex);
    data = 0;
#else
    data = 0; /* the value that it has */
    pthread_mutex_lock(&mutex);
#endif
    pthread_mutex_unlock(&mutex);
    return argument;
}

static void *two(void *argument)
{
    pthread_mutex_lock(&mutex);
    int seen = data;
    pthread_mutex_unlock(&mutex);
    assert(seen == 0);
    return argument;
}

int main(void) { run(one, two); }

#elif defined WAIT

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int flag;

static void *poll(void *argument)
{
    int seen;
    do {
        pthread_mutex_lock(&mutex);
        seen = flag;
        pthread_mutex_unlock(&mutex);
    } while (!seen);
    return argument;
}

static void *set(void *argument)
{
    pthread_mutex_lock(&mutex);
#ifndef NEVER
    flag = 1;
#endif
    pthread_mutex_unlock(&mutex);
    return argument;
}

int main(void) { run(poll, set); }

#elif defined BACK_OFF

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;

static void take_both(pthread_mutex_t *first, pthread_mutex_t *second)
{
    for (;; pthread_mutex_unlock(first)) {
        pthread_mutex_lock(first);
        if (pthread_mutex_trylock(second) == 0)
            break;
    }
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

static void *forwards(void *argument)
{
    take_both(&one, &other);
    return argument;
}

static void *backwards(void *argument)
{
    take_both(&other, &one);
    return argument;
}

int main(void) { run(forwards, backwards); }

#elif defined STARVE

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int flag;

static void *watch(void *argument)
{
    int seen;
    do {
        pthread_rwlock_rdlock(&lock);
        seen = flag;
        pthread_rwlock_unlock(&lock);
    } while (!seen);
    return argument;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, watch, NULL);
    pthread_create(&threads[1], NULL, watch, NULL);
    pthread_rwlock_wrlock(&lock);
    flag = 1;
    pthread_rwlock_unlock(&lock);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
}

#else

static atomic_int flag;
static int data;

static void *publish(void *argument)
{
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
    return argument;
}

static void *look(void *argument)
{
    if (atomic_load_explicit(&flag, memory_order_acquire))
        assert(data == 1);
    return argument;
}

int main(void) { run(publish, look); }

#endif
