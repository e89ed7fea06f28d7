/* shadow_flow.c - see shadow_flow.h */
#include "instr/shadow/shadow_flow.h"

#include "instr/module/callee.h"
#include "instr/shadow/shadow_call.h"
#include "instr/shadow/shadow_closed.h"

/* ---- Types ------------------------------------------------------------------ */

unsigned shadow_width(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMPointerTypeKind:
        return 64;
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(type) <= 128 ? LLVMGetIntTypeWidth(type) : 0;
    default:
        return 0;
    }
}

static unsigned count_parts(LLVMTypeRef type)
{
    unsigned count = 0;
    switch (LLVMGetTypeKind(type)) {
    case LLVMStructTypeKind:
        for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
            count += count_parts(LLVMStructGetTypeAtIndex(type, i));
        return count;
    case LLVMArrayTypeKind:
        return (unsigned)LLVMGetArrayLength2(type) * count_parts(LLVMGetElementType(type));
    default:
        return 1;
    }
}

static bool has_tracked_part(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMStructTypeKind:
        for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
            if (has_tracked_part(LLVMStructGetTypeAtIndex(type, i)))
                return true;
        return false;
    case LLVMArrayTypeKind:
        return has_tracked_part(LLVMGetElementType(type));
    default:
        return shadow_width(type) != 0;
    }
}

unsigned shadow_part_count(LLVMTypeRef type)
{
    unsigned count = has_tracked_part(type) ? count_parts(type) : 0;
    return count <= SHADOW_PARTS ? count : 0;
}

unsigned shadow_part_at(LLVMTypeRef type, const unsigned *indices, unsigned count)
{
    unsigned at = 0;
    for (unsigned i = 0; i < count; i++) {
        if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            for (unsigned k = 0; k < indices[i]; k++)
                at += count_parts(LLVMStructGetTypeAtIndex(type, k));
            type = LLVMStructGetTypeAtIndex(type, indices[i]);
        } else {
            type = LLVMGetElementType(type);
            at += indices[i] * count_parts(type);
        }
    }
    return at;
}

/* ---- Flow --------------------------------------------------------------------- */

bool shadow_maybe(const Shadow *s, LLVMValueRef value)
{
    return map_find(&s->maybe, map_key(value)) != NULL;
}

/* Results of the runtime's hooks are known; those of other calls may be symbolic. */
static bool call_may_bring(const Shadow *s, LLVMValueRef call)
{
    LLVMValueRef callee = callee_of(call);
    if (!callee)
        return true;
    if (LLVMGetIntrinsicID(callee)) {
        for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
            if (shadow_maybe(s, LLVMGetOperand(call, i)))
                return true;
        return false;
    }
    return shadow_returns(s->m, callee);
}

static bool some_operand(const Shadow *s, LLVMValueRef i)
{
    for (int k = 0; k < LLVMGetNumOperands(i); k++)
        if (shadow_maybe(s, LLVMGetOperand(i, (unsigned)k)))
            return true;
    return false;
}

static bool may_have(const Shadow *s, LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
        return true;
    case LLVMCall:
        return call_may_bring(s, i);
    case LLVMAlloca:
    case LLVMFPToSI:
    case LLVMFPToUI:
    case LLVMFCmp:
    case LLVMVAArg:
        return false;
    default:
        return some_operand(s, i);
    }
}

void shadow_flow(Shadow *s)
{
    ValueList list = module_instructions(s->function);
    bool changed = true;
    for (unsigned i = 0; i < LLVMCountParams(s->function) && i < SHADOW_ARGUMENTS; i++)
        if (shadow_width(LLVMTypeOf(LLVMGetParam(s->function, i))) && shadow_may_get(s->m, s->function, i))
            map_insert(&s->maybe, map_key(LLVMGetParam(s->function, i)), NULL);
    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < list.count; i++) {
            LLVMValueRef v = list.items[i];
            if (!shadow_part_count(LLVMTypeOf(v)) || shadow_maybe(s, v) || !may_have(s, v))
                continue;
            map_insert(&s->maybe, map_key(v), NULL);
            changed = true;
        }
    }
    VEC_FREE(&list);
}
