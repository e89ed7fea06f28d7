// bug: use-after-free
// fixed: exhaustive
// options: --check=scope
// A variable of a block is used after the block. The twin leaves blocks in every way, and jumps back to where
// a variable of the same block still lives.
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>

static int *last, sum;
static jmp_buf place;

static void keep(int *p) { last = p; }

static void *add(void *arg)
{
    sum += *(int *)arg; // BUG
    return NULL;
}

#ifdef FIXED
static void rounds(void)
{
    for (int i = 0; i < 4; i++) {
        int x = i, y = 10;
        keep(i % 2 ? &x : &y);
        if (i == 1)
            continue;
        sum += *last;
        if (i == 3)
            break;
        int n = i + 1;
        int array[n];
        array[i] = i;
        keep(array);
        sum += last[i];
    }
}

static void jump_back(void)
{
    int again = 0;
    {
    here:
        if (again)
            sum += *last;
        int x = 100;
        keep(&x);
        if (again++ == 0)
            goto here;
    }
}

static void jump_out(void)
{
    for (volatile int i = 0; i < 2; i++) {
        int x = 1000;
        keep(&x);
        if (setjmp(place) == 0) {
            int y = 1;
            keep(&y);
            longjmp(place, *last);
        }
        keep(&x);
        sum += *last;
    }
}

int main(void)
{
    rounds();
    jump_back();
    jump_out();
    if (sum != 10 + 0 + 10 + 2 + 3 + 100 + 2000)
        abort();
    {
        pthread_t t;
        int x = 1;
        pthread_create(&t, NULL, add, &x);
        return 0; /* ends the thread */
    }
}
#else
int main(void)
{
    pthread_t t;
    for (int i = 0; i < 2; i++) {
        if (i == 1)
            pthread_create(&t, NULL, add, last);
        int x = i; // BUG
        keep(&x);
        if (i == 0)
            continue;
        pthread_join(t, NULL);
    } // BUG
    return 0;
}
#endif
