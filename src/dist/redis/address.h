/* address.h - the address of a Redis server: redis://[[user]:password@]host[:port][/database] */
#ifndef DIST_REDIS_ADDRESS_H
#define DIST_REDIS_ADDRESS_H

#include <stdbool.h>

#include "base/error.h"

typedef struct Address {
    char host[256];
    int port;
    int database;
    char user[256];     /* empty: the default user */
    char password[256]; /* empty: none             */
} Address;

/* Fills *address; after a failure its contents are undefined. */
bool address_parse(Address *address, const char *url, Error *error);

#endif
