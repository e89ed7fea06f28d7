/* print.c - see print.h */
#include "sym/expr/print.h"

enum { DEEPEST = 12 };

static const char *const infix[] = {
#define EXPR(name, operands, family, text, smtlib) text,
#include "sym/expr/expr.def"
#undef EXPR
};

void print_input(const ExprPool *pool, InputId input, Text *text)
{
    const Input *record = input_get(pool->inputs, input);
    text_add_string(text, record->name);
    if (record->number > 0)
        text_add(text, "#%u", record->number);
}

void print_number(Bits value, Text *text)
{
    char digits[40];
    unsigned n = sizeof digits;
    digits[--n] = '\0';
    do {
        digits[--n] = (char)('0' + (int)(value % 10));
        value /= 10;
    } while (value);
    text_add_string(text, digits + n);
}

void print_value(Bits value, Sort sort, Text *text)
{
    if (sort == SORT_BOOL) {
        text_add_string(text, value ? "true" : "false");
        return;
    }
    bool negative = bits_signed(value, sort) < 0;
    if (negative)
        text_add_string(text, "-");
    print_number(negative ? -(Bits)bits_signed(value, sort) : value, text);
}

static void print_below(const ExprPool *pool, ExprId e, int depth, Text *text);

static void print_operation(const ExprPool *pool, const ExprNode *node, int depth, Text *text)
{
    ExprId a = expr_operand(node, 0), b = expr_operand(node, 1);
    switch (node->op) {
    case EXPR_EXTRACT:
        print_below(pool, a, depth, text);
        text_add(text, "[%u:%u]", node->word[1] + node->sort - 1, node->word[1]);
        return;
    case EXPR_ZEXT:
    case EXPR_SEXT:
        text_add(text, "%s%u(", infix[node->op], node->sort);
        print_below(pool, a, depth, text);
        break;
    case EXPR_ITE:
        text_add_string(text, "(");
        print_below(pool, a, depth, text);
        text_add_string(text, " ? ");
        print_below(pool, b, depth, text);
        text_add_string(text, " : ");
        print_below(pool, expr_operand(node, 2), depth, text);
        break;
    default:
        text_add_string(text, "(");
        if (expr_operands((ExprOp)node->op) == 2)
            print_below(pool, a, depth, text);
        text_add(text, expr_operands((ExprOp)node->op) == 2 ? " %s " : "%s", infix[node->op]);
        print_below(pool, expr_operands((ExprOp)node->op) == 2 ? b : a, depth, text);
    }
    text_add_string(text, ")");
}

static void print_below(const ExprPool *pool, ExprId e, int depth, Text *text)
{
    const ExprNode *node = expr_get(pool, e);
    if (node->op == EXPR_CONST)
        print_value(expr_value(node), node->sort, text);
    else if (node->op == EXPR_INPUT)
        print_input(pool, (InputId){node->word[0]}, text);
    else if (depth == DEEPEST)
        text_add_string(text, "...");
    else
        print_operation(pool, node, depth + 1, text);
}

void print_expr(const ExprPool *pool, ExprId e, Text *text)
{
    print_below(pool, e, 0, text);
}
