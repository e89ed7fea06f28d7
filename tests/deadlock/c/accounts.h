#include <pthread.h>

typedef struct Account {
    long balance;
    pthread_mutex_t lock;
} Account;

typedef struct Order {
    Account *from, *to;
} Order;

Account *account_open(long balance);
void account_transfer(const Order *order, long amount);
