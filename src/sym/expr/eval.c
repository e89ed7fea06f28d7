/* eval.c - see eval.h
 *
 * Design: values by node id, valid where the stamp is the current one, so that a new
 * assignment costs nothing. Goes down with a stack of its own: expressions may be
 * deeper than the stack of a coroutine.
 */
#include "sym/expr/eval.h"

#include "base/vec.h"
#include "sym/expr/op.h"

struct Evaluator {
    const ExprPool *pool;
    const Assignment *assignment;
    Bits *values;
    uint32_t *stamps;
    uint32_t room;
    uint32_t stamp; /* its lowest bit is 0; with it set, the value did not fit 128 bits */
    uint32_t generation;
    VEC(uint32_t) stack;
};

Evaluator *evaluator_create(const ExprPool *pool)
{
    Evaluator *evaluator = mem_alloc(sizeof *evaluator);
    evaluator->pool = pool;
    evaluator->stamp = 2;
    return evaluator;
}

void evaluator_destroy(Evaluator *evaluator)
{
    if (!evaluator)
        return;
    free(evaluator->values);
    free(evaluator->stamps);
    VEC_FREE(&evaluator->stack);
    free(evaluator);
}

static void forget_all(Evaluator *evaluator)
{
    evaluator->stamp += 2;
    if (evaluator->stamp != 0)
        return;
    for (uint32_t i = 0; i < evaluator->room; i++)
        evaluator->stamps[i] = 0;
    evaluator->stamp = 2;
}

void evaluator_use(Evaluator *evaluator, const Assignment *assignment)
{
    evaluator->assignment = assignment;
    forget_all(evaluator);
}

/* Makes room for all nodes; forgets everything if ids have changed their meaning. */
static void follow_pool(Evaluator *evaluator)
{
    if (evaluator->generation != evaluator->pool->generation) {
        evaluator->generation = evaluator->pool->generation;
        forget_all(evaluator);
    }
    uint32_t count = expr_count(evaluator->pool);
    if (count <= evaluator->room)
        return;
    uint32_t room = evaluator->room ? evaluator->room : 256;
    while (room < count)
        room *= 2;
    evaluator->values = mem_resize(evaluator->values, room * sizeof *evaluator->values);
    evaluator->stamps = mem_resize(evaluator->stamps, room * sizeof *evaluator->stamps);
    for (uint32_t i = evaluator->room; i < room; i++)
        evaluator->stamps[i] = 0;
    evaluator->room = room;
}

static bool is_known(const Evaluator *evaluator, uint32_t id)
{
    return (evaluator->stamps[id] & ~1u) == evaluator->stamp;
}

static bool is_leaf(const ExprNode *node)
{
    return node->op == EXPR_CONST || node->op == EXPR_INPUT;
}

static Bits leaf_value(const Evaluator *evaluator, const ExprNode *node)
{
    return node->op == EXPR_CONST ? expr_value(node)
                                  : assignment_get(evaluator->assignment, (InputId){node->word[0]});
}

/* Reads an operand if its value is there; else puts it on the stack. */
static bool read_operand(Evaluator *evaluator, uint32_t id, Bits *value, bool *fits)
{
    const ExprNode *node = &evaluator->pool->nodes[id];
    if (is_leaf(node)) {
        *value = leaf_value(evaluator, node);
        return true;
    }
    if (!is_known(evaluator, id)) {
        VEC_PUSH(&evaluator->stack, id);
        return false;
    }
    *value = evaluator->values[id];
    *fits = *fits && !(evaluator->stamps[id] & 1);
    return true;
}

/* Evaluates the node if its operands are known; else leaves them on the stack. */
static void visit(Evaluator *evaluator, uint32_t id)
{
    const ExprNode *node = &evaluator->pool->nodes[id];
    Bits operands[3] = {0}, value = 0;
    bool fits = true, ready = true;
    unsigned count = expr_operands((ExprOp)node->op);
    for (unsigned i = 0; i < count && node->op != EXPR_ITE; i++)
        ready &= read_operand(evaluator, node->word[i], &operands[i], &fits);
    if (node->op == EXPR_ITE && (ready = read_operand(evaluator, node->word[0], &operands[0], &fits)))
        ready = read_operand(evaluator, node->word[operands[0] ? 1 : 2], &operands[operands[0] ? 1 : 2], &fits);
    if (!ready)
        return;
    if (fits)
        fits = op_apply((ExprOp)node->op, op_operand_sort(evaluator->pool, node), op_extra(evaluator->pool, node),
                        operands, &value);
    evaluator->values[id] = bits_cut(value, node->sort);
    evaluator->stamps[id] = evaluator->stamp | !fits;
    evaluator->stack.count--;
}

bool evaluator_get(Evaluator *evaluator, ExprId e, Bits *value)
{
    follow_pool(evaluator);
    bool fits = true;
    evaluator->stack.count = 0;
    while (!read_operand(evaluator, e.id, value, &fits)) {
        while (evaluator->stack.count) {
            uint32_t id = evaluator->stack.items[evaluator->stack.count - 1];
            if (is_known(evaluator, id))
                evaluator->stack.count--;
            else
                visit(evaluator, id);
        }
    }
    return fits;
}

bool evaluator_holds(Evaluator *evaluator, ExprId e)
{
    Bits value = 0;
    return evaluator_get(evaluator, e, &value) && value == 1;
}
