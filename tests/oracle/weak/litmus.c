/* litmus.c - programs whose numbers of graphs are known; see weak.h
 *
 * The numbers of the first part were found by two models written independently of each other and of this one.
 */
#include <string.h>

#include "litmus.h"

#define START(t) {.kind = INS_SPAWN, .c = (t)}
#define LOCK(m) \
    {.kind = INS_STRONG, .r = 3, .takes = (m) + 1, .terms = 1, \
     .term = {{.resource = MUTEX + (m), .relation = REL_EQ, .effect = EFFECT_SET, .value = 1, .sync = SYNC_ACQUIRE}}}
#define UNLOCK(m) \
    {.kind = INS_STRONG, .r = 3, .needs = (m) + 1, .terms = 1, \
     .term = {{.resource = MUTEX + (m), .effect = EFFECT_SET, .sync = SYNC_RELEASE}}}
#define TRYLOCK(reg, m) \
    {.kind = INS_TRY, .r = (reg), .takes = (m) + 1, .terms = 1, \
     .term = {{.resource = MUTEX + (m), .relation = REL_EQ, .effect = EFFECT_SET, .value = 1, .sync = SYNC_ACQUIRE}}}
#define P(s) \
    {.kind = INS_STRONG, .r = 3, .terms = 1, \
     .term = {{.resource = SEMAPHORE + (s), .relation = REL_SGT, .effect = EFFECT_ADD, .value = -1, .sync = SYNC_ACQUIRE}}}
#define V(s) \
    {.kind = INS_STRONG, .r = 3, .terms = 1, \
     .term = {{.resource = SEMAPHORE + (s), .effect = EFFECT_ADD, .value = 1, .sync = SYNC_RELEASE}}}
#define JOIN(t) \
    {.kind = INS_STRONG, .r = 3, .terms = 1, \
     .term = {{.resource = THREAD_END + (t), .relation = REL_EQ, .operand = 1, .sync = SYNC_ACQUIRE}}}

/* A reader, and a writer, of the read-write lock. */
#define READER \
    T({.kind = INS_STRONG, .r = 3, .takes = HELD_READING + 1, .terms = 1, \
       .term = {{.resource = RWLOCK, .relation = REL_SGE, .effect = EFFECT_ADD, .value = 1, .commutes = true}}}, \
      {.kind = INS_STRONG, .r = 3, .needs = HELD_READING + 1, .terms = 1, \
       .term = {{.resource = RWLOCK, .effect = EFFECT_ADD, .value = -1}}})
#define WRITER \
    T({.kind = INS_STRONG, .r = 3, .takes = HELD_WRITING + 1, .terms = 1, \
       .term = {{.resource = RWLOCK, .relation = REL_EQ, .effect = EFFECT_SET, .value = -1}}}, \
      {.kind = INS_STRONG, .r = 3, .needs = HELD_WRITING + 1, .terms = 1, .term = {{.resource = RWLOCK, .effect = EFFECT_SET}}})

/* A barrier of three: arrive, wait for all. */
#define ARRIVE {.kind = INS_STRONG, .r = 3, .terms = 1, .term = {{.resource = CELL, .effect = EFFECT_ADD, .value = 1}}}
#define LEAVE {.kind = INS_STRONG, .r = 3, .terms = 1, .term = {{.resource = CELL, .relation = REL_SGT, .operand = 2}}}

/* A step on a cell, and one on this cell and a semaphore. */
#define CHANGE {.kind = INS_STRONG, .r = 3, .terms = 1, .term = {{.resource = CELL, .effect = EFFECT_ADD, .value = 1}}}
#define BOTH \
    {.kind = INS_STRONG, .r = 3, .terms = 2, \
     .term = {{.resource = SEMAPHORE, .effect = EFFECT_ADD, .value = 1}, {.resource = CELL, .effect = EFFECT_ADD, .value = 1}}}

#define CELL_SEEN(ask) {.kind = INS_STRONG, .r = 3, .terms = 1, .asks = (ask), .term = {{.resource = CELL, .effect = EFFECT_SET, .sync = SYNC_ACQUIRE | SYNC_RELEASE}}}

/* Both raise a flag, look at the other's, enter if it is down (read c, write c), lower the flag. */
#define DEKKER(me, other, k, o, q) T(ST(me, 1, o), LD(0, other, q), IF(0, 0, 1), LD(1, Z, R), IF(0, 0, 1), ST(Z, k, R), ST(me, 0, L))
/* Raise a flag, give the turn away, look at the other's flag, and if it is up assume to have the turn. */
#define PETERSON(me, other, k, o, q) \
    T(ST(me, 1, o), ST(Z, (other) + 1, o), LD(0, other, q), IF(0, 1, 2), LD(1, Z, q), ASSUME(1, (me) + 1), LD(2, W, R), ST(W, k, R), ST(me, 0, L))

#define SPINLOCK(k) T(AWAIT_SET(X, 0, 1, A), ST(Y, k, R), ST(X, 0, L))

static const Litmus table[] = {
    {"SB rlx", CODE(2, T(ST(X, 1, R), LD(0, Y, R)), T(ST(Y, 1, R), LD(0, X, R))), {3, 4, 4}, {0}, {0}},
    {"SB sc", CODE(2, T(ST(X, 1, S), LD(0, Y, S)), T(ST(Y, 1, S), LD(0, X, S))), {3, 3, 3}, {0}, {0}},
    {"SB rlx + sc fences", CODE(2, T(ST(X, 1, R), FENCE(S), LD(0, Y, R)), T(ST(Y, 1, R), FENCE(S), LD(0, X, R))), {3, 3, 3}, {0}, {0}},
    {"MP rlx", CODE(2, T(ST(X, 1, R), ST(Y, 1, R)), T(LD(0, Y, R), LD(1, X, R))), {3, 3, 4}, {0}, {0}},
    {"MP rel/acq", CODE(2, T(ST(X, 1, R), ST(Y, 1, L)), T(LD(0, Y, A), LD(1, X, R))), {3, 3, 3}, {0}, {0}},
    {"MP fences", CODE(2, T(ST(X, 1, R), FENCE(L), ST(Y, 1, R)), T(LD(0, Y, R), FENCE(A), LD(1, X, R))), {3, 3, 3}, {0}, {0}},
    {"LB rlx", CODE(2, T(LD(0, X, R), ST(Y, 1, R)), T(LD(0, Y, R), ST(X, 1, R))), {3, 3, 3}, {0}, {0}},
    {"2+2W rlx", CODE(2, T(ST(X, 1, R), ST(Y, 2, R)), T(ST(Y, 1, R), ST(X, 2, R))), {3, 3, 4}, {0}, {0}},
    {"CoRR", CODE(2, T(ST(X, 1, R)), T(LD(0, X, R), LD(1, X, R))), {3, 3, 3}, {0}, {0}},
    {"IRIW rlx", CODE(4, T(ST(X, 1, R)), T(ST(Y, 1, R)), T(LD(0, X, R), LD(1, Y, R)), T(LD(0, Y, R), LD(1, X, R))), {15, 15, 16}, {0}, {0}},
    {"IRIW acq", CODE(4, T(ST(X, 1, L)), T(ST(Y, 1, L)), T(LD(0, X, A), LD(1, Y, A)), T(LD(0, Y, A), LD(1, X, A))), {15, 15, 16}, {0}, {0}},
    {"IRIW sc", CODE(4, T(ST(X, 1, S)), T(ST(Y, 1, S)), T(LD(0, X, S), LD(1, Y, S)), T(LD(0, Y, S), LD(1, X, S))), {15, 15, 15}, {0}, {0}},
    {"SB 3sc+acq", CODE(2, T(ST(X, 1, S), LD(0, Y, S)), T(ST(Y, 1, S), LD(0, X, A))), {3, 3, 4}, {0}, {0}},
    {"LB3", CODE(3, T(LD(0, X, R), ST(Y, 1, R)), T(LD(0, Y, R), ST(Z, 1, R)), T(LD(0, Z, R), ST(X, 1, R))), {7, 7, 7}, {0}, {0}},
    {"CoRR 2 writers", CODE(3, T(ST(X, 1, R)), T(ST(X, 2, R)), T(LD(0, X, R), LD(1, X, R))), {12, 12, 12}, {0}, {0}},
    {"2+2W sc", CODE(2, T(ST(X, 1, S), ST(Y, 2, S)), T(ST(Y, 1, S), ST(X, 2, S))), {3, 3, 3}, {0}, {0}},
    {"S rlx", CODE(2, T(ST(X, 2, R), ST(Y, 1, R)), T(LD(0, Y, R), ST(X, 1, R))), {3, 3, 4}, {0}, {0}},
    {"R rlx", CODE(2, T(ST(X, 1, R), ST(Y, 1, R)), T(ST(Y, 2, R), LD(0, X, R))), {3, 4, 4}, {0}, {0}},
    {"WRC rlx", CODE(3, T(ST(X, 1, R)), T(LD(0, X, R), ST(Y, 1, R)), T(LD(0, Y, R), LD(1, X, R))), {7, 7, 8}, {0}, {0}},
    {"WRC rel/acq", CODE(3, T(ST(X, 1, R)), T(LD(0, X, A), ST(Y, 1, L)), T(LD(0, Y, A), LD(1, X, R))), {7, 7, 7}, {0}, {0}},
    {"RWC rlx", CODE(3, T(ST(X, 1, R)), T(LD(0, X, R), LD(1, Y, R)), T(ST(Y, 1, R), LD(0, X, R))), {7, 8, 8}, {0}, {0}},
    {"RWC sc fences", CODE(3, T(ST(X, 1, R)), T(LD(0, X, R), FENCE(S), LD(1, Y, R)), T(ST(Y, 1, R), FENCE(S), LD(0, X, R))), {7, 7, 7}, {0}, {0}},
    {"W+RWC", CODE(3, T(ST(X, 1, R), ST(Z, 1, L)), T(LD(0, Z, A), FENCE(S), LD(1, Y, R)), T(ST(Y, 1, R), FENCE(S), LD(0, X, R))), {7, 7, 7}, {0}, {0}},
    {"ISA2 rlx", CODE(3, T(ST(X, 1, R), ST(Y, 1, R)), T(LD(0, Y, R), ST(Z, 1, R)), T(LD(0, Z, R), LD(1, X, R))), {7, 7, 8}, {0}, {0}},
    {"ISA2 rel/acq", CODE(3, T(ST(X, 1, R), ST(Y, 1, L)), T(LD(0, Y, A), ST(Z, 1, L)), T(LD(0, Z, A), LD(1, X, R))), {7, 7, 7}, {0}, {0}},
    {"Z6.U", CODE(3, T(ST(X, 1, S), ST(Y, 1, L)), T(ADD(0, Y, 1, S), LD(1, Y, R)), T(ST(Y, 3, S), LD(0, X, S))), {18, 18, 24}, {0}, {0}},
    {"WWmerge1", CODE(3, T(LD(0, X, A), LD(1, Y, S)), T(ST(X, 1, S), ST(X, 2, S)), T(ST(Y, 1, S), LD(0, X, S))), {15, 15, 18}, {0}, {0}},
    {"Dekker rlx", CODE(2, DEKKER(X, Y, 1, R, R), DEKKER(Y, X, 2, R, R)), {7, 11, 15}, {0}, {0}},
    {"Dekker rel/acq", CODE(2, DEKKER(X, Y, 1, L, A), DEKKER(Y, X, 2, L, A)), {7, 11, 11}, {0}, {0}},
    {"Dekker sc", CODE(2, DEKKER(X, Y, 1, S, S), DEKKER(Y, X, 2, S, S)), {7, 7, 7}, {0}, {0}},
    {"3 updates", CODE(3, T(ADD(0, X, 1, R)), T(ADD(0, X, 1, R)), T(ADD(0, X, 1, R))), {6, 6, 6}, {0}, {0}},
    {"casrot 3", CODE(3, T(CAS(0, X, 0, 1, S)), T(CAS(0, X, 1, 2, S)), T(CAS(0, X, 2, 3, S))), {5, 5, 5}, {0}, {0}},
    {"2 locks", CODE(2, T(AWAIT_SET(X, 0, 1, A), ADD(0, Y, 1, R), ST(X, 0, L)), T(AWAIT_SET(X, 0, 1, A), ADD(0, Y, 1, R), ST(X, 0, L))), {2, 2, 2}, {0}, {0}},
    {"3 locks", CODE(3, SPINLOCK(1), SPINLOCK(2), SPINLOCK(3)), {6, 6, 6}, {0}, {0}},
    {"4 locks", CODE(4, SPINLOCK(1), SPINLOCK(2), SPINLOCK(3), SPINLOCK(4)), {24, 24, 24}, {0}, {0}},
    {"Peterson rel/acq", CODE(2, PETERSON(X, Y, 1, L, A), PETERSON(Y, X, 2, L, A)), {4, 22, 22}, {0}, {6, 8, 8}},
    {"Peterson sc", CODE(2, PETERSON(X, Y, 1, S, S), PETERSON(Y, X, 2, S, S)), {4, 4, 4}, {0}, {6, 6, 6}},

    {"SB ar fences", CODE(2, T(ST(X, 1, R), FENCE(AR), LD(0, Y, R)), T(ST(Y, 1, R), FENCE(AR), LD(0, X, R))), {3, 4, 4}, {0}, {0}},
    {"SB by way of MP", CODE(3, T(ST(X, 1, S), ST(Y, 1, L)), T(LD(0, Y, A), LD(1, Z, S)), T(ST(Z, 1, S), LD(0, X, S))), {7, 7, 7}, {0}, {0}},
    {"fence in child", {.threads = 3, .roots = 2, .code = {T(LD(0, Y, R), START(2)), T(ST(X, 1, R), ST(Y, 1, L)), T(FENCE(A), LD(0, X, R))}}, {3, 3, 4}, {0}, {0}},
    {"fence in parent", {.threads = 3, .roots = 2, .code = {T(ST(X, 1, R), FENCE(L), START(2)), T(LD(0, Y, A), LD(1, X, R)), T(ST(Y, 1, R))}}, {3, 3, 4}, {0}, {0}},
    {"2 mutexes", CODE(2, T(LOCK(0), ADD(0, Y, 1, R), UNLOCK(0)), T(LOCK(0), ADD(0, Y, 1, R), UNLOCK(0))), {2, 2, 2}, {0}, {0}},
    {"4 threads, mutex", CODE(4, T(LOCK(0), UNLOCK(0)), T(LOCK(0), UNLOCK(0)), T(LOCK(0), UNLOCK(0)), T(LOCK(0), UNLOCK(0))), {24, 24, 24}, {0}, {0}},
    {"opposite locks", CODE(2, T(LOCK(0), LOCK(1), UNLOCK(1), UNLOCK(0)), T(LOCK(1), LOCK(0), UNLOCK(0), UNLOCK(1))), {2, 2, 2}, {1, 1, 1}, {0}},
    {"trylock", CODE(2, T(LOCK(0), UNLOCK(0)), T(TRYLOCK(0, 0), UNLOCK(0))), {3, 3, 3}, {0}, {0}},
    {"MP semaphore", CODE(2, T(ST(X, 1, R), V(0)), T(P(0), LD(0, X, R))), {1, 1, 1}, {0}, {0}},
    {"SB own mutexes", CODE(2, T(ST(X, 1, R), LOCK(0), UNLOCK(0), LD(0, Y, R)), T(ST(Y, 1, R), LOCK(1), UNLOCK(1), LD(0, X, R))), {3, 3, 4}, {0}, {0}},
    {"lost post", CODE(3, T(V(0)), T(P(0)), T(P(0))), {0}, {2, 2, 2}, {0}},
    {"posts", CODE(4, T(V(0)), T(V(0)), T(V(0)), T(P(0))), {7, 7, 7}, {0}, {0}},
    {"readers", CODE(4, READER, READER, READER, READER), {1, 1, 1}, {0}, {0}},
    {"readers, a writer", CODE(4, READER, READER, READER, WRITER), {8, 8, 8}, {0}, {0}},
    {"a writer, readers", CODE(4, WRITER, READER, READER, READER), {8, 8, 8}, {0}, {0}},
    {"barrier", CODE(3, T(ARRIVE, LEAVE), T(ARRIVE, LEAVE), T(ARRIVE, LEAVE)), {1, 1, 1}, {0}, {0}},
    {"steps on two", CODE(4, T(V(0)), T(LD(0, X, R), IF(0, 1, 1), BOTH), T(ST(X, 1, R)), T(CHANGE)), {2, 2, 2}, {0}, {0}},
    {"await for another", CODE(3, T(ST(X, 2, R), AWAIT(Y, 2, R)), T(ADD(0, X, 1, R)), T(AWAIT(X, 2, R), CAS(0, Y, 0, 2, R))), {2, 2, 2}, {1, 1, 1}, {0}},
    {"decision between", {.threads = 3, .domain = {2, 1}, .code = {T(LD(0, Y, A), {.kind = INS_STORE, .x = X, .c = 1, .uses_register = true, .order = S}),
                                                                 T(ST(X, 2, S), CAS(1, Y, 1, 2, S)), T(ST(Y, 2, S), BRANCH(2, 0, 1), ADD(2, Y, 1, S))}}, {30, 30, 36}, {0}, {0}},
    {"asked when overtaking", {.threads = 3, .domain = {3, 1}, .code = {T(LD(0, Y, R), CELL_SEEN(0)), T(BRANCH(1, 0, 2), ADD(0, Y, 1, R)), T(CELL_SEEN(1))}}, {12, 12, 12}, {0}, {0}},
    {"creation", {.threads = 2, .roots = 1, .code = {T(ST(X, 1, R), START(1), ST(X, 2, R)), T(LD(0, X, R))}}, {2, 2, 2}, {0}, {0}},
    {"creation, sc order", {.threads = 3, .roots = 2, .code = {T(ST(X, 1, S), START(2)), T(ST(Y, 1, S), LD(0, X, S)), T(LD(0, Y, S))}}, {3, 3, 3}, {0}, {0}},
    {"join", {.threads = 2, .roots = 1, .code = {T(START(1), JOIN(1), LD(0, X, R)), T(ST(X, 1, R))}}, {1, 1, 1}, {0}, {0}},
    {"late await", CODE(2, T(AWAIT(X, 1, A)), T(ST(X, 1, R), ST(X, 2, R))), {1, 1, 1}, {1, 1, 1}, {0}},
    {"input", {.threads = 2, .domain = {2, 1}, .code = {T(BRANCH(0, 0, 1), IF(0, 1, 1), ST(X, 1, R)), T(BRANCH(0, 0, 1), LD(1, X, R))}}, {3, 3, 3}, {0}, {0}},
};

enum { OWN = sizeof table / sizeof table[0] };

uint32_t litmus_count(void) { return OWN + shape_count; }

void litmus_get(uint32_t index, Litmus *litmus)
{
    static const Ins none;
    *litmus = index < OWN ? table[index] : shapes[index - OWN];
    Code *code = &litmus->code;
    code->roots = code->roots ? code->roots : code->threads;
    for (unsigned i = 0; i < INPUTS; i++)
        code->domain[i] = code->domain[i] ? code->domain[i] : 1;
    for (unsigned t = 0; t < code->threads; t++)
        while (code->length[t] < MAX_CODE && memcmp(&code->code[t][code->length[t]], &none, sizeof none) != 0)
            code->length[t]++;
}
