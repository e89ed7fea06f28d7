/* unset.c - what nobody has set may have any value (--unset)
 *
 * litmus: -DREGISTER --unset -> executions 2 bugs assertion
 * litmus: -DSOMETIMES --unset -> executions 2 bugs assertion
 * litmus: -DADDRESS --unset -> executions 2 bugs assertion
 * litmus: -DTHREAD --unset -> executions 2 bugs assertion
 * litmus: -DARRAY --unset -> executions 2 bugs assertion
 * litmus: -DSTRUCT --unset -> executions 2 bugs assertion
 * litmus: -DCOPIED --unset -> executions 2 bugs assertion
 * litmus: -DBLOCK --unset -> executions 2 bugs assertion
 * litmus: -DGROWN --unset -> executions 2 bugs assertion
 * litmus: -DRESULT --unset -> executions 2 bugs assertion
 * litmus: -DADDRESS --unset --check=scope -> executions 2 bugs assertion
 * litmus: -DALL_SET --unset --check=scope -> executions 1
 * litmus: -DFILLED --unset -> executions 1
 * litmus: -DUNDONE -> executions 2 bugs assertion
 *
 * One of all values is 5. ALL_SET: whatever is looked at was set. FILLED: by functions of the library. UNDONE: an input that an atomic section
 * overwrote before it stopped is an input again.
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <sennit/sennit.h>
#include <stdlib.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);

typedef struct Pair {
    int a, b;
} Pair;

static volatile int none, index_of_last = 2;
static int shared;

static int value_at(const int *p) { return *p; }

static void *look(void *p)
{
    assert(*(int *)p != 5);
    return NULL;
}

static int sometimes(int given)
{
    if (given)
        return 1;
}

static void *overwrite(void *unused)
{
    __VERIFIER_atomic_begin();
    shared = 1;
    __VERIFIER_assume(0);
    __VERIFIER_atomic_end();
    return unused;
}

static void *nothing(void *unused) { return unused; }

int main(void)
{
    int x;
    pthread_t thread;
#if defined REGISTER
    assert(x != 5);
#elif defined SOMETIMES
    if (none)
        x = 1;
    assert(x != 5);
#elif defined ADDRESS
    assert(value_at(&x) != 5);
#elif defined THREAD
    pthread_create(&thread, NULL, look, &x);
    pthread_join(thread, NULL);
#elif defined ARRAY
    int all[3];
    all[0] = all[1] = 1;
    assert(all[index_of_last] != 5);
#elif defined STRUCT
    Pair pair;
    pair.a = 1;
    if (none)
        pair.b = 1;
    assert(pair.b != 5);
#elif defined COPIED
    Pair pair, copy;
    pair.a = 1;
    copy = pair;
    assert(value_at(&copy.a) == 1 && value_at(&copy.b) != 5);
#elif defined BLOCK
    int *block = malloc(2 * sizeof *block);
    block[0] = 1;
    assert(block[1] != 5);
    free(block);
#elif defined GROWN
    int *block = calloc(2, sizeof *block);
    block = realloc(block, 20 * sizeof *block);
    assert(block[1] == 0 && block[10] != 5);
    free(block);
#elif defined RESULT
    assert(sometimes(none) != 5);
#elif defined ALL_SET
    int all[2] = {1, 2}, *zeros = calloc(2, sizeof *zeros);
    void *result;
    x = 1;
    pthread_create(&thread, NULL, nothing, NULL);
    pthread_join(thread, &result);
    assert(value_at(&x) + value_at(all) + value_at(zeros) == 2 && !result);
    free(zeros);
#elif defined FILLED
    pthread_key_t key;
    sem_t semaphore;
    pthread_attr_t attributes;
    int old;
    if (!none)
        assert(pthread_attr_init(&attributes) == 0 && pthread_create(&thread, &attributes, nothing, NULL) == 0);
    assert(pthread_key_create(&key, NULL) == 0 && pthread_setspecific(key, &shared) == 0);
    assert(pthread_getspecific(key) == &shared);
    assert(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old) == 0 && old == PTHREAD_CANCEL_ENABLE);
    assert(pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old) == 0 && old == PTHREAD_CANCEL_DEFERRED);
    assert(sem_init(&semaphore, 0, 0) == 0 && sem_getvalue(&semaphore, &old) == 0 && old == 0);
#elif defined UNDONE
    shared = sennit_int("shared");
    pthread_create(&thread, NULL, overwrite, NULL);
    __VERIFIER_atomic_begin();
    x = shared;
    __VERIFIER_atomic_end();
    assert(x != 5);
#endif
    (void)x, (void)thread, (void)look, (void)overwrite, (void)nothing, (void)sometimes, (void)value_at;
    return 0;
}
