/* One of two files: locks on the heap, behind pointers in structures. */
#include "accounts.h"

#include <stdlib.h>

Account *account_open(long balance)
{
    Account *account = malloc(sizeof *account);
    account->balance = balance;
    pthread_mutex_init(&account->lock, NULL);
    return account;
}

void account_transfer(const Order *order, long amount)
{
    pthread_mutex_lock(&order->from->lock);
    pthread_mutex_lock(&order->to->lock);
    order->from->balance -= amount;
    order->to->balance += amount;
    pthread_mutex_unlock(&order->to->lock);
    pthread_mutex_unlock(&order->from->lock);
}
