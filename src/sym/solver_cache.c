/* solver_cache.c - earlier answers, and sets of conditions that are known to contradict
 *
 * Conditions are known by their structural hashes, so what was learnt survives resets of
 * the pool. An answer is found by the 128-bit hash of its set of conditions. A query that
 * contains a contradicting set (a core) is UNSAT: each core hangs at its largest hash, so a
 * query looks only at the cores of its own conditions. The rule for subsets of satisfiable
 * sets is solver_reuse's, which tries models instead of comparing sets.
 *
 * Both tables have a fixed size and replace old entries.
 */
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "sym/hash.h"
#include "sym/solver_layers.h"

enum { ANSWERS = 1 << 14, CORE_BUCKETS = 1 << 12, CORES_PER_BUCKET = 8, LONGEST_CORE = 24 };

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

/* Sorted hashes of conditions that cannot hold together. */
typedef struct Core {
    uint32_t count;
    uint64_t hashes[LONGEST_CORE];
} Core;

typedef struct CoreBucket {
    Core *cores[CORES_PER_BUCKET];
    uint32_t next; /* to be replaced */
} CoreBucket;

typedef struct CacheLayer {
    Solver solver;
    const ExprPool *pool;
    Support *support;
    Evaluator *evaluator;
    Answer *answers;
    CoreBucket *buckets;
    VEC(uint64_t) hashes;  /* of the query, sorted */
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

static int compare_hashes(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Both sorted. */
static bool is_subset(const uint64_t *small, uint32_t small_count, const uint64_t *large, uint32_t large_count)
{
    uint32_t j = 0;
    for (uint32_t i = 0; i < small_count; i++) {
        while (j < large_count && large[j] < small[i])
            j++;
        if (j == large_count || large[j] != small[i])
            return false;
    }
    return true;
}

/* ---- Cores ---------------------------------------------------------------------- */

static CoreBucket *bucket_of(CacheLayer *self, uint64_t hash)
{
    return &self->buckets[hash % CORE_BUCKETS];
}

static void sort_query(CacheLayer *self, const SolverQuery *query)
{
    self->hashes.count = 0;
    for (uint32_t i = 0; i < query->count; i++)
        VEC_PUSH(&self->hashes, condition_hash(self, query->conditions[i]));
    qsort(self->hashes.items, self->hashes.count, sizeof(uint64_t), compare_hashes);
}

static bool contains_core(CacheLayer *self, const SolverQuery *query)
{
    bool sorted = false;
    for (uint32_t i = 0; i < query->count; i++) {
        const CoreBucket *bucket = bucket_of(self, condition_hash(self, query->conditions[i]));
        for (uint32_t j = 0; j < CORES_PER_BUCKET && bucket->cores[j]; j++) {
            if (!sorted)
                sort_query(self, query);
            sorted = true;
            const Core *core = bucket->cores[j];
            if (is_subset(core->hashes, core->count, self->hashes.items, self->hashes.count))
                return true;
        }
    }
    return false;
}

static void remember_core(CacheLayer *self, const ExprId *conditions, uint32_t count)
{
    if (count > LONGEST_CORE)
        return;
    Core core = {.count = count};
    for (uint32_t i = 0; i < count; i++)
        core.hashes[i] = condition_hash(self, conditions[i]);
    qsort(core.hashes, count, sizeof core.hashes[0], compare_hashes);
    CoreBucket *bucket = bucket_of(self, core.hashes[count - 1]);
    Core **slot = &bucket->cores[bucket->next];
    bucket->next = (bucket->next + 1) % CORES_PER_BUCKET;
    if (!*slot)
        *slot = mem_alloc(sizeof **slot);
    **slot = core;
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

/* A model found by its hash is evaluated, so a wrong hit cannot do harm. */
static bool restore_model(CacheLayer *self, const Answer *known, const SolverQuery *query, SolverAnswer *answer)
{
    assignment_reset(&answer->model);
    for (uint32_t i = 0; i < known->count; i++)
        assignment_set(&answer->model, known->inputs[i], known->values[i]);
    evaluator_use(self->evaluator, &answer->model);
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
        slot->values[i] = assignment_get(&answer->model, inputs[i]);
    }
}

/* ---- The layer --------------------------------------------------------------------- */

static SolverResult ask_next(CacheLayer *self, const SolverQuery *query, SolverAnswer *answer)
{
    SolverAnswer below = {.model = answer->model};
    VEC_RESERVE(&self->core, query->count + 1);
    below.core = self->core.items;
    SolverResult result = solver_ask(self->solver.next, query, &below);
    answer->model = below.model;
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
    if (is_for(known, set) && known->result == SOLVER_SAT && restore_model(self, known, query, answer))
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
        forget(&self->answers[i]);
    for (uint32_t i = 0; i < CORE_BUCKETS; i++)
        for (uint32_t j = 0; j < CORES_PER_BUCKET; j++)
            free(self->buckets[i].cores[j]);
    free(self->answers);
    free(self->buckets);
    support_destroy(self->support);
    evaluator_destroy(self->evaluator);
    VEC_FREE(&self->hashes);
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
    return &self->solver;
}
