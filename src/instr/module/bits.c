/* bits.c - see bits.h */
#include "instr/module/bits.h"

bool bits_fit(const Module *m, LLVMTypeRef type)
{
    uint64_t size = module_size_of(m, type);
    return size == 1 || size == 2 || size == 4 || size == 8;
}

static LLVMTypeRef integer_of_same_size(const Module *m, LLVMTypeRef type)
{
    return LLVMIntTypeInContext(m->context, (unsigned)LLVMSizeOfTypeInBits(m->layout, type));
}

LLVMValueRef bits_pack(Module *m, LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMPointerTypeKind)
        return LLVMBuildPtrToInt(m->builder, value, m->i64, "");
    if (kind != LLVMIntegerTypeKind)
        value = LLVMBuildBitCast(m->builder, value, integer_of_same_size(m, type), "");
    return LLVMBuildIntCast2(m->builder, value, m->i64, 0, "");
}

LLVMValueRef bits_unpack(Module *m, LLVMValueRef word, LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMPointerTypeKind)
        return LLVMBuildIntToPtr(m->builder, word, type, "");
    LLVMValueRef integer = LLVMBuildIntCast2(m->builder, word, integer_of_same_size(m, type), 0, "");
    return kind == LLVMIntegerTypeKind ? integer : LLVMBuildBitCast(m->builder, integer, type, "");
}
