/* generate.c - random toy programs; see weak.h */
#include <string.h>

#include "weak.h"

enum {
    USE_PLAIN = 1,    /* loads, stores, updates, fences         */
    USE_AWAIT = 2,    /* guarded reads                          */
    USE_LOCK = 4,     /* a word used as a lock, owners only     */
    USE_EXCHANGE = 8, /* guarded updates of any word            */
    USE_STRONG = 16,  /* mutexes, semaphores, cells             */
    USE_PAIR = 32,    /* steps on two strong resources          */
    USE_THREAD = 64,  /* creation and join                      */
    USE_INPUT = 128,
    USE_FENCE = 256,  /* many fences                            */
    USE_CHOICE = 512, /* choices, and inputs asked in other steps */
    USE_SHARE = 1024, /* steps that commute: readers of a lock, posts, counters, arrivals */
    USES = 11,
    USE_CYCLE = 2048 /* shapes of litmus tests, nothing else   */
};

const char *const generator_kinds[] = {"cycle", "plain",  "fence", "await",  "lock",  "exchange", "strong",
                                       "pair",  "thread", "input", "choice", "mixed", "share", "sync",
                                       "crowd", NULL};

static const unsigned uses[] = {USE_CYCLE,
                                USE_PLAIN,
                                USE_PLAIN | USE_FENCE,
                                USE_PLAIN | USE_AWAIT,
                                USE_PLAIN | USE_LOCK,
                                USE_PLAIN | USE_EXCHANGE,
                                USE_PLAIN | USE_STRONG,
                                USE_PLAIN | USE_STRONG | USE_PAIR,
                                USE_PLAIN | USE_FENCE | USE_THREAD | USE_STRONG,
                                USE_PLAIN | USE_INPUT,
                                USE_PLAIN | USE_INPUT | USE_CHOICE | USE_STRONG,
                                USE_PLAIN | USE_AWAIT | USE_LOCK | USE_STRONG | USE_PAIR | USE_THREAD | USE_INPUT |
                                    USE_SHARE,
                                USE_PLAIN | USE_SHARE,
                                USE_STRONG | USE_PAIR | USE_THREAD | USE_SHARE,
                                USE_SHARE | USE_THREAD};

enum { LOCK_WORD = 2, SCRATCH = REGISTERS - 1, MOST_AT_ONCE = 6 /* instructions, with one that starts a thread */ };

typedef struct Generator {
    Code *code;
    Rng *rng;
    unsigned uses, locations;
    const char *orders; /* those in use */
    unsigned t;         /* the thread being made                     */
    unsigned known;     /* its registers that were set, in any case  */
} Generator;

static unsigned below(Generator *g, unsigned n)
{
    return rng_below(g->rng, n);
}
static bool chance(Generator *g, unsigned percent)
{
    return below(g, 100) < percent;
}

static Ins *add(Generator *g, InsKind kind)
{
    Code *code = g->code;
    Ins *ins = &code->code[g->t][code->length[g->t]++];
    *ins = (Ins){.kind = (uint8_t)kind, .r = SCRATCH};
    return ins;
}

static uint8_t order_of(char letter)
{
    switch (letter) {
    case 'a': return ORDER_ACQUIRE;
    case 'l': return ORDER_RELEASE;
    case 'b': return ORDER_ACQ_REL;
    case 's': return ORDER_SEQ_CST;
    default: return ORDER_RELAXED;
    }
}

/* One of these orders, if the program uses it; else a weak one, or a strong one if it uses no weak ones. */
static uint8_t pick_order(Generator *g, const char *orders)
{
    char order = orders[below(g, (unsigned)strlen(orders))];
    if (!strchr(g->orders, order))
        order = g->orders[0] == 'r' ? 'r' : orders[strlen(orders) - 1];
    return order_of(order);
}

static uint8_t known_register(Generator *g)
{
    uint8_t r;
    do
        r = (uint8_t)below(g, REGISTERS - 1);
    while (!(g->known >> r & 1));
    return r;
}

/* The register that an instruction sets; known from then on unless it may be skipped. */
static uint8_t result(Generator *g, bool skipped)
{
    uint8_t r = (uint8_t)below(g, REGISTERS - 1);
    if (!skipped)
        g->known |= 1u << r;
    return r;
}

/* ---- Weak steps ------------------------------------------------------------ */

static void add_fence(Generator *g)
{
    add(g, INS_FENCE)->order = order_of("albss"[below(g, 5)]);
}

static void add_plain(Generator *g, bool skipped)
{
    unsigned k = below(g, 100);
    Ins *ins;
    if (k < 35) {
        bool copies = g->known && chance(g, 30);
        ins = add(g, INS_STORE);
        ins->order = pick_order(g, "rls");
        ins->uses_register = copies;
        ins->r = copies ? known_register(g) : 0;
        ins->c = (int8_t)(copies ? 1 : 1 + below(g, 2));
    } else if (k < 70) {
        ins = add(g, INS_LOAD);
        ins->order = pick_order(g, "ras");
        ins->r = result(g, skipped);
    } else if (k < 80) {
        ins = add(g, INS_ADD);
        ins->order = pick_order(g, "ralbs");
        ins->r = result(g, skipped);
        ins->c = 1;
    } else if (k < 90) {
        ins = add(g, INS_CAS);
        ins->order = pick_order(g, "ralbs");
        ins->r = result(g, skipped);
        ins->failed = pick_order(g, "ras");
        ins->weak = below(g, 3) == 0;
        ins->c = (int8_t)below(g, 2);
        ins->d = 2;
    } else {
        add_fence(g);
        return;
    }
    ins->x = (uint8_t)below(g, g->locations);
}

static void add_await(Generator *g)
{
    Ins *ins = add(g, INS_AWAIT);
    ins->x = (uint8_t)below(g, g->locations);
    ins->c = (int8_t)below(g, 3);
    ins->differs = chance(g, 25);
    ins->order = pick_order(g, "ras");
}

static void add_exchange(Generator *g)
{
    Ins *ins = add(g, INS_AWAIT_SET);
    ins->x = (uint8_t)below(g, g->locations);
    ins->c = (int8_t)below(g, 3);
    ins->d = (int8_t)below(g, 3);
    ins->differs = chance(g, 20);
    ins->order = pick_order(g, "ralbs");
}

static void add_lock(Generator *g)
{
    Ins *ins = add(g, INS_AWAIT_SET);
    ins->x = LOCK_WORD;
    ins->d = 1;
    ins->order = pick_order(g, "aaabsr");
    if (chance(g, 80))
        add_plain(g, false);
    if (!chance(g, 85))
        return;
    ins = add(g, INS_STORE);
    ins->x = LOCK_WORD;
    ins->order = pick_order(g, "lllsr");
}

/* ---- Strong steps ------------------------------------------------------------- */

static Ins *add_strong(Generator *g, unsigned resource, Relation relation, int operand, Effect effect, int value,
                       unsigned sync)
{
    Ins *ins = add(g, INS_STRONG);
    ins->terms = 1;
    ins->term[0] = (Term){.resource = (uint8_t)resource,
                          .relation = (uint8_t)relation,
                          .operand = (int8_t)operand,
                          .effect = (uint8_t)effect,
                          .value = (int8_t)value,
                          .sync = (uint8_t)sync};
    return ins;
}

static void add_second(Ins *ins, unsigned resource, Relation relation, int operand, Effect effect, int value,
                       unsigned sync)
{
    ins->terms = 2;
    ins->term[1] = (Term){.resource = (uint8_t)resource,
                          .relation = (uint8_t)relation,
                          .operand = (int8_t)operand,
                          .effect = (uint8_t)effect,
                          .value = (int8_t)value,
                          .sync = (uint8_t)sync};
}

static void add_inside(Generator *g, bool skipped);

static void add_critical(Generator *g)
{
    unsigned m = below(g, MUTEXES);
    bool tries = chance(g, 25);
    Ins *ins = add_strong(g, MUTEX + m, REL_EQ, 0, EFFECT_SET, 1, SYNC_ACQUIRE);
    ins->takes = (uint8_t)(m + 1);
    if (tries) {
        ins->kind = INS_TRY;
        ins->r = result(g, false);
        if (chance(g, 50)) {
            Ins *skip = add(g, INS_IF);
            skip->r = ins->r;
            skip->c = 1;
            skip->d = 1;
        }
    }
    if (chance(g, 70))
        add_inside(g, tries);
    if (chance(g, 85)) {
        ins = add_strong(g, MUTEX + m, REL_TRUE, 0, EFFECT_SET, 0, SYNC_RELEASE);
        ins->needs = (uint8_t)(m + 1);
    }
}

static void add_semaphore(Generator *g)
{
    unsigned s = SEMAPHORE + below(g, SEMAPHORES);
    if (chance(g, 50))
        add_strong(g, s, REL_SGT, 0, EFFECT_ADD, -1, SYNC_ACQUIRE);
    else
        add_strong(g, s, REL_TRUE, 0, EFFECT_ADD, 1, SYNC_RELEASE);
}

static Relation some_relation(Generator *g)
{
    static const uint8_t relations[] = {REL_EQ, REL_NE, REL_SGT, REL_SLE};
    return chance(g, 50) ? REL_TRUE : (Relation)relations[below(g, sizeof relations)];
}

static Effect some_effect(Generator *g)
{
    return (Effect)below(g, 3);
}

static void add_cell(Generator *g, bool skipped)
{
    Ins *ins = add_strong(g, CELL + below(g, CELLS), some_relation(g), (int)below(g, 2), some_effect(g),
                          1 + (int)below(g, 2), below(g, 4));
    if (chance(g, 50))
        ins->r = result(g, skipped);
}

/* What happens under a lock. */
static void add_inside(Generator *g, bool skipped)
{
    if (g->uses & USE_PLAIN)
        add_plain(g, skipped);
    else
        add_cell(g, skipped);
}

/* Readers count themselves, a writer waits until there are none. */
static void add_rwlock(Generator *g)
{
    bool writes = chance(g, 35);
    Ins *ins = writes ? add_strong(g, RWLOCK, REL_EQ, 0, EFFECT_SET, -1, SYNC_ACQUIRE)
                      : add_strong(g, RWLOCK, REL_SGE, 0, EFFECT_ADD, 1, SYNC_ACQUIRE);
    unsigned lock = writes ? HELD_WRITING : HELD_READING;
    ins->takes = (uint8_t)(lock + 1);
    ins->term[0].commutes = !writes;
    if (chance(g, 20)) {
        ins->kind = INS_TRY;
        ins->r = result(g, false);
    }
    if (chance(g, 50))
        add_inside(g, true);
    if (chance(g, 85)) {
        ins = writes ? add_strong(g, RWLOCK, REL_TRUE, 0, EFFECT_SET, 0, SYNC_RELEASE)
                     : add_strong(g, RWLOCK, REL_TRUE, 0, EFFECT_ADD, -1, SYNC_RELEASE);
        ins->needs = (uint8_t)(lock + 1);
    }
}

/* A counter is changed, looked at, or waited for; several at once. */
static void add_counter(Generator *g, bool skipped)
{
    unsigned kind = below(g, 4), cell = below(g, CELLS);
    Ins *ins;
    if (kind < 2)
        ins = add_strong(g, CELL + cell, REL_TRUE, 0, EFFECT_ADD, chance(g, 80) ? 1 : -1, SYNC_RELEASE);
    else if (kind == 2)
        ins = add_strong(g, CELL + cell, REL_SGT, 0, EFFECT_NONE, 0, SYNC_ACQUIRE);
    else
        ins = add_strong(g, CELL + cell, some_relation(g), 1, some_effect(g), 1, SYNC_ACQUIRE);
    if (chance(g, 25))
        add_second(ins, CELL + 1 - cell, chance(g, 75) ? REL_TRUE : REL_SGT, 0, chance(g, 60) ? EFFECT_ADD : EFFECT_NONE,
                   1, SYNC_RELEASE);
    if (kind > 1 && chance(g, 40))
        ins->r = result(g, skipped);
}

static void add_shared(Generator *g, bool skipped)
{
    unsigned kind = below(g, 6);
    if (kind < 2)
        add_rwlock(g);
    else if (kind == 2)
        add_semaphore(g);
    else
        add_counter(g, skipped);
}

/* A wait on a condition variable in two steps, a signal, or any step on two resources. */
static void add_pair(Generator *g, bool skipped)
{
    unsigned kind = below(g, 3), m = below(g, MUTEXES), cell = CELL + below(g, CELLS);
    Ins *ins;
    if (kind == 0) {
        ins = add_strong(g, MUTEX + m, REL_EQ, 0, EFFECT_SET, 1, SYNC_ACQUIRE);
        ins->takes = (uint8_t)(m + 1);
        ins = add_strong(g, MUTEX + m, REL_TRUE, 0, EFFECT_SET, 0, SYNC_RELEASE);
        ins->needs = (uint8_t)(m + 1);
        add_second(ins, cell, REL_TRUE, 0, EFFECT_ADD, -1, 0);
        ins = add_strong(g, MUTEX + m, REL_EQ, 0, EFFECT_SET, 1, SYNC_ACQUIRE);
        ins->takes = (uint8_t)(m + 1);
        add_second(ins, cell, REL_SGE, 0, EFFECT_NONE, 0, SYNC_ACQUIRE);
        if (chance(g, 70)) {
            ins = add_strong(g, MUTEX + m, REL_TRUE, 0, EFFECT_SET, 0, SYNC_RELEASE);
            ins->needs = (uint8_t)(m + 1);
        }
    } else if (kind == 1) {
        add_strong(g, cell, REL_TRUE, 0, EFFECT_ADD, 1, SYNC_RELEASE);
    } else {
        ins = add_strong(g, SEMAPHORE + below(g, SEMAPHORES), some_relation(g), (int)below(g, 2), some_effect(g), 1,
                         below(g, 4));
        add_second(ins, cell, some_relation(g), (int)below(g, 2), some_effect(g), 1, below(g, 4));
        ins->any = chance(g, 25);
        if (chance(g, 25)) {
            ins->sum = true;
            ins->any = false;
            ins->c = (int8_t)(1 + below(g, 3));
            ins->term[0].relation = ins->term[1].relation = REL_TRUE;
        }
        if (chance(g, 50))
            ins->r = result(g, skipped);
    }
}

static void add_join(Generator *g)
{
    unsigned other = below(g, g->code->threads);
    if (other != g->t)
        add_strong(g, THREAD_END + other, REL_EQ, 1, EFFECT_NONE, 0, SYNC_ACQUIRE);
}

/* A choice by itself, one on a strong resource, or an input asked in the step of a load or on a cell. */
static void add_choice(Generator *g, bool skipped)
{
    unsigned kind = below(g, 4);
    Ins *ins;
    if (kind == 0) {
        ins = add(g, INS_CHOOSE);
        ins->c = 2;
    } else if (kind == 1) {
        ins = add_strong(g, CELL + below(g, CELLS), REL_TRUE, 0, some_effect(g), 1, below(g, 4));
        ins->kind = INS_CHOOSE;
    } else if (kind == 2) {
        ins = add(g, INS_LOAD);
        ins->x = (uint8_t)below(g, g->locations);
        ins->order = pick_order(g, "ras");
        ins->asks = (uint8_t)(1 + below(g, INPUTS));
    } else {
        ins = add_strong(g, CELL + below(g, CELLS), some_relation(g), (int)below(g, 2), some_effect(g), 1, below(g, 4));
        ins->asks = (uint8_t)(1 + below(g, INPUTS));
    }
    ins->r = result(g, skipped);
}

static void add_branch(Generator *g, bool skipped)
{
    Ins *ins = add(g, INS_BRANCH);
    ins->x = (uint8_t)below(g, INPUTS);
    ins->c = (int8_t)(1 + below(g, 2));
    ins->r = result(g, skipped);
}

/* ---- Programs --------------------------------------------------------------------- */

static void add_something(Generator *g)
{
    Code *code = g->code;
    unsigned first = code->length[g->t];
    bool skipped = g->known && chance(g, g->uses & USE_PAIR ? 35 : 22);
    if (skipped) {
        Ins *ins = add(g, INS_IF);
        ins->r = known_register(g);
        ins->c = (int8_t)below(g, 2);
        ins->d = 1;
    }
    if (!skipped && g->known && chance(g, 5)) {
        Ins *ins = add(g, INS_ASSUME);
        ins->r = known_register(g);
        ins->c = (int8_t)below(g, 2);
    }
    unsigned use = 0;
    if (!(g->uses & USE_PLAIN) || chance(g, 45))
        do
            use = below(g, USES);
        while (!(g->uses >> use & 1));
    switch (1u << use) {
    case USE_AWAIT: add_await(g); break;
    case USE_LOCK:
        add_lock(g);
        if (skipped) /* all of it: only owners may write the word */
            code->code[g->t][first].d = (int8_t)(code->length[g->t] - first - 1);
        break;
    case USE_EXCHANGE: add_exchange(g); break;
    case USE_STRONG:
        switch (below(g, 3)) {
        case 0: add_critical(g); break;
        case 1: add_semaphore(g); break;
        default: add_cell(g, skipped); break;
        }
        break;
    case USE_PAIR: add_pair(g, skipped); break;
    case USE_THREAD: add_join(g); break;
    case USE_INPUT: add_branch(g, skipped); break;
    case USE_FENCE: add_fence(g); break;
    case USE_CHOICE: add_choice(g, skipped); break;
    case USE_SHARE: add_shared(g, skipped); break;
    default: add_plain(g, skipped); break;
    }
}

/* Each thread accesses its own location and then the next one's, with a fence or something else between: message
 * passing, store buffering, load buffering and the like, with two to four threads. */
static void add_cycle(Generator *g)
{
    static const InsKind kinds[] = {INS_LOAD,  INS_LOAD,  INS_LOAD,  INS_LOAD, INS_STORE,
                                    INS_STORE, INS_STORE, INS_STORE, INS_ADD};
    for (unsigned n = 0; n < 2; n++) {
        InsKind kind = kinds[below(g, sizeof kinds / sizeof kinds[0])];
        if (n == 1 && chance(g, 30))
            add_fence(g);
        else if (n == 1 && chance(g, 15))
            add_plain(g, false);
        Ins *ins = add(g, kind);
        ins->x = (uint8_t)((g->t + n) % g->code->threads);
        ins->order = pick_order(g, kind == INS_LOAD ? "ras" : kind == INS_STORE ? "rls" : "ralbs");
        ins->r = kind == INS_STORE ? 0 : result(g, false);
        ins->c = kind == INS_STORE ? (int8_t)(g->t + 1) : 1;
    }
    if (chance(g, 10))
        add_plain(g, false);
}

/* Lets every thread that is not there from the beginning be started by an earlier one, at some place. */
static void add_starts(Code *code, Rng *rng)
{
    for (unsigned t = code->roots; t < code->threads; t++) {
        unsigned u = rng_below(rng, t), at = rng_below(rng, code->length[u] + 1);
        if (code->length[u] == MAX_CODE)
            continue;
        memmove(&code->code[u][at + 1], &code->code[u][at], (code->length[u] - at) * sizeof code->code[u][0]);
        code->code[u][at] = (Ins){.kind = INS_SPAWN, .r = SCRATCH, .c = (int8_t)t};
        code->length[u]++;
    }
}

void generate(Code *code, Rng *rng, unsigned kind, unsigned size)
{
    Generator g = {.code = code, .rng = rng, .uses = uses[kind]};
    static const uint8_t sizes[] = {2, 2, 2, 2, 3, 3, 3, 3, 3, 4};
    memset(code, 0, sizeof *code);
    g.locations = 1 + (below(&g, 3) > 0);
    g.orders = chance(&g, 50) ? "ralbs" : chance(&g, 50) ? "r" : chance(&g, 50) ? "albs" : "rs";
    code->threads = code->roots = sizes[below(&g, sizeof sizes)];
    if (g.uses & USE_CYCLE)
        g.locations = code->threads;
    for (unsigned i = 0; i < INPUTS; i++)
        code->domain[i] = g.uses & USE_INPUT ? 1 + below(&g, 3) : 1;
    for (unsigned r = SEMAPHORE; r < RWLOCK; r++)
        code->initial[r] = g.uses & USE_STRONG ? below(&g, 2) : 0;
    if (g.uses & USE_THREAD && chance(&g, 75))
        code->roots = 1 + below(&g, code->threads - 1);
    if (g.uses & USE_CYCLE && chance(&g, 20))
        code->roots = code->threads - 1;
    for (g.t = 0; g.t < code->threads; g.t++) {
        g.known = 0;
        if (g.uses & USE_CYCLE) {
            add_cycle(&g);
            continue;
        }
        for (unsigned n = 1 + below(&g, g.t < 2 || size == 1 ? size : size - 1);
             n > 0 && code->length[g.t] + MOST_AT_ONCE <= MAX_CODE; n--)
            add_something(&g);
    }
    add_starts(code, rng);
}
