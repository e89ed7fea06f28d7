/* model.h - small concurrent programs for testing the engine against brute force
 *
 * A model has a few threads of straight-line code with forward skips over shared
 * words, mutexes, condition variables, semaphores, read-write locks and each
 * other. It covers every kind of footprint and guard that C threads have.
 */
#ifndef ORACLE_MODEL_H
#define ORACLE_MODEL_H

#include "base/rng.h"
#include "core/program.h"

enum { MAX_THREADS = 6, MAX_CODE = 12, WORDS = 3, LOCKS = 2, CONDS = 2, SEMS = 2, REGS = 2, INPUTS = 2, MAX_AWAIT = 3 };

typedef enum InsKind {
    INS_READ,      /* r = x                                    */
    INS_WRITE,     /* x = c                                    */
    INS_STORE,     /* x = r                                    */
    INS_RMW,       /* r = x; x += c                            */
    INS_ADD,       /* x += c, result unused                    */
    INS_OR,        /* x |= c, result unused                    */
    INS_AND,       /* x &= c, result unused                    */
    INS_CAS,       /* r = (x == c); if so x = d                */
    INS_AWAIT,     /* wait until all/any (word relation value) */
    INS_AWAIT_CAS, /* wait until x == c, then x = d            */
    INS_LOCK, INS_UNLOCK, INS_TRYLOCK,
    INS_WAIT, INS_TIMEDWAIT, INS_REACQUIRE, INS_SIGNAL, INS_BROADCAST,
    INS_P, INS_TRYP, INS_V,
    INS_RDLOCK, INS_RDUNLOCK, INS_WRLOCK, INS_WRUNLOCK, INS_TRYWRLOCK,
    INS_SPAWN,     /* start thread c (at most once)            */
    INS_JOIN,      /* wait for the end of thread c             */
    INS_CHOOSE,    /* r = 0..c-1; d: marked EVENT_FIXED; if not, and c > 2, behind a choice with one option */
    INS_BRANCH,    /* r = (input x < c); d: marked EVENT_FIXED */
    INS_WRITE_IF,  /* if (input x < c) word y = d else r = y   */
    INS_COMPARE,   /* r = (input x < 1 + word y % 2)           */
    INS_SKIP_IF,   /* local: if r == c skip the next d         */
    INS_EXIT
} InsKind;

typedef struct Ins {
    uint8_t kind;
    uint8_t x;           /* word, lock, ... */
    uint8_t lanes;       /* of the word     */
    uint8_t r;
    uint8_t y;           /* second object: the mutex of a wait */
    int8_t c, d;
    uint8_t any;         /* AWAIT: one condition suffices */
    uint8_t terms;
    struct { uint8_t x, lanes, relation; int8_t c; } term[MAX_AWAIT];
} Ins;

typedef struct ModelCode {
    uint32_t shape;            /* of the generator                      */
    uint32_t threads;          /* in all                                */
    uint32_t roots;            /* the first ones run from the beginning */
    uint32_t length[MAX_THREADS];
    Ins code[MAX_THREADS][MAX_CODE];
    int64_t word[WORDS];       /* initial values */
    int64_t sem[SEMS];
    uint32_t domain[INPUTS];   /* number of values of each input; 1: not used */
    uint32_t max_steps;        /* a thread stops there; 0: it does not */
} ModelCode;

typedef struct ModelState {
    uint32_t inputs;           /* set of valuations that are still possible; bit i*3+j: inputs i, j */
    uint64_t word[WORDS];
    int64_t lock[LOCKS];       /* owner + 1 */
    int64_t rw[LOCKS];         /* readers, or -1 */
    int64_t sem[SEMS];
    uint32_t waiting[CONDS];   /* set of threads */
    int64_t woken[MAX_THREADS];
    int64_t ended[MAX_THREADS];
    uint8_t exists[MAX_THREADS];
    uint8_t pc[MAX_THREADS];
    uint8_t steps[MAX_THREADS];
    int64_t reg[MAX_THREADS][REGS];
} ModelState;

/* A finished execution, as the test wants to know it. */
typedef struct ModelLog {
    void (*finished)(struct ModelLog *self, const ModelState *state, const Execution *ex);
} ModelLog;

typedef struct Model {
    Program program;
    ModelCode code;
    ModelState state;
    ModelLog *log;
} Model;

void model_init(Model *model, ModelLog *log);
/* The code is complete: without a question about inputs the program has no `feasible`, as those in C. */
void model_choose_ops(Model *model);

/* A random program; its shape and size come from the generator. Large ones have too many
 * classes of prefixes for brute force. */
void model_generate(ModelCode *code, Rng *rng, bool large);
/* Some instruction looks at an input. */
bool model_asks(const ModelCode *code);
void model_print(const ModelCode *code);

/* For brute force: */
void model_start(const ModelCode *code, ModelState *state, Execution *ex);
bool model_enabled(const ModelCode *code, const ModelState *state, AgentId agent);
/* Runs one step; its event is added to `ex`. A branch takes the planned outcome, else the
 * one that the smallest possible valuation takes. */
void model_step(const ModelCode *code, ModelState *state, Execution *ex, AgentId agent);

#endif
