/* keys.h - thread-specific values
 *
 * A key's number consists of its creator's agent number and a count, so that it does not
 * depend on the schedule. Values belong to their thread; only deleting a key and running
 * destructors at a thread's end conflict, on a resource of the key. A key is also an object in memory, a block of the
 * heap that deleting it frees: a later use is noticed, and one that is not ordered with that.
 */
#ifndef RT_SYNC_KEYS_H
#define RT_SYNC_KEYS_H

#include "rt/sync/lifetime.h"

/* Main starts: makes the keys that constructors created. */
void keys_begin(void);
/* The same values, for a thread in a copy of the process. */
KeyValue *keys_copy_values(const KeyValue *values);
/* Were keys made before main? */
bool keys_made_early(void);
/* 0 or an error number. All but keys_destroy_values may be called before main. */
int keys_create(unsigned *key, void (*destructor)(void *value));
int keys_delete(unsigned key);
int keys_set(unsigned key, const void *value, uint32_t shadow);
/* `callee` is the function that returns the value to the program, with its shadow (shadow_call.h). */
void *keys_get(unsigned key, const void *callee);
/* The current thread is ending: calls the destructors, repeatedly as POSIX says. */
void keys_destroy_values(void);

#endif
