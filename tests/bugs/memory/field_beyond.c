// bug: bounds
// fixed: exhaustive
// An index leads from one field to the next, if the other thread comes first. The twin does what programs do
// on purpose: arrays at the end that are longer than they say, one field seen as another, pointers
// that walk.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct Account {
    int days[4];
    int sum;
    char name[4], password[4];
};

static struct Account account;
static atomic_int day = 3;

static void *next_day(void *arg)
{
    atomic_fetch_add(&day, 1);
    return arg;
}

#ifdef FIXED
struct Long {
    int size, first[4], last[2];
} __attribute__((aligned(32)));
union Both {
    int words[2];
    char bytes[16];
    struct {
        int low[2], high[2];
    } parts;
};

static void on_purpose(void)
{
    struct Long *p = aligned_alloc(32, 96);
    union Both both = {.words = {1, 2}};
    int *walk = account.days, matrix[2][2] = {{1, 2}, {3, 4}};
    for (int i = 0; i < 7; i++) {
        p->last[i] = i;
        both.bytes[i] = both.bytes[i + 8];
        walk[i] = matrix[0][i % 4];
    }
    for (int *q = p->first; q != &p->first[4]; q++)
        *q = 1;
    memset(account.name, 0, sizeof account.name + sizeof account.password);
    free(p);
}
#endif

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, next_day, NULL);
#ifdef FIXED
    on_purpose();
    account.days[atomic_load(&day) % 4]++;
#else
    account.days[atomic_load(&day)]++; // BUG
#endif
    pthread_join(t, NULL);
    return 0;
}
