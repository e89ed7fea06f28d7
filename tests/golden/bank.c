/* source lines that golden reports show; never compiled */
#include <pthread.h>

typedef struct Account { long balance; pthread_mutex_t lock; } Account;

static Account alice, bob;

static void lock_both(Account *from, Account *to)
{
    pthread_mutex_lock(&from->lock);
    pthread_mutex_lock(&to->lock);
}

/* The tellers take the locks in opposite order. */
static void *first_teller(void *unused)
{
    lock_both(&alice, &bob);
    return unused;
}

static void *second_teller(void *unused)
{
    lock_both(&bob, &alice);
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, first_teller, NULL);
    pthread_create(&second, NULL, second_teller, NULL);
    assert(sum == 100);
}
