/* choices.c - see choices.h */
#include "sym/expr/choices.h"

enum { MOST_NODES = 20000 };

typedef struct Count {
    const ExprPool *pool;
    uint64_t most;
    uint32_t nodes;     /* looked at */
} Count;

static uint64_t cap(const Count *count, uint64_t values)
{
    return values > count->most ? count->most + 1 : values;
}

/* At most this many values; count->most + 1 for too many. */
static uint64_t values_of(Count *count, ExprId e)
{
    const ExprNode *node = expr_get(count->pool, e);
    uint64_t narrow = node->sort < 32 ? 1ull << node->sort : count->most + 1, values = 1;
    if (node->op == EXPR_CONST)
        return 1;
    if (node->op == EXPR_INPUT || narrow <= 2 || ++count->nodes > MOST_NODES)
        return cap(count, narrow);
    if (node->op == EXPR_ITE)
        return cap(count, values_of(count, expr_operand(node, 1)) + values_of(count, expr_operand(node, 2)));
    for (unsigned i = 0; i < expr_operands((ExprOp)node->op) && values <= count->most; i++)
        values *= values_of(count, expr_operand(node, i));
    return cap(count, values < narrow ? values : narrow);
}

bool choices_are_few(const ExprPool *pool, ExprId e, uint64_t most)
{
    return values_of(&(Count){.pool = pool, .most = most}, e) <= most;
}
