/* support.c - see support.h
 *
 * Design: sets are interned in an arena; the set of a node is the union of its
 * operands' sets, computed bottom-up and remembered by node id. Unions that were
 * computed before are found in a small table.
 */
#include "sym/expr/support.h"

#include <string.h>

#include "base/arena.h"
#include "base/vec.h"
#include "sym/expr/hash.h"

enum { UNION_SLOTS = 1 << 10 };

typedef struct UnionSlot {
    const InputSet *a, *b, *result;
} UnionSlot;

struct Support {
    const ExprPool *pool;
    uint32_t generation;
    Arena arena;
    const InputSet **sets; /* by node id; NULL: not yet known */
    uint32_t room;
    const InputSet **table; /* hash table of all sets */
    uint32_t table_count, table_room;
    const InputSet *empty;
    UnionSlot unions[UNION_SLOTS];
    VEC(uint32_t) stack;
    VEC(InputId) scratch;
    VEC(uint32_t) seen; /* by input: the last walk that met it */
    uint32_t walk;
};

/* ---- Lifecycle ------------------------------------------------------------ */

Support *support_create(const ExprPool *pool)
{
    Support *support = mem_alloc(sizeof *support);
    support->pool = pool;
    support->generation = pool->generation;
    return support;
}

void support_destroy(Support *support)
{
    if (!support)
        return;
    arena_release(&support->arena);
    free(support->sets);
    free(support->table);
    VEC_FREE(&support->stack);
    VEC_FREE(&support->scratch);
    VEC_FREE(&support->seen);
    free(support);
}

static void forget_all(Support *support)
{
    arena_reset(&support->arena);
    memset(support->unions, 0, sizeof support->unions);
    for (uint32_t i = 0; i < support->room; i++)
        support->sets[i] = NULL;
    for (uint32_t i = 0; i < support->table_room; i++)
        support->table[i] = NULL;
    support->table_count = 0;
    support->empty = NULL;
    support->generation = support->pool->generation;
}

static void follow_pool(Support *support)
{
    if (support->generation != support->pool->generation)
        forget_all(support);
    uint32_t count = expr_count(support->pool), room = support->room ? support->room : 256;
    if (count <= support->room)
        return;
    while (room < count)
        room *= 2;
    support->sets = mem_resize(support->sets, room * sizeof *support->sets);
    for (uint32_t i = support->room; i < room; i++)
        support->sets[i] = NULL;
    support->room = room;
}

/* ---- Sets ------------------------------------------------------------------ */

static uint64_t hash_inputs(const InputId *inputs, uint32_t count)
{
    uint64_t h = count;
    for (uint32_t i = 0; i < count; i++)
        h = hash_mix(h, inputs[i].index);
    return h;
}

static const InputSet **find_slot(const Support *support, const InputId *inputs, uint32_t count)
{
    uint32_t mask = support->table_room - 1, i = (uint32_t)hash_inputs(inputs, count) & mask;
    for (const InputSet *set; (set = support->table[i]); i = (i + 1) & mask)
        if (set->count == count && (count == 0 || memcmp(set->inputs, inputs, count * sizeof *inputs) == 0))
            break;
    return &support->table[i];
}

static void grow_table(Support *support)
{
    uint32_t old_room = support->table_room;
    const InputSet **old = support->table;
    support->table_room = old_room ? old_room * 2 : 64;
    support->table = mem_alloc(support->table_room * sizeof *support->table);
    for (uint32_t i = 0; i < old_room; i++)
        if (old[i])
            *find_slot(support, old[i]->inputs, old[i]->count) = old[i];
    free(old);
}

static const InputSet *make_set(Support *support, const InputId *inputs, uint32_t count)
{
    if (support->table_count * 2 >= support->table_room)
        grow_table(support);
    const InputSet **slot = find_slot(support, inputs, count);
    if (!*slot) {
        InputSet *set = arena_alloc(&support->arena, sizeof *set + count * sizeof *inputs);
        set->count = count;
        if (count)
            memcpy(set->inputs, inputs, count * sizeof *inputs);
        *slot = set;
        support->table_count++;
    }
    return *slot;
}

static const InputSet *merge(Support *support, const InputSet *a, const InputSet *b)
{
    uint32_t i = 0, j = 0;
    support->scratch.count = 0;
    while (i < a->count || j < b->count) {
        bool from_a = j == b->count || (i < a->count && a->inputs[i].index <= b->inputs[j].index);
        InputId input = from_a ? a->inputs[i++] : b->inputs[j++];
        if (from_a && j < b->count && b->inputs[j].index == input.index)
            j++;
        VEC_PUSH(&support->scratch, input);
    }
    return make_set(support, support->scratch.items, support->scratch.count);
}

static const InputSet *unite(Support *support, const InputSet *a, const InputSet *b)
{
    if (a == b || b->count == 0)
        return a;
    if (a->count == 0)
        return b;
    UnionSlot *slot = &support->unions[hash_mix((uintptr_t)a, (uintptr_t)b) % UNION_SLOTS];
    if (slot->a != a || slot->b != b)
        *slot = (UnionSlot){a, b, merge(support, a, b)};
    return slot->result;
}

/* ---- Nodes ----------------------------------------------------------------- */

/* The set of a node whose operands' sets are known; else puts them on the stack. */
static const InputSet *try_node(Support *support, const ExprNode *node)
{
    if (node->op == EXPR_INPUT)
        return make_set(support, &(InputId){node->word[0]}, 1);
    const InputSet *set = support->empty;
    uint32_t waiting = support->stack.count;
    for (unsigned i = 0; i < expr_operands((ExprOp)node->op); i++) {
        const InputSet *operand = support->sets[node->word[i]];
        if (!operand)
            VEC_PUSH(&support->stack, node->word[i]);
        else
            set = unite(support, set, operand);
    }
    return support->stack.count == waiting ? set : NULL;
}

const InputSet *support_of(Support *support, ExprId e)
{
    follow_pool(support);
    if (support->sets[e.id])
        return support->sets[e.id];
    if (!support->empty)
        support->empty = make_set(support, NULL, 0);
    VEC_PUSH(&support->stack, e.id);
    while (support->stack.count) {
        uint32_t id = support->stack.items[support->stack.count - 1];
        const InputSet *set = support->sets[id] ? support->sets[id] : try_node(support, &support->pool->nodes[id]);
        if (set) {
            support->sets[id] = set;
            support->stack.count--;
        }
    }
    return support->sets[e.id];
}

static bool is_met_first(Support *support, InputId input)
{
    while (support->seen.count <= input.index)
        VEC_PUSH(&support->seen, 0);
    uint32_t *seen = &support->seen.items[input.index];
    bool first = *seen != support->walk;
    *seen = support->walk;
    return first;
}

const InputId *support_of_all(Support *support, const ExprId *e, uint32_t e_count, uint32_t *count)
{
    for (uint32_t i = 0; i < e_count; i++)
        support_of(support, e[i]);
    support->walk++;
    support->scratch.count = 0;
    for (uint32_t i = 0; i < e_count; i++) {
        const InputSet *set = support->sets[e[i].id];
        for (uint32_t j = 0; j < set->count; j++)
            if (is_met_first(support, set->inputs[j]))
                VEC_PUSH(&support->scratch, set->inputs[j]);
    }
    *count = support->scratch.count;
    return support->scratch.items;
}
