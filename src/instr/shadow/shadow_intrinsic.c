/* shadow_intrinsic.c - see shadow_intrinsic.h */
#include "instr/shadow/shadow_intrinsic.h"

#include "instr/module/callee.h"
#include "instr/module/site.h"
#include "instr/shadow/shadow_code.h"
#include "instr/shadow/shadow_flow.h"
#include "instr/shadow/shadow_value.h"
#include "instr/shadow/shadow_variadic.h"
#include "rt/abi/shadow_hooks.h"

/* The runtime has expressions for these; a pair { value, overflow } has two shadows. */
static const struct {
    const char *name;
    unsigned code;
} known[] = {
    {"llvm.bswap.", SENNIT_SHADOW_BSWAP},
    {"llvm.abs.", SENNIT_SHADOW_ABS},
    {"llvm.smax.", SENNIT_SHADOW_SMAX},
    {"llvm.smin.", SENNIT_SHADOW_SMIN},
    {"llvm.umax.", SENNIT_SHADOW_UMAX},
    {"llvm.umin.", SENNIT_SHADOW_UMIN},
    {"llvm.ctpop.", SENNIT_SHADOW_CTPOP},
    {"llvm.ctlz.", SENNIT_SHADOW_CTLZ},
    {"llvm.cttz.", SENNIT_SHADOW_CTTZ},
    {"llvm.bitreverse.", SENNIT_SHADOW_BITREVERSE},
    {"llvm.fshl.", SENNIT_SHADOW_FSHL},
    {"llvm.fshr.", SENNIT_SHADOW_FSHR},
    {"llvm.sadd.with.overflow.", SENNIT_SHADOW_SADD_OVERFLOW},
    {"llvm.uadd.with.overflow.", SENNIT_SHADOW_UADD_OVERFLOW},
    {"llvm.ssub.with.overflow.", SENNIT_SHADOW_SSUB_OVERFLOW},
    {"llvm.usub.with.overflow.", SENNIT_SHADOW_USUB_OVERFLOW},
    {"llvm.smul.with.overflow.", SENNIT_SHADOW_SMUL_OVERFLOW},
    {"llvm.umul.with.overflow.", SENNIT_SHADOW_UMUL_OVERFLOW},
    {"llvm.sadd.sat.", SENNIT_SHADOW_SADD_SAT},
    {"llvm.uadd.sat.", SENNIT_SHADOW_UADD_SAT},
    {"llvm.ssub.sat.", SENNIT_SHADOW_SSUB_SAT},
    {"llvm.usub.sat.", SENNIT_SHADOW_USUB_SAT},
};

static LLVMValueRef build_known(Shadow *s, LLVMValueRef call, unsigned code, unsigned part)
{
    Module *m = s->m;
    LLVMValueRef first = LLVMGetOperand(call, 0), x[3][2], shadows[3];
    unsigned width = shadow_width(LLVMTypeOf(first)), count = LLVMGetNumArgOperands(call);
    for (unsigned k = 0; k < 3; k++) {
        bool given = k < count && LLVMTypeOf(LLVMGetOperand(call, k)) == LLVMTypeOf(first);
        LLVMValueRef operand = given ? LLVMGetOperand(call, k) : first;
        shadows[k] = given ? shadow_of(s, operand, 0) : shadow_none(s);
        shadow_halves(s, operand, x[k]);
    }
    LLVMValueRef args[] = {module_i32(m, code | part << 8), module_i32(m, width), shadows[0], x[0][0], x[0][1],
                           shadows[1], x[1][0], x[1][1], shadows[2], x[2][0], x[2][1]};
    return shadow_call(s, &(ShadowHelper){"intrinsic", m->i32, 1 << 2 | 1 << 5 | 1 << 8, -1}, args, 11);
}

static bool compute_known(Shadow *s, LLVMValueRef call, const char *name)
{
    for (unsigned k = 0; k < sizeof known / sizeof *known; k++) {
        if (!name_begins(name, known[k].name))
            continue;
        if (!shadow_maybe(s, call) || !shadow_width(LLVMTypeOf(LLVMGetOperand(call, 0))))
            return false;
        for (unsigned p = 0; p < shadow_part_count(LLVMTypeOf(call)); p++)
            shadow_set(s, call, p, build_known(s, call, known[k].code, p));
        return true;
    }
    return false;
}

/* Concretises the arguments of any other intrinsic; the report names it. */
static void make_concrete(Shadow *s, LLVMValueRef call, const char *name)
{
    Module *m = s->m;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        LLVMValueRef argument = LLVMGetOperand(call, i), halves[2];
        unsigned width = shadow_width(LLVMTypeOf(argument));
        if (!width || shadow_is_none(shadow_of(s, argument, 0)))
            continue;
        shadow_halves(s, argument, halves);
        LLVMValueRef args[] = {shadow_of(s, argument, 0), halves[0], module_string(m, name), site_of(m, call)};
        shadow_call(s, &(ShadowHelper){"concrete", m->void_type, 1, -1}, args, 4);
    }
}

/* The absolute value of the smallest number is undefined if the second operand says so. */
static void check_absolute(Shadow *s, LLVMValueRef call, const char *name)
{
    LLVMValueRef number = LLVMGetOperand(call, 0);
    if (name_begins(name, "llvm.abs.") && LLVMConstIntGetZExtValue(LLVMGetOperand(call, 1)))
        shadow_check_overflow(s, call, SENNIT_SHADOW_SUB, LLVMConstNull(LLVMTypeOf(number)), number);
}

bool shadow_intrinsic(Shadow *s, LLVMValueRef call, const char *name)
{
    static const char *const silent[] = {
        "llvm.dbg.",           "llvm.lifetime.",     "llvm.invariant.",  "llvm.stack",        "llvm.va_",
        "llvm.assume",         "llvm.trap",          "llvm.objectsize.", "llvm.is.constant.", "llvm.prefetch",
        "llvm.frameaddress",   "llvm.returnaddress", "llvm.debugtrap",   "llvm.eh.",          "llvm.annotation",
        "llvm.var.annotation", "llvm.threadlocal"};
    if (!name_begins(name, "llvm."))
        return false;
    LLVMPositionBuilderBefore(s->m->builder, call);
    if (name_begins(name, "llvm.va_start"))
        shadow_begin_list(s, call);
    if (name_begins(name, "llvm.expect.")) {
        shadow_set(s, call, 0, shadow_of(s, LLVMGetOperand(call, 0), 0));
        return true;
    }
    for (unsigned k = 0; k < sizeof silent / sizeof *silent; k++)
        if (name_begins(name, silent[k]))
            return true;
    check_absolute(s, call, name);
    if (!compute_known(s, call, name))
        make_concrete(s, call, name);
    return true;
}
