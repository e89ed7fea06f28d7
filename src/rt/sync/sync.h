/* sync.h - what all primitives share
 *
 * The state of a primitive is kept beside the program's object, found by the object's address.
 * Objects that may be initialised by plain assignment (PTHREAD_MUTEX_INITIALIZER) carry a
 * stamp in a word that the initialisers leave zero: an assignment clears it, which shows that
 * the object was initialised again.
 */
#ifndef RT_SYNC_SYNC_H
#define RT_SYNC_SYNC_H

#include <errno.h>
#include <time.h>

#include "rt/kernel/step.h"

#define SYNC_STAMP 0x5e771701u

/* The address in a resource's name. States keep the name, not the address: the search for
 * leaks must not take the state for a reference to the program's object. */
static inline void *sync_object(uint64_t resource)
{
    return (void *)(uintptr_t)resource_address(resource);
}

/* Writes a word of the program's object, where the program shows no access. */
void sync_write(void *word, uint32_t value);

/* The least room that an object of the program takes. Headers for 32 bits, with which preprocessed programs come, make
 * some objects smaller than those of this system. */
enum {
    ROOM_MUTEX = 24, ROOM_SPIN = 4, ROOM_RWLOCK = 32, ROOM_CONDITION = 48, ROOM_SEMAPHORE = 16, ROOM_BARRIER = 20,
    ROOM_ONCE = 4
};
/* Reports the bug if the object has less room than this in its block or variable. */
void sync_check_room(const void *object, size_t room);

/* Records a use of an object for the race detector. `users` holds the threads recorded since the
 * object was initialised (zero then): if a thread's first use is ordered after the initialisation,
 * so are its later ones. Uses of objects on the heap are recorded each time, since they may be
 * freed. */
void sync_note_use(const void *object, uint64_t *users);

/* A small table of numbers by agent, all zero at first. Entries of different agents are
 * independent, so steps that commute may each change their own agent's entry. */
typedef struct AgentTable {
    uint32_t *values;
    uint32_t capacity;
} AgentTable;

uint32_t agent_table_get(const AgentTable *table, AgentId agent);
/* The entry, to be changed; it may move when another agent's is made. */
uint32_t *agent_table_at(AgentTable *table, AgentId agent);

/* -- timed operations -----------------------------------------------------------------
 * A timed wait may time out whenever it cannot succeed at once. A retry loop could do so for
 * ever; so a thread times out at most RtOptions.max_timeouts times (its own history: the
 * bound means the same for every schedule of a class), then its timed waits block. */
bool sync_may_time_out(void);
/* Records that the current operation timed out. Returns ETIMEDOUT, or EINVAL for an invalid
 * deadline. */
int sync_time_out(const struct timespec *deadline);
/* The same after a duration in nanoseconds. */
void sync_time_out_after(int64_t nanoseconds);
/* Brackets a timed operation that blocks because the bound was reached. */
void sync_wait_past_bound(bool begin);
/* Is the thread blocked in such an operation? Then it is stopped by a bound, not deadlocked. */
bool sync_waits_past_bound(AgentId agent);

/* May the current thread wake up without a signal from the wait that begins (--spurious)? A few times only; nothing
 * that is found then rests on that bound, since spurious wake-ups need not happen. */
bool sync_may_wake_spuriously(void);

#endif
