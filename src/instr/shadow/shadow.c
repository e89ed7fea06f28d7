/* shadow.c - see shadow.h */
#include "instr/shadow/shadow.h"

#include "instr/shadow/shadow_flow.h"

LLVMValueRef shadow_none(const Shadow *s)
{
    return module_i32(s->m, 0);
}

bool shadow_is_none(LLVMValueRef shadow)
{
    return LLVMIsAConstantInt(shadow) && LLVMConstIntGetZExtValue(shadow) == 0;
}

LLVMValueRef shadow_of(Shadow *s, LLVMValueRef value, unsigned part)
{
    uint64_t *first = map_find(&s->first, map_key(value));
    return first ? s->parts.items[*first - 1 + part] : shadow_none(s);
}

void shadow_set(Shadow *s, LLVMValueRef value, unsigned part, LLVMValueRef shadow)
{
    bool added;
    uint64_t *first = map_insert(&s->first, map_key(value), &added);
    if (added) {
        unsigned count = shadow_part_count(LLVMTypeOf(value));
        *first = s->parts.count + 1;
        for (unsigned i = 0; i < count; i++)
            VEC_PUSH(&s->parts, shadow_none(s));
    }
    s->parts.items[*first - 1 + part] = shadow;
}
