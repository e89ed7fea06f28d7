/* bank.c - accounts with a lock each, and two tellers who move money between them
 *
 * It works in nearly every run. sennit test examples/bank.c finds the one that does not;
 * sennit test examples/bank.c -DFIXED shows that the repair holds in all of them.
 *
 * litmus: -> executions 3 bugs deadlock
 * litmus: -DFIXED -> executions 2
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

typedef struct Account {
    pthread_mutex_t lock;
    int number;
    long balance;
} Account;

static Account alice = {PTHREAD_MUTEX_INITIALIZER, 1, 100};
static Account bob = {PTHREAD_MUTEX_INITIALIZER, 2, 100};

static void lock_both(Account *from, Account *to)
{
#ifdef FIXED
    /* Everybody takes the locks in the order of the account numbers. */
    if (from->number > to->number) {
        Account *first = to;
        to = from;
        from = first;
    }
#endif
    pthread_mutex_lock(&from->lock);
    pthread_mutex_lock(&to->lock);
}

static void transfer(Account *from, Account *to, long amount)
{
    lock_both(from, to);
    if (from->balance >= amount) {
        from->balance -= amount;
        to->balance += amount;
    }
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
}

static void *first_teller(void *unused)
{
    transfer(&alice, &bob, 30);
    return unused;
}

static void *second_teller(void *unused)
{
    transfer(&bob, &alice, 50);
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, first_teller, NULL);
    pthread_create(&second, NULL, second_teller, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    printf("alice %ld, bob %ld\n", alice.balance, bob.balance);
    assert(alice.balance + bob.balance == 200);
    return 0;
}
