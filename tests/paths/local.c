/* local.c - functions that only this file calls: do inputs reach their arguments, their results?
 *
 * litmus: -DTABLE -> executions 2
 * litmus: -DPOINTER -> executions 2
 * litmus: -DRECURSION -> executions 2
 * litmus: -DMUTUAL -> executions 3
 * litmus: -DRESULT -> executions 2
 * litmus: -DSTRUCTURE -> executions 2
 * litmus: -DLIST -> executions 2
 * litmus: -DTHREAD -> executions 2
 * litmus: -DNOTHING -> executions 1
 *
 * Each is called with a constant first.
 */
#include <pthread.h>
#include <sennit/sennit.h>
#include <stdarg.h>

static int seen;

static void look(int x)
{
    if (x > 5)
        seen++;
}

#if defined TABLE
static void (*const table[])(int) = {look, look};
#elif defined RECURSION
static int descend(int depth, int x) { return depth ? descend(depth - 1, x) : x; }
#elif defined MUTUAL /* odd: n is 0, 1, or more */
static int is_even(int n);
static int is_odd(int n) { return n == 0 ? 0 : n == 1 ? 1 : is_even(n % 2 + 1); }
static int is_even(int n) { return n >= 0; }
#elif defined RESULT
static int kept;
static int get(void) { return kept; }
static int twice(int n) { return get() + n; }
#elif defined STRUCTURE
typedef struct Large {
    int numbers[20];
} Large;
static int third(Large large) { return large.numbers[2]; }
#elif defined LIST
static int second(int count, ...)
{
    va_list list;
    va_start(list, count);
    int n = 0;
    while (count--)
        n = va_arg(list, int);
    va_end(list);
    return n;
}
#elif defined THREAD
static void *run(void *argument)
{
    look((int)(long)argument);
    return NULL;
}
#elif defined NOTHING
static int sum(int n) { return n ? n + sum(n - 1) : 0; }
#endif

int main(void)
{
    int n = sennit_int("n");
#if defined TABLE
    look(1);
    table[1](n);
#elif defined POINTER
    void (*volatile pointer)(int) = look;
    look(1);
    pointer(n);
#elif defined RECURSION
    look(descend(2, 7));
    look(descend(3, n));
#elif defined MUTUAL
    is_odd(3);
    seen = is_odd(n);
#elif defined RESULT
    look(twice(1));
    kept = n;
    look(twice(1));
#elif defined STRUCTURE
    Large large = {{0}};
    look(third(large));
    large.numbers[2] = n;
    look(third(large));
#elif defined LIST
    look(second(2, 1, 2));
    look(second(2, 1, n));
#elif defined THREAD
    pthread_t thread;
    run((void *)1);
    pthread_create(&thread, NULL, run, (void *)(long)n);
    pthread_join(thread, NULL);
#elif defined NOTHING
    look(sum(4));
#endif
    return 0;
}
