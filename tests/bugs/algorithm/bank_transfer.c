// bug: deadlock
// fixed: exhaustive
// Opposite transfers must each lock their source account before either locks its target.
#include <pthread.h>

typedef struct {
    pthread_mutex_t lock;
    int balance;
} Account;

static Account account[2] = {{PTHREAD_MUTEX_INITIALIZER, 10}, {PTHREAD_MUTEX_INITIALIZER, 10}};

static void transfer(Account *from, Account *to, int amount)
{
#ifdef FIXED
    Account *first = from < to ? from : to, *second = from < to ? to : from;
#else
    Account *first = from, *second = to;
#endif
    pthread_mutex_lock(&first->lock);
    pthread_mutex_lock(&second->lock); // BUG
    from->balance -= amount;
    to->balance += amount;
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
}

static void *there(void *arg)
{
    transfer(&account[0], &account[1], 3);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, there, NULL);
    transfer(&account[1], &account[0], 5);
    pthread_join(t, NULL);
    return account[0].balance + account[1].balance == 20 ? 0 : 1;
}
