/* test_transfer.c - two opposite transfers at the same time: both happen, no money is lost */
#include <sennit/sennit.h>

#include "account.h"

static Account accounts[2] = {{PTHREAD_MUTEX_INITIALIZER, 100}, {PTHREAD_MUTEX_INITIALIZER, 100}};

static void *transfer_back(void *unused)
{
    account_transfer(&accounts[1], &accounts[0], 20);
    return unused;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, transfer_back, NULL);
    account_transfer(&accounts[0], &accounts[1], 30);
    pthread_join(other, NULL);
    sennit_assert(accounts[0].balance == 90 && accounts[1].balance == 110);
    return 0;
}
