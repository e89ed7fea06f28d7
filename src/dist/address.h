/* address.h - where a store is: redis://[:password@]host[:port][/database] */
#ifndef DIST_ADDRESS_H
#define DIST_ADDRESS_H

#include <stdbool.h>

#include "base/error.h"

typedef struct Address {
    char host[256];
    int port;
    int database;
    char password[256]; /* empty: none */
} Address;

bool address_parse(Address *address, const char *url, Error *error);

#endif
