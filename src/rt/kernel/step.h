/* step.h - the scheduling point: how a model turns an operation into a step
 *
 * A model (mutex.c, sem.c, ...) performs an operation in three parts:
 *
 *     Access *a = step_begin(OP_LOCK, resource);     announce: op and first access
 *     step_guard(a, &m->value, REL_EQ, 0);           when it is enabled
 *     step_wait();                                   scheduling point
 *     m->value = 1 + thread_self_id();               the effect, atomic
 *     step_value(0, 0, m->value);                    values before and after, for access 0
 *
 * step_wait returns when the scheduler runs this step; the event then exists with
 * the announced accesses. Everything up to the thread's next step_begin belongs to
 * the step and must not touch shared model state without an access.
 */
#ifndef RT_KERNEL_STEP_H
#define RT_KERNEL_STEP_H

#include "core/execution.h"
#include "rt/abi/hooks.h"
#include "rt/abi/ops.h"

/* Resource names: the kind in the top byte, then an address or an agent number. */
typedef enum ResourceKind {
    RES_MEMORY = 1,  /* an aligned 8-byte word of memory: address >> 3 */
    RES_LOCK,        /* mutex, spin lock: address of the object. Its value is 0 when free,
                        else the owner's agent number + 1, whatever the recursion depth */
    RES_COND, RES_SEM, RES_BARRIER, RES_ONCE,
    RES_END,         /* agent number: has it ended?                     */
    RES_WAKE,        /* agent number: was its wait on a condition ended? */
    RES_CANCEL,      /* agent number: was it asked to cancel?           */
    RES_ATOMIC_SECTION,
    RES_CLOCK, RES_OTHER,
    RES_ACTOR,       /* agent number of the actor: where it stands, see actor.h */
    RES_PIPE,        /* a pipe between threads: the descriptor that reads from it; see pipe.h */
    RES_SIGNAL,      /* number of a signal: is it ignored? */
    RES_ACTOR_GO,    /* 0: how often actors that main spawned were let begin */
    RES_MAILBOX,     /* agent number of the actor: its queue, with --channels=mailbox */
    RES_STAMP,       /* an aligned word of memory: does its value depend on inputs; see stamp.h */
    RES_UPDATES,     /* likewise: how often it was updated unseen */
    RES_RWLOCK,      /* read-write lock: 0 when free, n > 0 for n readers, rwlock_writer(agent)
                        when held for writing */
    RES_TURNS        /* address of a mutex or spin lock: how often somebody gave it back who may have
                        changed what it protects; see spin.h */
} ResourceKind;

/* The value of a RES_RWLOCK held for writing. Readers stay below 1 << 32, so "no writer"
 * is the guard REL_SLT RWLOCK_WRITER_MIN. Who waits for whom (deadlock cycles) and which
 * locks an agent holds are read off these values: give them with step_value at every step
 * that takes or releases a lock, also inside condition waits. */
#define RWLOCK_WRITER_MIN ((int64_t)1 << 32)
static inline int64_t rwlock_writer(AgentId agent)
{
    return ((int64_t)agent + 1) << 32;
}

static inline uint64_t resource_make(ResourceKind kind, uint64_t name)
{
    return (uint64_t)kind << 56 | (name & 0xffffffffffffffull);
}
static inline uint64_t resource_of(ResourceKind kind, const void *object)
{
    return resource_make(kind, (uint64_t)(uintptr_t)object);
}

/* Announces the current thread's next operation with its first access (mode WRITE,
 * all lanes, no condition). Its place is sennit_rt_site. Resource 0: no access yet (the
 * answer is NULL; step_touch adds the first). Pointers to accesses are good until the next
 * step_* call that adds one, or step_wait. */
Access *step_begin(OpKind op, uint64_t resource);
/* A further access of the operation announced, or, after step_wait, of the step
 * being executed (e.g. the waiter that a signal woke). */
Access *step_touch(uint64_t resource, Mode mode);
/* Makes the access a guard on the value in `live` (8 bytes, signed). Before step_wait. */
void step_guard(Access *access, const int64_t *live, Relation relation, int64_t operand);
/* The mode of the access depends on the value: `then` if it satisfies the condition, else
 * `otherwise`. Before step_wait; afterwards the model sets the mode it had (step_mode). */
static inline void step_switch(Access *access, Relation relation, int64_t operand, Mode then, Mode otherwise)
{
    access->role = ROLE_SWITCH;
    access->relation = (uint8_t)relation;
    access->mask = UINT64_MAX;
    access->operand = operand;
    access->mode_then = (uint8_t)then;
    access->mode_else = (uint8_t)otherwise;
}
/* The step is enabled as soon as one guard holds, not all. */
void step_guard_any(void);
/* The footprint depends on state in a way that its conditions do not tell. */
void step_opaque(void);

/* The scheduling point. On return the step is being executed. */
void step_wait(void);

/* After step_wait: the values of the n-th access, and its mode if it differs. */
void step_value(unsigned n, int64_t before, int64_t after);
void step_mode(unsigned n, Mode mode);
/* The access of the step being executed to this resource, or NULL. */
Access *step_find(uint64_t resource);

/* The operation is complete; what follows is program code. A model calls it last, after
 * step_value: an execution that was asked to stop after this step ends here and does not
 * run the code behind it. (Without the call it ends at the next step_wait.) */
void step_done(void);

/* The thread waits for others in a way that is no operation (it sleeps, it yields): where
 * nobody else decides, they go on first. Explored schedules are the same. */
void step_yield(void);

/* A decision inside the step being executed: 0..options-1, explored exhaustively. */
uint32_t step_choose(uint32_t options);

/* -- threads as models see them -------------------------------------------------- */

AgentId thread_self(void);
/* As whom it owns things: itself or, while it handles a message, the actor that received it. */
AgentId thread_strand(void);
/* True while program code runs under the explorer; models fail softly otherwise. */
bool thread_inside(void);

/* Number of this execution in the process, > 0: state kept in C variables of a model is
 * forgotten when it changes. */
uint32_t run_number(void);
/* --spurious: condition waits may wake without a signal. */
bool run_spurious(void);
/* --timeouts: how often a thread may time out. */
uint32_t run_max_timeouts(void);
/* A timed operation could not time out because of that bound. */
void run_note_bounded_wait(void);

/* -- creating and ending threads: what the thread model (threads.c) builds on -------
 * Numbers are interned by (creator, k-th child). The child's creator_step is the step
 * being executed; no scheduling point. It will run body(argument), which never returns;
 * its first code runs when the creator comes to its next step, so there is time to fill
 * thread_slot(child) first. `start` names the thread in reports (its start routine).
 * AGENT_NONE if there are too many. */
AgentId thread_spawn(void (*body)(void *argument), void *argument, const void *start);
/* The current thread is left for good. Its OP_EXIT step, if any, was made before; without
 * one the thread ended the process (exit, main returned): whoever waits for it then is not
 * deadlocked. */
_Noreturn void thread_stop(void);
/* The same because an assumption failed: counts in ex->assumed_away. */
_Noreturn void thread_stop_assumed(void);
/* Room for the thread model's own record of a thread; NULL when an execution begins.
 * Any number below the number of threads created so far. */
void **thread_slot(AgentId agent);
/* Number of agents known in this execution. */
uint32_t thread_count(void);

/* -- happens-before for the race detector (C11 synchronizes-with) ----------------
 * release: what this thread did so far is before whatever acquires `object` later;
 * acquire: what was released into `object` is before what this thread does next. */
void race_release(const void *object);
void race_acquire(const void *object);

/* A model reads (uses) or writes (initialises, destroys) the program's object as plain
 * memory: checked for races and for freed memory as if instrumented code did it, but never
 * a step, in any mode. So "used before it was initialised" and "destroyed while in use
 * elsewhere" are seen whatever the order. */
void race_use(const void *object, size_t size);
void race_overwrite(void *object, size_t size);

/* -- bugs ------------------------------------------------------------------------
 * Records a finding at the current place; the current thread then stops for good
 * (or the execution ends). Returns only from report_note, which lets the thread go on. */
_Noreturn void report_bug(BugKind kind, const char *format, ...) __attribute__((format(printf, 2, 3)));
void report_note(BugKind kind, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A call that Sennit does not model (fork, sigaction, ...): ends the exploration with a
 * clear message and exit code 2. */
_Noreturn void report_not_modelled(const char *what);

/* -- memory of models -------------------------------------------------------------
 * Model state lives either in the program's own object (a pthread_mutex_t has room)
 * or here: freed all at once when the execution ends. Zeroed, 16-byte aligned. */
void *run_alloc(size_t size);

/* State of a synchronisation object, found by its address; made by `init` on first use,
 * forgotten at the end of the execution. `size` must be the same for one kind. */
void *object_state(ResourceKind kind, const void *object, size_t size, void (*init)(void *state, const void *object));
/* NULL if the object is not known. */
void *object_find(ResourceKind kind, const void *object);
void object_forget(ResourceKind kind, const void *object);

#endif
