/* pass_byval.c - structures passed by value become local variables of the function
 *
 * Some lie where the caller has put them, in its own frame. They end with the function that is called all the same, so
 * it gets a copy in its frame, whose end is noticed.
 */
#include <llvm-c/DebugInfo.h>

#include "instr/passes/passes.h"

/* The type of a parameter that is passed by value in memory; NULL for others. */
static LLVMTypeRef type_by_value(LLVMValueRef function, unsigned number)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
    LLVMAttributeRef attribute = LLVMGetEnumAttributeAtIndex(function, (LLVMAttributeIndex)(number + 1), kind);
    return attribute ? LLVMGetTypeAttributeValue(attribute) : NULL;
}

/* What the parameter says about it, which may be more than its type. */
static unsigned alignment_of(LLVMValueRef function, unsigned number)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("align", 5);
    LLVMAttributeRef attribute = LLVMGetEnumAttributeAtIndex(function, (LLVMAttributeIndex)(number + 1), kind);
    return attribute ? (unsigned)LLVMGetEnumAttributeValue(attribute) : 1;
}

static void copy_parameter(Module *m, LLVMValueRef function, unsigned number, LLVMTypeRef type)
{
    LLVMValueRef parameter = LLVMGetParam(function, number);
    LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
    unsigned given = alignment_of(function, number), own = LLVMABIAlignmentOfType(m->layout, type);
    unsigned alignment = given > own ? given : own;
    LLVMPositionBuilderBefore(m->builder, first);
    LLVMSetCurrentDebugLocation2(m->builder, NULL);
    LLVMValueRef copy = LLVMBuildAlloca(m->builder, type, module_name_of(parameter));
    LLVMSetAlignment(copy, alignment);
    LLVMReplaceAllUsesWith(parameter, copy);
    LLVMPositionBuilderBefore(m->builder, module_after_variables(first));
    LLVMBuildMemCpy(m->builder, copy, alignment, parameter, given, module_i64(m, LLVMABISizeOfType(m->layout, type)));
}

void pass_byval(Module *m)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f; f = LLVMGetNextFunction(f))
        for (unsigned i = 0; !LLVMIsDeclaration(f) && i < LLVMCountParams(f); i++) {
            LLVMTypeRef type = type_by_value(f, i);
            if (type && LLVMGetFirstUse(LLVMGetParam(f, i)))
                copy_parameter(m, f, i, type);
        }
}
