/* pass_main.c - the program's main becomes sennit_user_main(int, char **, char **)
 *
 * The test binary's own main is the explorer. A main with fewer parameters keeps its
 * body and gets a wrapper, so that the explorer always calls one signature.
 */
#include "instr/passes.h"

static LLVMTypeRef full_type(Module *m)
{
    LLVMTypeRef parameters[] = {m->i32, m->ptr, m->ptr};
    return LLVMFunctionType(m->i32, parameters, 3, 0);
}

static void wrap(Module *m, LLVMValueRef body)
{
    LLVMTypeRef body_type = LLVMGlobalGetValueType(body);
    LLVMValueRef wrapper = LLVMAddFunction(m->llvm, "sennit_user_main", full_type(m));
    unsigned count = LLVMCountParams(body);
    LLVMValueRef args[3];
    for (unsigned i = 0; i < count; i++)
        args[i] = LLVMGetParam(wrapper, i);
    LLVMPositionBuilderAtEnd(m->builder, LLVMAppendBasicBlockInContext(m->context, wrapper, ""));
    LLVMSetCurrentDebugLocation2(m->builder, NULL);
    LLVMValueRef result = LLVMBuildCall2(m->builder, body_type, body, args, count, "");
    bool has_result = LLVMGetReturnType(body_type) == m->i32;
    LLVMBuildRet(m->builder, has_result ? result : module_i32(m, 0));
    LLVMSetLinkage(body, LLVMInternalLinkage);
}

void pass_main(Module *m)
{
    LLVMValueRef function = LLVMGetNamedFunction(m->llvm, "main");
    if (!function || LLVMIsDeclaration(function))
        return;
    if (LLVMGlobalGetValueType(function) == full_type(m)) {
        LLVMSetValueName2(function, "sennit_user_main", 16);
    } else if (LLVMCountParams(function) <= 3) {
        LLVMSetValueName2(function, "sennit_main_body", 16);
        wrap(m, function);
    } else {
        module_warn(m, NULL, "main has more than three parameters and is left alone");
    }
}
