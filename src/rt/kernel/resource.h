/* resource.h - names of the resources that steps access, and the values of locks
 *
 * A resource is named by its kind in the top byte and, below, an address or an agent number.
 */
#ifndef RT_KERNEL_RESOURCE_H
#define RT_KERNEL_RESOURCE_H

#include "core/execution.h"

typedef enum ResourceKind {
    RES_MEMORY = 1,  /* an aligned 8-byte word of memory: address >> 3 */
    RES_LOCK,        /* mutex, spin lock: address of the object. Its value is 0 when free,
                        else the owner's agent number + 1, whatever the recursion depth */
    RES_COND, RES_SEM, RES_BARRIER, RES_ONCE,
    RES_END,         /* agent number: has it terminated?                     */
    RES_WAKE,        /* agent number: was it woken from a condition wait?    */
    RES_CANCEL,      /* agent number: was its cancellation requested?        */
    RES_ATOMIC_SECTION,
    RES_CLOCK, RES_OTHER,
    RES_ACTOR,       /* agent number of the actor: its stand, see actor.h */
    RES_PIPE,        /* a pipe between threads: the name of the end that reads; see pipe.h */
    RES_SIGNAL,      /* number of a signal: what the program does about it; see signals.h */
    RES_ACTOR_GO,    /* 0: how often the actors spawned by main were released to start */
    RES_MAILBOX,     /* agent number of the actor: its queue, with --channels=mailbox */
    RES_LINK,        /* agent numbers of two actors: is the link between them cut? See link.h; or, with LINK_OF_NODES,
                        the numbers of two nodes, see partition.h */
    RES_STAMP,       /* an aligned word of memory: is its value symbolic; see stamp.h */
    RES_UPDATES,     /* likewise: how many updates with unused results it had */
    RES_RWLOCK,      /* read-write lock: 0 when free, n > 0 for n readers, rwlock_writer(agent)
                        when held for writing */
    RES_RELEASES,       /* address of a mutex or spin lock: how often it was released by a thread that
                        may have changed what it protects; see spin.h */
    RES_WRITERS,     /* address of a read-write lock that prefers writers: how many wait for it */
    RES_THREAD_NAME, /* agent number: how often the name of the thread was set */
    RES_HIDDEN,      /* 1 + number of a state of the C library, see hidden.h */
    RES_FUTEX,       /* address of a word, + 1 if shared: the threads that wait there; see futex.h */
    RES_DESCRIPTOR,  /* descriptor of an open file: position and buffer; its value is that of the lock of its stream,
                        as for RES_LOCK */
    RES_FILE,        /* hash of a name: contents of the file, entries of the directory */
    RES_NAME,        /* hash of a name: does it exist? */
    RES_NEWER,       /* 0: for reports. A weak step's access of MODE_NONE if it did not read the last write, or wrote
                        before it: the agent that made it is `before`, its value `after`. 1: the values of
                        its step are names of 16 bytes, see wide.h */
    RES_FLOW,        /* a part of one direction of a connection, see flow.h */
    RES_SEGMENT,     /* what was written at once in one direction of a connection */
    RES_SOCKET,      /* a part of an end of a connection, see socket.h */
    RES_PORT,        /* an address that sockets are bound to: hash; see port.h */
    RES_NODE,        /* a node of a cluster, see node.h: does it run? */
    RES_PROCESS,     /* tag of a process: does it run? See process.h */
    RES_HOLDERS,     /* an end of a pipe or socket: how many processes have it, see pipe.h */
    RES_PENDING,     /* 0 or 1 + agent number: signals that wait for the process or a thread, see signals.h */
    RES_SYNC         /* hash of another resource: what steps synchronise through, under weak memory; see
                        race_clock.h */
} ResourceKind;

/* The value of a RES_RWLOCK held for writing. Readers stay below 1 << 32, so "no writer"
 * is the guard REL_SLT RWLOCK_WRITER_MIN. The wait-for graph (deadlock cycles) and the locks
 * an agent holds are derived from these values: set them with step_value in every step
 * that acquires or releases a lock, also inside condition waits. */
#define RWLOCK_WRITER_MIN ((int64_t)1 << 32)
static inline int64_t rwlock_writer(AgentId agent)
{
    return ((int64_t)agent + 1) << 32;
}

#define LINK_OF_NODES (1ull << 54)

static inline uint64_t resource_make(ResourceKind kind, uint64_t name)
{
    return (uint64_t)kind << 56 | (name & 0xffffffffffffffull);
}

/* The process whose memory is in place, if it is not the first one: in the names of its own objects, above their
 * addresses, and of words of its memory. See process.h. */
enum { OBJECT_ADDRESS_BITS = 47, WORD_TAG_SHIFT = 45 };
extern uint64_t process_tag __attribute__((visibility("hidden")));
uint64_t resource_tagged(uint64_t resource);
/* Is memory of one process named? */
bool resource_is_own(uint64_t resource);

static inline uint64_t resource_of(ResourceKind kind, const void *object)
{
    uint64_t resource = resource_make(kind, (uint64_t)(uintptr_t)object);
    return __builtin_expect(process_tag != 0, 0) ? resource_tagged(resource) : resource;
}
/* The address of the object that a resource is named by. */
static inline uint64_t resource_address(uint64_t resource) { return resource & ((1ull << OBJECT_ADDRESS_BITS) - 1); }

#endif
