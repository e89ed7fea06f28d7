/* shadow_size.c - see shadow_size.h */
#include "rt/inputs/shadow_size.h"

#include "rt/inputs/branch.h"
#include "rt/inputs/concretise.h"
#include "rt/inputs/tracking.h"
#include "rt/kernel/layout.h"

static ExprId constant(uint64_t value) { return expr_const(tracking.pool, 64, value); }

static bool decide_at_most(ExprId size, uint64_t concrete, uint64_t limit)
{
    branch_decide(expr_binary(tracking.pool, EXPR_ULE, size, constant(limit)), concrete <= limit);
    return concrete <= limit;
}

uint64_t shadow_size_room(uint32_t shadow, uint64_t size)
{
    static const uint64_t rooms[] = {256, 1 << 16};
    for (unsigned i = 0; i < sizeof rooms / sizeof *rooms; i++)
        if (decide_at_most(shadow_expr(shadow), size, rooms[i]))
            return rooms[i];
    if (decide_at_most(shadow_expr(shadow), size, ADDRESS_SPACE))
        concretise_value(shadow_expr(shadow), size, "size of a large block");
    return 0;
}

uint32_t shadow_size_product(const uint32_t *shadows, uint64_t count, uint64_t size)
{
    ExprPool *pool = tracking.pool;
    if (shadows[0] && shadows[1])
        branch_pin(shadow_expr(shadows[1]), size);
    bool first = shadows[0] != 0;
    ExprId factor = shadow_expr(shadows[first ? 0 : 1]);
    uint64_t by = first ? size : count;
    if (by == 0 || !decide_at_most(factor, first ? count : size, UINT64_MAX / by))
        return 0;
    ExprId product = expr_binary(pool, EXPR_MUL, factor, constant(by));
    return shadow_of_expr(product);
}

void shadow_size_decide(uint32_t shadow, uint64_t end, bool inside, bool in_step)
{
    ExprId condition = expr_binary(tracking.pool, EXPR_ULE, constant(end), shadow_expr(shadow));
    if (in_step)
        branch_decide_in_step(condition, inside);
    else
        branch_decide(condition, inside);
}
