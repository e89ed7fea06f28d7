/* account.h - accounts with a lock each */
#ifndef ACCOUNT_H
#define ACCOUNT_H

#include <pthread.h>

typedef struct Account {
    pthread_mutex_t lock;
    long balance;
} Account;

/* Moves `amount` from one account to the other, atomically. */
void account_transfer(Account *from, Account *to, long amount);

#endif
