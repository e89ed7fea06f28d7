/* modes.c - a program for every option of a search: the first argument selects what it does
 *
 * foreign.c, which is not instrumented, has state that outlives an execution.
 */
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <sennit/sennit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int calls_so_far(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready, total, plain;
static const char *mode = "threads";

static int is(const char *name) { return strcmp(mode, name) == 0; }

static void *add(void *argument)
{
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        total++;
        pthread_mutex_unlock(&lock);
    }
    return argument;
}

static void *announce(void *argument)
{
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return argument;
}

static void *touch(void *argument) { plain++; return argument; }

static void start_two(void *(*body)(void *))
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, body, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}

static void wait_for_it(int timed)
{
    pthread_t thread;
    struct timespec soon = {1, 0};
    pthread_create(&thread, NULL, announce, NULL);
    pthread_mutex_lock(&lock);
    while (!ready)
        if (timed && pthread_cond_timedwait(&changed, &lock, &soon))
            break;
        else if (!timed)
            pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
}

static pthread_barrier_t barrier;

static void *meet(void *argument)
{
    pthread_barrier_wait(&barrier);
    return argument;
}

static void count_letters(const char *text) { for (; *text; text++) if (*text == 'x') total++; }

static void read_file(void)
{
    FILE *file = fopen("input", "r");
    int c = file ? fgetc(file) : 0;
    if (c == 'x')
        total++;
    if (file)
        fclose(file);
}

static void use_scope(void)
{
    int *volatile p = NULL;
    {
        volatile int inner = 1;
        p = (int *)&inner;
    }
    total = *p;
}

int main(int argc, char **argv)
{
    mode = argc > 1 ? argv[1] : mode;
    if (is("threads"))
        start_two(add);
    if (is("race"))
        start_two(touch);
    if (is("bug")) {
        start_two(touch);
        assert(total == 1);
    }
    if (is("condition"))
        wait_for_it(0);
    if (is("timed"))
        wait_for_it(1);
    if (is("barrier")) {
        pthread_barrier_init(&barrier, NULL, 2);
        start_two(meet);
    }
    if (is("arguments"))
        for (int i = 2; i < argc; i++)
            count_letters(argv[i]);
    if (is("input") && getchar() == 'x')
        total++;
    if (is("file"))
        read_file();
    if (is("memory")) {
        int *p = malloc(sizeof *p);
        if (*p == 7)
            total++;
        free(p);
    }
    if (is("paths")) {
        int n = sennit_int("n");
        if (n == 1 || n == 2)
            total++;
    }
    if (is("hard")) {
        unsigned long x = (unsigned)sennit_int("x"), y = (unsigned)sennit_int("y");
        if (x > 1 && y > 1 && x * y == 1073741789ul * 1073741783ul)
            total++;
    }
    if (is("leak"))
        total = malloc(8) != NULL;
    if (is("overflow")) {
        volatile int most = INT_MAX;
        total = most + 1;
    }
    if (is("scope"))
        use_scope();
    if (is("status"))
        return 3;
    if (is("hang"))
        for (volatile unsigned long i = 0; i < ULONG_MAX; i++)
            ;
    if (is("outside")) {
        if (calls_so_far() > 1)
            total++, pthread_mutex_lock(&lock), pthread_mutex_unlock(&lock);
        start_two(add);
    }
    return 0;
}
