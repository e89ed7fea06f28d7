/* shadow_call.c - shadows of arguments and results
 *
 * They are passed in sennit_rt_shadow_call, together with the address of the function they are meant for. So after an
 * uninstrumented call, or in a thread's first function, shadows of another call are not mistaken for its own.
 */
#include <llvm-c/DebugInfo.h>
#include <stddef.h>
#include <string.h>

#include "instr/module/hook.h"
#include "instr/module/private.h"
#include "instr/module/redirect.h"
#include "instr/module/site.h"
#include "instr/module/tracked.h"
#include "instr/shadow/shadow.h"
#include "rt/abi/modelled.h"
#include "rt/abi/shadow_hooks.h"

static LLVMValueRef callee_field(Shadow *s) { return shadow_field(s, offsetof(SennitShadowCall, callee)); }
static LLVMValueRef returned_field(Shadow *s) { return shadow_field(s, offsetof(SennitShadowCall, returned)); }

static LLVMValueRef argument_field(Shadow *s, unsigned n)
{
    return shadow_field(s, (unsigned)(offsetof(SennitShadowCall, args) + n * sizeof(uint32_t)));
}

static LLVMValueRef result_field(Shadow *s, unsigned n)
{
    return shadow_field(s, (unsigned)(offsetof(SennitShadowCall, results) + n * sizeof(uint32_t)));
}

bool shadow_returns(const Module *m, LLVMValueRef function)
{
    return shadow_part_count(LLVMGetReturnType(LLVMGlobalGetValueType(function))) != 0 &&
           shadow_may_return(m, function);
}

/* ---- The callee ------------------------------------------------------------------------- */

static LLVMValueRef first_action(LLVMValueRef function)
{
    LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
    while (LLVMIsAAllocaInst(i))
        i = LLVMGetNextInstruction(i);
    return i;
}

/* A structure passed by value in memory was copied by the call: its shadows are copied from the original, whose
 * address is passed in place of a shadow. */
static LLVMTypeRef byval_type(LLVMValueRef function, unsigned n)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
    LLVMAttributeRef attribute = LLVMGetEnumAttributeAtIndex(function, n + 1, kind);
    return attribute ? LLVMGetTypeAttributeValue(attribute) : NULL;
}

/* Can a call of the function pass shadows? */
static bool gets_shadows(const Shadow *s)
{
    bool any = false;
    for (unsigned i = 0; i < LLVMCountParams(s->function) && i < SHADOW_ARGUMENTS && !any; i++)
        any = shadow_may_get(s->m, s->function, i);
    return any;
}

void shadow_entry(Shadow *s)
{
    Module *m = s->m;
    unsigned count = LLVMCountParams(s->function);
    if (!count || s->maybe.count == 0 || !gets_shadows(s))
        return;
    LLVMPositionBuilderBefore(m->builder, first_action(s->function));
    LLVMSetCurrentDebugLocation2(m->builder, NULL);
    LLVMValueRef callee = LLVMBuildLoad2(m->builder, m->ptr, callee_field(s), "");
    LLVMValueRef mine = LLVMBuildICmp(m->builder, LLVMIntEQ, callee, s->function, "");
    LLVMBuildStore(m->builder, LLVMConstNull(m->ptr), callee_field(s));
    shadow_keep_variadic(s, mine);
    for (unsigned i = 0; i < count && i < SHADOW_ARGUMENTS; i++) {
        LLVMValueRef parameter = LLVMGetParam(s->function, i);
        if (!shadow_maybe(s, parameter))
            continue;
        LLVMValueRef given = LLVMBuildLoad2(m->builder, m->i32, argument_field(s, i), "");
        LLVMValueRef shadow = LLVMBuildSelect(m->builder, mine, given, module_i32(m, 0), "");
        LLVMTypeRef type = byval_type(s->function, i);
        if (type) {
            LLVMValueRef args[] = {parameter, shadow, module_i64(m, LLVMABISizeOfType(m->layout, type))};
            hook_call(m, m->void_type, "shadow_byval", args, 3);
        } else {
            shadow_set(s, parameter, 0, shadow);
        }
    }
}

/* ---- Local variables ----------------------------------------------------------------------- */

static bool has_variable_index(LLVMValueRef gep)
{
    for (int k = 1; k < LLVMGetNumOperands(gep); k++)
        if (!LLVMIsAConstant(LLVMGetOperand(gep, (unsigned)k)))
            return true;
    return false;
}

/* Could a symbolic address point into it? Then the runtime must know its bounds. */
static bool is_indexed(LLVMValueRef pointer)
{
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        LLVMOpcode opcode = LLVMGetInstructionOpcode(user);
        bool harmless = opcode == LLVMLoad || opcode == LLVMICmp ||
                        (opcode == LLVMStore && LLVMGetOperand(user, 1) == pointer) ||
                        (opcode == LLVMGetElementPtr && !has_variable_index(user) && !is_indexed(user));
        if (!harmless)
            return true;
    }
    return false;
}

static LLVMValueRef variable_size(Module *m, LLVMValueRef variable)
{
    uint64_t size = LLVMABISizeOfType(m->layout, LLVMGetAllocatedType(variable));
    LLVMValueRef count = LLVMBuildZExtOrBitCast(m->builder, LLVMGetOperand(variable, 0), m->i64, "");
    return LLVMBuildMul(m->builder, count, module_i64(m, size), "");
}

/* The addresses of variables depend on the lengths of earlier ones, so each length is explored separately. */
static void decide_length(Shadow *s, LLVMValueRef i)
{
    Module *m = s->m;
    LLVMValueRef length = LLVMGetOperand(i, 0);
    if (LLVMIsAConstantInt(length) || shadow_is_none(shadow_of(s, length, 0)))
        return;
    LLVMPositionBuilderBefore(m->builder, i);
    LLVMSetCurrentDebugLocation2(m->builder, LLVMInstructionGetDebugLoc(i));
    LLVMValueRef args[] = {shadow_of(s, length, 0), LLVMBuildZExtOrBitCast(m->builder, length, m->i64, ""),
                           module_i32(m, 0), site_of(m, i)};
    shadow_call(s, &(ShadowHelper){"decide", m->void_type, 1, SHADOW_NO_MEMORY}, args, 4);
}

enum { MOST_CLEARED = 256 };

/* Storing a bit-field keeps the bits beside it, storing a member may keep padding. The program does not depend on
 * their old contents, but they would become part of expressions and differ from execution to execution. */
static void clear_structure(Shadow *s, LLVMValueRef i)
{
    Module *m = s->m;
    uint64_t size = LLVMABISizeOfType(m->layout, LLVMGetAllocatedType(i));
    if (LLVMGetTypeKind(LLVMGetAllocatedType(i)) != LLVMStructTypeKind || !LLVMIsAConstantInt(LLVMGetOperand(i, 0)) ||
        size > MOST_CLEARED)
        return;
    LLVMValueRef at = LLVMGetNextInstruction(i), zero = LLVMConstNull(LLVMInt8TypeInContext(m->context));
    while (LLVMIsAAllocaInst(at))
        at = LLVMGetNextInstruction(at);
    LLVMPositionBuilderBefore(m->builder, at);
    LLVMSetCurrentDebugLocation2(m->builder, LLVMInstructionGetDebugLoc(at));
    LLVMBuildMemSet(m->builder, i, zero, module_i64(m, size), LLVMGetAlignment(i));
    LLVMValueRef args[] = {i, shadow_none(s), module_i64(m, size)};
    shadow_call(s, &(ShadowHelper){"fill", m->void_type, 1 << 1, 0}, args, 3);
}

/* A variable whose address escapes: old shadows there are cleared, since untracked code may be the first to write
 * it. */
void shadow_variable(Shadow *s, LLVMValueRef i)
{
    Module *m = s->m;
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMGetAllocatedType(i));
    decide_length(s, i);
    clear_structure(s, i);
    bool single = LLVMIsAConstantInt(LLVMGetOperand(i, 0)) && kind != LLVMArrayTypeKind && kind != LLVMStructTypeKind;
    if (!is_indexed(i))
        return;
    LLVMValueRef at = LLVMGetNextInstruction(i);
    while (LLVMIsAAllocaInst(at))
        at = LLVMGetNextInstruction(at);
    LLVMPositionBuilderBefore(m->builder, at);
    LLVMSetCurrentDebugLocation2(m->builder, LLVMInstructionGetDebugLoc(at));
    if (single) {
        LLVMValueRef args[] = {i, shadow_none(s), variable_size(m, i)};
        shadow_call(s, &(ShadowHelper){"fill", m->void_type, 1 << 1, 0}, args, 3);
        return;
    }
    const char *name = module_name_of(i);
    LLVMValueRef args[] = {i, variable_size(m, i), module_string(m, *name ? name : "local variable")};
    hook_call(m, m->void_type, "shadow_local", args, 3);
}

void shadow_return(Shadow *s, LLVMValueRef i)
{
    Module *m = s->m;
    unsigned count = shadow_part_count(LLVMGetReturnType(LLVMGlobalGetValueType(s->function)));
    if (!count || LLVMGetNumOperands(i) == 0 || !shadow_may_return(m, s->function))
        return;
    LLVMPositionBuilderBefore(m->builder, i);
    for (unsigned p = 0; p < count; p++)
        LLVMBuildStore(m->builder, shadow_of(s, LLVMGetOperand(i, 0), p), result_field(s, p));
    LLVMBuildStore(m->builder, s->function, returned_field(s));
}

/* ---- The caller --------------------------------------------------------------------------- */

static bool is_instrumented_here(LLVMValueRef callee)
{
    return callee && !LLVMIsDeclaration(callee);
}

static bool has_byval(LLVMValueRef call, unsigned n)
{
    return LLVMGetCallSiteEnumAttribute(call, n + 1, LLVMGetEnumAttributeKindForName("byval", 5)) != NULL;
}

static LLVMValueRef byval_token(Shadow *s, LLVMValueRef pointer)
{
    LLVMValueRef args[] = {pointer};
    return hook_call(s->m, s->m->i32, "shadow_byval_token", args, 1);
}

/* Functions of the runtime get no shadows of variable arguments. */
static bool has_variadic(LLVMValueRef call, LLVMValueRef callee)
{
    LLVMTypeRef type = LLVMGetCalledFunctionType(call);
    bool model = callee && LLVMIsDeclaration(callee) && strncmp(module_name_of(callee), "sennit_rt_", 10) == 0;
    return LLVMIsFunctionVarArg(type) && LLVMGetNumArgOperands(call) > LLVMCountParamTypes(type) && !model;
}

/* Stores the shadows of the arguments; answers whether there can be any. Those of variable arguments are always
 * stored: the callee must know which words of the stack they are. */
static bool pass_arguments(Shadow *s, LLVMValueRef call, LLVMValueRef callee)
{
    Module *m = s->m;
    bool any = has_variadic(call, callee);
    unsigned count = LLVMGetNumArgOperands(call);
    if (any)
        shadow_pass_variadic(s, call);
    for (unsigned i = 0; i < count && i < SHADOW_ARGUMENTS; i++) {
        LLVMValueRef argument = LLVMGetOperand(call, i);
        any = any || has_byval(call, i) ||
              (shadow_width(LLVMTypeOf(argument)) && !shadow_is_none(shadow_of(s, argument, 0)));
    }
    for (unsigned i = 0; i < count && i < SHADOW_ARGUMENTS && any; i++) {
        LLVMValueRef argument = LLVMGetOperand(call, i);
        if (shadow_width(LLVMTypeOf(argument)))
            LLVMBuildStore(m->builder, has_byval(call, i) ? byval_token(s, argument) : shadow_of(s, argument, 0),
                           argument_field(s, i));
    }
    return any;
}

static void take_result(Shadow *s, LLVMValueRef call, LLVMValueRef target)
{
    Module *m = s->m;
    unsigned count = shadow_part_count(LLVMTypeOf(call));
    if (!count || !shadow_maybe(s, call))
        return;
    LLVMPositionBuilderBefore(m->builder, LLVMGetNextInstruction(call));
    LLVMSetCurrentDebugLocation2(m->builder, LLVMInstructionGetDebugLoc(call));
    LLVMValueRef returned = LLVMBuildLoad2(m->builder, m->ptr, returned_field(s), "");
    LLVMValueRef mine = LLVMBuildICmp(m->builder, LLVMIntEQ, returned, target, "");
    for (unsigned p = 0; p < count; p++) {
        LLVMValueRef given = LLVMBuildLoad2(m->builder, m->i32, result_field(s, p), "");
        shadow_set(s, call, p, LLVMBuildSelect(m->builder, mine, given, module_i32(m, 0), ""));
    }
}

/* ---- The C library ---------------------------------------------------------------------------- */

/* The name without the runtime's prefix; NULL if it is not a library function. */
static const char *library_name(LLVMValueRef callee)
{
    const char *name = module_name_of(callee);
    if (!LLVMIsDeclaration(callee))
        return NULL;
    return strncmp(name, "sennit_rt_", 10) == 0 ? name + 10 : name;
}

/* Functions whose output is not read again; at most its length is used. */
static bool only_prints(const char *name)
{
    return strcmp(name, "printf") == 0 || strcmp(name, "vprintf") == 0 || strcmp(name, "fprintf") == 0 ||
           strcmp(name, "vfprintf") == 0;
}

/* Which argument is the stream or descriptor; -1: not an output function. */
static int stream_argument(const char *name)
{
    static const struct {
        const char *name;
        int argument;
    } writers[] = {{"fprintf", 0}, {"vfprintf", 0}, {"__fprintf_chk", 0}, {"__vfprintf_chk", 0}, {"dprintf", 0},
                   {"write", 0},   {"fputs", 1},    {"fputc", 1},         {"putc", 1},           {"fwrite", 3}};
    for (unsigned i = 0; i < sizeof writers / sizeof *writers; i++)
        if (strcmp(name, writers[i].name) == 0)
            return writers[i].argument;
    return -1;
}

static void concretise_written(Shadow *s, LLVMValueRef call, const char *name)
{
    Module *m = s->m;
    int at = stream_argument(name);
    if (at < 0 || at >= (int)LLVMGetNumArgOperands(call))
        return;
    LLVMValueRef stream[2], halves[2];
    shadow_halves(s, LLVMGetOperand(call, (unsigned)at), stream);
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        LLVMValueRef value = LLVMGetOperand(call, i);
        bool pointer = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind && !private_constant(value);
        if (i == (unsigned)at || !shadow_width(LLVMTypeOf(value)) ||
            (!pointer && shadow_is_none(shadow_of(s, value, 0))))
            continue;
        shadow_halves(s, value, halves);
        LLVMValueRef args[] = {stream[0],        shadow_of(s, value, 0),
                               halves[0],        pointer ? value : LLVMConstNull(m->ptr),
                               site_of(m, call), module_string(m, name)};
        hook_call(m, m->void_type, "shadow_written", args, 6);
    }
}

/* putchar(c) and the like return what they wrote. */
static void track_written_character(Shadow *s, LLVMValueRef call, const char *name)
{
    Module *m = s->m;
    if (strcmp(name, "putchar") != 0 && strcmp(name, "putc") != 0 && strcmp(name, "fputc") != 0)
        return;
    LLVMValueRef shadow = shadow_of(s, LLVMGetOperand(call, 0), 0);
    LLVMPositionBuilderBefore(m->builder, LLVMGetNextInstruction(call));
    LLVMValueRef byte[] = {module_i32(m, SENNIT_SHADOW_TRUNC), module_i32(m, 32), module_i32(m, 8), shadow};
    LLVMValueRef cut = shadow_call(s, &(ShadowHelper){"cast", m->i32, 1 << 3, -1}, byte, 4);
    LLVMValueRef number[] = {module_i32(m, SENNIT_SHADOW_ZEXT), module_i32(m, 8), module_i32(m, 32), cut};
    shadow_set(s, call, 0, shadow_call(s, &(ShadowHelper){"cast", m->i32, 1 << 3, -1}, number, 4));
}

/* The number of bytes written is used: each number is explored separately. */
static bool amount_matters(LLVMValueRef call, const char *name)
{
    return LLVMGetFirstUse(call) &&
           (strcmp(name, "write") == 0 || strcmp(name, "fwrite") == 0 || strcmp(name, "dprintf") == 0);
}

/* Redirects the call to the tracked version, if there is one. */
static LLVMValueRef retarget(Module *m, LLVMValueRef call, LLVMValueRef callee)
{
    const char *name = callee ? library_name(callee) : NULL;
    if (!name || !tracked_name(name) || (only_prints(name) && !LLVMGetFirstUse(call)))
        return callee;
    LLVMValueRef target = tracked_declare(m, name, LLVMGetCalledFunctionType(call));
    LLVMSetOperand(call, (unsigned)LLVMGetNumOperands(call) - 1, target);
    return target;
}

/* Arguments that the runtime only stores and later returns with their shadow. */
static bool model_keeps(const char *name, unsigned argument)
{
    static const struct {
        const char *name;
        unsigned argument;
    } kept[] = {{"pthread_create", 3}, {"thrd_create", 2},         {"pthread_exit", 0},
                {"thrd_exit", 0},      {"pthread_setspecific", 1}, {"tss_set", 1}};
    for (unsigned i = 0; i < sizeof kept / sizeof *kept; i++)
        if (strcmp(name, kept[i].name) == 0)
            return argument == kept[i].argument;
    return false;
}

/* Each value is explored separately. */
static void decide_value(Shadow *s, LLVMValueRef value, LLVMValueRef call)
{
    Module *m = s->m;
    LLVMValueRef halves[2];
    unsigned width = shadow_width(LLVMTypeOf(value));
    if (!width || width > 64 || shadow_is_none(shadow_of(s, value, 0)))
        return;
    shadow_halves(s, value, halves);
    bool pointer = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
    LLVMValueRef args[] = {shadow_of(s, value, 0), halves[0], module_i32(m, pointer), site_of(m, call)};
    shadow_call(s, &(ShadowHelper){"decide", m->void_type, 1, SHADOW_NO_MEMORY}, args, 4);
}

/* Each function that a symbolic pointer may call is explored separately. */
static void decide_target(Shadow *s, LLVMValueRef call)
{
    decide_value(s, LLVMGetCalledValue(call), call);
}

/* Concretises the memory behind the pointer. */
static void tell_reached(Shadow *s, LLVMValueRef call, LLVMValueRef pointer, const char *name)
{
    Module *m = s->m;
    if (LLVMGetTypeKind(LLVMTypeOf(pointer)) != LLVMPointerTypeKind || LLVMIsNull(pointer))
        return;
    LLVMValueRef args[] = {pointer, site_of(m, call), module_string(m, name)};
    hook_call(m, m->void_type, "shadow_reach", args, 3);
}

/* Concretises the operand if it is symbolic; with `reaches` also the memory that it points to. */
static void concretise(Shadow *s, LLVMValueRef i, LLVMValueRef operand, const char *name, bool reaches)
{
    Module *m = s->m;
    LLVMValueRef halves[2];
    unsigned width = shadow_width(LLVMTypeOf(operand));
    if (width && !shadow_is_none(shadow_of(s, operand, 0))) {
        shadow_halves(s, operand, halves);
        LLVMValueRef args[] = {shadow_of(s, operand, 0), halves[0], module_i32(m, width), site_of(m, i),
                               module_string(m, name)};
        shadow_call(s, &(ShadowHelper){"foreign", m->void_type, 1, -1}, args, 5);
    }
    if (reaches)
        tell_reached(s, i, operand, name);
}

/* All other functions of the runtime need concrete arguments. */
static void decide_arguments(Shadow *s, LLVMValueRef call, LLVMValueRef callee)
{
    const char *name = callee ? module_name_of(callee) : "";
    if (strncmp(name, "sennit_rt_", 10) != 0 || !LLVMIsDeclaration(callee) ||
        (modelled_tracks(name + 10) && !amount_matters(call, name + 10)))
        return;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        LLVMValueRef value = LLVMGetOperand(call, i);
        if (modelled_concretises(name + 10))
            concretise(s, call, value, name + 10, true);
        else if (!model_keeps(name + 10, i))
            decide_value(s, value, call);
    }
}

/* May the function be uninstrumented? Modelled functions handle shadows themselves. */
static bool may_be_foreign(LLVMValueRef callee)
{
    return callee && LLVMIsDeclaration(callee) && strncmp(module_name_of(callee), "sennit_", 7) != 0;
}

/* The first argument whose shadow does not reach the callee. For uninstrumented code it is the first one. */
static unsigned first_lost(Shadow *s, LLVMValueRef call, LLVMValueRef callee)
{
    if (may_be_foreign(callee))
        return 0;
    return has_variadic(call, callee) ? shadow_first_lost_variadic(s, call) : SHADOW_ARGUMENTS;
}

/* Whether a pointer leads to instrumented code is known only when it is called. */
static void tell_target(Shadow *s, LLVMValueRef call)
{
    Module *m = s->m;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        LLVMValueRef value = LLVMGetOperand(call, i), halves[2];
        bool pointer = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind && !private_constant(value);
        if (!shadow_width(LLVMTypeOf(value)) || (!pointer && shadow_is_none(shadow_of(s, value, 0))))
            continue;
        shadow_halves(s, value, halves);
        LLVMValueRef args[] = {LLVMGetCalledValue(call), shadow_of(s, value, 0), halves[0],
                               pointer ? value : LLVMConstNull(m->ptr), site_of(m, call)};
        hook_call(m, m->void_type, "shadow_through", args, 5);
    }
}

/* What an uninstrumented function reads: its arguments, and the memory behind them. */
static void concretise_arguments(Shadow *s, LLVMValueRef call, LLVMValueRef callee)
{
    bool foreign = may_be_foreign(callee);
    const char *name = foreign ? module_name_of(callee) : "variable arguments";
    for (unsigned i = first_lost(s, call, callee); i < LLVMGetNumArgOperands(call); i++)
        concretise(s, call, LLVMGetOperand(call, i), name, foreign);
}

void shadow_concretise(Shadow *s, LLVMValueRef i)
{
    for (int k = 0; k < LLVMGetNumOperands(i); k++)
        concretise(s, i, LLVMGetOperand(i, (unsigned)k), "a vector", false);
}

static void concretise_assembly(Shadow *s, LLVMValueRef call)
{
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
        concretise(s, call, LLVMGetOperand(call, i), "inline assembly", true);
}

void shadow_call_site(Shadow *s, LLVMValueRef call)
{
    Module *m = s->m;
    LLVMValueRef target = LLVMGetCalledValue(call), callee = LLVMIsAFunction(target);
    LLVMPositionBuilderBefore(m->builder, call);
    LLVMSetCurrentDebugLocation2(m->builder, LLVMInstructionGetDebugLoc(call));
    if (LLVMIsAInlineAsm(target)) {
        concretise_assembly(s, call);
        return;
    }
    const char *library = callee ? library_name(callee) : NULL;
    if (library)
        concretise_written(s, call, library);
    callee = retarget(m, call, callee);
    target = LLVMGetCalledValue(call);
    decide_target(s, call);
    decide_arguments(s, call, callee);
    concretise_arguments(s, call, callee);
    if (!callee)
        tell_target(s, call);
    bool any = pass_arguments(s, call, callee);
    if (any || !is_instrumented_here(callee))
        LLVMBuildStore(m->builder, any ? target : LLVMConstNull(m->ptr), callee_field(s));
    take_result(s, call, target);
    if (library)
        track_written_character(s, call, library);
}
