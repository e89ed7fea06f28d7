/* tighten.c - see tighten.h */
#include "tcg/tighten.h"

#include "abs/run/inputs.h"

enum { MOST_EDGES = 16 }; /* per path: each is a query */

typedef VEC(Literal) Literals;

/* The equation that holds at the boundary of a comparison; EXPR_NONE if it does not compare numbers. */
static ExprId find_edge(ExprPool *pool, ExprId condition, bool holds)
{
    const ExprNode *node = expr_get(pool, condition);
    if (node->op == EXPR_NOT && node->sort == SORT_BOOL)
        return find_edge(pool, expr_operand(node, 0), !holds);
    if (node->op != EXPR_ILT && node->op != EXPR_ILE)
        return EXPR_NONE;
    ExprId low = expr_operand(node, 0), high = expr_operand(node, 1), one = expr_int(pool, 1);
    if (node->op == EXPR_ILT && holds)
        low = expr_binary(pool, EXPR_IADD, low, one);
    if (node->op == EXPR_ILE && !holds)
        high = expr_binary(pool, EXPR_IADD, high, one);
    return expr_binary(pool, EXPR_EQ, low, high);
}

static uint32_t edge_of(Machine *machine, const Literal *literal)
{
    Session *session = inputs_session(machine->inputs);
    Transfer known = {0};
    ExprId condition = archive_get(inputs_archive(machine->inputs), literal->condition, session_pool(session), &known);
    ExprId edge = find_edge(session_pool(session), condition, literal->taken == 0);
    transfer_release(&known);
    return expr_is_none(edge) ? 0 : session_condition(session, edge);
}

/* Adds as many boundaries to the path condition as are satisfiable together. */
static bool add_edges(Machine *machine, Literals *literals)
{
    Session *session = inputs_session(machine->inputs);
    uint32_t path = literals->count, tried = 0;
    for (uint32_t i = 0; i < path && tried < MOST_EDGES; i++) {
        if (session_begin(session, literals->items, literals->count) != SOLVER_SAT)
            return false;
        uint32_t edge = edge_of(machine, &literals->items[i]);
        if (!edge)
            continue;
        tried++;
        VEC_PUSH(literals, ((Literal){.condition = edge}));
        if (session_begin(session, literals->items, literals->count) != SOLVER_SAT)
            literals->count--;
    }
    return literals->count > path && session_begin(session, literals->items, literals->count) == SOLVER_SAT;
}

bool tighten_inputs(AbsProgram *program, TestCase *test)
{
    Machine *machine = (Machine *)program_abs_machine(program);
    Literals literals = {0};
    for (uint32_t i = 0; i < test->choices.count; i++)
        if (test->choices.items[i].condition)
            VEC_PUSH(&literals, test->choices.items[i]);
    bool changed =
        literals.count && machine->inputs && inputs_session(machine->inputs) && add_edges(machine, &literals);
    for (uint32_t i = 0; changed && i < test->inputs.count; i++) {
        TestInput *input = &test->inputs.items[i];
        InputSpec spec = {.name = input->name, .number = input->number, .sort = input->sort, .range = input->range};
        session_input(inputs_session(machine->inputs), &spec, input->value, &input->value);
    }
    VEC_FREE(&literals);
    return changed;
}
