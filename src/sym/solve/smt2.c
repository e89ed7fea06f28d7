/* smt2.c - see smt2.h */
#include "sym/solve/smt2.h"

#include "sym/expr/cone.h"
#include "sym/expr/print.h"

static const char *const smtlib[] = {
#define EXPR(name, operands, family, infix, text) text,
#include "sym/expr/expr.def"
#undef EXPR
};

/* ---- Names and constants ----------------------------------------------------- */

/* |x| or |packet#2|; a bar or backslash in a name cannot be quoted, so they go. */
static void write_input(const ExprPool *pool, InputId input, Text *text)
{
    const Input *record = input_get(pool->inputs, input);
    text_add_string(text, "|");
    for (const char *c = record->name; *c; c++)
        text_add(text, "%c", *c == '|' || *c == '\\' ? '_' : *c);
    text_add(text, "#%u:%u|", record->number, record->sort);
}

static void write_sort(Sort sort, Text *text)
{
    if (sort == SORT_INT)
        text_add_string(text, "Int");
    else if (sort == SORT_BOOL)
        text_add_string(text, "Bool");
    else
        text_add(text, "(_ BitVec %u)", sort);
}

static void write_const(Bits value, Sort sort, Text *text)
{
    if (sort == SORT_BOOL) {
        text_add_string(text, value ? "true" : "false");
    } else if (sort == SORT_INT) {
        bool negative = (SignedBits)value < 0;
        text_add_string(text, negative ? "(- " : "");
        print_number(negative ? -value : value, text);
        text_add_string(text, negative ? ")" : "");
    } else {
        text_add_string(text, "(_ bv");
        print_number(value, text);
        text_add(text, " %u)", sort);
    }
}

static void write_operand(const ExprPool *pool, ExprId e, Text *text)
{
    const ExprNode *node = expr_get(pool, e);
    if (node->op == EXPR_CONST)
        write_const(expr_value(node), node->sort, text);
    else if (node->op == EXPR_INPUT)
        write_input(pool, (InputId){node->word[0]}, text);
    else
        text_add(text, "e%u", e.id);
}

/* A Bool as a bit-vector of width 1. */
static void write_operand_bits(const ExprPool *pool, ExprId e, Text *text)
{
    bool is_bool = expr_sort(pool, e) == SORT_BOOL;
    text_add_string(text, is_bool ? "(ite " : "");
    write_operand(pool, e, text);
    text_add_string(text, is_bool ? " #b1 #b0)" : "");
}

/* ---- Operations ---------------------------------------------------------------- */

/* Operations that have the same meaning on Bool, and what they are called there. */
static const char *boolean_name(uint8_t op)
{
    switch (op) {
    case EXPR_AND: return "and";
    case EXPR_OR: return "or";
    case EXPR_XOR: return "xor";
    case EXPR_NOT: return "not";
    case EXPR_EQ: return "=";
    case EXPR_ITE: return "ite";
    default: return NULL;
    }
}

static bool gives_bool(uint8_t op)
{
    return op == EXPR_EQ || op == EXPR_ULT || op == EXPR_ULE || op == EXPR_SLT || op == EXPR_SLE ||
           op == EXPR_ILT || op == EXPR_ILE;
}

static void write_plain(const ExprPool *pool, const ExprNode *node, const char *name, Text *text)
{
    text_add(text, "(%s", name);
    for (unsigned i = 0; i < expr_operands((ExprOp)node->op); i++) {
        text_add_string(text, " ");
        write_operand(pool, expr_operand(node, i), text);
    }
    text_add_string(text, ")");
}

/* SMT-LIB's div and mod keep the remainder positive; ours round to zero or down. */
static void write_division(const ExprPool *pool, const ExprNode *node, Text *text)
{
    Text a = {0}, b = {0}, q = {0};
    write_operand(pool, expr_operand(node, 0), &a);
    write_operand(pool, expr_operand(node, 1), &b);
    const char *x = text_borrow(&a), *y = text_borrow(&b);
    if (node->op == EXPR_IQUO || node->op == EXPR_IREM)
        text_add(&q, "(ite (= %s 0) 0 (ite (>= %s 0) (div %s %s) (- (div (- %s) %s))))", y, x, x, y, x, y);
    else
        text_add(&q, "(ite (= %s 0) 0 (ite (> %s 0) (div %s %s) (div (- %s) (- %s))))", y, y, x, y, x, y);
    if (node->op == EXPR_IQUO || node->op == EXPR_IDIV)
        text_add_string(text, text_borrow(&q));
    else
        text_add(text, "(- %s (* %s %s))", x, text_borrow(&q), y);
    text_release(&a);
    text_release(&b);
    text_release(&q);
}

static void write_bits_operation(const ExprPool *pool, const ExprNode *node, Text *text)
{
    unsigned inner = expr_sort(pool, expr_operand(node, 0));
    if (node->op == EXPR_EXTRACT)
        text_add(text, "((_ extract %u %u)", node->word[1] + node->sort - 1, node->word[1]);
    else if (node->op == EXPR_ZEXT || node->op == EXPR_SEXT)
        text_add(text, "((_ %s %u)", smtlib[node->op], node->sort - inner);
    else
        text_add(text, "(%s", smtlib[node->op]);
    for (unsigned i = 0; i < expr_operands((ExprOp)node->op); i++) {
        text_add_string(text, " ");
        write_operand_bits(pool, expr_operand(node, i), text);
    }
    text_add_string(text, ")");
}

static void write_operation(const ExprPool *pool, const ExprNode *node, Text *text)
{
    Sort operand_sort = expr_sort(pool, expr_operand(node, node->op == EXPR_ITE ? 1 : 0));
    if (operand_sort == SORT_BOOL && boolean_name(node->op)) {
        write_plain(pool, node, boolean_name(node->op), text);
    } else if (node->op == EXPR_ITE || operand_sort == SORT_INT) {
        if (smtlib[node->op][0])
            write_plain(pool, node, smtlib[node->op], text);
        else
            write_division(pool, node, text);
    } else if (node->sort == SORT_BOOL && !gives_bool(node->op)) {
        text_add_string(text, "(= ");
        write_bits_operation(pool, node, text);
        text_add_string(text, " #b1)");
    } else {
        write_bits_operation(pool, node, text);
    }
}

/* ---- Scripts --------------------------------------------------------------------- */

static void write_node(const ExprPool *pool, ExprId e, Text *text)
{
    const ExprNode *node = expr_get(pool, e);
    if (node->op == EXPR_CONST)
        return;
    text_add_string(text, node->op == EXPR_INPUT ? "(declare-const " : "(define-fun ");
    write_operand(pool, e, text);
    text_add_string(text, node->op == EXPR_INPUT ? " " : " () ");
    write_sort(node->sort, text);
    if (node->op != EXPR_INPUT) {
        text_add_string(text, " ");
        write_operation(pool, node, text);
    }
    text_add_string(text, ")\n");
}

void smt2_write_query(const ExprPool *pool, const ExprId *conditions, uint32_t count, Text *text)
{
    Cone *cone = cone_create(pool);
    uint32_t nodes;
    const ExprId *order = cone_collect(cone, conditions, count, &nodes);
    text_add_string(text, "(set-option :produce-models true)\n(set-logic ALL)\n");
    for (uint32_t i = 0; i < nodes; i++)
        write_node(pool, order[i], text);
    for (uint32_t i = 0; i < count; i++) {
        text_add_string(text, "(assert ");
        write_operand(pool, conditions[i], text);
        text_add_string(text, ")\n");
    }
    text_add_string(text, "(check-sat)\n(get-model)\n");
    cone_destroy(cone);
}
