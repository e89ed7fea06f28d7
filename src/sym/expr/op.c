/* op.c - see op.h */
#include "sym/expr/op.h"

/* ---- Division ---------------------------------------------------------- */

static Bits divide_unsigned(Bits a, Bits b, Sort sort)
{
    if (b == 0)
        return bits_mask(sort);
    return (a | b) >> 64 ? a / b : (uint64_t)a / (uint64_t)b;
}

static Bits remain_unsigned(Bits a, Bits b)
{
    if (b == 0)
        return a;
    return (a | b) >> 64 ? a % b : (uint64_t)a % (uint64_t)b;
}

static Bits magnitude(Bits a, Sort sort)
{
    return bits_signed(a, sort) < 0 ? bits_cut(-a, sort) : a;
}

static bool is_negative(Bits a, Sort sort)
{
    return bits_signed(a, sort) < 0;
}

static Bits divide_signed(Bits a, Bits b, Sort sort)
{
    if (b == 0)
        return is_negative(a, sort) ? 1 : bits_mask(sort);
    Bits quotient = divide_unsigned(magnitude(a, sort), magnitude(b, sort), sort);
    return is_negative(a, sort) != is_negative(b, sort) ? -quotient : quotient;
}

static Bits remain_signed(Bits a, Bits b, Sort sort)
{
    Bits rest = remain_unsigned(magnitude(a, sort), magnitude(b, sort));
    return is_negative(a, sort) ? -rest : rest;
}

/* ---- Shifts ------------------------------------------------------------ */

static Bits shift_left(Bits a, Bits by, Sort sort)
{
    return by >= sort ? 0 : a << by;
}

static Bits shift_right(Bits a, Bits by, Sort sort)
{
    return by >= sort ? 0 : a >> by;
}

static Bits shift_right_signed(Bits a, Bits by, Sort sort)
{
    return (Bits)(bits_signed(a, sort) >> (by >= sort ? sort - 1 : (int)by));
}

/* ---- Integers ---------------------------------------------------------- */

static SignedBits quotient_down(SignedBits a, SignedBits b)
{
    SignedBits q = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

/* The smallest integer has no counterpart. */
static bool division_overflows(SignedBits a, SignedBits b)
{
    return b == -1 && (Bits)a == (Bits)1 << 127;
}

static bool apply_integer(ExprOp op, SignedBits a, SignedBits b, Bits *value)
{
    SignedBits result = 0;
    bool fits = true;
    switch (op) {
    case EXPR_IADD: fits = !__builtin_add_overflow(a, b, &result); break;
    case EXPR_ISUB: fits = !__builtin_sub_overflow(a, b, &result); break;
    case EXPR_IMUL: fits = !__builtin_mul_overflow(a, b, &result); break;
    case EXPR_INEG: fits = !__builtin_sub_overflow((SignedBits)0, a, &result); break;
    default:
        fits = !division_overflows(a, b);
        if (!fits)
            break;
        if (b == 0)
            result = op == EXPR_IREM || op == EXPR_IMOD ? a : 0;
        else if (op == EXPR_IQUO)
            result = a / b;
        else if (op == EXPR_IREM)
            result = a % b;
        else if (op == EXPR_IDIV)
            result = quotient_down(a, b);
        else
            result = a - quotient_down(a, b) * b;
    }
    if (fits)
        *value = (Bits)result;
    return fits;
}

/* ---- All --------------------------------------------------------------- */

static Bits apply_bits(ExprOp op, Sort sort, unsigned extra, Bits a, Bits b)
{
    switch (op) {
    case EXPR_ADD: return a + b;
    case EXPR_SUB: return a - b;
    case EXPR_MUL: return a * b;
    case EXPR_UDIV: return divide_unsigned(a, b, sort);
    case EXPR_SDIV: return divide_signed(a, b, sort);
    case EXPR_UREM: return remain_unsigned(a, b);
    case EXPR_SREM: return remain_signed(a, b, sort);
    case EXPR_AND: return a & b;
    case EXPR_OR: return a | b;
    case EXPR_XOR: return a ^ b;
    case EXPR_SHL: return shift_left(a, b, sort);
    case EXPR_LSHR: return shift_right(a, b, sort);
    case EXPR_ASHR: return shift_right_signed(a, b, sort);
    case EXPR_NOT: return ~a;
    case EXPR_NEG: return -a;
    case EXPR_EXTRACT: return a >> extra;
    default: assert(false && "an operation on bits"); return 0;
    }
}

bool op_apply(ExprOp op, Sort sort, unsigned extra, const Bits operands[3], Bits *value)
{
    Bits a = operands[0], b = operands[1];
    switch (op) {
    case EXPR_EQ: *value = a == b; return true;
    case EXPR_ULT: *value = a < b; return true;
    case EXPR_ULE: *value = a <= b; return true;
    case EXPR_SLT:
    case EXPR_ILT: *value = bits_signed(a, sort) < bits_signed(b, sort); return true;
    case EXPR_SLE:
    case EXPR_ILE: *value = bits_signed(a, sort) <= bits_signed(b, sort); return true;
    case EXPR_ITE: *value = a ? b : operands[2]; return true;
    case EXPR_CONCAT: *value = a << extra | b; return true;
    case EXPR_ZEXT: *value = a; return true;
    case EXPR_SEXT: *value = bits_cut((Bits)bits_signed(a, sort), (Sort)extra); return true;
    default: break;
    }
    if (sort == SORT_INT)
        return apply_integer(op, (SignedBits)a, (SignedBits)b, value);
    *value = bits_cut(apply_bits(op, sort, extra, a, b), sort);
    return true;
}

unsigned op_extra(const ExprPool *pool, const ExprNode *node)
{
    switch (node->op) {
    case EXPR_ZEXT:
    case EXPR_SEXT: return node->sort;
    case EXPR_EXTRACT: return node->word[1];
    case EXPR_CONCAT: return expr_sort(pool, expr_operand(node, 1));
    default: return 0;
    }
}

Sort op_operand_sort(const ExprPool *pool, const ExprNode *node)
{
    return node->op == EXPR_ITE ? node->sort : expr_sort(pool, expr_operand(node, 0));
}
