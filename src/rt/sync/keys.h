/* keys.h - thread-specific values
 *
 * A key's number is made of its creator's agent number and a count, so that it does not
 * depend on the schedule. Values belong to their thread; only deleting a key and the
 * destructors at a thread's end meet, on a resource of the key.
 */
#ifndef RT_SYNC_KEYS_H
#define RT_SYNC_KEYS_H

#include "rt/sync/lifetime.h"

/* Main begins: it has the keys that constructors made. */
void keys_begin(void);
/* 0 or an error number. All but keys_destroy_values may be called before main. */
int keys_create(unsigned *key, void (*destructor)(void *value));
int keys_delete(unsigned key);
int keys_set(unsigned key, const void *value, uint32_t shadow);
/* `model` is the function that hands the value back, with its shadow (tracking.h). */
void *keys_get(unsigned key, const void *model);
/* The current thread is ending: calls the destructors, in rounds. */
void keys_destroy_values(void);

#endif
