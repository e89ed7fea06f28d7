/* script.h - small actor programs as tables, for the oracle
 *
 * Party 0 is main, which spawns and sends only. Every other party is spawned once, by a party
 * with a smaller number. Both sides, the runtime and the simulator, interpret these tables.
 */
#ifndef TESTS_ACTORS_SCRIPT_H
#define TESTS_ACTORS_SCRIPT_H

#include <stdbool.h>
#include <stdint.h>

enum { MOST_PARTIES = 6, MOST_ACTS = 6, MOST_SENDS = 8 };

typedef enum ActKind {
    ACT_SEND,         /* to party `a`, tag `b`: the value worked out from what it knows   */
    ACT_REPLY,        /* to the sender of the last message, if that is an actor            */
    ACT_SPAWN,        /* party `a`                                                         */
    ACT_RECEIVE,
    ACT_RECEIVE_FROM, /* party `a`                                                         */
    ACT_RECEIVE_TAG,  /* tag `a`                                                           */
    ACT_RECEIVE_IF,   /* value % 2 == a                                                    */
    ACT_TRY,          /* receive or time out                                               */
    ACT_CHOOSE,       /* an input below `a`                                                */
    ACT_SKIP,         /* if the low bit of what it knows is set, skip `a` acts             */
    ACT_SHARED,       /* a step on a variable that all share                               */
    ACT_DAEMON,
    ACT_EXIT,
    ACT_RESTART,      /* after a crash it goes on with act `a`                             */
    ACT_SYNC,         /* what it knows survives a crash                                    */
    ACT_TIMER,        /* starts the timer with tag `a`                                     */
    ACT_CANCEL,       /* cancels it                                                        */
    ACT_CUT,          /* the link between parties `a` and `b`                              */
    ACT_HEAL
} ActKind;

typedef struct Act {
    uint8_t kind, a, b;
} Act;

/* A budget of its own for some messages or actors: parties or 0, any; of main's messages `main` is set. */
typedef struct Rule {
    uint8_t fault, from, to, tag, most;
    bool main;
} Rule;
enum { MOST_RULES = 3, ANY_TAG = 9 };

typedef enum Memory { MEMORY_KEPT, MEMORY_DURABLE, MEMORY_VOLATILE } Memory;

typedef struct Script {
    unsigned parties;
    unsigned count[MOST_PARTIES];
    Act acts[MOST_PARTIES][MOST_ACTS];
    unsigned channels;                    /* CHANNELS_* */
    unsigned lose, duplicate, crash, timeouts;
    unsigned rules;
    Rule rule[MOST_RULES];
    bool linked[MOST_PARTIES][MOST_PARTIES];
    Memory memory;                        /* what actors that start again know */
} Script;

/* The program of a seed. */
void script_generate(Script *script, uint64_t seed);
void script_print(const Script *script);

/* Which bits of values are sent: fewer make equal messages. */
extern uint32_t script_value_bits;
/* Which bits parties remember: fewer let different pasts come to the same state. */
extern uint32_t script_known_bits;

/* What a party knows after it learnt something, and the value it sends. */
static inline uint32_t script_learn(uint32_t known, uint32_t value) 
{
    return ((known ^ (value + 1)) * 0x01000193u + 0x9e37u) & script_known_bits;
}

static inline uint32_t script_value(uint32_t known, uint32_t act) { return (known >> 3 ^ act) & script_value_bits; }
static inline uint64_t script_mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15ull;
    return hash ^ hash >> 29;
}

/* One way in which a program can go: its class and where it ends. */
typedef struct Way {
    uint64_t name;
    uint64_t state;
} Way;

/* What is common to both sides: names of classes are put together from these. */
typedef struct Story {
    uint64_t acts[MOST_PARTIES];      /* what the party received, chose, did           */
    uint64_t faults[MOST_PARTIES];    /* what happened to it that it cannot see        */
    uint64_t mailbox[MOST_PARTIES];   /* order of arrivals                             */
    uint64_t links[MOST_PARTIES];     /* what it found or did there: how often each was changed */
    uint64_t shared;                  /* order of steps on the shared variable         */
    uint32_t known[MOST_PARTIES];
    uint32_t value;                   /* of the shared variable                        */
    uint8_t ended[MOST_PARTIES];
    bool deadlock;
} Story;

static inline uint64_t story_name(const Story *story)
{
    uint64_t hash = script_mix(1, story->shared);
    for (unsigned p = 0; p < MOST_PARTIES; p++)
        hash = script_mix(script_mix(script_mix(script_mix(hash, story->acts[p]), story->faults[p]), story->mailbox[p]),
                          story->links[p]);
    return hash;
}

static inline uint64_t story_state(const Story *story)
{
    uint64_t hash = script_mix(script_mix(2, story->value), story->deadlock);
    for (unsigned p = 0; p < MOST_PARTIES; p++)
        hash = script_mix(script_mix(hash, story->known[p]), story->ended[p]);
    return hash;
}

enum { TOLD_RECEIVED = 1, TOLD_TIMEOUT, TOLD_CHOSE, TOLD_SHARED, TOLD_FAULT, TOLD_SPAWNED, TOLD_TIMER };

/* Enumerates every order by brute force. Answers the number of ways, or UINT32_MAX if there
 * are too many. Sorted by name. */
uint32_t simulate(const Script *script, Way *ways, uint32_t room);

#endif
