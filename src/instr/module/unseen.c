/* unseen.c - see unseen.h */
#include "instr/module/unseen.h"

#include "instr/module/site.h"

/* A byte; they lie next to each other in the program. */
static LLVMValueRef make_mark(Module *m, bool is_set)
{
    LLVMValueRef mark = LLVMAddGlobal(m->llvm, m->i8, "sennit_unseen_mark");
    LLVMSetInitializer(mark, LLVMConstInt(m->i8, is_set, 0));
    LLVMSetLinkage(mark, LLVMInternalLinkage);
    LLVMSetSection(mark, "sennit_unseen_marks");
    LLVMSetAlignment(mark, 1);
    VEC_PUSH(&m->used, mark);
    return mark;
}

/* One SennitUnseen of rt/abi/hooks.h. */
static void list(Module *m, UnseenKind kind, const char *name, LLVMValueRef site, LLVMValueRef mark)
{
    LLVMValueRef fields[] = {module_string(m, name), site, mark, module_i64(m, kind)};
    LLVMValueRef record = LLVMConstStructInContext(m->context, fields, 4, 0);
    VEC_PUSH(&m->used, module_constant(m, record, "sennit_unseen", 8));
}

void unseen_mark(Module *m, LLVMValueRef instruction, UnseenKind kind, const char *name)
{
    LLVMValueRef mark = make_mark(m, false);
    list(m, kind, name, site_of(m, instruction), mark);
    LLVMPositionBuilderBefore(m->builder, instruction);
    LLVMSetCurrentDebugLocation2(m->builder, NULL);
    LLVMBuildStore(m->builder, LLVMConstInt(m->i8, 1, 0), mark);
}

void unseen_mark_always(Module *m, UnseenKind kind, const char *name)
{
    list(m, kind, name, LLVMConstNull(m->ptr), make_mark(m, true));
}
