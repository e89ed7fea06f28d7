/* netstore.h - a store at the other end of a network, in virtual time: latency, a server that
 * serves one call after another, and everything that can go wrong on the way
 */
#ifndef SIM_NETSTORE_H
#define SIM_NETSTORE_H

#include "base/rng.h"
#include "dist/store.h"
#include "world.h"

/* One server's; shared by all connections. Times in seconds, faults as one in so many calls, 0: never. */
typedef struct Network {
    World *world;
    double latency;        /* one way                                        */
    double service;        /* of one call                                    */
    double service_byte;   /* and of every byte of it                        */
    double busy;           /* the server has work until then                 */
    double served;         /* seconds in all                                 */
    uint64_t calls, takes, fetches, commits, renewals;
    Rng rng;
    uint32_t lost_answer;  /* the call is made, and made again               */
    uint32_t hang;         /* the connection stands still for `hang_seconds` */
    double hang_seconds;
} Network;

typedef struct NetStore {
    Store store;           /* first: the store is this */
    Network *network;
    Store *inner;          /* owned                    */
    bool dead;             /* all calls fail           */
    /* A commit was accepted. May be NULL. */
    void (*committed)(void *context, const StoreCommit *commit);
    void *context;
} NetStore;

NetStore *netstore_create(Network *network, Store *inner);

#endif
