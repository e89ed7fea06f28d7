/* shadow_closed.c - see shadow_closed.h */
#include "instr/shadow/shadow_closed.h"

#include <string.h>

#include "instr/module/callee.h"
#include "instr/module/site.h"
#include "instr/shadow/shadow_flow.h"

enum { RESULT = SHADOW_ARGUMENTS };

/* ---- Which functions ------------------------------------------------------------- */

/* Is the use a direct call of the function, with its own type? */
static bool is_call(LLVMUseRef use, LLVMValueRef function)
{
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsACallInst(user) || LLVMGetCalledFunctionType(user) != LLVMGlobalGetValueType(function))
        return false;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(user); i++)
        if (LLVMGetOperand(user, i) == function)
            return false;
    return LLVMGetCalledValue(user) == function;
}

/* Structures passed by value in memory, and variable arguments, are passed differently. */
static bool has_simple_arguments(LLVMValueRef function)
{
    unsigned byval = LLVMGetEnumAttributeKindForName("byval", 5);
    for (unsigned i = 1; i <= LLVMCountParams(function); i++)
        if (LLVMGetEnumAttributeAtIndex(function, i, byval))
            return false;
    return !LLVMIsFunctionVarArg(LLVMGlobalGetValueType(function));
}

/* While a module is doubled, local functions are recognised by their names. */
static bool is_closed(LLVMValueRef function)
{
    if (LLVMIsDeclaration(function) || !strstr(module_name_of(function), SITE_LOCAL) || !has_simple_arguments(function))
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use))
        if (!is_call(use, function))
            return false;
    return true;
}

void shadow_find_closed(Module *m)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f; f = LLVMGetNextFunction(f))
        if (is_closed(f))
            map_insert(&m->closed, map_key(f), NULL);
}

/* ---- Symbolic arguments ---------------------------------------------------------------- */

/* Bits: arguments that may have a shadow; bit RESULT: the result. NULL: not closed, all that have a suitable type. */
static uint64_t *reached(const Module *m, LLVMValueRef function) { return map_find(&m->closed, map_key(function)); }

bool shadow_may_get(const Module *m, LLVMValueRef function, unsigned n)
{
    const uint64_t *bits = reached(m, function);
    return !bits || *bits >> n & 1;
}

bool shadow_may_return(const Module *m, LLVMValueRef function)
{
    return shadow_may_get(m, function, RESULT);
}

/* Functions to be analysed again. */
typedef struct Agenda {
    Map listed;
    ValueList functions;
} Agenda;

static void list(Agenda *agenda, LLVMValueRef function)
{
    uint64_t *is_listed = map_insert(&agenda->listed, map_key(function), NULL);
    if (!*is_listed)
        VEC_PUSH(&agenda->functions, function);
    *is_listed = 1;
}

static void list_callers(Agenda *agenda, LLVMValueRef function)
{
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use))
        list(agenda, LLVMGetBasicBlockParent(LLVMGetInstructionParent(LLVMGetUser(use))));
}

static void note_call(const Shadow *s, LLVMValueRef call, Agenda *agenda)
{
    LLVMValueRef callee = callee_of(call);
    uint64_t *bits = callee ? reached(s->m, callee) : NULL, before = bits ? *bits : 0;
    for (unsigned i = 0; bits && i < LLVMGetNumArgOperands(call) && i < SHADOW_ARGUMENTS; i++)
        if (shadow_maybe(s, LLVMGetOperand(call, i)))
            *bits |= 1ull << i;
    if (bits && *bits != before)
        list(agenda, callee);
}

static void note_return(const Shadow *s, LLVMValueRef i, Agenda *agenda)
{
    uint64_t *bits = reached(s->m, s->function);
    if (!bits || *bits >> RESULT & 1 || LLVMGetNumOperands(i) == 0 || !shadow_maybe(s, LLVMGetOperand(i, 0)))
        return;
    *bits |= 1ull << RESULT;
    list_callers(agenda, s->function);
}

static void look_at(Module *m, LLVMValueRef function, Agenda *agenda)
{
    Shadow s = {.m = m, .function = function};
    ValueList instructions = module_instructions(function);
    shadow_flow(&s);
    for (uint32_t i = 0; i < instructions.count; i++) {
        LLVMOpcode opcode = LLVMGetInstructionOpcode(instructions.items[i]);
        if (opcode == LLVMCall)
            note_call(&s, instructions.items[i], agenda);
        else if (opcode == LLVMRet)
            note_return(&s, instructions.items[i], agenda);
    }
    VEC_FREE(&instructions);
    map_release(&s.maybe);
}

void shadow_reach_closed(Module *m)
{
    Agenda agenda = {0};
    if (m->closed.count == 0)
        return;
    for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            list(&agenda, f);
    while (agenda.functions.count) {
        LLVMValueRef function = agenda.functions.items[--agenda.functions.count];
        *map_find(&agenda.listed, map_key(function)) = 0;
        look_at(m, function, &agenda);
    }
    map_release(&agenda.listed);
    VEC_FREE(&agenda.functions);
}
