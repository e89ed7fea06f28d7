// bug: data-race
// fixed: exhaustive
// Both calls fill the variables named in their argument lists, and one name is in both.
#include <pthread.h>
#include <stdarg.h>

static int a, b, c;

static int fill(int count, ...)
{
    va_list list, again;
    int sum = 0;
    va_start(list, count);
    va_copy(again, list);
    for (int i = 0; i < count; i++) {
        int *to = va_arg(list, int *);
        *to = i + 1; // BUG
        sum += va_arg(again, int *) == to;
    }
    va_end(again);
    va_end(list);
    return sum;
}

static void *first(void *arg)
{
    return fill(2, &a, &b) == 2 ? NULL : arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, first, NULL);
#ifdef FIXED
    int sum = fill(1, &c);
#else
    int sum = fill(2, &c, &b);
#endif
    pthread_join(t, NULL);
    return sum > 2;
}
