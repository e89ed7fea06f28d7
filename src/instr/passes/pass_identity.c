/* pass_identity.c - each thread of the program has a thread pointer and an errno of its own
 *
 * Threads are coroutines of one thread of the system, so what the processor calls the thread pointer is the same in
 * all of them. Reading it (the intrinsics, assembly in the usual spellings, loads relative to %fs) becomes a call of
 * the runtime. The value of errno is switched with the coroutines. Where only its value is accessed the real place is
 * used; any other use of its address gets a place that is the thread's own (rt/kernel/identity.h).
 */
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "instr/module/asmtext.h"
#include "instr/module/callee.h"
#include "instr/module/hook.h"
#include "instr/passes/passes.h"

enum { SEGMENT_FS = 257 }; /* the address space of pointers relative to %fs */

/* ---- The thread pointer ----------------------------------------------------- */

static bool has_word(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    return LLVMGetTypeKind(type) == LLVMPointerTypeKind ||
           (LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 64);
}

static LLVMValueRef as_number(Module *m, LLVMValueRef value)
{
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(value));
    return kind == LLVMPointerTypeKind ? LLVMBuildPtrToInt(m->builder, value, m->i64, "")
                                       : LLVMBuildIntCast2(m->builder, value, m->i64, 1, "");
}

/* The instruction becomes the word of the thread's control block at this offset; NULL: the thread pointer. */
static void replace(Module *m, LLVMValueRef instruction, LLVMValueRef offset)
{
    LLVMValueRef word = offset ? hook_call(m, m->i64, "thread_slot", &offset, 1)
                               : hook_call(m, m->i64, "thread_pointer", NULL, 0);
    if (LLVMGetTypeKind(LLVMTypeOf(instruction)) == LLVMPointerTypeKind)
        word = LLVMBuildIntToPtr(m->builder, word, LLVMTypeOf(instruction), "");
    LLVMReplaceAllUsesWith(instruction, word);
    LLVMInstructionEraseFromParent(instruction);
}

static void replace_assembly(Module *m, LLVMValueRef call, LLVMValueRef code)
{
    uint64_t offset;
    switch (has_word(call) ? asmtext_thread(code, &offset) : ASM_THREAD_NONE) {
    case ASM_THREAD_POINTER: replace(m, call, NULL); break;
    case ASM_THREAD_SLOT: replace(m, call, LLVMConstInt(m->i64, offset, 0)); break;
    case ASM_THREAD_OPERAND:
        if (LLVMGetNumArgOperands(call) == 1)
            replace(m, call, as_number(m, LLVMGetOperand(call, 0)));
        break;
    default: break;
    }
}

static bool reads_pointer(const char *name)
{
    return name_begins(name, "llvm.thread.pointer") || name_begins(name, "llvm.x86.rdfsbase.64");
}

static bool is_slot_load(LLVMValueRef instruction)
{
    return LLVMIsALoadInst(instruction) && has_word(instruction) &&
           LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(instruction, 0))) == SEGMENT_FS;
}

/* ---- The place of errno ------------------------------------------------------- */

static bool only_accessed(LLVMValueRef place)
{
    for (LLVMUseRef use = LLVMGetFirstUse(place); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool stores_to = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != place;
        if (!LLVMIsALoadInst(user) && !stores_to)
            return false;
    }
    return true;
}

static void replace_errno(Module *m, LLVMValueRef call)
{
    if (!only_accessed(call))
        return; /* redirected like any other function */
    LLVMReplaceAllUsesWith(call, hook_call(m, m->ptr, "errno_value", NULL, 0));
    LLVMInstructionEraseFromParent(call);
}

/* ---- The pass ------------------------------------------------------------------ */

static void treat(Module *m, LLVMValueRef instruction)
{
    if (is_slot_load(instruction)) {
        replace(m, instruction, as_number(m, LLVMGetOperand(instruction, 0)));
        return;
    }
    if (!LLVMIsACallInst(instruction))
        return;
    LLVMValueRef code = LLVMIsAInlineAsm(LLVMGetCalledValue(instruction)), callee = callee_of(instruction);
    if (code)
        replace_assembly(m, instruction, code);
    else if (callee && reads_pointer(module_name_of(callee)))
        replace(m, instruction, NULL);
    else if (callee && LLVMIsDeclaration(callee) && strcmp(module_name_of(callee), "__errno_location") == 0)
        replace_errno(m, instruction);
}

void pass_identity(Module *m)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f; f = LLVMGetNextFunction(f)) {
        ValueList list = module_instructions(f);
        for (uint32_t i = 0; i < list.count; i++) {
            LLVMPositionBuilderBefore(m->builder, list.items[i]);
            LLVMSetCurrentDebugLocation2(m->builder, LLVMInstructionGetDebugLoc(list.items[i]));
            treat(m, list.items[i]);
        }
        VEC_FREE(&list);
    }
}
