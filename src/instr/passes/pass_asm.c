/* pass_asm.c - inline assembly
 *
 * What assembly does to memory is translated (lift.h). Assembly that is not known and may access shared memory runs
 * unobserved: it gets a mark, so that the verdict names it.
 */
#include <ctype.h>

#include "instr/assembly/lift.h"
#include "instr/module/unseen.h"
#include "instr/passes/passes.h"

enum { MAX_WARNINGS = 5 };

/* Instructions that are left as they are have metadata of this kind until they get their marks. */
static unsigned kind_of_unknown(const Module *m)
{
    static const char name[] = "sennit.assembly";
    return LLVMGetMDKindIDInContext(m->context, name, sizeof name - 1);
}

static void note_unknown(Module *m, LLVMValueRef call, uint32_t nth)
{
    LLVMMetadataRef mark = LLVMMDNodeInContext2(m->context, NULL, 0);
    LLVMSetMetadata(call, kind_of_unknown(m), LLVMMetadataAsValue(m->context, mark));
    if (nth > MAX_WARNINGS)
        return;
    if (lift_draws_random(LLVMGetCalledValue(call)))
        module_warn(m, call, "inline assembly is not instrumented: its random numbers are others in each execution");
    else
        module_warn(m, call, "inline assembly is not instrumented: its accesses to shared memory are not checked");
}

static void treat(Module *m, LLVMValueRef instruction, uint32_t *unknown)
{
    bool calls = LLVMIsACallInst(instruction) || LLVMIsACallBrInst(instruction);
    if (calls && LLVMIsAInlineAsm(LLVMGetCalledValue(instruction)) &&
        lift_assembly(m, instruction) == LIFT_UNKNOWN)
        note_unknown(m, instruction, ++*unknown);
}

void pass_asm(Module *m)
{
    size_t length;
    LLVMGetModuleInlineAsm(m->llvm, &length);
    if (length)
        module_warn(m, NULL, "assembly at file scope is not instrumented");
    uint32_t unknown = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f; f = LLVMGetNextFunction(f)) {
        ValueList list = module_instructions(f);
        for (uint32_t i = 0; i < list.count; i++)
            treat(m, list.items[i], &unknown);
        VEC_FREE(&list);
    }
    if (unknown > MAX_WARNINGS)
        module_warn(m, NULL, "%u more places with inline assembly", unknown - MAX_WARNINGS);
}

/* ---- Marks ------------------------------------------------------------------- */

/* Its first instruction, as far as there is room. */
static void name_assembly(LLVMValueRef call, char *name, size_t size)
{
    size_t length, used = 0;
    const char *text = LLVMGetInlineAsmAsmString(LLVMGetCalledValue(call), &length);
    size_t begin = 0;
    while (begin < length && isspace((unsigned char)text[begin]))
        begin++;
    for (size_t i = begin; i < length && used + 1 < size && text[i] != ';' && text[i] != '\n'; i++)
        name[used++] = isspace((unsigned char)text[i]) ? ' ' : text[i];
    while (used && name[used - 1] == ' ')
        used--;
    name[used] = '\0';
}

void pass_asm_marks(Module *m)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f; f = LLVMGetNextFunction(f)) {
        ValueList list = module_instructions(f);
        for (uint32_t i = 0; i < list.count; i++) {
            char name[48];
            if (!LLVMGetMetadata(list.items[i], kind_of_unknown(m)))
                continue;
            LLVMSetMetadata(list.items[i], kind_of_unknown(m), NULL);
            name_assembly(list.items[i], name, sizeof name);
            bool draws = lift_draws_random(LLVMGetCalledValue(list.items[i]));
            unseen_mark(m, list.items[i], draws ? UNSEEN_RANDOM : UNSEEN_ASSEMBLY, name);
        }
        VEC_FREE(&list);
    }
}
