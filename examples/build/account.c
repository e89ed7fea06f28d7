/* account.c - see account.h */
#include "account.h"

void account_transfer(Account *from, Account *to, long amount)
{
    Account *first = from, *second = to;
#ifndef WRONG_ORDER /* two opposite transfers take their locks in the same order */
    if (from > to) {
        first = to;
        second = from;
    }
#endif
    pthread_mutex_lock(&first->lock);
    pthread_mutex_lock(&second->lock);
    from->balance -= amount;
    to->balance += amount;
    pthread_mutex_unlock(&second->lock);
    pthread_mutex_unlock(&first->lock);
}
