/* print_abs.c - see print_abs.h */
#include "tcg/print_abs.h"

#include <string.h>

#include "sym/expr/print.h"

enum { DEEPEST = 24 };

/* How tightly an operator binds, loosest first. */
typedef enum Precedence {
    PRECEDENCE_ANY,
    PRECEDENCE_OR,
    PRECEDENCE_AND,
    PRECEDENCE_EQUAL,
    PRECEDENCE_ORDER,
    PRECEDENCE_SUM,
    PRECEDENCE_PRODUCT,
    PRECEDENCE_UNARY
} Precedence;

static void print_level(const Wording *w, ExprId e, Precedence precedence, int depth, Text *text);

/* ---- Inputs ------------------------------------------------------------------------------ */

static const Input *input_of(const Wording *w, ExprId e)
{
    const ExprNode *node = expr_get(w->pool, e);
    return node->op == EXPR_INPUT ? input_get(w->pool->inputs, (InputId){node->word[0]}) : NULL;
}

/* "A_1.next class" is the class of the object that A_1.next means. */
static void print_input_name(const Input *input, Text *text)
{
    size_t length = strlen(input->name);
    if (length > 6 && strcmp(input->name + length - 6, " class") == 0)
        text_add(text, "class(%.*s)", (int)length - 6, input->name);
    else
        text_add_string(text, input->name);
    if (input->number)
        text_add(text, "#%u", input->number);
}

/* Adds a value that is compared with an input, by name if it has one. */
static bool print_word(const Wording *w, ExprId beside, SignedBits value, Text *text)
{
    const Input *input = input_of(w, beside);
    return input && w->word && w->word(w->context, input, value, text);
}

/* ---- Operators ------------------------------------------------------------------------------ */

static void print_binary(const Wording *w, const ExprNode *node, const char *sign, Precedence precedence, int depth,
                         Text *text)
{
    print_level(w, expr_operand(node, 0), precedence, depth, text);
    text_add(text, " %s ", sign);
    print_level(w, expr_operand(node, 1), (Precedence)(precedence + 1), depth, text);
}

/* a < b and a <= b, with the number on the right; of two equivalent forms the one with the smaller number. */
static void print_order(const Wording *w, const ExprNode *node, int depth, Text *text)
{
    ExprId a = expr_operand(node, 0), b = expr_operand(node, 1);
    const char *sign = node->op == EXPR_ILT ? "<" : "<=";
    Bits value;
    if (expr_is_const(w->pool, a, &value)) {
        ExprId swap = a;
        a = b;
        b = swap;
        sign = node->op == EXPR_ILT ? ">" : ">=";
    }
    print_level(w, a, PRECEDENCE_SUM, depth, text);
    if (!expr_is_const(w->pool, b, &value)) {
        text_add(text, " %s ", sign);
        print_level(w, b, PRECEDENCE_SUM, depth, text);
        return;
    }
    SignedBits bound = (SignedBits)value;
    if (sign[0] == '<' && !sign[1] && bound > 0) {
        sign = "<=";
        bound--;
    } else if (sign[0] == '>' && !sign[1] && bound < 0) {
        sign = ">=";
        bound++;
    }
    text_add(text, " %s ", sign);
    print_value((Bits)bound, SORT_INT, text);
}

static void print_equality(const Wording *w, const ExprNode *node, const char *sign, int depth, Text *text)
{
    ExprId a = expr_operand(node, 0), b = expr_operand(node, 1);
    Bits value;
    print_level(w, a, PRECEDENCE_ORDER, depth, text);
    text_add(text, " %s ", sign);
    if (!expr_is_const(w->pool, b, &value) || !print_word(w, a, (SignedBits)value, text))
        print_level(w, b, PRECEDENCE_ORDER, depth, text);
}

static void print_not(const Wording *w, const ExprNode *node, int depth, Text *text)
{
    const ExprNode *inner = expr_get(w->pool, expr_operand(node, 0));
    if (inner->op == EXPR_EQ) {
        print_equality(w, inner, "!=", depth, text);
        return;
    }
    text_add_string(text, "!");
    print_level(w, expr_operand(node, 0), PRECEDENCE_UNARY, depth, text);
}

/* x + -3 is x - 3. */
static void print_sum(const Wording *w, const ExprNode *node, int depth, Text *text)
{
    Bits value;
    if (!expr_is_const(w->pool, expr_operand(node, 1), &value) || (SignedBits)value >= 0) {
        print_binary(w, node, "+", PRECEDENCE_SUM, depth, text);
        return;
    }
    print_level(w, expr_operand(node, 0), PRECEDENCE_SUM, depth, text);
    text_add_string(text, " - ");
    print_value(-value, SORT_INT, text);
}

static void print_call(const Wording *w, const ExprNode *node, const char *function, int depth, Text *text)
{
    text_add(text, "%s(", function);
    print_binary(w, node, "/", PRECEDENCE_PRODUCT, depth, text);
    text_add_string(text, ")");
}

static void print_choice(const Wording *w, const ExprNode *node, int depth, Text *text)
{
    static const char *const words[] = {"when ", " then ", " else "};
    for (unsigned i = 0; i < 3; i++) {
        text_add_string(text, words[i]);
        print_level(w, expr_operand(node, i), PRECEDENCE_OR, depth, text);
    }
}

static Precedence level_of(const ExprPool *pool, const ExprNode *node)
{
    switch (node->op) {
    case EXPR_OR: return PRECEDENCE_OR;
    case EXPR_AND: return PRECEDENCE_AND;
    case EXPR_EQ:
    case EXPR_XOR: return PRECEDENCE_EQUAL;
    case EXPR_NOT: return expr_get(pool, expr_operand(node, 0))->op == EXPR_EQ ? PRECEDENCE_EQUAL : PRECEDENCE_UNARY;
    case EXPR_ILT:
    case EXPR_ILE: return PRECEDENCE_ORDER;
    case EXPR_IADD:
    case EXPR_ISUB: return PRECEDENCE_SUM;
    case EXPR_IMUL:
    case EXPR_IREM: return PRECEDENCE_PRODUCT;
    case EXPR_ITE: return PRECEDENCE_ANY;
    default: return PRECEDENCE_UNARY;
    }
}

static void print_operation(const Wording *w, ExprId e, int depth, Text *text)
{
    const ExprNode *node = expr_get(w->pool, e);
    switch (node->op) {
    case EXPR_OR: print_binary(w, node, "||", PRECEDENCE_OR, depth, text); break;
    case EXPR_AND: print_binary(w, node, "&&", PRECEDENCE_AND, depth, text); break;
    case EXPR_XOR: print_binary(w, node, "!=", PRECEDENCE_EQUAL, depth, text); break;
    case EXPR_EQ: print_equality(w, node, "==", depth, text); break;
    case EXPR_NOT: print_not(w, node, depth, text); break;
    case EXPR_ILT:
    case EXPR_ILE: print_order(w, node, depth, text); break;
    case EXPR_IADD: print_sum(w, node, depth, text); break;
    case EXPR_ISUB: print_binary(w, node, "-", PRECEDENCE_SUM, depth, text); break;
    case EXPR_IMUL: print_binary(w, node, "*", PRECEDENCE_PRODUCT, depth, text); break;
    case EXPR_IREM: print_binary(w, node, "%", PRECEDENCE_PRODUCT, depth, text); break;
    case EXPR_IQUO: print_call(w, node, "truncate", depth, text); break;
    case EXPR_IDIV: print_call(w, node, "floor", depth, text); break;
    case EXPR_ITE: print_choice(w, node, depth, text); break;
    case EXPR_INEG:
        text_add_string(text, "-");
        print_level(w, expr_operand(node, 0), PRECEDENCE_UNARY, depth, text);
        break;
    default: print_expr(w->pool, e, text); break;
    }
}

static void print_level(const Wording *w, ExprId e, Precedence precedence, int depth, Text *text)
{
    const ExprNode *node = expr_get(w->pool, e);
    const Input *input = input_of(w, e);
    if (input) {
        print_input_name(input, text);
    } else if (node->op == EXPR_CONST && node->sort == SORT_BOOL) {
        text_add_string(text, expr_value(node) ? "True" : "False");
    } else if (node->op == EXPR_CONST) {
        print_value(expr_value(node), node->sort, text);
    } else if (depth == DEEPEST) {
        text_add_string(text, "...");
    } else {
        bool brackets = level_of(w->pool, node) < precedence;
        text_add_string(text, brackets ? "(" : "");
        print_operation(w, e, depth + 1, text);
        text_add_string(text, brackets ? ")" : "");
    }
}

void print_abs_expr(const Wording *w, ExprId e, Text *text) { print_level(w, e, PRECEDENCE_ANY, 0, text); }

/* ---- Facts ------------------------------------------------------------------------------------ */

/* Adds the terms with positive factors, or the others with inverted signs; answers how many. */
static uint32_t print_terms(const Wording *w, const Fact *fact, bool positive, Text *text)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < fact->terms.count; i++) {
        const Term *term = &fact->terms.items[i];
        if ((term->factor > 0) != positive)
            continue;
        SignedBits factor = positive ? term->factor : -term->factor;
        text_add_string(text, count++ ? " + " : "");
        if (factor != 1) {
            print_value((Bits)factor, SORT_INT, text);
            text_add_string(text, " * ");
        }
        print_level(w, term->atom, factor != 1 ? PRECEDENCE_UNARY : PRECEDENCE_PRODUCT, 1, text);
    }
    return count;
}

/* Of x > 3 and x >= 4 the one with the smaller number. */
static const char *choose_sign(FactKind relation, SignedBits *bound)
{
    static const char *const signs[] = {"==", "!=", "<=", ">="};
    if (relation == FACT_AT_MOST && *bound < 0) {
        ++*bound;
        return "<";
    }
    if (relation == FACT_AT_LEAST && *bound > 0) {
        --*bound;
        return ">";
    }
    return signs[relation];
}

void print_abs_fact(const Wording *w, const Fact *fact, Text *text)
{
    SignedBits bound = fact->bound;
    if (fact->relation == FACT_HOLDS) {
        print_abs_expr(w, fact->whole, text);
        return;
    }
    const char *sign = choose_sign(fact->relation, &bound);
    print_terms(w, fact, true, text);
    text_add(text, " %s ", sign);
    if (fact->terms.count == 1 && print_word(w, fact->terms.items[0].atom, bound, text))
        return;
    bool terms = print_terms(w, fact, false, text) > 0;
    if (terms && bound)
        text_add_string(text, bound > 0 ? " + " : " - ");
    if (!terms || bound)
        print_value((Bits)(terms && bound < 0 ? -bound : bound), SORT_INT, text);
}
