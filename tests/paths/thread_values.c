/* thread_values.c - inputs that threads are given, keep and hand back
 *
 * litmus: -DRESULT -> executions 3 bugs assertion
 * litmus: -DEXIT -> executions 2 bugs assertion
 * litmus: -DKEY -> executions 3 bugs assertion
 * litmus: -DDESTRUCTOR -> executions 3 bugs assertion
 * litmus: -DC11_RESULT -> executions 2 bugs assertion
 * litmus: -DC11_EXIT -> executions 2 bugs assertion
 * litmus: -DCONDITION -> executions 4 bugs deadlock
 * litmus: -DPIPE -> executions 3
 * litmus: -DFUNCTION -> executions 2
 *
 * KEY, DESTRUCTOR: a destructor runs for values that are not 0. CONDITION: see there.
 */
#include <pthread.h>
#include <sennit/sennit.h>
#include <stdint.h>
#include <threads.h>
#include <unistd.h>

#define NUMBER(p) ((intptr_t)(p))
#define POINTER(n) ((void *)(intptr_t)(n))

static pthread_key_t key;
static int destroyed;

static void *give_back(void *argument)
{
    return NUMBER(argument) == 7 ? POINTER(1) : argument;
}

static void *leave(void *argument)
{
    pthread_exit(POINTER(NUMBER(argument) + 1));
}

static void destroy(void *value)
{
    destroyed += NUMBER(value) == 9;
}

static void *keep(void *argument)
{
    pthread_setspecific(key, argument);
    return POINTER(pthread_getspecific(key) == POINTER(5));
}

static int less_two(void *argument)
{
    return (int)NUMBER(argument) - 2;
}

static int three_times(void *argument)
{
    thrd_exit((int)NUMBER(argument) * 3);
}

static void *run(void *(*body)(void *), int argument)
{
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, body, POINTER(argument));
    pthread_join(thread, &result);
    return result;
}

static int run_c11(thrd_start_t body, int argument)
{
    thrd_t thread;
    int result;
    thrd_create(&thread, body, POINTER(argument));
    thrd_join(thread, &result);
    return result;
}

/* ---- Waiting for a value that is an input -------------------------------------------------- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

/* The value is stored before the first look at it or during the wait; if it is above 5 the
 * thread ends, else that is a deadlock: four classes. */
static void *wait_for_it(void *argument)
{
    pthread_mutex_lock(&lock);
    while (ready <= 5)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return argument;
}

static void store(int value)
{
    pthread_t thread;
    pthread_create(&thread, NULL, wait_for_it, NULL);
    pthread_mutex_lock(&lock);
    ready = value;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
}

/* ---- Pipes ---------------------------------------------------------------------------------- */

static int ends[2];

static void *send(void *argument)
{
    int value = (int)NUMBER(argument);
    write(ends[1], &value, sizeof value);
    return NULL;
}

static int receive(void)
{
    int value = 0;
    read(ends[0], &value, sizeof value);
    return value < 0 ? -1 : value > 0;
}

/* ---- Function pointers ------------------------------------------------------------------------ */

static void *first(void *argument) { return argument; }
static void *second(void *argument) { return POINTER(NUMBER(argument) + 1); }

int main(void)
{
    int x = sennit_int("x");
#if defined RESULT
    sennit_assert(run(give_back, x) != POINTER(4));
#elif defined EXIT
    sennit_assert(run(leave, x) != POINTER(4));
#elif defined KEY
    pthread_key_create(&key, destroy);
    sennit_assert(run(keep, x) == NULL);
#elif defined DESTRUCTOR
    pthread_key_create(&key, destroy);
    run(keep, x);
    sennit_assert(!destroyed);
#elif defined C11_RESULT
    sennit_assert(run_c11(less_two, x) != 40);
#elif defined C11_EXIT
    sennit_assert(run_c11(three_times, x) != 42);
#elif defined CONDITION
    store(x);
#elif defined PIPE
    pipe(ends);
    run(send, x);
    if (receive() > 0)
        sennit_assert(x > 0);
#elif defined FUNCTION
    void *(*const table[])(void *) = {first, second};
    sennit_assume((unsigned)x < 2);
    sennit_assert(run(table[x], x) == POINTER(2 * x));
#endif
    (void)give_back, (void)leave, (void)destroy, (void)keep, (void)less_two, (void)three_times, (void)run, (void)run_c11;
    (void)store, (void)send, (void)receive, (void)first, (void)second, (void)x;
    return 0;
}
