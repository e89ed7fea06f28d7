/* pathcond.c - see pathcond.h
 *
 * Design: a union-find over inputs without path compression, so that each union can be
 * undone, and for every group of connected inputs a linked list of its conditions. Two
 * groups become one by hanging one list behind the other. The trail says what to undo.
 * A part that a later one implies (partbounds.h) stays, but is left out of the groups.
 */
#include "sym/solve/pathcond.h"

#include <string.h>

#include "base/vec.h"
#include "sym/solve/partbounds.h"

enum { NO_INPUT = UINT32_MAX, NO_WITNESS = 0 };

/* A condition of the path. */
typedef struct Part {
    ExprId condition;
    uint32_t input;      /* one of its inputs, or NO_INPUT */
    uint32_t next;       /* part of the same group, plus 1; 0 ends */
    uint32_t trail;      /* length of the trail before it came */
    uint32_t implied;    /* by how many later parts */
    bool is_false;
} Part;

/* What is known of an input; of a whole group if it is the root. */
typedef struct Group {
    uint32_t parent; /* itself for a root */
    uint32_t size;
    uint32_t head, tail; /* parts plus 1; 0: none */
    uint32_t seen;       /* the walk that has been here */
} Group;

/* `root` got the list of `joined` (or one part, if joined is NO_INPUT). */
typedef struct Undo {
    uint32_t root, joined, old_tail;
} Undo;

struct PathCond {
    ExprPool *pool;
    Support *support;
    Evaluator *evaluator;
    PartBounds *bounds;
    Assignment witness;
    uint32_t witness_limit; /* it satisfies this many parts at most, plus 1; 0: no witness */
    uint32_t contradictions;
    uint32_t loose; /* parts without inputs: constants that do not fit 128 bits */
    uint32_t walk;
    VEC(Part) parts;
    VEC(Group) groups;        /* by input */
    VEC(Undo) trail;
    VEC(uint32_t) positions;  /* by node id: its part plus 1, or 0 */
    VEC(uint32_t) found;      /* scratch */
};

/* ---- Lifecycle -------------------------------------------------------------- */

PathCond *pathcond_create(ExprPool *pool)
{
    PathCond *pc = mem_alloc(sizeof *pc);
    pc->pool = pool;
    pc->support = support_create(pool);
    pc->evaluator = evaluator_create(pool);
    pc->bounds = partbounds_create(pool);
    evaluator_use(pc->evaluator, &pc->witness);
    return pc;
}

void pathcond_destroy(PathCond *pc)
{
    if (!pc)
        return;
    support_destroy(pc->support);
    evaluator_destroy(pc->evaluator);
    partbounds_destroy(pc->bounds);
    assignment_release(&pc->witness);
    VEC_FREE(&pc->parts);
    VEC_FREE(&pc->groups);
    VEC_FREE(&pc->trail);
    VEC_FREE(&pc->positions);
    VEC_FREE(&pc->found);
    free(pc);
}

void pathcond_reset(PathCond *pc)
{
    pathcond_pop(pc, (PathMark){0});
    pc->witness_limit = NO_WITNESS;
}

/* ---- Groups of inputs -------------------------------------------------------- */

static Group *group_of(PathCond *pc, uint32_t input)
{
    while (pc->groups.count <= input) {
        Group fresh = {.parent = pc->groups.count, .size = 1};
        VEC_PUSH(&pc->groups, fresh);
    }
    return &pc->groups.items[input];
}

static uint32_t find_root(PathCond *pc, uint32_t input)
{
    group_of(pc, input);
    while (pc->groups.items[input].parent != input)
        input = pc->groups.items[input].parent;
    return input;
}

/* Hangs the list head..tail behind that of `root`, noting how to undo it. */
static void append_list(PathCond *pc, uint32_t root, uint32_t joined, uint32_t head, uint32_t tail)
{
    Group *group = &pc->groups.items[root];
    Undo undo = {root, joined, group->tail};
    VEC_PUSH(&pc->trail, undo);
    if (head == 0)
        return;
    if (group->tail)
        pc->parts.items[group->tail - 1].next = head;
    else
        group->head = head;
    group->tail = tail;
}

static uint32_t join_groups(PathCond *pc, uint32_t a, uint32_t b)
{
    a = find_root(pc, a);
    b = find_root(pc, b);
    if (a == b)
        return a;
    if (pc->groups.items[a].size < pc->groups.items[b].size) {
        uint32_t t = a;
        a = b;
        b = t;
    }
    Group *small = &pc->groups.items[b];
    append_list(pc, a, b, small->head, small->tail);
    small->parent = a;
    pc->groups.items[a].size += small->size;
    return a;
}

static void undo_last(PathCond *pc)
{
    Undo undo = pc->trail.items[--pc->trail.count];
    Group *group = &pc->groups.items[undo.root];
    group->tail = undo.old_tail;
    if (group->tail)
        pc->parts.items[group->tail - 1].next = 0;
    else
        group->head = 0;
    if (undo.joined == NO_INPUT)
        return;
    pc->groups.items[undo.joined].parent = undo.joined;
    group->size -= pc->groups.items[undo.joined].size;
}

/* ---- The witness -------------------------------------------------------------- */

static void test_witness(PathCond *pc, uint32_t from)
{
    for (uint32_t i = from; i < pc->parts.count && pc->witness_limit > i; i++)
        if (!evaluator_holds(pc->evaluator, pc->parts.items[i].condition))
            pc->witness_limit = i + 1;
}

void pathcond_renew_witness(PathCond *pc, const Assignment *witness, PathMark held)
{
    assignment_copy(&pc->witness, witness);
    evaluator_use(pc->evaluator, &pc->witness);
    pc->witness_limit = UINT32_MAX;
    test_witness(pc, held.count);
}

void pathcond_set_witness(PathCond *pc, const Assignment *witness)
{
    pathcond_renew_witness(pc, witness, (PathMark){0});
}

const Assignment *pathcond_find_witness_below(const PathCond *pc, uint32_t count)
{
    return count < pc->witness_limit ? &pc->witness : NULL;
}

uint32_t pathcond_witness_reach(const PathCond *pc)
{
    if (pc->witness_limit == NO_WITNESS)
        return 0;
    return pc->witness_limit - 1 < pc->parts.count ? pc->witness_limit - 1 : pc->parts.count;
}

/* ---- Adding and taking back ----------------------------------------------------- */

static uint32_t *position_of(PathCond *pc, ExprId condition)
{
    uint32_t count = expr_count(pc->pool);
    if (pc->positions.count < count) {
        VEC_RESERVE(&pc->positions, count);
        memset(pc->positions.items + pc->positions.count, 0,
               (pc->positions.room - pc->positions.count) * sizeof(uint32_t));
        pc->positions.count = pc->positions.room;
    }
    return &pc->positions.items[condition.id];
}

static void link_part(PathCond *pc, uint32_t index)
{
    Part *part = &pc->parts.items[index];
    const InputSet *inputs = support_of(pc->support, part->condition);
    if (inputs->count == 0)
        return;
    part->input = inputs->inputs[0].index;
    uint32_t root = find_root(pc, part->input);
    for (uint32_t i = 1; i < inputs->count; i++)
        root = join_groups(pc, root, inputs->inputs[i].index);
    append_list(pc, root, NO_INPUT, index + 1, index + 1);
}

/* Excludes the parts that follow from this one from their groups, or includes them again. */
static void shadow_implied(PathCond *pc, uint32_t index, bool shadow)
{
    uint32_t implied[PARTBOUNDS_REPLACED], count = partbounds_replaced(pc->bounds, index, implied);
    for (uint32_t i = 0; i < count; i++) {
        Part *part = &pc->parts.items[implied[i]];
        part->implied += shadow ? 1u : -1u;
    }
}

static void add_part(PathCond *pc, ExprId condition)
{
    uint32_t *position = position_of(pc, condition);
    BoundVerdict verdict = partbounds_decide(pc->bounds, condition);
    if (*position || expr_is_true(pc->pool, condition) || verdict == BOUND_HOLDS)
        return;
    Part part = {condition, NO_INPUT, 0, pc->trail.count, 0,
                 expr_is_false(pc->pool, condition) || verdict == BOUND_FAILS};
    VEC_PUSH(&pc->parts, part);
    *position = pc->parts.count;
    pc->contradictions += part.is_false;
    if (!part.is_false)
        partbounds_add(pc->bounds, condition, pc->parts.count - 1);
    shadow_implied(pc, pc->parts.count - 1, true);
    link_part(pc, pc->parts.count - 1);
    pc->loose += pc->parts.items[pc->parts.count - 1].input == NO_INPUT;
    test_witness(pc, pc->parts.count - 1);
}

/* The two halves of a conjunction: a & b, or ~(a | b). */
static bool halve(ExprPool *pool, ExprId e, ExprId halves[2])
{
    const ExprNode *node = expr_get(pool, e);
    bool negated = node->op == EXPR_NOT;
    if (negated)
        node = expr_get(pool, expr_operand(node, 0));
    if (node->op != (negated ? EXPR_OR : EXPR_AND))
        return false;
    for (unsigned i = 0; i < 2; i++)
        halves[i] = negated ? expr_not(pool, expr_operand(node, i)) : expr_operand(node, i);
    return true;
}

void pathcond_add(PathCond *pc, ExprId condition)
{
    assert(expr_sort(pc->pool, condition) == SORT_BOOL);
    ExprId halves[2];
    if (!halve(pc->pool, condition, halves)) {
        add_part(pc, condition);
        return;
    }
    pathcond_add(pc, halves[0]);
    pathcond_add(pc, halves[1]);
}

PathMark pathcond_mark(const PathCond *pc)
{
    return (PathMark){pc->parts.count};
}

void pathcond_pop(PathCond *pc, PathMark mark)
{
    assert(mark.count <= pc->parts.count);
    while (pc->parts.count > mark.count) {
        Part part = pc->parts.items[pc->parts.count - 1];
        while (pc->trail.count > part.trail)
            undo_last(pc);
        shadow_implied(pc, pc->parts.count - 1, false);
        partbounds_remove(pc->bounds, pc->parts.count - 1);
        pc->parts.count--;
        pc->positions.items[part.condition.id] = 0;
        pc->contradictions -= part.is_false;
        pc->loose -= part.input == NO_INPUT;
    }
    /* The condition that the witness violates may have been removed. */
    if (pc->witness_limit != NO_WITNESS && pc->witness_limit > mark.count)
        pc->witness_limit = UINT32_MAX;
}

/* ---- Queries ---------------------------------------------------------------------- */

uint32_t pathcond_count(const PathCond *pc)
{
    return pc->parts.count;
}

ExprId pathcond_get(const PathCond *pc, uint32_t i)
{
    assert(i < pc->parts.count);
    return pc->parts.items[i].condition;
}

ExprPool *pathcond_pool(const PathCond *pc)
{
    return pc->pool;
}

bool pathcond_is_false(const PathCond *pc)
{
    return pc->contradictions > 0;
}

int pathcond_decides(PathCond *pc, ExprId condition)
{
    ExprId halves[2];
    Bits value;
    if (expr_is_const(pc->pool, condition, &value))
        return value ? 1 : 0;
    if (halve(pc->pool, condition, halves)) {
        int first = pathcond_decides(pc, halves[0]), second = pathcond_decides(pc, halves[1]);
        return first == 0 || second == 0 ? 0 : first == 1 && second == 1 ? 1 : -1;
    }
    BoundVerdict verdict = partbounds_decide(pc->bounds, condition);
    if (verdict != BOUND_OPEN)
        return verdict == BOUND_HOLDS;
    if (*position_of(pc, condition))
        return 1;
    ExprId negation = expr_not(pc->pool, condition);
    if (halve(pc->pool, negation, halves))
        return pathcond_decides(pc, negation) == 1 ? 0 : -1;
    return *position_of(pc, negation) ? 0 : -1;
}

/* ---- Slices ------------------------------------------------------------------------ */

/* `group` may be NULL. */
static void collect_group(PathCond *pc, const Group *group)
{
    for (uint32_t i = group ? group->head : 0; i; i = pc->parts.items[i - 1].next)
        if (!pc->parts.items[i - 1].implied)
            VEC_PUSH(&pc->found, i - 1);
}

static int compare_numbers(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static bool is_sorted(const uint32_t *numbers, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        if (numbers[i - 1] > numbers[i])
            return false;
    return true;
}

/* The found parts in program order. */
static uint32_t give_found(PathCond *pc, ExprId *conditions)
{
    uint32_t *found = pc->found.items, count = pc->found.count;
    if (!is_sorted(found, count))
        qsort(found, count, sizeof *found, compare_numbers);
    for (uint32_t i = 0; i < count; i++)
        conditions[i] = pc->parts.items[found[i]].condition;
    return count;
}

/* The group that the part belongs to, the first time that this walk meets it; else NULL. */
static const Group *enter_group(PathCond *pc, uint32_t index)
{
    uint32_t input = pc->parts.items[index].input;
    if (input == NO_INPUT)
        return NULL;
    Group *group = &pc->groups.items[find_root(pc, input)];
    if (group->seen == pc->walk)
        return NULL;
    group->seen = pc->walk;
    return group;
}

/* Parts without inputs belong to every group: it is not known whether they hold. */
static void collect_loose(PathCond *pc)
{
    for (uint32_t i = 0; pc->loose && i < pc->parts.count; i++)
        if (pc->parts.items[i].input == NO_INPUT)
            VEC_PUSH(&pc->found, i);
}

static uint32_t count_from(const PathCond *pc, uint32_t from)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < pc->found.count; i++)
        count += pc->found.items[i] >= from;
    return count;
}

uint32_t pathcond_next_group(PathCond *pc, GroupWalk *walk, ExprId *conditions, uint32_t *fresh)
{
    uint32_t count = pc->parts.count;
    pc->found.count = 0;
    if (walk->steps == 0) {
        pc->walk++;
        collect_loose(pc);
    }
    /* Parts without inputs go with the first group. */
    for (uint32_t found = pc->found.count; walk->steps < count && pc->found.count == found; walk->steps++)
        collect_group(pc, enter_group(pc, (walk->from + walk->steps) % count));
    *fresh = count_from(pc, walk->from);
    return give_found(pc, conditions);
}
