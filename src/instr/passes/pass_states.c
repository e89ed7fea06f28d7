/* pass_states.c - makes states of threads comparable while they wait, for --reduction=states
 *
 * What a thread has in registers and in its frames while it waits is a part of its state, also if it is never used
 * again. Before each such call the registers that a callee preserves are cleared: values that are used later are kept
 * in the frame, and what others have left does not tell states apart. Hooks are called through the runtime's `framed`,
 * which notes where the frames of the program begin, and the arguments.
 */
#include <string.h>

#include "instr/module/callee.h"
#include "instr/module/hook.h"
#include "instr/module/redirect.h"
#include "instr/passes/passes.h"

/* Hooks of the runtime at which threads wait, or that leave much on the stack, begin so. The functions of actors and
 * observers note frames themselves. */
static const char *const waiting[] = {"atomic_", "pthread_", "sem_",   "mtx_",    "cnd_", "thrd_",
                                      "malloc",  "calloc",   "realloc", "free", "__VERIFIER_"};

static bool is_waiting_hook(LLVMValueRef call)
{
    for (unsigned i = 0; i < sizeof waiting / sizeof *waiting; i++)
        if (hook_is(call, waiting[i]))
            return true;
    return false;
}

static bool may_wait(LLVMValueRef call)
{
    const char *name = callee_name(call);
    if (LLVMIsAInlineAsm(LLVMGetCalledValue(call)) || name_begins(name, "llvm."))
        return false;
    if (hook_is(call, ""))
        return is_waiting_hook(call) || hook_is(call, "sennit_");
    return redirect_class(name) != LIBRARY_PURE;
}

/* ---- Hooks ------------------------------------------------------------------------------- */

enum { FEW = 5, MANY = 10 };

/* As an argument of `framed`; NULL if it cannot be. */
static LLVMValueRef as_word(Module *m, LLVMValueRef value)
{
    switch (LLVMGetTypeKind(LLVMTypeOf(value))) {
    case LLVMPointerTypeKind: return LLVMBuildPtrToInt(m->builder, value, m->i64, "");
    case LLVMIntegerTypeKind: return LLVMBuildZExtOrBitCast(m->builder, value, m->i64, "");
    default: return NULL;
    }
}

static void replace_result(Module *m, LLVMValueRef call, LLVMValueRef word)
{
    LLVMTypeRef type = LLVMTypeOf(call);
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        LLVMReplaceAllUsesWith(call, LLVMBuildIntToPtr(m->builder, word, type, ""));
    else if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind)
        LLVMReplaceAllUsesWith(call, LLVMBuildTruncOrBitCast(m->builder, word, type, ""));
    LLVMInstructionEraseFromParent(call);
}

static void call_framed(Module *m, LLVMValueRef call)
{
    unsigned count = LLVMGetNumArgOperands(call), room = count > FEW ? MANY : FEW;
    LLVMValueRef args[1 + MANY];
    if (count > MANY || LLVMIsFunctionVarArg(LLVMGetCalledFunctionType(call)))
        return;
    LLVMPositionBuilderBefore(m->builder, call);
    args[0] = LLVMGetCalledValue(call);
    for (unsigned i = 0; i < room; i++)
        if (!(args[1 + i] = i < count ? as_word(m, LLVMGetOperand(call, i)) : LLVMConstInt(m->i64, 0, 0)))
            return;
    replace_result(m, call, hook_call(m, m->i64, room == FEW ? "framed" : "framed_many", args, 1 + room));
}

/* ---- Registers ------------------------------------------------------------------------------- */

/* Instructions and what they change. */
static const char *const x86[2] = {
    "xorl %ebx, %ebx\n\txorl %r12d, %r12d\n\txorl %r13d, %r13d\n\txorl %r14d, %r14d\n\txorl %r15d, %r15d",
    "~{rbx},~{r12},~{r13},~{r14},~{r15},~{dirflag},~{fpsr},~{flags}"};
static const char *const arm[2] = {
    "mov x19, #0\n\tmov x20, #0\n\tmov x21, #0\n\tmov x22, #0\n\tmov x23, #0\n\tmov x24, #0\n\tmov x25, #0\n\t"
    "mov x26, #0\n\tmov x27, #0\n\tmov x28, #0",
    "~{x19},~{x20},~{x21},~{x22},~{x23},~{x24},~{x25},~{x26},~{x27},~{x28}"};

static void clear_before(Module *m, LLVMValueRef call, const char *const code[2])
{
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(m->context), NULL, 0, 0);
    LLVMValueRef assembly = LLVMGetInlineAsm(type, code[0], strlen(code[0]), code[1], strlen(code[1]), 1, 0,
                                             LLVMInlineAsmDialectATT, 0);
    LLVMPositionBuilderBefore(m->builder, call);
    LLVMBuildCall2(m->builder, type, assembly, NULL, 0, "");
}

static void prepare(Module *m, LLVMValueRef call, const char *const code[2])
{
    clear_before(m, call, code);
    if (is_waiting_hook(call))
        call_framed(m, call);
}

void pass_states(Module *m)
{
    const char *const *code = strncmp(LLVMGetTarget(m->llvm), "x86_64", 6) == 0 ? x86 : arm;
    for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f; f = LLVMGetNextFunction(f)) {
        ValueList list = module_instructions(f);
        for (uint32_t i = 0; i < list.count; i++)
            if (LLVMIsACallInst(list.items[i]) && may_wait(list.items[i]))
                prepare(m, list.items[i], code);
        VEC_FREE(&list);
    }
}
