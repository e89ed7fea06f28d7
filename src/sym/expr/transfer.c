/* transfer.c - see transfer.h */
#include "sym/expr/transfer.h"

#include <string.h>

#include "sym/expr/simplify_internal.h"

void transfer_release(Transfer *transfer)
{
    free(transfer->ids);
    VEC_FREE(&transfer->stack);
    *transfer = (Transfer){0};
}

void transfer_reset(Transfer *transfer)
{
    if (transfer->room)
        memset(transfer->ids, 0, (size_t)transfer->room * sizeof *transfer->ids);
}

static void reserve(Transfer *transfer, uint32_t id)
{
    uint32_t room = transfer->room ? transfer->room : 1024;
    if (id < transfer->room)
        return;
    while (room <= id)
        room *= 2;
    transfer->ids = mem_resize(transfer->ids, (size_t)room * sizeof *transfer->ids);
    memset(transfer->ids + transfer->room, 0, (size_t)(room - transfer->room) * sizeof *transfer->ids);
    transfer->room = room;
}

static ExprId copy_leaf(const ExprPool *from, const ExprNode *node, ExprPool *to)
{
    if (node->op == EXPR_CONST)
        return expr_const(to, node->sort, expr_value(node));
    const Input *input = input_get(from->inputs, (InputId){node->word[0]});
    return expr_input(to, input_make_limited(to->inputs, input->name, input->number, input->sort, &input->range));
}

/* The operands have been copied. */
static ExprId copy_node(const Transfer *transfer, const ExprPool *from, const ExprNode *node, ExprPool *to)
{
    if (node->op == EXPR_CONST || node->op == EXPR_INPUT)
        return copy_leaf(from, node, to);
    ExprId operands[3] = {EXPR_NONE, EXPR_NONE, EXPR_NONE};
    for (unsigned i = 0; i < expr_operands((ExprOp)node->op); i++)
        operands[i].id = transfer->ids[node->word[i]];
    if (node->op == EXPR_EXTRACT)
        operands[1].id = node->word[1];
    return expr_intern(to, (ExprOp)node->op, node->sort, operands[0], operands[1], operands[2]);
}

/* Whether all operands have been copied; those that have not are put on the stack. */
static bool is_ready(Transfer *transfer, const ExprNode *node)
{
    uint32_t waiting = transfer->stack.count;
    for (unsigned i = 0; i < expr_operands((ExprOp)node->op); i++)
        if (!transfer->ids[node->word[i]])
            VEC_PUSH(&transfer->stack, node->word[i]);
    return transfer->stack.count == waiting;
}

ExprId transfer_copy(Transfer *transfer, const ExprPool *from, ExprId e, ExprPool *to)
{
    reserve(transfer, e.id); /* operands have smaller numbers */
    transfer->stack.count = 0;
    VEC_PUSH(&transfer->stack, e.id);
    while (transfer->stack.count) {
        uint32_t id = transfer->stack.items[transfer->stack.count - 1];
        const ExprNode *node = &from->nodes[id];
        if (!transfer->ids[id] && !is_ready(transfer, node))
            continue;
        if (!transfer->ids[id])
            transfer->ids[id] = copy_node(transfer, from, node, to).id;
        transfer->stack.count--;
    }
    return (ExprId){transfer->ids[e.id]};
}
