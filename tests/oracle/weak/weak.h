/* weak.h - small programs with weak atomic operations, and their execution graphs
 *
 * A toy program has a few threads of straight-line code with forward skips. Its steps are weak (loads, stores,
 * updates, fences with an order) or strong (on mutexes, semaphores and the like, with guards). It is run in two ways:
 * by the engine, step by step along plans (program.c), and by brute force (brute.c). Both lead to execution graphs,
 * and the sets of graphs must be equal.
 */
#ifndef ORACLE_WEAK_H
#define ORACLE_WEAK_H

#include "base/rng.h"
#include "base/vec.h"
#include "core/explore.h"
#include "core/program.h"

enum { MAX_THREADS = 4, MAX_CODE = 14, LOCATIONS = 4, REGISTERS = 4, INPUTS = 2, TERMS = 2 };

/* Strong resources: mutexes, semaphores, general cells, a read-write lock (-1: a writer has it, else the number of
 * readers), and the end of each thread. */
enum { MUTEXES = 2, SEMAPHORES = 2, CELLS = 2 };
enum { MUTEX = 0, SEMAPHORE = MUTEX + MUTEXES, CELL = SEMAPHORE + SEMAPHORES, RWLOCK = CELL + CELLS };
enum { THREAD_END = RWLOCK + 1 };
enum { HELD_READING = MUTEXES, HELD_WRITING }; /* locks that a thread may own, behind the mutexes */
enum { RESOURCES = THREAD_END + MAX_THREADS };

typedef enum InsKind {
    INS_LOAD,      /* r = x                                                        */
    INS_STORE,     /* x = c, or x = r + c (uses_register)                          */
    INS_ADD,       /* r = x; x = r + c, atomically                                 */
    INS_CAS,       /* r = x; if r == c then x = d, atomically                      */
    INS_AWAIT,     /* wait until x == c, or x != c (differs)                       */
    INS_AWAIT_SET, /* the same, then x = d, atomically                             */
    INS_FENCE,
    INS_STRONG, /* wait until all terms hold, then change their resources; r =
                   what the first held before                                   */
    INS_TRY,    /* r = the first term holds; if so, change its resource         */
    INS_BRANCH, /* r = (input x < c)                                            */
    INS_CHOOSE, /* r = one of c; with a term, a strong step: one of 1 + what its
                   resource holds                                               */
    INS_SPAWN,  /* start thread c (at most once)                                */
    INS_EXIT,   /* the end of a thread that others join                         */
    INS_IF,     /* local: unless r == c skip the next d                         */
    INS_ASSUME  /* local: unless r == c the thread stops                        */
} InsKind;

typedef enum Effect { EFFECT_NONE, EFFECT_SET, EFFECT_ADD } Effect;
enum { SYNC_ACQUIRE = 1, SYNC_RELEASE = 2 };

/* What a strong step does to one resource. */
typedef struct Term {
    uint8_t resource;
    uint8_t relation; /* Relation; REL_TRUE: no guard */
    int8_t operand;
    uint8_t effect;
    int8_t value;
    uint8_t sync; /* SYNC_* */
    bool commutes; /* ADD with a guard that no other such step changes */
} Term;

typedef struct Ins {
    uint8_t kind;
    uint8_t x; /* location or input */
    uint8_t r;
    uint8_t order;  /* Order */
    uint8_t failed; /* CAS: the Order if it does not write */
    int8_t c, d;
    bool uses_register, differs;
    bool weak;     /* CAS: it may fail for no reason */
    bool sum;      /* STRONG: the guard is that all terms together hold at least c (REL_PROGRAM) */
    uint8_t asks;  /* LOAD, STRONG: r = (input < 1 + the lowest bit of the value), input plus 1  */
    bool any;      /* STRONG: one term that holds suffices          */
    uint8_t takes; /* the lock that the thread owns then, plus 1    */
    uint8_t needs; /* local no-op unless the thread owns this lock, plus 1; it does not any more then */
    uint8_t terms;
    Term term[TERMS];
} Ins;

typedef struct Code {
    uint32_t threads; /* in all                                */
    uint32_t roots;   /* the first ones run from the beginning */
    uint32_t length[MAX_THREADS];
    Ins code[MAX_THREADS][MAX_CODE];
    int64_t initial[RESOURCES];
    uint32_t domain[INPUTS]; /* number of values of each input; 1: not used */
} Code;

/* ---- A thread by itself (thread.c) ---- */

typedef struct Thread {
    uint8_t pc;
    bool exists, ended, stopped; /* stopped: by an assumption; it has ended too */
    uint8_t held;                /* set of mutexes */
    int8_t reg[REGISTERS];
} Thread;

/* Puts the thread before its first visible instruction. */
void thread_start(const Code *code, unsigned t, Thread *thread);
/* The pending instruction of a thread that exists and has not ended. */
const Ins *code_ins(const Code *code, unsigned t, unsigned pc);
const Ins *thread_next(const Code *code, unsigned t, const Thread *thread);
/* Continues behind the pending instruction, which has read `value` (TRY, BRANCH: whether it held). */
void thread_step(const Code *code, unsigned t, Thread *thread, int64_t value);
int64_t thread_stored(const Ins *ins, const Thread *thread);
bool code_joins(const Code *code, unsigned t);

bool ins_is_weak(const Ins *ins);
bool ins_awaits(const Ins *ins);
/* Whether a weak step may read this value: AWAIT, AWAIT_SET have a guard. */
bool ins_may_read(const Ins *ins, int64_t value);
/* Whether the terms of a strong step hold for these values of all resources. */
bool terms_hold(const Ins *ins, const int64_t *values);
bool term_holds(const Term *term, int64_t value);
void term_apply(const Term *term, int64_t *values);
/* How a strong step accesses the resource of its nth term; TRY: if its term holds or not. */
Mode term_mode(const Ins *ins, unsigned nth, bool holds);

/* How many outcomes CHOOSE has if the resource of its term holds this value. */
uint32_t ins_options(const Ins *ins, int64_t value);

/* Inputs: sets of valuations. A condition is named by the set for which it holds. */
uint32_t inputs_all(const Code *code);
uint32_t inputs_below(unsigned x, int c);
/* The condition that a step decides which has read a value. */
uint32_t ins_condition(const Ins *ins, int64_t value);

/* ---- Execution graphs (graph.c) ---- */

enum { MAX_NODES = 28, MAX_WRITES = MAX_NODES + 1, NO_NODE = 0xff, INITIAL = 0x80 /* plus the location */ };

typedef enum NodeKind {
    NODE_READ,
    NODE_WRITE,
    NODE_UPDATE,
    NODE_FENCE,
    NODE_STRONG,
    NODE_CREATE,
    NODE_BRANCH
} NodeKind;

/* One step in a graph. */
typedef struct Node {
    uint8_t kind, thread, index, pc;
    uint8_t location, order;
    int8_t read, written; /* values; of strong steps and branches: what the register gets */
    uint8_t from;         /* READ, UPDATE: the node read from, or INITIAL + location       */
    uint8_t child;        /* CREATE */
    int8_t outcome;       /* of a choice other than the first of a weak step; the condition of BRANCH holds */
} Node;

/* Nodes in an order in which they can be executed; threads, coherence and the orders of strong steps refer to them. */
typedef struct WeakGraph {
    uint32_t count;
    Node node[MAX_NODES];
    uint8_t length[MAX_THREADS];
    uint8_t of[MAX_THREADS][MAX_NODES]; /* of a thread, in program order      */
    uint8_t writes[LOCATIONS];
    uint8_t coherence[LOCATIONS][MAX_WRITES]; /* without the initial write     */
    uint8_t strong_count;
    uint8_t strong[MAX_NODES]; /* all strong steps in one order; only that of conflicting ones counts */
} WeakGraph;

/* The instruction that a node comes from. */
const Ins *node_ins(const Code *code, const Node *node);
uint32_t weakgraph_add(WeakGraph *graph, const Node *node);
/* Do two strong steps access a resource in modes that do not commute? */
bool nodes_conflict(const Code *code, const Node *a, const Node *b);
/* The name of a graph: the same iff threads, reads-from, coherence and the order of conflicting strong steps are. */
uint64_t weakgraph_name(const Code *code, const WeakGraph *graph);
void weakgraph_print(const Code *code, const WeakGraph *graph);
/* The graph of an execution; false if its events contradict the contract. */
bool weakgraph_of_execution(const Code *code, const Execution *ex, WeakGraph *graph);

/* ---- Memory models (consistent.c) ---- */

bool weakgraph_is_consistent(const Code *code, const WeakGraph *graph, MemoryModel memory);

/* ---- Brute force (brute.c) ---- */

typedef struct Found {
    uint64_t name;
    WeakGraph graph;
    bool stopped;                 /* an assumption failed                              */
    bool waits;                   /* a thread waits at the end                         */
    bool seen;                    /* for the comparison: the engine has found it       */
} Found;

typedef VEC(Found) FoundVec;

typedef struct Brute {
    const Code *code;
    MemoryModel memory;
    bool last;       /* a guarded update waits iff the last write does not satisfy it */
    uint32_t limit;  /* of partial graphs */
    FoundVec found;  /* sorted by name */
    uint64_t *table; /* names of the partial graphs that were tried; 0: free */
    uint32_t tried;
} Brute;

/* All graphs wanted of a program. False if there are too many partial graphs. */
void brute_init(Brute *brute, uint32_t limit);
bool brute_search(Brute *brute, const Code *code, MemoryModel memory);
Found *brute_find(const Brute *brute, uint64_t name);
void brute_release(Brute *brute);

/* ---- The toy program under test (program.c) ---- */

typedef struct Toy {
    Program program;
    const Execution *ex; /* being run            */
    Code code;
    Thread thread[MAX_THREADS];
    uint32_t inputs;
    int64_t value[RESOURCES];
    uint8_t writes[LOCATIONS];             /* with the initial one */
    int8_t written[LOCATIONS][MAX_WRITES]; /* in coherence order   */
} Toy;

void toy_init(Toy *toy);

/* ---- Several workers (workers.c) ---- */

/* Runs the engine again on a program of which brute force knows the graphs. NULL: the same graphs, and the same counts
 * as one worker has. */
const char *workers_compare(Toy *toy, Brute *brute, const ExploreOptions *options, const ExploreStats *alone,
                            uint64_t seed);

/* ---- Programs (generate.c, litmus.c, print.c) ---- */

extern const char *const generator_kinds[]; /* NULL at the end */
/* Threads have up to `size` steps, or a few more. */
void generate(Code *code, Rng *rng, unsigned kind, unsigned size);
void code_print(const Code *code);

typedef struct Litmus {
    const char *name;
    Code code;
    /* Under SC, TSO, RC11: complete graphs, those in which a thread waits, those in which an assumption fails. */
    int complete[3], waiting[3], assumed[3];
} Litmus;

uint32_t litmus_count(void);
void litmus_get(uint32_t index, Litmus *litmus);

#endif
