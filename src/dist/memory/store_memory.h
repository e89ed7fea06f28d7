/* store_memory.h - the job store in the memory of one process, for tests and simulations of many workers
 *
 * It has the same calls and rules as redis/store.lua, with a clock of the caller. (Workers of one machine share jobs in
 * memory without any store, see core/tree/jobs.h.)
 */
#ifndef DIST_MEMORY_STORE_MEMORY_H
#define DIST_MEMORY_STORE_MEMORY_H

#include "dist/store.h"

typedef struct MemoryServer MemoryServer;

/* `now` returns seconds, which never decrease. */
MemoryServer *memoryserver_create(double (*now)(void *context), void *context);
void memoryserver_destroy(MemoryServer *server);

/* A connection for one worker; there may be any number of them. */
Store *store_open_memory(MemoryServer *server, const char *worker);

/* Saves the state; and restarts the server with the state last saved. */
void memoryserver_save(MemoryServer *server);
void memoryserver_revert(MemoryServer *server);

/* DIST-6: open == queued + leased, and the counters of domains are right. */
bool memoryserver_is_consistent(const MemoryServer *server);

#endif
