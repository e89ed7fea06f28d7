/* generate.c - random models, in shapes that stress one mechanism each, and mixtures */
#include <stdio.h>
#include <string.h>

#include "model.h"

typedef enum Shape {
    SHAPE_MEMORY, SHAPE_LANES, SHAPE_AWAIT, SHAPE_LOCK, SHAPE_COND, SHAPE_WAITERS, SHAPE_SEM, SHAPE_RW,
    SHAPE_SPAWN, SHAPE_CHOICE, SHAPE_CAS, SHAPE_INPUT, SHAPE_MIXED, SHAPE_COUNT
} Shape;

static const char *const shape_names[] = {"memory", "lanes", "await", "lock", "cond", "waiters", "sem", "rw",
                                          "spawn", "choice", "cas", "input", "mixed"};

typedef struct Generator {
    ModelCode *code;
    Rng *rng;
    Shape shape;
    unsigned words;
    uint32_t thread;
} Generator;

static uint32_t below(Generator *g, uint32_t n) { return rng_below(g->rng, n); }

static void emit(Generator *g, Ins ins)
{
    uint32_t *length = &g->code->length[g->thread];
    if (*length < MAX_CODE)
        g->code->code[g->thread][(*length)++] = ins;
}

static uint8_t some_lanes(Generator *g)
{
    static const uint8_t lanes[] = {0xff, 0x0f, 0xf0, 0x03, 0x0f};
    return g->shape == SHAPE_LANES ? lanes[below(g, 5)] : 0xff;
}

static void gen_memory(Generator *g)
{
    static const uint8_t kinds[] = {INS_READ, INS_READ, INS_WRITE, INS_WRITE, INS_STORE, INS_RMW, INS_ADD, INS_ADD, INS_CAS, INS_CAS,
                                    INS_OR, INS_AND};
    static const uint8_t cas[] = {INS_CAS, INS_CAS, INS_CAS, INS_READ, INS_WRITE, INS_ADD, INS_AWAIT_CAS};
    uint8_t kind = g->shape == SHAPE_CAS ? cas[below(g, 7)] : kinds[below(g, 12)];
    Ins ins = {.kind = kind, .x = (uint8_t)below(g, g->words), .lanes = some_lanes(g), .r = (uint8_t)below(g, REGS),
               .c = (int8_t)below(g, 3), .d = (int8_t)(1 + below(g, 2))};
    if (kind == INS_RMW || kind == INS_ADD)
        ins.c = (int8_t)(1 + below(g, 2));
    emit(g, ins);
}

static void gen_await(Generator *g)
{
    static const uint8_t relations[] = {REL_EQ, REL_EQ, REL_NE, REL_UGT, REL_SLT};
    Ins ins = {.kind = INS_AWAIT, .any = (uint8_t)below(g, 2), .terms = (uint8_t)(1 + below(g, 2))};
    for (unsigned t = 0; t < ins.terms; t++) {
        ins.term[t].x = (uint8_t)below(g, g->words);
        ins.term[t].lanes = some_lanes(g);
        ins.term[t].relation = relations[below(g, 5)];
        ins.term[t].c = (int8_t)below(g, 3);
    }
    emit(g, ins);
}

static void gen_lock(Generator *g)
{
    uint8_t m = below(g, 3) == 0;
    switch (below(g, 6)) {
    case 0:
        emit(g, (Ins){.kind = INS_UNLOCK, .x = m});
        break;
    case 1:
        emit(g, (Ins){.kind = INS_TRYLOCK, .x = m, .r = (uint8_t)below(g, REGS)});
        break;
    default:
        emit(g, (Ins){.kind = INS_LOCK, .x = m});
        if (below(g, 2))
            gen_memory(g);
        emit(g, (Ins){.kind = INS_UNLOCK, .x = m});
    }
}

static void gen_wait(Generator *g, uint8_t cond)
{
    bool timed = below(g, 4) == 0;
    emit(g, (Ins){.kind = timed ? INS_TIMEDWAIT : INS_WAIT, .x = cond, .y = 0});
    emit(g, (Ins){.kind = INS_REACQUIRE, .x = cond, .y = 0, .d = timed, .r = (uint8_t)below(g, REGS)});
}

static void gen_cond(Generator *g)
{
    uint8_t cond = below(g, 3) == 0;
    if (below(g, 2)) {
        emit(g, (Ins){.kind = INS_LOCK, .x = 0});
        gen_wait(g, cond);
        emit(g, (Ins){.kind = INS_UNLOCK, .x = 0});
        return;
    }
    bool locked = below(g, 3) == 0;
    if (locked)
        emit(g, (Ins){.kind = INS_LOCK, .x = 0});
    emit(g, (Ins){.kind = below(g, 3) ? INS_SIGNAL : INS_BROADCAST, .x = cond});
    if (locked)
        emit(g, (Ins){.kind = INS_UNLOCK, .x = 0});
}

static void gen_sem(Generator *g)
{
    uint8_t s = below(g, 3) == 0;
    static const uint8_t kinds[] = {INS_P, INS_P, INS_P, INS_V, INS_V, INS_V, INS_TRYP};
    emit(g, (Ins){.kind = kinds[below(g, 7)], .x = s, .r = (uint8_t)below(g, REGS)});
}

static void gen_rw(Generator *g)
{
    uint8_t l = 0;
    uint32_t which = below(g, 5);
    if (which == 0) {
        emit(g, (Ins){.kind = INS_TRYWRLOCK, .x = l, .r = 0});
        emit(g, (Ins){.kind = INS_SKIP_IF, .r = 0, .c = 0, .d = 1});
        emit(g, (Ins){.kind = INS_WRUNLOCK, .x = l});
        return;
    }
    bool write = which == 1;
    emit(g, (Ins){.kind = write ? INS_WRLOCK : INS_RDLOCK, .x = l});
    if (below(g, 2))
        gen_memory(g);
    if (below(g, 8))
        emit(g, (Ins){.kind = write ? INS_WRUNLOCK : INS_RDUNLOCK, .x = l});
}

/* A branch on an input, and something that depends on it. */
static void gen_branch(Generator *g)
{
    uint8_t x = (uint8_t)below(g, g->code->domain[1] > 1 ? 2 : 1), r = (uint8_t)below(g, REGS);
    static const uint8_t kinds[] = {INS_BRANCH, INS_BRANCH, INS_BRANCH, INS_WRITE_IF, INS_COMPARE};
    emit(g, (Ins){.kind = kinds[below(g, 5)], .x = x, .r = r, .c = (int8_t)(1 + below(g, g->code->domain[x] - 1)),
                  .y = (uint8_t)below(g, g->words), .lanes = some_lanes(g), .d = (int8_t)below(g, 2)});
    if (below(g, 3)) {
        emit(g, (Ins){.kind = INS_SKIP_IF, .r = r, .c = (int8_t)below(g, 2), .d = 1});
        gen_memory(g);
    }
}

static void gen_one(Generator *g)
{
    Shape shape = g->shape;
    if (g->code->domain[0] > 1 && below(g, 3) == 0) {
        gen_branch(g);
        return;
    }
    if (shape == SHAPE_MIXED) {
        static const Shape some[] = {SHAPE_MEMORY, SHAPE_AWAIT, SHAPE_LOCK, SHAPE_COND, SHAPE_SEM, SHAPE_RW, SHAPE_CHOICE};
        shape = some[below(g, 7)];
    }
    if (below(g, 5) == 0) {
        emit(g, (Ins){.kind = INS_SKIP_IF, .r = (uint8_t)below(g, REGS), .c = (int8_t)below(g, 2), .d = 1});
        gen_memory(g);
        return;
    }
    bool plain = below(g, 4) == 0;
    switch (plain ? SHAPE_MEMORY : shape) {
    case SHAPE_AWAIT: below(g, 2) ? gen_await(g) : gen_memory(g); break;
    case SHAPE_LANES: below(g, 4) ? gen_memory(g) : gen_await(g); break;
    case SHAPE_LOCK: gen_lock(g); break;
    case SHAPE_COND: gen_cond(g); break;
    case SHAPE_SEM: gen_sem(g); break;
    case SHAPE_RW: gen_rw(g); break;
    case SHAPE_CHOICE: emit(g, (Ins){.kind = INS_CHOOSE, .r = (uint8_t)below(g, REGS), .c = (int8_t)(2 + below(g, 2)), .d = (int8_t)below(g, 2)}); break;
    default: gen_memory(g); break;
    }
}

/* Two or three waiters on one condition variable, signals and broadcasts. */
static void gen_waiters(Generator *g)
{
    uint32_t waiters = 2 + (below(g, 3) == 0), wakers = 1 + (below(g, 3) == 0);
    g->code->threads = g->code->roots = waiters + wakers;
    for (g->thread = 0; g->thread < waiters; g->thread++) {
        emit(g, (Ins){.kind = INS_LOCK, .x = 0});
        gen_wait(g, 0);
        if (below(g, 3)) {
            emit(g, (Ins){.kind = INS_UNLOCK, .x = 0});
            if (below(g, 3) == 0)
                emit(g, (Ins){.kind = INS_SIGNAL, .x = 0});
        }
    }
    for (; g->thread < waiters + wakers; g->thread++)
        for (uint32_t n = 1 + below(g, 2); n > 0; n--) {
            if (g->code->domain[0] > 1 && below(g, 3) == 0)
                gen_branch(g);
            emit(g, (Ins){.kind = below(g, 3) ? INS_SIGNAL : INS_BROADCAST, .x = 0});
        }
}

/* Threads that create and join later ones. */
static void gen_spawn(Generator *g)
{
    g->code->threads = 3 + below(g, 3);
    g->code->roots = 1 + (below(g, 3) == 0);
    uint32_t spawned = 0; /* each thread has one creator, as in C */
    for (g->thread = 0; g->thread < g->code->threads; g->thread++) {
        uint32_t next = g->thread + 1;
        for (uint32_t n = 1 + below(g, 3); n > 0; n--) {
            uint32_t what = below(g, 10);
            int8_t child = next < g->code->threads ? (int8_t)(next + below(g, g->code->threads - next)) : -1;
            if (what < 5 && child >= (int8_t)g->code->roots && !(spawned >> child & 1)) {
                spawned |= 1u << child;
                emit(g, (Ins){.kind = INS_SPAWN, .c = child});
            } else if (what < 7 && child >= 0) {
                emit(g, (Ins){.kind = INS_JOIN, .c = child});
            } else {
                gen_one(g);
            }
        }
    }
}

void model_generate(ModelCode *code, Rng *rng, bool large)
{
    memset(code, 0, sizeof *code);
    Generator g = {.code = code, .rng = rng, .shape = (Shape)rng_below(rng, SHAPE_COUNT)};
    code->shape = g.shape;
    g.words = 1 + below(&g, 2);
    code->domain[0] = g.shape == SHAPE_INPUT || below(&g, 4) > 0 ? 2 + below(&g, 2) : 1;
    code->domain[1] = code->domain[0] > 1 && below(&g, 2) ? 2 + below(&g, 2) : 1;
    for (unsigned x = 0; x < WORDS; x++)
        code->word[x] = below(&g, 2);
    code->sem[0] = below(&g, 3);
    code->sem[1] = below(&g, 2);
    if (g.shape == SHAPE_WAITERS) {
        gen_waiters(&g);
    } else if (g.shape == SHAPE_SPAWN) {
        gen_spawn(&g);
    } else {
        uint32_t size = large ? 8 + below(&g, 14) : 4 + below(&g, 6);
        code->threads = code->roots = 2 + below(&g, large ? 5 : 3);
        for (g.thread = 0; g.thread < code->threads; g.thread++)
            for (uint32_t n = size / code->threads; n > 0; n--)
                gen_one(&g);
    }
}

bool model_asks(const ModelCode *code)
{
    for (uint32_t t = 0; t < code->threads; t++)
        for (uint32_t n = 0; n < code->length[t]; n++)
            switch (code->code[t][n].kind) {
            case INS_BRANCH:
            case INS_WRITE_IF:
            case INS_COMPARE: return true;
            }
    return false;
}

void model_print(const ModelCode *code)
{
    static const char *const names[] = {"read", "write", "store", "rmw", "add", "or", "and", "cas", "await", "await_cas", "lock", "unlock",
                                        "trylock", "wait", "timedwait", "reacquire", "signal", "broadcast", "P", "tryP", "V",
                                        "rdlock", "rdunlock", "wrlock", "wrunlock", "trywrlock", "spawn", "join", "choose", "branch",
                                        "write_if", "compare",
                                        "skip_if", "exit"};
    printf("shape %s, words %ld %ld %ld, semaphores %ld %ld, %u of %u threads at the start\n", shape_names[code->shape], (long)code->word[0], (long)code->word[1],
           (long)code->word[2], (long)code->sem[0], (long)code->sem[1], code->roots, code->threads);
    for (uint32_t t = 0; t < code->threads; t++) {
        printf("thread %u:", t);
        for (uint32_t n = 0; n < code->length[t]; n++) {
            const Ins *i = &code->code[t][n];
            printf(" %s(x%u/%02x y%u r%u c%d d%d", names[i->kind], i->x, i->lanes, i->y, i->r, i->c, i->d);
            for (unsigned k = 0; k < i->terms; k++)
                printf("%s x%u/%02x rel%u %d", k ? (i->any ? " or" : " and") : "", i->term[k].x, i->term[k].lanes, i->term[k].relation,
                       i->term[k].c);
            printf(");");
        }
        printf("\n");
    }
}
