/* store_redis.h - the job store in a Redis or Valkey server */
#ifndef DIST_REDIS_STORE_REDIS_H
#define DIST_REDIS_STORE_REDIS_H

#include "dist/store.h"

/* Connects to "redis://[[user]:password@]host[:port][/database]" and checks that the server is suitable. `worker` names
 * this process in reports. Once *interrupted is set (by a signal; may be NULL), calls do not wait for a server that
 * cannot be reached. NULL with `error` set after a failure. */
Store *store_open_redis(const char *url, const char *worker, const volatile int *interrupted, Error *error);

#endif
