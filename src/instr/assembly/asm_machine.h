/* asm_machine.h - inline assembly as LLVM code: registers, flags and memory while it is being translated
 *
 * Registers hold values of 64 bits: those that the assembly names, and one for each operand that the compiler places.
 * An instruction reads and writes places (machine_read, machine_write); what it does to memory becomes an atomic
 * instruction of LLVM, which is instrumented like any other.
 */
#ifndef INSTR_ASSEMBLY_ASM_MACHINE_H
#define INSTR_ASSEMBLY_ASM_MACHINE_H

#include "instr/module/module.h"

enum { ASM_OPERANDS = 24, ASM_NAMED = 32, ASM_REGISTERS = ASM_NAMED + ASM_OPERANDS, ASM_TEXT = 1024 };

typedef enum AsmOperandKind { ASM_REGISTER, ASM_MEMORY, ASM_FLAG, ASM_LABEL } AsmOperandKind;

/* An operand of the statement, $0, $1, ... */
typedef struct AsmOperand {
    AsmOperandKind kind;
    bool output;
    bool either;           /* memory, but a register would do as well: a local variable */
    unsigned reg;
    LLVMValueRef address;  /* ASM_MEMORY                                               */
    LLVMTypeRef type;      /* of the value                                             */
    char condition[8];     /* ASM_FLAG                                                 */
} AsmOperand;

/* What the flags were set by. */
typedef enum AsmFlagKind { FLAGS_UNKNOWN, FLAGS_SUB, FLAGS_ADD, FLAGS_LOGIC, FLAGS_STEP, FLAGS_BIT } AsmFlagKind;

typedef struct AsmFlags {
    AsmFlagKind kind;      /* STEP: inc and dec, which keep the carry; BIT: only the carry is known */
    LLVMValueRef left, right;
} AsmFlags;

/* A load-exclusive of AArch64 and what follows it up to the store-exclusive: together one atomic operation. */
typedef struct AsmExclusive {
    bool loaded;             /* the load was seen, and the store not yet                          */
    LLVMValueRef address;
    unsigned size;
    bool acquires;
    unsigned old_reg;        /* gets the value found                                              */
    bool computed;           /* new_reg = old op operand                                          */
    LLVMAtomicRMWBinOp op;
    LLVMValueRef operand;
    unsigned new_reg;
    LLVMValueRef expected;   /* of a comparison with the value found, NULL: none                  */
    bool compares;           /* leaves if they differ, for the label:                             */
    char label[8];
    unsigned status_reg;
    LLVMValueRef cas;        /* the instruction, until the label                                  */
} AsmExclusive;

/* Gives the number and the size in bytes of a register; false if there is none of this name. */
typedef bool AsmRegisterName(const char *name, unsigned *reg, unsigned *size);

typedef struct AsmMachine {
    Module *m;
    LLVMValueRef call;
    AsmRegisterName *register_name;
    char text[ASM_TEXT];
    AsmOperand operands[ASM_OPERANDS];
    unsigned count;
    LLVMValueRef registers[ASM_REGISTERS]; /* NULL: nothing has set it                                    */
    LLVMValueRef pointers[ASM_REGISTERS];  /* the pointer that the register was given, while it has that value */
    AsmFlags flags;
    AsmExclusive exclusive;
    bool clobbers_memory;
    LLVMValueRef jump;                     /* the condition of the jump at the end, asm goto; NULL: none   */
    unsigned jump_label;                   /* which label                                                  */
} AsmMachine;

/* ---- Places that instructions name ------------------------------------------------- */

typedef enum AsmPlaceKind { PLACE_REGISTER, PLACE_MEMORY, PLACE_IMMEDIATE, PLACE_STACK, PLACE_LABEL } AsmPlaceKind;

typedef struct AsmPlace {
    AsmPlaceKind kind;
    unsigned size;         /* bytes, 0 if the text does not say */
    unsigned reg;          /* PLACE_LABEL: which operand        */
    bool either;
    LLVMValueRef address;
    int64_t number;        /* of an immediate                   */
} AsmPlace;

/* ---- The statement ------------------------------------------------------------------- */

/* Reads the constraints and sets the registers to the inputs. False if something in them is not known. */
bool machine_begin(AsmMachine *machine, Module *m, LLVMValueRef call, AsmRegisterName *register_name);
/* Answers the results at the end: the value of the call, NULL if it has none. False if a flag is not known. */
bool machine_results(AsmMachine *machine, LLVMValueRef *result);

/* Reads $3, ${3:w} or $3 with a modifier at `text`; answers what follows, or NULL. The size is that of the operand's
 * type, or of the modifier, which the architecture translates. */
const char *machine_operand(AsmMachine *machine, const char *text, AsmPlace *place, unsigned (*size_of)(char modifier));

/* ---- Values ---------------------------------------------------------------------------- */

LLVMTypeRef machine_type(const AsmMachine *machine, unsigned size);
LLVMValueRef machine_number(const AsmMachine *machine, unsigned size, int64_t number);
LLVMValueRef machine_register(AsmMachine *machine, unsigned reg);
/* Bytes beyond `size` keep their values, or become 0 if size is at least 4. */
void machine_set_register(AsmMachine *machine, unsigned reg, unsigned size, LLVMValueRef value);
/* The memory that a register points to. */
LLVMValueRef machine_address(AsmMachine *machine, unsigned reg, int64_t offset);

/* NULL if the place cannot be read. */
LLVMValueRef machine_read(AsmMachine *machine, const AsmPlace *place, unsigned size);
bool machine_write(AsmMachine *machine, const AsmPlace *place, unsigned size, LLVMValueRef value);

/* ---- Memory ------------------------------------------------------------------------------ */

/* `ordering` holds if the compiler, too, keeps the order, that is, with a "memory" clobber; else it is relaxed. */
LLVMAtomicOrdering machine_ordering(const AsmMachine *machine, LLVMAtomicOrdering ordering);
LLVMValueRef machine_load(AsmMachine *machine, const AsmPlace *place, unsigned size, LLVMAtomicOrdering ordering);
void machine_store(AsmMachine *machine, const AsmPlace *place, LLVMValueRef value, LLVMAtomicOrdering ordering);
LLVMValueRef machine_rmw(AsmMachine *machine, LLVMValueRef address, LLVMAtomicRMWBinOp op, LLVMValueRef value,
                         LLVMAtomicOrdering ordering);
/* The old value. */
LLVMValueRef machine_cas(AsmMachine *machine, LLVMValueRef address, LLVMValueRef expected, LLVMValueRef desired,
                         LLVMAtomicOrdering ordering);
void machine_fence(AsmMachine *machine, LLVMAtomicOrdering ordering);
/* The virtual clock as a counter of the processor. */
LLVMValueRef machine_clock(AsmMachine *machine);
/* A random number of the processor. */
LLVMValueRef machine_random(AsmMachine *machine);
/* A system call: the number and six arguments; answers the result, negative for an error. */
LLVMValueRef machine_system_call(AsmMachine *machine, const unsigned registers[7]);

/* The value of `old op value`. */
LLVMValueRef machine_compute(AsmMachine *machine, LLVMAtomicRMWBinOp op, LLVMValueRef old, LLVMValueRef value);

/* ---- Flags -------------------------------------------------------------------------------- */

/* Conditions have the names of x86: z, c, s, l, le, be, each with n in front for its opposite, and their synonyms. The
 * answer has type i1; NULL if the flags do not say. */
LLVMValueRef machine_condition(AsmMachine *machine, const char *name);

#endif
