/* shadow_value.c - see shadow_value.h */
#include "instr/shadow/shadow_value.h"

#include <stdlib.h>

#include "base/mem.h"
#include "instr/module/site.h"
#include "instr/shadow/shadow_code.h"
#include "instr/shadow/shadow_flow.h"
#include "rt/abi/shadow_hooks.h"

/* ---- Arithmetic -------------------------------------------------------------------- */

static int op_of(LLVMOpcode opcode)
{
    switch (opcode) {
    case LLVMAdd: return SENNIT_SHADOW_ADD;
    case LLVMSub: return SENNIT_SHADOW_SUB;
    case LLVMMul: return SENNIT_SHADOW_MUL;
    case LLVMUDiv: return SENNIT_SHADOW_UDIV;
    case LLVMSDiv: return SENNIT_SHADOW_SDIV;
    case LLVMURem: return SENNIT_SHADOW_UREM;
    case LLVMSRem: return SENNIT_SHADOW_SREM;
    case LLVMAnd: return SENNIT_SHADOW_AND;
    case LLVMOr: return SENNIT_SHADOW_OR;
    case LLVMXor: return SENNIT_SHADOW_XOR;
    case LLVMShl: return SENNIT_SHADOW_SHL;
    case LLVMLShr: return SENNIT_SHADOW_LSHR;
    default: return SENNIT_SHADOW_ASHR;
    }
}

static LLVMValueRef build_binary(Shadow *s, unsigned op, LLVMValueRef a, LLVMValueRef b)
{
    Module *m = s->m;
    LLVMValueRef x[2], y[2];
    unsigned width = shadow_width(LLVMTypeOf(a));
    if (!width)
        return shadow_none(s);
    shadow_halves(s, a, x);
    shadow_halves(s, b, y);
    LLVMValueRef args[] = {
        module_i32(m, op), module_i32(m, width), shadow_of(s, a, 0), x[0], x[1], shadow_of(s, b, 0), y[0], y[1]};
    return shadow_call(s, &(ShadowHelper){"binary", m->i32, 1 << 2 | 1 << 5, -1}, args, 8);
}

/* For some inputs the divisor may be 0, or the quotient too large. */
static void check_division(Shadow *s, LLVMValueRef i, bool is_signed)
{
    Module *m = s->m;
    LLVMValueRef a = LLVMGetOperand(i, 0), b = LLVMGetOperand(i, 1), x[2], y[2];
    bool harmless = LLVMIsAConstantInt(b) && !(is_signed && b == LLVMConstAllOnes(LLVMTypeOf(b))) && !LLVMIsNull(b);
    if (shadow_is_none(shadow_of(s, b, 0)) && (shadow_is_none(shadow_of(s, a, 0)) || harmless))
        return;
    shadow_halves(s, a, x);
    shadow_halves(s, b, y);
    LLVMValueRef args[] = {module_i32(m, is_signed),
                           module_i32(m, shadow_width(LLVMTypeOf(a))),
                           shadow_of(s, a, 0),
                           x[0],
                           x[1],
                           shadow_of(s, b, 0),
                           y[0],
                           y[1],
                           site_of(m, i)};
    shadow_call(s, &(ShadowHelper){"divide", m->void_type, 1 << 2 | 1 << 5, -1}, args, 9);
}

void shadow_check_overflow(Shadow *s, LLVMValueRef i, unsigned op, LLVMValueRef a, LLVMValueRef b)
{
    Module *m = s->m;
    LLVMValueRef x[2], y[2];
    unsigned width = shadow_width(LLVMTypeOf(i));
    if (!width)
        return;
    shadow_halves(s, a, x);
    shadow_halves(s, b, y);
    LLVMValueRef args[] = {module_i32(m, op), module_i32(m, width), shadow_of(s, a, 0), x[0], x[1],
                           shadow_of(s, b, 0), y[0], y[1], site_of(m, i)};
    shadow_call(s, &(ShadowHelper){"overflow", m->void_type, 0, SHADOW_OVERFLOW}, args, 9);
}

void shadow_arithmetic(Shadow *s, LLVMValueRef i)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
    unsigned op = (unsigned)op_of(opcode);
    if (op <= SENNIT_SHADOW_MUL && LLVMGetNSW(i))
        shadow_check_overflow(s, i, op, LLVMGetOperand(i, 0), LLVMGetOperand(i, 1));
    bool divides = opcode == LLVMUDiv || opcode == LLVMSDiv || opcode == LLVMURem || opcode == LLVMSRem;
    if (!shadow_maybe(s, i))
        return;
    if (divides)
        check_division(s, i, opcode == LLVMSDiv || opcode == LLVMSRem);
    shadow_set(s, i, 0, build_binary(s, op, LLVMGetOperand(i, 0), LLVMGetOperand(i, 1)));
}

static unsigned relation_of(LLVMIntPredicate predicate)
{
    switch (predicate) {
    case LLVMIntEQ: return SENNIT_SHADOW_EQ;
    case LLVMIntNE: return SENNIT_SHADOW_NE;
    case LLVMIntULT: return SENNIT_SHADOW_ULT;
    case LLVMIntULE: return SENNIT_SHADOW_ULE;
    case LLVMIntUGT: return SENNIT_SHADOW_UGT;
    case LLVMIntUGE: return SENNIT_SHADOW_UGE;
    case LLVMIntSLT: return SENNIT_SHADOW_SLT;
    case LLVMIntSLE: return SENNIT_SHADOW_SLE;
    case LLVMIntSGT: return SENNIT_SHADOW_SGT;
    default: return SENNIT_SHADOW_SGE;
    }
}

void shadow_compare(Shadow *s, LLVMValueRef i)
{
    if (shadow_maybe(s, i))
        shadow_set(s, i, 0,
                   build_binary(s, relation_of(LLVMGetICmpPredicate(i)), LLVMGetOperand(i, 0), LLVMGetOperand(i, 1)));
}

/* ---- Casts, selects ----------------------------------------------------------------- */

void shadow_cast(Shadow *s, LLVMValueRef i)
{
    Module *m = s->m;
    LLVMValueRef value = LLVMGetOperand(i, 0);
    unsigned from = shadow_width(LLVMTypeOf(value)), to = shadow_width(LLVMTypeOf(i));
    if (from && !to) /* wider than expressions can be */
        shadow_float(s, i);
    if (!shadow_maybe(s, i) || !from)
        return;
    if (from == to) {
        shadow_set(s, i, 0, shadow_of(s, value, 0));
        return;
    }
    unsigned cast = from > to                                 ? SENNIT_SHADOW_TRUNC
                    : LLVMGetInstructionOpcode(i) == LLVMSExt ? SENNIT_SHADOW_SEXT
                                                              : SENNIT_SHADOW_ZEXT;
    LLVMValueRef args[] = {module_i32(m, cast), module_i32(m, from), module_i32(m, to), shadow_of(s, value, 0)};
    shadow_set(s, i, 0, shadow_call(s, &(ShadowHelper){"cast", m->i32, 1 << 3, -1}, args, 4));
}

static void decide(Shadow *s, LLVMValueRef condition, LLVMValueRef where)
{
    Module *m = s->m;
    LLVMValueRef args[] = {shadow_of(s, condition, 0), LLVMBuildZExt(m->builder, condition, m->i32, ""),
                           site_of(m, where)};
    shadow_call(s, &(ShadowHelper){"branch", m->void_type, 1, -1}, args, 3);
}

/* One scalar: with a concrete condition the shadow of the selected operand, else an expression. */
static void select_scalar(Shadow *s, LLVMValueRef i, unsigned width)
{
    Module *m = s->m;
    LLVMValueRef c = LLVMGetOperand(i, 0), a = LLVMGetOperand(i, 1), b = LLVMGetOperand(i, 2), x[2], y[2];
    if (shadow_is_none(shadow_of(s, c, 0))) {
        shadow_set(s, i, 0, LLVMBuildSelect(m->builder, c, shadow_of(s, a, 0), shadow_of(s, b, 0), ""));
        return;
    }
    shadow_halves(s, a, x);
    shadow_halves(s, b, y);
    LLVMValueRef args[] = {module_i32(m, width), shadow_of(s, c, 0), LLVMBuildZExt(m->builder, c, m->i64, ""),
                           shadow_of(s, a, 0), x[0], x[1], shadow_of(s, b, 0), y[0], y[1]};
    shadow_set(s, i, 0, shadow_call(s, &(ShadowHelper){"select", m->i32, 1 << 1 | 1 << 3 | 1 << 6, -1}, args, 9));
}

/* For structures and floating point both outcomes of the condition are explored separately: there are no expressions
 * for a select between them. */
void shadow_select(Shadow *s, LLVMValueRef i)
{
    LLVMValueRef c = LLVMGetOperand(i, 0);
    unsigned width = shadow_width(LLVMTypeOf(i));
    if (LLVMGetTypeKind(LLVMTypeOf(c)) != LLVMIntegerTypeKind)
        return;
    if (width && shadow_maybe(s, i))
        select_scalar(s, i, width);
    if (width)
        return;
    decide(s, c, i);
    for (unsigned p = 0; p < shadow_part_count(LLVMTypeOf(i)) && shadow_maybe(s, i); p++)
        shadow_set(s, i, p, LLVMBuildSelect(s->m->builder, c, shadow_of(s, LLVMGetOperand(i, 1), p),
                                            shadow_of(s, LLVMGetOperand(i, 2), p), ""));
}

void shadow_phi(Shadow *s, LLVMValueRef i)
{
    if (!shadow_maybe(s, i))
        return;
    for (unsigned p = 0; p < shadow_part_count(LLVMTypeOf(i)); p++)
        shadow_set(s, i, p, LLVMBuildPhi(s->m->builder, s->m->i32, ""));
    VEC_PUSH(&s->phis, i);
}

static void complete_phi(Shadow *s, LLVMValueRef phi, unsigned part)
{
    unsigned count = LLVMCountIncoming(phi);
    for (unsigned k = 0; k < count; k++) {
        LLVMValueRef shadow = shadow_of(s, LLVMGetIncomingValue(phi, k), part);
        LLVMBasicBlockRef block = LLVMGetIncomingBlock(phi, k);
        LLVMAddIncoming(shadow_of(s, phi, part), &shadow, &block, 1);
    }
}

void shadow_complete_phis(Shadow *s)
{
    for (uint32_t i = 0; i < s->phis.count; i++)
        for (unsigned p = 0; p < shadow_part_count(LLVMTypeOf(s->phis.items[i])); p++)
            complete_phi(s, s->phis.items[i], p);
}

/* ---- Addresses ------------------------------------------------------------------------- */

typedef struct Sum {
    LLVMValueRef address, shadow;
    uint64_t constant;
} Sum;

static void add_index(Shadow *s, Sum *sum, LLVMValueRef index, uint64_t scale)
{
    Module *m = s->m;
    if (LLVMIsAConstantInt(index)) {
        sum->constant += (uint64_t)LLVMConstIntGetSExtValue(index) * scale;
        return;
    }
    LLVMTypeRef type = LLVMTypeOf(index);
    LLVMValueRef value = LLVMBuildSExtOrBitCast(m->builder, index, m->i64, "");
    LLVMValueRef args[] = {sum->shadow, sum->address, shadow_of(s, index, 0), value, module_i32(m, shadow_width(type)),
                           module_i64(m, scale)};
    sum->shadow = shadow_call(s, &(ShadowHelper){"index", m->i32, 1 | 1 << 2, -1}, args, 6);
    LLVMValueRef offset = LLVMBuildMul(m->builder, value, module_i64(m, scale), "");
    sum->address = LLVMBuildGEP2(m->builder, m->i8, sum->address, &offset, 1, "");
}

static void add_constant(Shadow *s, Sum *sum)
{
    Module *m = s->m;
    if (!sum->constant)
        return;
    LLVMValueRef args[] = {sum->shadow,       sum->address,    shadow_none(s), module_i64(m, sum->constant),
                           module_i32(m, 64), module_i64(m, 1)};
    sum->shadow = shadow_call(s, &(ShadowHelper){"index", m->i32, 1 | 1 << 2, -1}, args, 6);
}

void shadow_address(Shadow *s, LLVMValueRef i)
{
    Module *m = s->m;
    if (!shadow_maybe(s, i) || !shadow_width(LLVMTypeOf(i)))
        return;
    Sum sum = {LLVMGetOperand(i, 0), shadow_of(s, LLVMGetOperand(i, 0), 0), 0};
    LLVMTypeRef type = LLVMGetGEPSourceElementType(i);
    unsigned count = LLVMGetNumIndices(i);
    for (unsigned k = 0; k < count; k++) {
        LLVMValueRef index = LLVMGetOperand(i, k + 1);
        if (k > 0 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            unsigned member = (unsigned)LLVMConstIntGetZExtValue(index);
            sum.constant += LLVMOffsetOfElement(m->layout, type, member);
            type = LLVMStructGetTypeAtIndex(type, member);
            continue;
        }
        if (k > 0)
            type = LLVMGetElementType(type);
        add_index(s, &sum, index, LLVMABISizeOfType(m->layout, type));
    }
    add_constant(s, &sum);
    shadow_set(s, i, 0, sum.shadow);
}

/* ---- Members of structures ------------------------------------------------------------------ */

static void extract(Shadow *s, LLVMValueRef i)
{
    LLVMValueRef from = LLVMGetOperand(i, 0);
    unsigned at = shadow_part_at(LLVMTypeOf(from), LLVMGetIndices(i), LLVMGetNumIndices(i));
    for (unsigned p = 0; p < shadow_part_count(LLVMTypeOf(i)); p++)
        shadow_set(s, i, p, shadow_of(s, from, at + p));
}

static void insert(Shadow *s, LLVMValueRef i)
{
    LLVMValueRef from = LLVMGetOperand(i, 0), member = LLVMGetOperand(i, 1);
    unsigned at = shadow_part_at(LLVMTypeOf(from), LLVMGetIndices(i), LLVMGetNumIndices(i));
    unsigned size = shadow_part_count(LLVMTypeOf(member));
    for (unsigned p = 0; p < shadow_part_count(LLVMTypeOf(i)); p++)
        shadow_set(s, i, p, p >= at && p < at + size ? shadow_of(s, member, p - at) : shadow_of(s, from, p));
}

void shadow_member(Shadow *s, LLVMValueRef i)
{
    if (!shadow_maybe(s, i))
        return;
    if (LLVMGetInstructionOpcode(i) == LLVMExtractValue)
        extract(s, i);
    else
        insert(s, i);
}

/* ---- Floating point ----------------------------------------------------------------------------- */

void shadow_float(Shadow *s, LLVMValueRef i)
{
    Module *m = s->m;
    LLVMValueRef value = LLVMGetOperand(i, 0), halves[2];
    unsigned width = shadow_width(LLVMTypeOf(value));
    if (!width)
        return;
    shadow_halves(s, value, halves);
    bool wide = LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMIntegerTypeKind;
    LLVMValueRef what = module_string(m, wide ? "more than 128 bits" : "floating point");
    LLVMValueRef args[] = {shadow_of(s, value, 0), halves[0], what, site_of(m, i)};
    shadow_call(s, &(ShadowHelper){"concrete", m->void_type, 1, -1}, args, 4);
}

/* ---- Decisions ------------------------------------------------------------------------------------- */

void shadow_branch(Shadow *s, LLVMValueRef i)
{
    if (LLVMIsConditional(i))
        decide(s, LLVMGetCondition(i), i);
}

/* The table of SennitCase. Successors are numbered by their first case, the default is 0. */
static LLVMValueRef case_table(Shadow *s, LLVMValueRef i, unsigned cases)
{
    Module *m = s->m;
    LLVMValueRef *records = mem_alloc((cases + 1) * sizeof *records);
    for (unsigned k = 1; k <= cases; k++) {
        unsigned target = 0;
        while (LLVMGetSuccessor(i, target) != LLVMGetSuccessor(i, k))
            target++;
        LLVMValueRef halves[2];
        shadow_halves(s, LLVMGetOperand(i, 2 * k), halves);
        LLVMValueRef fields[] = {halves[0], halves[1], module_i32(m, target)};
        records[k - 1] = LLVMConstStructInContext(m->context, fields, 3, 0);
    }
    LLVMTypeRef types[] = {m->i64, m->i64, m->i32};
    LLVMTypeRef type = LLVMStructTypeInContext(m->context, types, 3, 0);
    LLVMValueRef table = module_constant(m, LLVMConstArray2(type, records, cases), NULL, 8);
    free(records);
    return table;
}

void shadow_switch(Shadow *s, LLVMValueRef i)
{
    Module *m = s->m;
    LLVMValueRef value = LLVMGetOperand(i, 0), halves[2];
    unsigned cases = LLVMGetNumSuccessors(i) - 1;
    if (!cases || shadow_is_none(shadow_of(s, value, 0)))
        return;
    shadow_halves(s, value, halves);
    LLVMValueRef args[] = {shadow_of(s, value, 0), halves[0],    halves[1], case_table(s, i, cases),
                           module_i32(m, cases),   site_of(m, i)};
    shadow_call(s, &(ShadowHelper){"switch", m->void_type, 1, -1}, args, 6);
}

/* goto *label: each possible label is explored separately. */
void shadow_goto(Shadow *s, LLVMValueRef i)
{
    Module *m = s->m;
    LLVMValueRef label = LLVMGetOperand(i, 0), halves[2];
    if (shadow_is_none(shadow_of(s, label, 0)))
        return;
    shadow_halves(s, label, halves);
    LLVMValueRef args[] = {shadow_of(s, label, 0), halves[0], module_i32(m, 0), site_of(m, i)};
    shadow_call(s, &(ShadowHelper){"decide", m->void_type, 1, SHADOW_NO_MEMORY}, args, 4);
}
