/* shrink.c - see shrink.h */
#include "sym/solve/shrink.h"

typedef struct Shrinking {
    Evaluator *evaluator;
    const ExprId *conditions;
    uint32_t count;
    Assignment *assignment;
} Shrinking;

static bool all_hold(const Shrinking *s)
{
    evaluator_use(s->evaluator, s->assignment);
    for (uint32_t i = s->count; i-- > 0;)
        if (!evaluator_holds(s->evaluator, s->conditions[i]))
            return false;
    return true;
}

/* Keeps the value if the conditions still hold. */
static bool try_value(const Shrinking *s, InputId input, Bits value)
{
    Bits old = assignment_get(s->assignment, input);
    assignment_set(s->assignment, input, value);
    if (all_hold(s))
        return true;
    assignment_set(s->assignment, input, old);
    return false;
}

/* 0, or else by ever smaller steps towards it. */
static void shrink_input(const Shrinking *s, InputId input, Sort sort)
{
    if (assignment_get(s->assignment, input) == 0 || try_value(s, input, 0))
        return;
    SignedBits step = bits_signed(assignment_get(s->assignment, input), sort) / 2;
    for (; step != 0; step /= 2) {
        SignedBits value = bits_signed(assignment_get(s->assignment, input), sort);
        try_value(s, input, bits_cut((Bits)(value - step), sort));
    }
}

void shrink_assignment(Evaluator *evaluator, const ExprPool *pool, const ExprId *conditions, uint32_t count,
                       const InputId *inputs, uint32_t input_count, Assignment *assignment)
{
    Shrinking s = {evaluator, conditions, count, assignment};
    for (uint32_t i = 0; i < input_count; i++)
        shrink_input(&s, inputs[i], input_get(pool->inputs, inputs[i])->sort);
}
