/* redis_link.h - the connection to a Redis or Valkey server
 *
 * A connection that breaks is made again, with growing pauses. At every connection the server is checked and
 * store.lua is loaded. Every call of the script can be repeated: a commit that had arrived is refused the second
 * time, which costs its work and nothing else (DIST-7).
 */
#ifndef DIST_REDIS_REDIS_LINK_H
#define DIST_REDIS_REDIS_LINK_H

#include <hiredis/hiredis.h>

#include "dist/redis/address.h"
#include "dist/redis/redis_call.h"
#include "dist/store.h"

typedef struct RedisLink {
    Address address;
    char script[64];                 /* the hash of store.lua, for EVALSHA                  */
    const volatile int *interrupted; /* this process is asked to end; NULL: never           */
    redisContext *context;           /* NULL: not connected                                 */
    bool greeted;                    /* there was a good connection: a lost server may come back */
    bool has_log;                    /* the server has an append-only file                  */
    double full_since;               /* since when it rejects all writes; 0: it does not    */
} RedisLink;

/* Connects. After a failure the link needs no release. */
bool redislink_open(RedisLink *link, const char *url, const volatile int *interrupted, Error *error);
void redislink_close(RedisLink *link);

/* Sends the call and returns the reply, which is not an error and owned by the caller (freeReplyObject). Waits up to
 * two minutes for a server that has been lost, and STORE_FULL_PATIENCE seconds for one that is full. NULL with `error`
 * set after a failure. */
redisReply *redislink_perform(RedisLink *link, const RedisCall *call, Error *error);

/* Says in words of the user what this error of the server means. */
void redislink_explain(const RedisLink *link, const char *text, Error *error);

#endif
