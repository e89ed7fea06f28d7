/* lift.h - translates inline assembly into LLVM code
 *
 * Atomic instructions, fences, loads and stores, counters, random numbers and system calls of x86-64 and AArch64, in
 * the forms in which programs use them: a small interpreter of templates and constraints (asm_machine.h), whose
 * instructions are tables (x86.c, arm.c). What results is instrumented like code that the compiler made of __atomic
 * builtins.
 */
#ifndef INSTR_ASSEMBLY_LIFT_H
#define INSTR_ASSEMBLY_LIFT_H

#include "instr/assembly/asm_machine.h"

typedef enum LiftResult {
    LIFT_DONE,      /* the instruction is gone                                                      */
    LIFT_HARMLESS,  /* left as it is: it accesses no memory but the program's own local variables     */
    LIFT_UNKNOWN    /* left as it is: it may access shared memory, or its results are random          */
} LiftResult;

/* Translates a call or callbr of inline assembly, if every instruction of it is known. */
LiftResult lift_assembly(Module *m, LLVMValueRef call);

/* Does its text contain an instruction that reads random numbers of the processor? */
bool lift_draws_random(LLVMValueRef code);

/* ---- Architectures -------------------------------------------------------------------------- */

AsmRegisterName x86_register, arm_register;
/* Translates one instruction: mnemonic and operands without white space around them. False if it is not known. */
typedef bool AsmTranslate(AsmMachine *machine, char *statement);
AsmTranslate x86_translate, arm_translate;
/* At the end: false if something is left undone. */
bool arm_finish(AsmMachine *machine);

#endif
