/* actor.h - actors and messages as agents
 *
 * A message is an agent: its first step is "the receiver consumes me", and the code of the
 * receiver then runs as that agent up to its next receive. So an actor has a stack and a
 * context but, between two messages, no agent: its state is the value of its resource
 * RES_ACTOR, where it stands. Each consumption writes it, and a message is guarded by it.
 * Values: a small number, or the place of a Stand in the notes.
 * Messages and stands are in the notes of the execution, since guards are evaluated again
 * after it is over. The reasons: docs/design/actors.md (ACT-).
 */
#ifndef RT_ACTORS_ACTOR_H
#define RT_ACTORS_ACTOR_H

#include "base/fingerprint.h"
#include "rt/abi/ops.h"
#include "rt/kernel/seat.h"
#include "sennit/actor.h"

enum { STAND_NEW, STAND_BUSY, STAND_ENDED, STAND_ANY }; /* ANY: accepts every message */

/* A set of messages, by their number in the execution. */
typedef struct MessageSet {
    uint64_t *words;
    uint32_t count;
    uint32_t room;
} MessageSet;

/* Where an actor waits, and for what. */
typedef struct Stand {
    sennit_match match;
    bool selective;              /* it does not accept every message                    */
    MessageSet delivered;        /* messages it received before                         */
    MessageSet timers;           /* those that may run out                              */
} Stand;

struct Message {
    AgentId agent;
    AgentId sender, receiver;    /* actors                                              */
    sennit_pid from;             /* that of the sender                                  */
    uint32_t number;
    uint32_t size;
    int32_t tag;
    uint64_t queue;
    uint64_t site;               /* of the send                                         */
    bool symbolic;               /* some bytes are symbolic                             */
    const Stand *only;           /* a time-out: the receive it belongs to; else NULL    */
    bool timer;                  /* it arrives when a timer runs out,                   */
    int64_t deadline;            /* at this time of the actor                           */
    MessageSet before;           /* messages to the receiver that come first, if it wants them */
    MessageSet past;             /* causal order: messages its sender knew of           */
    Message **all;               /* by number                                           */
    unsigned char *bytes;
};

typedef enum Fault {
    FAULT_LOSE,
    FAULT_DUPLICATE,
    FAULT_CRASH,
    FAULT_RESET,             /* of a connection of TCP               */
    FAULT_SHORT,             /* a read from one gets only a part     */
    FAULT_KINDS,             /* that are decided by chance           */
    FAULT_CUT = FAULT_KINDS, /* a message is lost over a cut link    */
    FAULT_PARTITION,         /* links between nodes are cut          */
    FAULT_COUNT
} Fault;

typedef struct Durable Durable;

/* An actor, or a thread that sends. Allocated in transient memory. */
struct Actor {
    AgentId agent;               /* the agent as which it was spawned                   */
    AgentId running;             /* the agent as which its code runs: itself, then its messages */
    bool is_actor;               /* it can receive                                      */
    bool strong;                 /* its next receive is strongly fair                   */
    bool daemon;
    bool past_bound;             /* waits because it timed out too often                */
    uint32_t timeouts;
    uint32_t steps;              /* of all agents as which it ran before                */
    int64_t stand;               /* value of its resource                               */
    int64_t waited;              /* where it stood when no step was enabled: waiting    */
    uint32_t waited_step;        /* for a message or, busy, in this step for something else */
    int64_t mailbox;             /* messages sent to it, with --channels=mailbox        */
    uint64_t site;               /* of its receive                                      */
    uint32_t clock;              /* steps and children of all it handled, see race_clock.h */
    uint32_t quiet_clock;        /* what it did up to this clock happens before what    */
    AgentId quiet_for;           /* this strand does, which called sennit_run           */
    void *context;               /* while it waits                                      */
    CallFrame frame;                 /* the same, see frame.h                               */
    int saved_errno;
    void (*body)(void *argument);
    void *argument;
    void (*restart)(void *argument);
    void *restart_argument;
    uint32_t chances[FAULT_KINDS]; /* how often each fault could have happened          */
    Durable *durable;            /* what a crash leaves of its memory                   */
    uint64_t plain_sends;        /* messages sent without a queue of their own          */
    MessageSet sent, addressed, received, known;
    MessageSet timers;           /* that run                                            */
    const Message *last;         /* received                                            */
    Actor *next;
    char name[24];               /* "" if it is not an actor                            */
};

void actor_reset(void);
/* The record of the running thread, or of the actor whose code it runs. */
Actor *actor_self(void);
/* NULL if no actor or thread has this pid. */
Actor *actor_find(sennit_pid pid);
static inline sennit_pid actor_pid(AgentId agent) { return seat_number(agent) + 1; }
/* A message that was not received, an actor that was not started: such an agent is not a thread that waits. */
static inline bool actor_is_idle(uint16_t op)
{
    return op == OP_ACTOR_RECEIVE || op == OP_ACTOR_TIMEOUT || op == OP_ACTOR_START;
}

sennit_pid actor_spawn(const char *name, void (*body)(void *argument), void *argument);
_Noreturn void actor_end(void);
/* The actor may crash here (--crash); does not return if it does. */
void actor_crash_point(Actor *actor);
/* The running code of the actor waits at `stand`; answers the message (or time-out) as which
 * it continues. */
const Message *actor_wait(Actor *actor, int64_t stand);
/* sennit_run: waits until no other step is enabled; answers how many actors still wait that are no servers. */
int actor_run(void);
/* Are there actors that wait until main starts them? */
bool actor_held(void);
/* Something was spawned or sent. */
void actor_note_activity(void);
/* The calling actor; reports a misuse of `what` if the caller is none. */
Actor *actor_require(const char *what);
/* Reports a misuse of `what` if the caller is not main, or anything but main has begun. */
void actor_require_setup(const char *what);
/* Main has returned. */
void actor_leave_main(void);
/* An agent whose next step commutes with all others: local code of an actor that has started.
 * Taking that step later would change nothing. AGENT_NONE if there is none. */
AgentId actor_local_step(void);
/* The newest actor or thread that sends; `next` leads to the others. */
const Actor *actor_first(void);
/* Adds what all of them have in common. */
void actor_add_state(Fingerprint *print);
/* The execution is over: reports actors that still wait. */
void actor_check_end(void);

#endif
