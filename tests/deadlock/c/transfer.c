/* The other file. With -DORDERED both transfers go the same way. */
#include "accounts.h"

static void *teller(void *order)
{
    account_transfer(order, 5);
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    Account *alice = account_open(10), *bob = account_open(10);
    Order forth = {alice, bob};
#ifdef ORDERED
    Order back = {alice, bob};
#else
    Order back = {bob, alice};
#endif
    pthread_create(&first, NULL, teller, &forth);
    pthread_create(&second, NULL, teller, &back);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
