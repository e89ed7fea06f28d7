/* x86.c - instructions of x86-64 in AT&T syntax, see lift.h */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "instr/assembly/lift.h"

enum { AX, BX, CX, DX, SI, DI, BP, SP, R8 };
enum { MAX_PARTS = 3 };

/* ---- Registers ------------------------------------------------------------------- */

static bool numbered_register(const char *name, unsigned *reg, unsigned *size)
{
    char *end;
    unsigned long number = strtoul(name + 1, &end, 10);
    if (name[0] != 'r' || !isdigit((unsigned char)name[1]) || number < 8 || number > 15)
        return false;
    *reg = R8 + (unsigned)number - 8;
    *size = !*end ? 8 : *end == 'd' ? 4 : *end == 'w' ? 2 : *end == 'b' ? 1 : 0;
    return *size && (!*end || !end[1]);
}

bool x86_register(const char *name, unsigned *reg, unsigned *size)
{
    static const char *const names[][8] = {
        {"al", "bl", "cl", "dl", "sil", "dil", "bpl", "spl"},
        {"ax", "bx", "cx", "dx", "si", "di", "bp", "sp"},
        {"eax", "ebx", "ecx", "edx", "esi", "edi", "ebp", "esp"},
        {"rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp", "rsp"},
    };
    for (unsigned row = 0; row < 4; row++)
        for (unsigned i = 0; i < 8; i++)
            if (strcmp(names[row][i], name) == 0) {
                *reg = i;
                *size = 1u << row;
                return true;
            }
    return numbered_register(name, reg, size);
}

static unsigned size_of_letter(char letter)
{
    switch (letter) {
    case 'b': return 1;
    case 'w': return 2;
    case 'k':
    case 'l': return 4;
    case 'q': return 8;
    default: return 0;
    }
}

/* ---- Operands ---------------------------------------------------------------------- */

/* %name, up to where it ends. */
static const char *read_register(const char *text, AsmPlace *place)
{
    char name[8];
    size_t length = 0;
    for (text++; isalnum((unsigned char)*text) && length + 1 < sizeof name; text++)
        name[length++] = *text;
    name[length] = '\0';
    *place = (AsmPlace){.kind = PLACE_REGISTER};
    return x86_register(name, &place->reg, &place->size) ? text : NULL;
}

/* distance(base) */
static bool read_indirect(AsmMachine *machine, const char *text, AsmPlace *place)
{
    char *at;
    long distance = strtol(text, &at, 0);
    AsmPlace base;
    if (*at++ != '(')
        return false;
    const char *end = *at == '%' ? read_register(at, &base) : machine_operand(machine, at, &base, size_of_letter);
    if (!end || strcmp(end, ")") != 0 || base.kind != PLACE_REGISTER)
        return false;
    if (base.reg == SP)
        *place = (AsmPlace){.kind = PLACE_STACK};
    else
        *place = (AsmPlace){.kind = PLACE_MEMORY, .address = machine_address(machine, base.reg, distance)};
    return true;
}

static bool read_place(AsmMachine *machine, const char *text, AsmPlace *place)
{
    const char *end;
    char *behind;
    if (text[0] == '%')
        end = read_register(text, place);
    else if (text[0] == '$' && text[1] == '$') {
        *place = (AsmPlace){.kind = PLACE_IMMEDIATE, .number = strtoll(text + 2, &behind, 0)};
        end = behind > text + 2 ? behind : NULL;
    } else if (text[0] == '$')
        end = machine_operand(machine, text, place, size_of_letter);
    else
        return read_indirect(machine, text, place);
    return end && !*end;
}

/* ---- Instructions --------------------------------------------------------------------- */

typedef struct X86Instruction {
    bool locked;
    unsigned size;               /* of its operands; 0 if nothing says */
    AsmPlace places[MAX_PARTS];
    unsigned count;
} X86Instruction;

typedef bool Translate(AsmMachine *machine, const X86Instruction *i, int detail);

static AsmPlace *last_of(const X86Instruction *i) { return (AsmPlace *)(uintptr_t)&i->places[i->count - 1]; }

static void set_flags(AsmMachine *machine, AsmFlagKind kind, LLVMValueRef left, LLVMValueRef right)
{
    machine->flags = (AsmFlags){kind, left, right};
}

static bool skip(AsmMachine *machine, const X86Instruction *i, int detail)
{
    (void)machine;
    (void)i;
    (void)detail;
    return true;
}

static bool fence(AsmMachine *machine, const X86Instruction *i, int ordering)
{
    machine_fence(machine, (LLVMAtomicOrdering)ordering);
    return i->count == 0;
}

static bool move(AsmMachine *machine, const X86Instruction *i, int detail)
{
    (void)detail;
    if (i->count != 2 || !i->size || i->places[1].kind == PLACE_IMMEDIATE)
        return false;
    LLVMValueRef value = machine_read(machine, &i->places[0], i->size);
    return value && machine_write(machine, &i->places[1], i->size, value);
}

/* The old value of a place that becomes `old op value`; NULL if there is no such instruction. */
static LLVMValueRef update(AsmMachine *machine, const X86Instruction *i, const AsmPlace *place, LLVMAtomicRMWBinOp op,
                           LLVMValueRef value)
{
    if (place->kind == PLACE_MEMORY && i->locked)
        return machine_rmw(machine, place->address, op, value, LLVMAtomicOrderingSequentiallyConsistent);
    if (i->locked)
        return NULL;
    LLVMValueRef old = machine_read(machine, place, i->size);
    if (!old || !machine_write(machine, place, i->size, machine_compute(machine, op, old, value)))
        return NULL;
    return old;
}

static void set_update_flags(AsmMachine *machine, LLVMAtomicRMWBinOp op, LLVMValueRef old, LLVMValueRef value)
{
    if (op == LLVMAtomicRMWBinOpAdd)
        set_flags(machine, FLAGS_ADD, old, value);
    else if (op == LLVMAtomicRMWBinOpSub)
        set_flags(machine, FLAGS_SUB, old, value);
    else
        set_flags(machine, FLAGS_LOGIC, machine_compute(machine, op, old, value), NULL);
}

/* A locked operation on the thread's own stack that changes nothing. */
static bool is_stack_fence(const X86Instruction *i)
{
    return i->locked && i->count == 2 && i->places[1].kind == PLACE_STACK && i->places[0].kind == PLACE_IMMEDIATE &&
           i->places[0].number == 0;
}

static bool binary(AsmMachine *machine, const X86Instruction *i, int op)
{
    bool neutral = op == LLVMAtomicRMWBinOpAdd || op == LLVMAtomicRMWBinOpOr;
    if (neutral && is_stack_fence(i)) {
        machine_fence(machine, LLVMAtomicOrderingSequentiallyConsistent);
        return true;
    }
    if (i->count != 2 || !i->size)
        return false;
    LLVMValueRef value = machine_read(machine, &i->places[0], i->size);
    LLVMValueRef old = value ? update(machine, i, &i->places[1], (LLVMAtomicRMWBinOp)op, value) : NULL;
    if (old)
        set_update_flags(machine, (LLVMAtomicRMWBinOp)op, old, value);
    return old;
}

/* inc and dec, which keep the carry. */
static bool step(AsmMachine *machine, const X86Instruction *i, int by)
{
    if (i->count != 1 || !i->size)
        return false;
    LLVMValueRef value = machine_number(machine, i->size, by);
    LLVMValueRef old = update(machine, i, &i->places[0], LLVMAtomicRMWBinOpAdd, value);
    set_flags(machine, FLAGS_STEP, old, value);
    return old;
}

static bool invert(AsmMachine *machine, const X86Instruction *i, int detail)
{
    (void)detail;
    return i->count == 1 && i->size &&
           update(machine, i, &i->places[0], LLVMAtomicRMWBinOpXor, machine_number(machine, i->size, -1));
}

/* The register and the memory of an instruction that takes them in either order. */
static bool find_both(const X86Instruction *i, const AsmPlace **reg, const AsmPlace **memory)
{
    if (i->count != 2 || !i->size)
        return false;
    bool swapped = i->places[0].kind == PLACE_MEMORY;
    *reg = &i->places[swapped];
    *memory = &i->places[!swapped];
    return (*reg)->kind == PLACE_REGISTER && (*memory)->kind == PLACE_MEMORY;
}

/* Exchanges with memory are always locked. */
static bool exchange(AsmMachine *machine, const X86Instruction *i, int detail)
{
    const AsmPlace *reg, *memory;
    (void)detail;
    if (!find_both(i, &reg, &memory))
        return false;
    LLVMValueRef value = machine_read(machine, reg, i->size);
    return machine_write(machine, reg, i->size,
                         machine_rmw(machine, memory->address, LLVMAtomicRMWBinOpXchg, value,
                                     LLVMAtomicOrderingSequentiallyConsistent));
}

static bool exchange_and_add(AsmMachine *machine, const X86Instruction *i, int detail)
{
    (void)detail;
    if (i->count != 2 || !i->size || i->places[0].kind != PLACE_REGISTER)
        return false;
    LLVMValueRef value = machine_read(machine, &i->places[0], i->size);
    LLVMValueRef old = update(machine, i, &i->places[1], LLVMAtomicRMWBinOpAdd, value);
    if (!old)
        return false;
    set_flags(machine, FLAGS_ADD, old, value);
    return machine_write(machine, &i->places[0], i->size, old);
}

static bool compare_exchange(AsmMachine *machine, const X86Instruction *i, int detail)
{
    (void)detail;
    if (!i->locked || i->count != 2 || !i->size || i->places[1].kind != PLACE_MEMORY)
        return false;
    const AsmPlace accumulator = {.kind = PLACE_REGISTER, .reg = AX};
    LLVMValueRef expected = machine_read(machine, &accumulator, i->size);
    LLVMValueRef desired = machine_read(machine, &i->places[0], i->size);
    if (!desired)
        return false;
    LLVMValueRef old = machine_cas(machine, i->places[1].address, expected, desired,
                                   LLVMAtomicOrderingSequentiallyConsistent);
    set_flags(machine, FLAGS_SUB, expected, old);
    return machine_write(machine, &accumulator, i->size, old);
}

static LLVMValueRef join(AsmMachine *machine, unsigned low, unsigned high, unsigned half)
{
    LLVMBuilderRef b = machine->m->builder;
    LLVMTypeRef type = machine_type(machine, 2 * half);
    LLVMTypeRef part = machine_type(machine, half);
    LLVMValueRef halves[2];
    const unsigned registers[] = {low, high};
    for (int n = 0; n < 2; n++) {
        LLVMValueRef value = LLVMBuildIntCast2(b, machine_register(machine, registers[n]), part, 0, "");
        halves[n] = LLVMBuildZExt(b, value, type, "");
    }
    return LLVMBuildOr(b, halves[0], LLVMBuildShl(b, halves[1], LLVMConstInt(type, 8 * half, 0), ""), "");
}

static void split(AsmMachine *machine, LLVMValueRef value, unsigned low, unsigned high, unsigned half)
{
    LLVMBuilderRef b = machine->m->builder;
    LLVMValueRef rest = LLVMBuildLShr(b, value, LLVMConstInt(LLVMTypeOf(value), 8 * half, 0), "");
    machine_set_register(machine, low, half, LLVMBuildTrunc(b, value, machine_type(machine, half), ""));
    machine_set_register(machine, high, half, LLVMBuildTrunc(b, rest, machine_type(machine, half), ""));
}

/* cmpxchg8b and cmpxchg16b: two registers each. */
static bool compare_exchange_pair(AsmMachine *machine, const X86Instruction *i, int half)
{
    if (!i->locked || i->count != 1 || i->places[0].kind != PLACE_MEMORY)
        return false;
    LLVMValueRef expected = join(machine, AX, DX, (unsigned)half);
    LLVMValueRef old = machine_cas(machine, i->places[0].address, expected, join(machine, BX, CX, (unsigned)half),
                                   LLVMAtomicOrderingSequentiallyConsistent);
    set_flags(machine, FLAGS_SUB, expected, old);
    split(machine, old, AX, DX, (unsigned)half);
    return true;
}

/* bts, btr, btc. A register counts bits from the address on, in both directions. */
static bool change_bit(AsmMachine *machine, const X86Instruction *i, int op)
{
    LLVMBuilderRef b = machine->m->builder;
    if (!i->locked || i->count != 2 || i->size < 2 || i->places[1].kind != PLACE_MEMORY)
        return false;
    LLVMValueRef index = machine_read(machine, &i->places[0], i->size);
    if (!index)
        return false;
    unsigned bits = 8 * i->size;
    LLVMValueRef address = i->places[1].address;
    LLVMValueRef within = LLVMBuildAnd(b, index, machine_number(machine, i->size, bits - 1), "");
    if (i->places[0].kind == PLACE_REGISTER) {
        LLVMValueRef shift = machine_number(machine, i->size, __builtin_ctz(bits));
        LLVMValueRef words = LLVMBuildSExt(b, LLVMBuildAShr(b, index, shift, ""), machine->m->i64, "");
        address = LLVMBuildGEP2(b, machine_type(machine, i->size), address, &words, 1, "");
    }
    LLVMValueRef mask = LLVMBuildShl(b, machine_number(machine, i->size, 1), within, "");
    if (op == LLVMAtomicRMWBinOpAnd)
        mask = LLVMBuildNot(b, mask, "");
    LLVMValueRef old = machine_rmw(machine, address, (LLVMAtomicRMWBinOp)op, mask,
                                   LLVMAtomicOrderingSequentiallyConsistent);
    LLVMValueRef bit = LLVMBuildTrunc(b, LLVMBuildLShr(b, old, within, ""), machine->m->i1, "");
    set_flags(machine, FLAGS_BIT, bit, NULL);
    return true;
}

static bool compare(AsmMachine *machine, const X86Instruction *i, int tests)
{
    if (i->count != 2 || !i->size)
        return false;
    LLVMValueRef right = machine_read(machine, &i->places[0], i->size);
    LLVMValueRef left = right ? machine_read(machine, &i->places[1], i->size) : NULL;
    if (!left)
        return false;
    if (tests)
        set_flags(machine, FLAGS_LOGIC, LLVMBuildAnd(machine->m->builder, left, right, ""), NULL);
    else
        set_flags(machine, FLAGS_SUB, left, right);
    return true;
}

/* sbb of a register with itself: all bits are the carry. */
static bool spread_carry(AsmMachine *machine, const X86Instruction *i, int detail)
{
    (void)detail;
    if (i->count != 2 || !i->size || i->places[0].kind != PLACE_REGISTER || i->places[1].kind != PLACE_REGISTER ||
        i->places[0].reg != i->places[1].reg)
        return false;
    LLVMValueRef carry = machine_condition(machine, "c");
    return carry && machine_write(machine, &i->places[1], i->size,
                                  LLVMBuildSExt(machine->m->builder, carry, machine_type(machine, i->size), ""));
}

static bool shift(AsmMachine *machine, const X86Instruction *i, int left)
{
    if (i->count != 2 || !i->size || i->places[0].kind != PLACE_IMMEDIATE || i->places[1].kind != PLACE_REGISTER ||
        i->places[0].number < 0 || i->places[0].number >= 8 * (int64_t)i->size)
        return false;
    LLVMBuilderRef b = machine->m->builder;
    LLVMValueRef value = machine_read(machine, &i->places[1], i->size);
    LLVMValueRef by = machine_number(machine, i->size, i->places[0].number);
    machine->flags.kind = FLAGS_UNKNOWN;
    return machine_write(machine, &i->places[1], i->size,
                         left ? LLVMBuildShl(b, value, by, "") : LLVMBuildLShr(b, value, by, ""));
}

static bool read_clock(AsmMachine *machine, const X86Instruction *i, int with_processor)
{
    split(machine, machine_clock(machine), AX, DX, 4);
    if (with_processor)
        machine_set_register(machine, CX, 4, machine_number(machine, 4, 0));
    return i->count == 0;
}

static bool read_processor(AsmMachine *machine, const X86Instruction *i, int detail)
{
    (void)detail;
    return i->count == 1 && machine_write(machine, last_of(i), 8, machine_number(machine, 8, 0));
}

/* The carry says that there is a number. */
static bool draw_random(AsmMachine *machine, const X86Instruction *i, int detail)
{
    (void)detail;
    if (i->count != 1 || i->size < 2 || i->places[0].kind != PLACE_REGISTER)
        return false;
    LLVMTypeRef type = machine_type(machine, i->size);
    LLVMValueRef number = LLVMBuildIntCast2(machine->m->builder, machine_random(machine), type, 0, "");
    set_flags(machine, FLAGS_BIT, LLVMConstInt(machine->m->i1, 1, 0), NULL);
    return machine_write(machine, last_of(i), i->size, number);
}

/* Is the register an input of the statement? */
static bool is_input(const AsmMachine *machine, unsigned reg)
{
    for (unsigned n = 0; n < machine->count; n++) {
        const AsmOperand *operand = &machine->operands[n];
        if (operand->kind == ASM_REGISTER && !operand->output && operand->reg == reg)
            return true;
    }
    return false;
}

static bool system_call(AsmMachine *machine, const X86Instruction *i, int detail)
{
    static const unsigned registers[7] = {AX, DI, SI, DX, R8 + 2, R8, R8 + 1};
    (void)detail;
    if (i->count || !is_input(machine, AX))
        return false; /* start-up code, without the runtime */
    machine_set_register(machine, AX, 8, machine_system_call(machine, registers));
    return true;
}

/* ---- The table ---------------------------------------------------------------------------- */

static const struct {
    const char *name;      /* without the letter for its size */
    Translate *translate;
    int detail;
} instructions[] = {
    {"pause", skip, 0}, {"nop", skip, 0}, {"prefetchw", skip, 0}, {"prefetcht0", skip, 0}, {"prefetcht1", skip, 0},
    {"prefetcht2", skip, 0}, {"prefetchnta", skip, 0}, {"prefetch", skip, 0}, {"clflush", skip, 0},
    {"mfence", fence, LLVMAtomicOrderingSequentiallyConsistent},
    {"lfence", fence, LLVMAtomicOrderingAcquire}, {"sfence", fence, LLVMAtomicOrderingRelease},
    {"mov", move, 0}, {"xchg", exchange, 0}, {"xadd", exchange_and_add, 0}, {"cmpxchg", compare_exchange, 0},
    {"cmpxchg8b", compare_exchange_pair, 4}, {"cmpxchg16b", compare_exchange_pair, 8},
    {"add", binary, LLVMAtomicRMWBinOpAdd}, {"sub", binary, LLVMAtomicRMWBinOpSub},
    {"and", binary, LLVMAtomicRMWBinOpAnd}, {"or", binary, LLVMAtomicRMWBinOpOr},
    {"xor", binary, LLVMAtomicRMWBinOpXor}, {"inc", step, 1}, {"dec", step, -1}, {"not", invert, 0},
    {"bts", change_bit, LLVMAtomicRMWBinOpOr}, {"btr", change_bit, LLVMAtomicRMWBinOpAnd},
    {"btc", change_bit, LLVMAtomicRMWBinOpXor}, {"cmp", compare, 0}, {"test", compare, 1},
    {"sbb", spread_carry, 0}, {"shl", shift, 1}, {"sal", shift, 1}, {"shr", shift, 0},
    {"rdtsc", read_clock, 0}, {"rdtscp", read_clock, 1}, {"rdpid", read_processor, 0},
    {"rdrand", draw_random, 0}, {"rdseed", draw_random, 0}, {"syscall", system_call, 0},
};

/* The row of a mnemonic; -1 if there is none. The size is 0 unless the mnemonic ends with its letter. */
static int find_row(const char *name, unsigned *size)
{
    size_t length = strlen(name);
    *size = 0;
    for (unsigned i = 0; i < sizeof instructions / sizeof *instructions; i++)
        if (strcmp(instructions[i].name, name) == 0)
            return (int)i;
    *size = length ? size_of_letter(name[length - 1]) : 0;
    for (unsigned i = 0; *size && i < sizeof instructions / sizeof *instructions; i++)
        if (strlen(instructions[i].name) == length - 1 && strncmp(instructions[i].name, name, length - 1) == 0)
            return (int)i;
    return -1;
}

static bool split_operands(AsmMachine *machine, char *text, X86Instruction *i)
{
    int depth = 0;
    char *begin = text;
    if (!*text)
        return true;
    for (char *at = text;; at++) {
        depth += (*at == '(') - (*at == ')');
        if (*at && (*at != ',' || depth))
            continue;
        bool last = !*at;
        *at = '\0';
        if (i->count == MAX_PARTS || !read_place(machine, begin, &i->places[i->count++]))
            return false;
        begin = at + 1;
        if (last)
            return true;
    }
}

/* Without a letter in the mnemonic the size is that of a register, else of the memory. */
static void find_size(X86Instruction *i)
{
    for (unsigned n = 0; n < i->count && !i->size; n++)
        if (i->places[n].kind == PLACE_REGISTER)
            i->size = i->places[n].size;
    for (unsigned n = 0; n < i->count && !i->size; n++)
        i->size = i->places[n].size;
    if (i->size != 1 && i->size != 2 && i->size != 4)
        i->size = i->size == 8 ? 8 : 0;
}

/* setz and the like: one byte. */
static bool set_byte(AsmMachine *machine, const char *condition, const X86Instruction *i)
{
    LLVMValueRef holds = i->count == 1 ? machine_condition(machine, condition) : NULL;
    if (!holds)
        return false;
    AsmPlace to = *last_of(i);
    to.either = true; /* a result, not a variable that threads share */
    return machine_write(machine, &to, 1, LLVMBuildZExt(machine->m->builder, holds, machine->m->i8, ""));
}

/* "1b" and the like: a label of the text itself, before the jump. */
static bool is_jump_back(const char *operands)
{
    size_t digits = strspn(operands, "0123456789");
    return digits && strcmp(operands + digits, "b") == 0;
}

/* A loop that is never repeated, such as one until there is a random number. */
static bool never_jumps(AsmMachine *machine, const char *condition)
{
    LLVMValueRef holds = machine_condition(machine, condition);
    return holds && LLVMIsAConstantInt(holds) && LLVMIsNull(holds);
}

/* The jump of an asm goto, its last instruction. */
static bool jump(AsmMachine *machine, const char *condition, const X86Instruction *i)
{
    if (i->count != 1 || i->places[0].kind != PLACE_LABEL || machine->jump)
        return false;
    machine->jump = machine_condition(machine, condition);
    machine->jump_label = i->places[0].reg;
    return machine->jump;
}

/* Splits off the first word. */
static char *next_word(char *text)
{
    char *end = text + strcspn(text, " \t");
    char *rest = end + strspn(end, " \t");
    *end = '\0';
    return rest;
}

/* Skips "1:", which matters only to jumps back. */
static char *skip_label(char *statement)
{
    size_t digits = strspn(statement, "0123456789");
    return digits && statement[digits] == ':' ? statement + digits + 1 + strspn(statement + digits + 1, " \t")
                                              : statement;
}

bool x86_translate(AsmMachine *machine, char *statement)
{
    X86Instruction i = {0};
    statement = skip_label(statement);
    if (!*statement)
        return true;
    char *rest = next_word(statement);
    while (strcmp(statement, "lock") == 0 || strcmp(statement, "rep") == 0) {
        i.locked |= statement[0] == 'l';
        if (!*rest)
            return false;
        statement = rest;
        rest = next_word(rest);
    }
    /* White space between operands has no meaning. */
    char *to = rest;
    for (const char *from = rest; *from; from++)
        if (!isspace((unsigned char)*from))
            *to++ = *from;
    *to = '\0';
    if (machine->jump)
        return false;
    int row = find_row(statement, &i.size);
    if (row >= 0 && instructions[row].translate == skip)
        return true;
    if (row < 0 && statement[0] == 'j' && is_jump_back(rest))
        return never_jumps(machine, statement + 1);
    if (!split_operands(machine, rest, &i))
        return false;
    if (row >= 0) {
        find_size(&i);
        return instructions[row].translate(machine, &i, instructions[row].detail);
    }
    if (strncmp(statement, "set", 3) == 0)
        return set_byte(machine, statement + 3, &i);
    return statement[0] == 'j' && jump(machine, statement + 1, &i);
}
