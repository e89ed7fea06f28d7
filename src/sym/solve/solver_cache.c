/* solver_cache.c - earlier answers, and sets of conditions that are known to be contradictory
 *
 * Conditions are identified by their structural hashes, so the cache survives resets of the pool. An answer is found
 * by the 128-bit hash of its set of conditions. A query that contains a contradictory set (a core) is UNSAT: each
 * core is listed at all of its members. Where a witness satisfies everything but the goal, a core must have a member
 * in the goal, so that few have to be checked. Subsets of satisfiable sets are left to solver_reuse.c, which tries
 * assignments instead of comparing sets.
 *
 * Both tables have a fixed size and replace old entries.
 */
#include <stdlib.h>

#include "base/map.h"
#include "base/vec.h"
#include "sym/expr/hash.h"
#include "sym/solve/solver_layers.h"

enum { ANSWERS = 1 << 14, CORES = 1 << 13, CORE_BUCKETS = 1 << 13, CORES_PER_BUCKET = 8, LONGEST_CORE = 24 };

typedef struct SetHash {
    uint64_t first, second;
} SetHash;

/* What was answered to a set of conditions; for SAT with the values of its inputs. */
typedef struct Answer {
    SetHash set;
    SolverResult result;
    bool used;
    uint32_t count;
    InputId *inputs;
    Bits *values; /* NULL unless count > 0 */
} Answer;

/* Hashes of conditions that cannot hold together. */
typedef struct Core {
    uint32_t count;
    uint64_t hashes[LONGEST_CORE];
} Core;

/* The latest cores that have a member with one of these hashes, by position in the ring. A core that has been
 * overwritten is another contradiction, which does no harm. */
typedef struct CoreBucket {
    uint32_t cores[CORES_PER_BUCKET]; /* plus 1; 0: none */
    uint32_t next;                    /* to be replaced */
} CoreBucket;

typedef struct CacheLayer {
    Solver solver;
    const ExprPool *pool;
    Support *support;
    Evaluator *evaluator;
    Answer *answers;
    CoreBucket *buckets;
    Core *cores;           /* a ring */
    uint32_t next_core;
    Map members;           /* hashes of the query's conditions, once they were needed */
    VEC(ExprId) core;
} CacheLayer;

/* ---- Sets of conditions -------------------------------------------------------- */

static uint64_t condition_hash(const CacheLayer *self, ExprId condition)
{
    return expr_get(self->pool, condition)->hash;
}

static SetHash hash_query(const CacheLayer *self, const SolverQuery *query)
{
    SetHash set = {0};
    for (uint32_t i = 0; i < query->count; i++) {
        uint64_t h = condition_hash(self, query->conditions[i]);
        set.first += hash_mix(h, 1);
        set.second += hash_mix(h, 2);
    }
    return set;
}

/* ---- Cores ---------------------------------------------------------------------- */

static CoreBucket *bucket_of(CacheLayer *self, uint64_t hash)
{
    return &self->buckets[hash % CORE_BUCKETS];
}

static void note_members(CacheLayer *self, const SolverQuery *query)
{
    map_reset(&self->members);
    for (uint32_t i = 0; i < query->count; i++)
        map_insert(&self->members, condition_hash(self, query->conditions[i]) >> 1, NULL);
}

static bool is_contained(const CacheLayer *self, const Core *core)
{
    for (uint32_t i = 0; i < core->count; i++)
        if (!map_find(&self->members, core->hashes[i] >> 1))
            return false;
    return true;
}

/* The cores of one condition of the query. */
static bool contains_core_of(CacheLayer *self, const SolverQuery *query, ExprId condition, bool *noted)
{
    const CoreBucket *bucket = bucket_of(self, condition_hash(self, condition));
    for (uint32_t j = 0; j < CORES_PER_BUCKET && bucket->cores[j]; j++) {
        const Core *core = &self->cores[bucket->cores[j] - 1];
        if (core->count > query->count)
            continue;
        if (!*noted)
            note_members(self, query);
        *noted = true;
        if (is_contained(self, core))
            return true;
    }
    return false;
}

static bool contains_core(CacheLayer *self, const SolverQuery *query)
{
    bool noted = false;
    for (uint32_t i = query->witness ? query->count - query->fresh : 0; i < query->count; i++)
        if (contains_core_of(self, query, query->conditions[i], &noted))
            return true;
    return false;
}

static void remember_core(CacheLayer *self, const ExprId *conditions, uint32_t count)
{
    if (count > LONGEST_CORE)
        return;
    Core *core = &self->cores[self->next_core];
    core->count = count;
    for (uint32_t i = 0; i < count; i++) {
        CoreBucket *bucket = bucket_of(self, core->hashes[i] = condition_hash(self, conditions[i]));
        bucket->cores[bucket->next] = self->next_core + 1;
        bucket->next = (bucket->next + 1) % CORES_PER_BUCKET;
    }
    self->next_core = (self->next_core + 1) % CORES;
}

/* ---- Answers --------------------------------------------------------------------- */

static Answer *slot_of(CacheLayer *self, SetHash set)
{
    return &self->answers[set.first % ANSWERS];
}

static bool is_for(const Answer *answer, SetHash set)
{
    return answer->used && answer->set.first == set.first && answer->set.second == set.second;
}

/* An assignment found by its hash is evaluated, so a wrong hit cannot do harm. */
static bool restore_assignment(CacheLayer *self, const Answer *known, const SolverQuery *query, SolverAnswer *answer)
{
    assignment_reset(&answer->assignment);
    for (uint32_t i = 0; i < known->count; i++)
        assignment_set(&answer->assignment, known->inputs[i], known->values[i]);
    evaluator_use(self->evaluator, &answer->assignment);
    for (uint32_t i = 0; i < query->count; i++)
        if (!evaluator_holds(self->evaluator, query->conditions[i]))
            return false;
    return true;
}

static void forget(Answer *slot)
{
    free(slot->inputs);
    free(slot->values);
    *slot = (Answer){0};
}

static void remember_answer(CacheLayer *self, SetHash set, const SolverQuery *query, SolverResult result,
                            const SolverAnswer *answer)
{
    Answer *slot = slot_of(self, set);
    forget(slot);
    *slot = (Answer){.set = set, .result = result, .used = true};
    if (result != SOLVER_SAT)
        return;
    const InputId *inputs = support_of_all(self->support, query->conditions, query->count, &slot->count);
    slot->inputs = mem_alloc(slot->count * sizeof *slot->inputs);
    slot->values = mem_alloc(slot->count * sizeof *slot->values);
    for (uint32_t i = 0; i < slot->count; i++) {
        slot->inputs[i] = inputs[i];
        slot->values[i] = assignment_get(&answer->assignment, inputs[i]);
    }
}

/* ---- The layer --------------------------------------------------------------------- */

static SolverResult ask_next(CacheLayer *self, const SolverQuery *query, SolverAnswer *answer)
{
    SolverAnswer below = {.assignment = answer->assignment};
    VEC_RESERVE(&self->core, query->count + 1);
    below.core = self->core.items;
    SolverResult result = solver_ask(self->solver.next, query, &below);
    answer->assignment = below.assignment;
    if (result == SOLVER_UNSAT && below.core_count)
        remember_core(self, below.core, below.core_count);
    else if (result == SOLVER_UNSAT)
        remember_core(self, query->conditions, query->count);
    return result;
}

static SolverResult check(Solver *solver, const SolverQuery *query, SolverAnswer *answer)
{
    CacheLayer *self = (CacheLayer *)solver;
    SetHash set = hash_query(self, query);
    const Answer *known = slot_of(self, set);
    if (is_for(known, set) && known->result == SOLVER_UNSAT)
        return SOLVER_UNSAT;
    if (is_for(known, set) && known->result == SOLVER_SAT && restore_assignment(self, known, query, answer))
        return SOLVER_SAT;
    if (contains_core(self, query))
        return SOLVER_UNSAT;
    SolverResult result = ask_next(self, query, answer);
    if (result != SOLVER_UNKNOWN)
        remember_answer(self, set, query, result, answer);
    return result;
}

static void destroy(Solver *solver)
{
    CacheLayer *self = (CacheLayer *)solver;
    for (uint32_t i = 0; i < ANSWERS; i++)
        if (self->answers[i].used) /* writing to the others would make pages of them */
            forget(&self->answers[i]);
    free(self->answers);
    free(self->buckets);
    free(self->cores);
    map_release(&self->members);
    support_destroy(self->support);
    evaluator_destroy(self->evaluator);
    VEC_FREE(&self->core);
    free(self);
}

Solver *solver_cache_create(const ExprPool *pool)
{
    static const SolverOps ops = {check, destroy};
    CacheLayer *self = mem_alloc(sizeof *self);
    self->solver.ops = &ops;
    self->pool = pool;
    self->support = support_create(pool);
    self->evaluator = evaluator_create(pool);
    self->answers = mem_alloc(ANSWERS * sizeof *self->answers);
    self->buckets = mem_alloc(CORE_BUCKETS * sizeof *self->buckets);
    self->cores = mem_alloc(CORES * sizeof *self->cores);
    return &self->solver;
}
