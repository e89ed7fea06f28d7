/* lock.h - what mutexes, spin locks and read-write locks have in common
 *
 * A lock is one resource, RES_LOCK or RES_RWLOCK with the address of the program's object.
 * Its value is 0 when free; resource.h says what it is when held exclusively, or by readers.
 */
#ifndef RT_SYNC_LOCK_H
#define RT_SYNC_LOCK_H

#include "rt/sync/misuse.h"
#include "rt/sync/sync.h"

typedef enum LockType { LOCK_MUTEX = 1, LOCK_SPIN, LOCK_RWLOCK } LockType;

typedef struct Lock Lock;
struct Lock {
    uint64_t resource;
    int64_t value;
    uint64_t users;         /* see sync_note_use                                    */
    uint8_t type;           /* LockType                                             */
    bool destroyed;
    Witness last;           /* of the last exclusive acquisition, or the destruction */

    /* mutex.c */
    uint8_t kind;           /* MutexKind                                            */
    bool robust;
    bool owner_died;        /* robust: the next lock returns EOWNERDEAD             */
    bool unrecoverable;     /* robust: unlocked without being made consistent       */
    uint32_t depth;         /* recursive: locks beyond the first by the owner       */
    Lock *next_robust;      /* robust mutexes held by the same thread               */

    /* rwlock.c */
    AgentTable readers;     /* how often each thread holds it for reading           */
    bool prefers_writers;   /* readers wait for waiting writers                     */
    int64_t waiting;        /* writers that wait, if it does; survives `fresh`      */
};

/* The lock of an object that is used. `fresh` initialises what the type needs when the object is
 * used for the first time, or as another type than before (memory of a stack frame). */
Lock *lock_of(const void *object, LockType type, void (*fresh)(Lock *lock));
/* Initialises the object. The state of a known object is written by a step of its own; an
 * unknown one needs none: a use that is not ordered after the initialisation is a data race
 * (plain_overwrite, plain_use), so in programs without that bug every use is ordered after the
 * step that contains the initialisation. */
Lock *lock_init(void *object, LockType type, void (*fresh)(Lock *lock));
/* The object was assigned an initialiser: as lock_init, but it may be held. */
void lock_renew(Lock *lock, void (*fresh)(Lock *lock));

/* The value of the lock when the current thread holds it exclusively. */
static inline int64_t lock_own_value(const Lock *lock)
{
    return lock->type == LOCK_RWLOCK ? rwlock_writer(thread_strand()) : (int64_t)thread_strand() + 1;
}
static inline bool lock_held_by_self(const Lock *lock)
{
    return lock->value == lock_own_value(lock);
}

/* These are steps. The caller ends each with step_done after its own part of the effect. */

/* Waits until the lock is free and acquires it. */
void lock_acquire(Lock *lock, OpKind op);
/* Acquires it if it is free, in one step. */
bool lock_try(Lock *lock, OpKind op);
/* As lock_try, but blocks once the thread may not time out any more. */
bool lock_acquire_timed(Lock *lock, OpKind op);
/* Releases it; the caller holds it. */
void lock_release(Lock *lock, OpKind op);
/* Destroys it; a bug if it is held. */
void lock_destroy(Lock *lock);

/* The announced step releases the lock: adds the access that wakes polling threads (spin.h). */
void lock_announce_release(const Lock *lock);
/* The effects alone, inside a step whose nth access is this lock's. */
void lock_take(Lock *lock, unsigned nth);
void lock_give(Lock *lock, unsigned nth);
/* Reports the use of a destroyed lock. Inside a step whose nth access is this lock's. */
void lock_check_alive(Lock *lock, unsigned nth);
/* Reports a misuse and stops the thread; see misuse_report. */
_Noreturn void lock_misuse(const Lock *lock, const char *verb, const char *how, const Witness *other);
/* The same for an unlock, or another operation of its owner, by a thread that does not hold it.
 * Whether another thread holds it does not matter, so no other thread is named. */
_Noreturn void lock_misuse_unheld(const Lock *lock, const char *verb);

#endif
