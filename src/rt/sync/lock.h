/* lock.h - one lock: the common ground of mutexes, spin locks and read-write locks
 *
 * A lock is one resource, RES_LOCK or RES_RWLOCK with the address of the program's object.
 * Its value is 0 when free; step.h says what it is when held by one thread alone, or by
 * readers.
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
    int64_t time;           /* virtual clock of the last release                    */
    uint64_t users;         /* see sync_note_use                                    */
    uint8_t type;           /* LockType                                             */
    bool destroyed;
    Witness last;           /* who took it alone last, or destroyed it              */

    /* mutex.c */
    uint8_t kind;           /* MutexKind                                            */
    bool robust;
    bool owner_died;        /* robust: the next owner is told                       */
    bool unrecoverable;     /* robust: nobody made it consistent                    */
    uint32_t depth;         /* recursive: locks beyond the first; the owner's own   */
    Lock *next_robust;      /* robust mutexes held by the same thread               */

    /* rwlock.c */
    AgentTable readers;     /* how often each thread holds it for reading           */
    int64_t readers_time;   /* as `time`, for readers: they are not ordered         */
};

/* The lock of an object in use. `fresh` fills in what the type needs when the object is used
 * for the first time, or as another type than before (memory of a stack frame). */
Lock *lock_of(const void *object, LockType type, void (*fresh)(Lock *lock));
/* Makes the object new again. A known object's state is written by a step of its own; an
 * unknown one costs none: whoever uses it without being ordered after its initialisation
 * is a data race (plain_overwrite, plain_use), so for programs without that bug every use is
 * ordered after the step that contains the initialisation. */
Lock *lock_init(void *object, LockType type, void (*fresh)(Lock *lock));
/* The object was assigned an initialiser: as lock_init, but nobody claims it was not in use. */
void lock_renew(Lock *lock, void (*fresh)(Lock *lock));

/* The value of the lock when the current thread holds it alone. */
static inline int64_t lock_own_value(const Lock *lock)
{
    return lock->type == LOCK_RWLOCK ? rwlock_writer(thread_strand()) : (int64_t)thread_strand() + 1;
}
static inline bool lock_held_by_self(const Lock *lock)
{
    return lock->value == lock_own_value(lock);
}

/* These are steps. The caller ends each with step_done once it has done its own part. */

/* Waits until the lock is free and takes it. */
void lock_acquire(Lock *lock, OpKind op);
/* Takes it if it is free, in one step. */
bool lock_try(Lock *lock, OpKind op);
/* As lock_try, but waits once the thread may not time out any more. */
bool lock_acquire_timed(Lock *lock, OpKind op);
/* Makes it free; the caller holds it. */
void lock_release(Lock *lock, OpKind op);
/* A bug if somebody holds it. */
void lock_destroy(Lock *lock);

/* The step that is announced gives the lock back: for threads that look at things under it. */
void lock_announce_turn(const Lock *lock);
/* The effects alone, inside a step whose nth access is this lock's. */
void lock_take(Lock *lock, unsigned nth);
void lock_give(Lock *lock, unsigned nth);
/* Reports the use of a destroyed lock. Inside a step whose nth access is this lock's. */
void lock_check_alive(Lock *lock, unsigned nth);
_Noreturn void lock_misuse(const Lock *lock, const char *verb, const char *how, const Witness *other);
/* An unlock, or another use as its owner, by a thread that does not hold it. Whether another
 * thread holds it is not its business, so nobody else is named. */
_Noreturn void lock_misuse_unheld(const Lock *lock, const char *verb);

#endif
