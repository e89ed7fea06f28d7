// bug: use-after-return
// fixed: exhaustive
// The place of a result is a variable of the function that made it, if another thread was fast.
#include <pthread.h>
#include <stdatomic.h>

struct point {
    int x, y;
};

static struct point place;
static atomic_int mark;

static struct point *make(int x, int local)
{
    struct point own = {.x = x};
    struct point *volatile result = &own;
    place.x = x;
#ifdef FIXED
    local = 0;
#endif
    return local ? result : &place;
}

static int count(int n)
{
    int numbers[16], *volatile p = numbers; /* where other functions had their variables */
    p[n % 16] = n;
    return n > 0 ? count(n - 1) + p[n % 16] : 0;
}

static void *raise(void *arg)
{
    atomic_store(&mark, 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, raise, NULL);
    struct point *p = make(3, atomic_load(&mark));
    int sum = count(5);
    p->y = sum; // BUG
    pthread_join(t, NULL);
    return sum != 15;
}
