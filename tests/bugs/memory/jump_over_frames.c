// bug: bounds
// fixed: exhaustive
// Functions with buffers are left by a jump; what comes later uses the same place of the stack.
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <string.h>

static jmp_buf start;
static atomic_int mark;

static void fill(char *buffer, int size)
{
    memset(buffer, 1, (size_t)size); // BUG
}

static void dive(int depth)
{
    char buffer[24];
    fill(buffer, (int)sizeof buffer);
    if (depth == 0)
        longjmp(start, 1);
    dive(depth - 1);
}

static void add(int *numbers, int count)
{
    for (int i = 0; i < count; i++)
        numbers[i] += i;
}

static void *work(void *arg)
{
    int numbers[64] = {0}, one = 1, two = 2;
    add(numbers, 64);
    add(&one, 1);
    add(&two, 1);
    atomic_store(&mark, 1);
    return arg;
}

static void late(void)
{
    char small[8];
#ifdef FIXED
    fill(small, 7 + atomic_load(&mark));
#else
    fill(small, 8 + atomic_load(&mark)); // (BUG)
#endif
}

int main(void)
{
    pthread_t t;
    if (!setjmp(start))
        dive(5);
    work(NULL);
    mark = 0;
    pthread_create(&t, NULL, work, NULL);
    late(); // (BUG)
    pthread_join(t, NULL);
    return 0;
}
