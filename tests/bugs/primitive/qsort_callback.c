// bug: data-race
// fixed: exhaustive
// The comparison runs inside the C library, and its counter is shared by both sorts.
#include <pthread.h>
#include <stdlib.h>

#ifdef FIXED
static _Thread_local int comparisons;
#else
static int comparisons;
#endif

static int compare(const void *a, const void *b)
{
    comparisons++; // BUG
    return *(const int *)a - *(const int *)b;
}

static void *sort(void *arg)
{
    int *numbers = arg;
    qsort(numbers, 3, sizeof *numbers, compare);
    int *found = bsearch(&(int){2}, numbers, 3, sizeof *numbers, compare);
    return found == &numbers[1] ? NULL : arg;
}

int main(void)
{
    static int one[3] = {3, 1, 2}, two[3] = {2, 3, 1};
    pthread_t a, b;
    void *wrong_a, *wrong_b;
    pthread_create(&a, NULL, sort, one);
    pthread_create(&b, NULL, sort, two);
    pthread_join(a, &wrong_a);
    pthread_join(b, &wrong_b);
    return wrong_a || wrong_b;
}
