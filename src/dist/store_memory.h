/* store_memory.h - the job store in the memory of one process
 *
 * The same calls and rules as store.lua has, on a clock that is given: for tests and simulations
 * of many workers. (Workers of one machine share jobs in memory without any store, core/tree/jobs.h.)
 */
#ifndef DIST_STORE_MEMORY_H
#define DIST_STORE_MEMORY_H

#include "dist/store.h"

typedef struct MemoryServer MemoryServer;

/* `now` answers seconds; they never go back. */
MemoryServer *memoryserver_create(double (*now)(void *context), void *context);
void memoryserver_destroy(MemoryServer *server);

/* A connection for one worker; any number of them. */
Store *store_open_memory(MemoryServer *server, const char *worker);

/* Saves everything; and dies and comes back as it was when it was saved. */
void memoryserver_save(MemoryServer *server);
void memoryserver_revert(MemoryServer *server);

/* DIST-6: open == queued + leased, and domains count what is below them. */
bool memoryserver_is_consistent(const MemoryServer *server);

#endif
