/* exchange.h - a read or a write on a socket: its places, whether it waits */
#ifndef RT_NET_EXCHANGE_H
#define RT_NET_EXCHANGE_H

#include "rt/net/socket.h"

enum { AGAIN = -2 }; /* the result of a step after which the thread has to wait */

typedef struct Exchange {
    const Places *places;
    size_t size, done;
    int flags;
    bool waits;       /* until it can do something          */
    bool past_bound;  /* it may not time out any more       */
    bool short_one;   /* a read that gets only a part       */
} Exchange;

/* Before the first step and after the last one, whose result is passed on. */
void exchange_begin(Exchange *exchange, int64_t timeout);
ssize_t exchange_end(const Socket *socket, const Exchange *exchange, int64_t timeout, ssize_t result);
/* Copies between bytes and the places from `done` on, in one direction or the other. */
void exchange_copy(const Exchange *exchange, unsigned char *into, const unsigned char *from, size_t size);
/* Inside the step whose nth access watches for it. */
void exchange_act_if_cancelled(unsigned nth);

#endif
