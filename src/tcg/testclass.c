/* testclass.c - see testclass.h
 *
 * Design: an object is renamed to the shortest of all paths that were resolved to it, from objects that are renamed
 * themselves. The condition then becomes a set of literals on renamed inputs, in which a resolved reference is the
 * object it means, and a set of facts "this path means that object". Together with the happens-before order, without
 * the conflicts that result from finding or counting objects, that is the class.
 */
#include "tcg/testclass.h"

#include <stdlib.h>
#include <string.h>

#include "abs/run/footprint.h"
#include "abs/run/inputs.h"
#include "abs/run/start.h"
#include "base/map.h"
#include "base/mem.h"

struct TestClasses {
    Map seen;
    ExprPool *pool;            /* of the conditions            */
    Transfer known;            /* from the archive to the pool */
    /* -- of one execution -- */
    const Machine *machine;
    VEC(const char *) names;   /* of the starters, by index    */
    Arena arena;
    Map hashes;                /* of expressions               */
    VEC(uint64_t) facts;
    VEC(uint64_t) steps;       /* names of the events          */
    VEC(uint64_t) pasts;       /* sets of positions            */
};

/* ---- Lifecycle -------------------------------------------------------------------------- */

TestClasses *testclasses_create(void)
{
    TestClasses *classes = mem_alloc(sizeof *classes);
    classes->pool = expr_pool_create(1 << 20);
    return classes;
}

void testclasses_destroy(TestClasses *classes)
{
    map_release(&classes->seen);
    map_release(&classes->hashes);
    expr_pool_destroy(classes->pool);
    transfer_release(&classes->known);
    arena_release(&classes->arena);
    VEC_FREE(&classes->names);
    VEC_FREE(&classes->facts);
    VEC_FREE(&classes->steps);
    VEC_FREE(&classes->pasts);
    free(classes);
}

/* ---- Names of objects ---------------------------------------------------------------------- */

static const ModelObject *starter(const TestClasses *c, uint32_t i)
{
    return &c->machine->objects[c->machine->starters.items[i]];
}

/* The index of the last starter on a path, or UINT32_MAX. `*rest` is what follows it. */
static uint32_t find_holder(const TestClasses *c, const char *path, const char **rest)
{
    uint32_t found = UINT32_MAX;
    size_t best = 0;
    for (uint32_t i = 0; i < c->machine->starters.count; i++) {
        const char *own = starter(c, i)->path;
        size_t length = strlen(own);
        if (length > best && strncmp(path, own, length) == 0 && path[length] == '.') {
            found = i;
            best = length;
        }
    }
    *rest = path + best;
    return found;
}

/* The path with its last starter renamed; NULL if that has no name yet. */
static const char *rename_path(TestClasses *c, const char *path)
{
    const char *rest;
    uint32_t holder = find_holder(c, path, &rest);
    if (holder == UINT32_MAX)
        return path;
    const char *name = c->names.items[holder];
    if (!name)
        return NULL;
    size_t length = strlen(name), more = strlen(rest);
    char *renamed = arena_alloc(&c->arena, length + more + 1);
    memcpy(renamed, name, length);
    memcpy(renamed + length, rest, more + 1);
    return renamed;
}

static bool is_better(const char *name, const char *than)
{
    if (!name || !than)
        return name != NULL;
    size_t a = strlen(name), b = strlen(than);
    return a != b ? a < b : strcmp(name, than) < 0;
}

static uint32_t starter_index(const TestClasses *c, uint32_t object)
{
    for (uint32_t i = 0; i < c->machine->starters.count; i++)
        if (c->machine->starters.items[i] == object)
            return i;
    return UINT32_MAX;
}

/* Names all objects after their shortest resolved paths. */
static void name_objects(TestClasses *c)
{
    const Machine *machine = c->machine;
    bool changed = true;
    arena_reset(&c->arena);
    c->names.count = 0;
    for (uint32_t i = 0; i < machine->starters.count; i++)
        VEC_PUSH(&c->names, i < machine->start->objects.count ? starter(c, i)->path : NULL);
    while (changed) {
        changed = false;
        for (uint32_t r = 0; r < machine->resolved.count; r++) {
            uint32_t i = starter_index(c, machine->resolved.items[r].object);
            if (i < machine->start->objects.count)
                continue;
            const char *name = rename_path(c, machine->resolved.items[r].path);
            if (is_better(name, c->names.items[i])) {
                c->names.items[i] = name;
                changed = true;
            }
        }
    }
}

/* ---- Conditions ------------------------------------------------------------------------------ */

static uint64_t hash_text(const char *text)
{
    uint64_t hash = 7;
    for (; *text; text++)
        hash = map_mix(hash, (unsigned char)*text);
    return hash;
}

/* A resolved reference is identified by its object, any other by its path. The input for the class of an object
 * ("A_1.next class") is identified by the object as well. */
static uint64_t hash_input(TestClasses *c, const char *name)
{
    const Machine *machine = c->machine;
    const char *space = strchr(name, ' ');
    size_t length = space ? (size_t)(space - name) : strlen(name);
    for (uint32_t r = 0; r < machine->resolved.count; r++) {
        const ResolvedPath *f = &machine->resolved.items[r];
        if (strncmp(f->path, name, length) == 0 && f->path[length] == '\0')
            return map_mix(hash_text(c->names.items[starter_index(c, f->object)]), space ? 3 : 5);
    }
    return hash_text(rename_path(c, name));
}

static bool is_symmetric(ExprOp op)
{
    return op == EXPR_EQ || op == EXPR_AND || op == EXPR_OR || op == EXPR_XOR || op == EXPR_IADD || op == EXPR_IMUL;
}

static uint64_t hash_expr(TestClasses *c, ExprId e)
{
    const ExprNode *node = expr_get(c->pool, e);
    uint64_t *memo = map_find(&c->hashes, e.id), hash = map_mix(node->op, node->sort), sum = 0;
    if (memo)
        return *memo;
    unsigned count = expr_operands((ExprOp)node->op);
    for (unsigned i = 0; i < count; i++) {
        uint64_t operand = hash_expr(c, expr_operand(node, i));
        sum = is_symmetric((ExprOp)node->op) ? sum + map_mix(operand, 1) : map_mix(sum, operand);
    }
    if (node->op == EXPR_INPUT)
        sum = hash_input(c, input_get(c->pool->inputs, (InputId){node->word[0]})->name);
    else if (node->op == EXPR_CONST)
        sum = map_mix(node->half[0], node->half[1]);
    else if (node->op == EXPR_EXTRACT)
        sum = map_mix(sum, node->word[1]);
    hash = map_mix(hash, sum);
    *map_insert(&c->hashes, e.id, NULL) = hash;
    return hash;
}

/* A comparison of an object with itself says nothing. */
static bool is_trivial(TestClasses *c, ExprId e)
{
    const ExprNode *node = expr_get(c->pool, e);
    return node->op == EXPR_EQ && hash_expr(c, expr_operand(node, 0)) == hash_expr(c, expr_operand(node, 1));
}

static void add_literal(TestClasses *c, const Choice *choice)
{
    ExprId e = archive_get(inputs_archive(c->machine->inputs), choice->condition, c->pool, &c->known);
    const ExprNode *node = expr_get(c->pool, e);
    bool negated = node->op == EXPR_NOT;
    if (negated)
        e = expr_operand(node, 0);
    if (!is_trivial(c, e))
        VEC_PUSH(&c->facts, map_mix(hash_expr(c, e), (choice->taken != 0) != negated));
}

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Each fact counts once. */
static uint64_t hash_facts(TestClasses *c, const Execution *ex)
{
    uint64_t sum = 0;
    c->facts.count = 0;
    map_reset(&c->hashes);
    for (uint32_t i = 0; i < ex->choice_count; i++)
        if (ex->choices[i].condition)
            add_literal(c, &ex->choices[i]);
    for (uint32_t r = 0; r < c->machine->resolved.count; r++) {
        const ResolvedPath *f = &c->machine->resolved.items[r];
        const char *object = c->names.items[starter_index(c, f->object)];
        VEC_PUSH(&c->facts, map_mix(hash_text(rename_path(c, f->path)), hash_text(object)));
    }
    if (c->facts.count)
        qsort(c->facts.items, c->facts.count, sizeof *c->facts.items, compare);
    for (uint32_t i = 0; i < c->facts.count; i++)
        if (i == 0 || c->facts.items[i] != c->facts.items[i - 1])
            sum = map_mix(sum, c->facts.items[i]);
    return sum;
}

/* ---- The order of steps ------------------------------------------------------------------------ */

static bool conflict(const Machine *machine, const Execution *ex, const Event *a, const Event *b)
{
    uint64_t ignored = footprint_start(machine);
    for (uint32_t i = 0; i < a->access_count; i++)
        for (uint32_t k = 0; k < b->access_count; k++) {
            const Access *x = &ex->accesses[a->first_access + i], *y = &ex->accesses[b->first_access + k];
            if (x->resource != ignored && !bounds_counts_births(machine, x->resource) && accesses_conflict(x, y))
                return true;
        }
    return false;
}

static bool depends(const Machine *machine, const Execution *ex, const Event *earlier, const Event *later)
{
    const Agent *agent = &ex->agents[later->agent];
    return earlier->agent == later->agent ||
           (agent->creator == earlier->agent && agent->creator_step >= earlier->index) ||
           conflict(machine, ex, earlier, later);
}

/* An event is named by its task and all events before it. */
static uint64_t hash_order(TestClasses *c, const Execution *ex)
{
    uint32_t words = ex->event_count / 64 + 1;
    uint64_t class = 0;
    VEC_RESERVE(&c->steps, ex->event_count);
    VEC_RESERVE(&c->pasts, ex->event_count * words);
    memset(c->pasts.items, 0, (size_t)ex->event_count * words * sizeof *c->pasts.items);
    for (uint32_t n = 0; n < ex->event_count; n++) {
        const Event *event = &ex->events[n];
        uint64_t *past = c->pasts.items + (size_t)n * words, sum = 0;
        for (uint32_t i = n; i-- > 0;)
            if (!(past[i / 64] >> i % 64 & 1) && depends(c->machine, ex, &ex->events[i], event))
                for (uint32_t w = 0; w < words; w++)
                    past[w] |= c->pasts.items[(size_t)i * words + w];
        for (uint32_t i = 0; i < n; i++)
            if (past[i / 64] >> i % 64 & 1)
                sum += map_mix(c->steps.items[i], 11);
        c->steps.items[n] = map_mix(names_task_name(c->machine->names, event->agent)->hash + event->index, sum);
        past[n / 64] |= 1ull << n % 64;
        class += map_mix(c->steps.items[n], 13);
    }
    return class;
}

bool testclasses_add(TestClasses *c, const Machine *machine, const Execution *ex, uint64_t *class)
{
    bool added;
    c->machine = machine;
    name_objects(c);
    *class = map_mix(hash_facts(c, ex), hash_order(c, ex)) >> 1;
    map_insert(&c->seen, *class, &added);
    return added;
}
