/* redis_reply.h - the contents of replies of store.lua */
#ifndef DIST_REDIS_REDIS_REPLY_H
#define DIST_REDIS_REDIS_REPLY_H

#include <hiredis/hiredis.h>

#include "dist/store.h"

/* An element of a list; "" or 0 if there is none of this kind. */
const char *reply_string(const redisReply *reply, size_t index);
long long reply_number(const redisReply *reply, size_t index);

/* What the first word of the reply says. STORE_FAILED with `error` set if it is not known. */
StoreAnswer reply_answer(const redisReply *reply, Error *error);
/* The state of the search, a list at this index; state->open is -1 if it is missing. */
void reply_state(const redisReply *reply, size_t index, StoreState *state);
/* Adds the leased jobs, from this index on: names and tokens. */
void reply_jobs(const redisReply *reply, size_t first, StoreJobs *jobs);
/* Adds the bugs of a list: identities and texts. */
void reply_bugs(const redisReply *list, StoreBugs *bugs);

#endif
