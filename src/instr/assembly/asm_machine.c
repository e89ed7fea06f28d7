/* asm_machine.c - see asm_machine.h */
#include "instr/assembly/asm_machine.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "instr/module/bits.h"

/* ---- Constraints ------------------------------------------------------------------ */

typedef struct AsmConstraint {
    const char *text;      /* behind the marks in front of it */
    size_t length;
    bool output, indirect, clobber, label;
} AsmConstraint;

/* The next constraint of the list, which has at least one; answers where the one behind it begins. */
static const char *next_constraint(const char *text, const char *end, AsmConstraint *constraint)
{
    *constraint = (AsmConstraint){0};
    for (; text < end; text++) {
        if (*text == '=')
            constraint->output = true;
        else if (*text == '*')
            constraint->indirect = true;
        else if (*text == '~')
            constraint->clobber = true;
        else if (*text == '!')
            constraint->label = true;
        else if (*text != '&' && *text != '%')
            break;
    }
    constraint->text = text;
    while (text < end && *text != ',')
        text++;
    constraint->length = (size_t)(text - constraint->text);
    return text < end ? text + 1 : text;
}

static bool constraint_is(const AsmConstraint *constraint, const char *text)
{
    return constraint->length == strlen(text) && memcmp(constraint->text, text, constraint->length) == 0;
}

/* {ax} and the like. */
static bool named_register(const AsmMachine *machine, const AsmConstraint *constraint, unsigned *reg)
{
    char name[16];
    unsigned size;
    if (constraint->length < 3 || constraint->length > sizeof name || constraint->text[0] != '{')
        return false;
    memcpy(name, constraint->text + 1, constraint->length - 2);
    name[constraint->length - 2] = '\0';
    return machine->register_name(name, reg, &size);
}

/* A constraint that lets the compiler choose a register or an immediate of integers; not of vectors. */
static bool is_general(const AsmConstraint *constraint)
{
    for (size_t i = 0; i < constraint->length; i++)
        if (!strchr("rqQRlimnIJKLMNOeZXgoVs", constraint->text[i]))
            return false;
    return constraint->length > 0;
}

static bool has_register(const AsmConstraint *constraint)
{
    for (size_t i = 0; i < constraint->length; i++)
        if (strchr("rqRlXg", constraint->text[i]))
            return true;
    return false;
}

/* ---- Operands ---------------------------------------------------------------------- */

typedef struct AsmReader {
    unsigned argument; /* the next one of the call           */
    unsigned result;   /* the next one of its direct results */
} AsmReader;

static LLVMTypeRef result_type(const AsmMachine *machine, unsigned nth)
{
    LLVMTypeRef type = LLVMTypeOf(machine->call);
    return LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMStructGetTypeAtIndex(type, nth) : type;
}

static bool is_number(LLVMTypeRef type, const AsmMachine *machine)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
    case LLVMPointerTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind: return LLVMABISizeOfType(machine->m->layout, type) <= 8;
    default: return false;
    }
}

static bool add_flag(AsmOperand *operand, const AsmConstraint *constraint)
{
    enum { FRAME = sizeof "{@cc}" - 1 };
    size_t length = constraint->length - FRAME;
    if (constraint->length <= FRAME || length >= sizeof operand->condition)
        return false;
    operand->kind = ASM_FLAG;
    memcpy(operand->condition, constraint->text + FRAME - 1, length);
    operand->condition[length] = '\0';
    return true;
}

static bool add_memory(AsmMachine *machine, AsmOperand *operand, const AsmConstraint *constraint, AsmReader *reader)
{
    unsigned nth = reader->argument++;
    LLVMAttributeRef attribute = LLVMGetCallSiteEnumAttribute(
        machine->call, nth + 1, LLVMGetEnumAttributeKindForName("elementtype", strlen("elementtype")));
    operand->kind = ASM_MEMORY;
    operand->address = LLVMGetOperand(machine->call, nth);
    operand->either = has_register(constraint);
    operand->type = attribute ? LLVMGetTypeAttributeValue(attribute) : machine->m->i64;
    return is_general(constraint);
}

static bool add_output(AsmMachine *machine, AsmOperand *operand, const AsmConstraint *constraint, AsmReader *reader)
{
    if (constraint->indirect)
        return add_memory(machine, operand, constraint, reader);
    operand->type = result_type(machine, reader->result++);
    if (constraint->length > 3 && memcmp(constraint->text, "{@cc", 4) == 0)
        return add_flag(operand, constraint);
    return (named_register(machine, constraint, &operand->reg) || is_general(constraint)) &&
           is_number(operand->type, machine);
}

static bool add_input(AsmMachine *machine, AsmOperand *operand, const AsmConstraint *constraint, AsmReader *reader)
{
    if (constraint->indirect)
        return add_memory(machine, operand, constraint, reader);
    LLVMValueRef value = LLVMGetOperand(machine->call, reader->argument++);
    operand->type = LLVMTypeOf(value);
    if (!is_number(operand->type, machine))
        return false;
    if (isdigit((unsigned char)constraint->text[0])) {
        unsigned tied = (unsigned)strtoul(constraint->text, NULL, 10);
        if (tied >= machine->count || machine->operands[tied].kind != ASM_REGISTER)
            return false;
        operand->reg = machine->operands[tied].reg;
    } else if (!named_register(machine, constraint, &operand->reg) && !is_general(constraint)) {
        return false;
    }
    machine->registers[operand->reg] = bits_pack(machine->m, value);
    machine->pointers[operand->reg] = LLVMGetTypeKind(operand->type) == LLVMPointerTypeKind ? value : NULL;
    return true;
}

static bool add_operand(AsmMachine *machine, const AsmConstraint *constraint, AsmReader *reader)
{
    if (machine->count == ASM_OPERANDS)
        return false;
    AsmOperand *operand = &machine->operands[machine->count];
    *operand = (AsmOperand){.output = constraint->output, .reg = ASM_NAMED + machine->count};
    bool known = true;
    if (constraint->label)
        operand->kind = ASM_LABEL;
    else if (constraint->output)
        known = add_output(machine, operand, constraint, reader);
    else
        known = add_input(machine, operand, constraint, reader);
    machine->count++;
    return known;
}

bool machine_begin(AsmMachine *machine, Module *m, LLVMValueRef call, AsmRegisterName *register_name)
{
    *machine = (AsmMachine){.m = m, .call = call, .register_name = register_name};
    LLVMValueRef code = LLVMIsAInlineAsm(LLVMGetCalledValue(call));
    size_t length;
    const char *text = LLVMGetInlineAsmAsmString(code, &length);
    if (length >= sizeof machine->text)
        return false;
    memcpy(machine->text, text, length);
    const char *at = LLVMGetInlineAsmConstraintString(code, &length);
    AsmReader reader = {0};
    for (const char *end = at + length; at < end;) {
        AsmConstraint constraint;
        at = next_constraint(at, end, &constraint);
        if (constraint.clobber)
            machine->clobbers_memory |= constraint_is(&constraint, "{memory}");
        else if (!add_operand(machine, &constraint, &reader))
            return false;
    }
    return true;
}

static LLVMValueRef value_of_output(AsmMachine *machine, const AsmOperand *operand)
{
    if (operand->kind == ASM_REGISTER)
        return bits_unpack(machine->m, machine_register(machine, operand->reg), operand->type);
    LLVMValueRef holds = machine_condition(machine, operand->condition);
    return holds ? LLVMBuildZExt(machine->m->builder, holds, operand->type, "") : NULL;
}

bool machine_results(AsmMachine *machine, LLVMValueRef *result)
{
    LLVMTypeRef type = LLVMTypeOf(machine->call);
    bool several = LLVMGetTypeKind(type) == LLVMStructTypeKind;
    *result = several ? LLVMGetPoison(type) : NULL;
    unsigned nth = 0;
    for (unsigned i = 0; i < machine->count; i++) {
        const AsmOperand *operand = &machine->operands[i];
        if (!operand->output || operand->kind == ASM_MEMORY)
            continue;
        LLVMValueRef value = value_of_output(machine, operand);
        if (!value)
            return false;
        *result = several ? LLVMBuildInsertValue(machine->m->builder, *result, value, nth++, "") : value;
    }
    return true;
}

const char *machine_operand(AsmMachine *machine, const char *text, AsmPlace *place, unsigned (*size_of)(char modifier))
{
    bool braces = text[1] == '{';
    char *end;
    if (text[0] != '$' || !isdigit((unsigned char)text[1 + braces]))
        return NULL;
    unsigned nth = (unsigned)strtoul(text + 1 + braces, &end, 10);
    if (nth >= machine->count)
        return NULL;
    const AsmOperand *operand = &machine->operands[nth];
    static const AsmPlaceKind kinds[] = {
        [ASM_REGISTER] = PLACE_REGISTER, [ASM_MEMORY] = PLACE_MEMORY, [ASM_LABEL] = PLACE_LABEL};
    if (operand->kind == ASM_FLAG)
        return NULL;
    *place = (AsmPlace){.kind = kinds[operand->kind], .reg = operand->reg, .address = operand->address,
                     .either = operand->either};
    if (operand->kind == ASM_LABEL)
        place->reg = nth;
    else
        place->size = (unsigned)LLVMABISizeOfType(machine->m->layout, operand->type);
    if (!braces)
        return end;
    if (*end == ':') {
        if (operand->kind != ASM_LABEL && !(place->size = size_of(end[1])))
            return NULL;
        end += 2;
    }
    return *end == '}' ? end + 1 : NULL;
}

/* ---- Values --------------------------------------------------------------------------- */

LLVMTypeRef machine_type(const AsmMachine *machine, unsigned size)
{
    return LLVMIntTypeInContext(machine->m->context, 8 * size);
}

LLVMValueRef machine_number(const AsmMachine *machine, unsigned size, int64_t number)
{
    return LLVMConstInt(machine_type(machine, size), (unsigned long long)number, 1);
}

LLVMValueRef machine_register(AsmMachine *machine, unsigned reg)
{
    LLVMValueRef value = machine->registers[reg];
    return value ? value : module_i64(machine->m, 0);
}

void machine_set_register(AsmMachine *machine, unsigned reg, unsigned size, LLVMValueRef value)
{
    LLVMBuilderRef b = machine->m->builder;
    LLVMValueRef wide = size < 8 ? LLVMBuildZExt(b, value, machine->m->i64, "") : value;
    if (size < 4) {
        LLVMValueRef rest = LLVMConstInt(machine->m->i64, ~0ull << 8 * size, 0);
        wide = LLVMBuildOr(b, LLVMBuildAnd(b, machine_register(machine, reg), rest, ""), wide, "");
    }
    machine->registers[reg] = wide;
    machine->pointers[reg] = NULL;
}

LLVMValueRef machine_address(AsmMachine *machine, unsigned reg, int64_t offset)
{
    LLVMBuilderRef b = machine->m->builder;
    LLVMValueRef base = machine->pointers[reg];
    if (!base)
        base = LLVMBuildIntToPtr(b, machine_register(machine, reg), machine->m->ptr, "");
    LLVMValueRef distance = module_i64(machine->m, (uint64_t)offset);
    return offset ? LLVMBuildGEP2(b, machine->m->i8, base, &distance, 1, "") : base;
}

LLVMValueRef machine_read(AsmMachine *machine, const AsmPlace *place, unsigned size)
{
    LLVMBuilderRef b = machine->m->builder;
    switch (place->kind) {
    case PLACE_IMMEDIATE: return machine_number(machine, size, place->number);
    case PLACE_MEMORY: return machine_load(machine, place, size, LLVMAtomicOrderingAcquire);
    case PLACE_REGISTER:
        return size < 8 ? LLVMBuildTrunc(b, machine_register(machine, place->reg), machine_type(machine, size), "")
                        : machine_register(machine, place->reg);
    default: return NULL;
    }
}

bool machine_write(AsmMachine *machine, const AsmPlace *place, unsigned size, LLVMValueRef value)
{
    if (place->kind == PLACE_REGISTER)
        machine_set_register(machine, place->reg, size, value);
    else if (place->kind == PLACE_MEMORY)
        machine_store(machine, place, value, LLVMAtomicOrderingRelease);
    return place->kind == PLACE_REGISTER || place->kind == PLACE_MEMORY;
}

/* ---- Memory ---------------------------------------------------------------------------- */

LLVMAtomicOrdering machine_ordering(const AsmMachine *machine, LLVMAtomicOrdering ordering)
{
    return machine->clobbers_memory ? ordering : LLVMAtomicOrderingMonotonic;
}

LLVMValueRef machine_load(AsmMachine *machine, const AsmPlace *place, unsigned size, LLVMAtomicOrdering ordering)
{
    LLVMValueRef load = LLVMBuildLoad2(machine->m->builder, machine_type(machine, size), place->address, "");
    LLVMSetAlignment(load, place->either ? 1 : size);
    if (!place->either)
        LLVMSetOrdering(load, machine_ordering(machine, ordering));
    return load;
}

void machine_store(AsmMachine *machine, const AsmPlace *place, LLVMValueRef value, LLVMAtomicOrdering ordering)
{
    LLVMValueRef store = LLVMBuildStore(machine->m->builder, value, place->address);
    LLVMSetAlignment(store, place->either ? 1 : LLVMGetIntTypeWidth(LLVMTypeOf(value)) / 8);
    if (!place->either)
        LLVMSetOrdering(store, machine_ordering(machine, ordering));
}

LLVMValueRef machine_rmw(AsmMachine *machine, LLVMValueRef address, LLVMAtomicRMWBinOp op, LLVMValueRef value,
                         LLVMAtomicOrdering ordering)
{
    return LLVMBuildAtomicRMW(machine->m->builder, op, address, value, machine_ordering(machine, ordering), 0);
}

static LLVMAtomicOrdering after_failure(LLVMAtomicOrdering ordering)
{
    switch (ordering) {
    case LLVMAtomicOrderingRelease: return LLVMAtomicOrderingMonotonic;
    case LLVMAtomicOrderingAcquireRelease: return LLVMAtomicOrderingAcquire;
    default: return ordering;
    }
}

LLVMValueRef machine_cas(AsmMachine *machine, LLVMValueRef address, LLVMValueRef expected, LLVMValueRef desired,
                         LLVMAtomicOrdering ordering)
{
    LLVMAtomicOrdering actual = machine_ordering(machine, ordering);
    LLVMValueRef pair = LLVMBuildAtomicCmpXchg(machine->m->builder, address, expected, desired, actual,
                                               after_failure(actual), 0);
    return LLVMBuildExtractValue(machine->m->builder, pair, 0, "");
}

void machine_fence(AsmMachine *machine, LLVMAtomicOrdering ordering)
{
    LLVMBuildFence(machine->m->builder, ordering, 0, "");
}

/* Calls a function of the runtime that is known by this name in redirect.def. */
static LLVMValueRef call_runtime(AsmMachine *machine, const char *name, LLVMValueRef *args, unsigned count)
{
    LLVMTypeRef types[7];
    for (unsigned i = 0; i < count; i++)
        types[i] = LLVMTypeOf(args[i]);
    LLVMTypeRef type = LLVMFunctionType(machine->m->i64, types, count, 0);
    LLVMValueRef function = LLVMGetNamedFunction(machine->m->llvm, name);
    if (!function)
        function = LLVMAddFunction(machine->m->llvm, name, type);
    return LLVMBuildCall2(machine->m->builder, type, function, args, count, "");
}

LLVMValueRef machine_clock(AsmMachine *machine) { return call_runtime(machine, "__sennit_time_stamp", NULL, 0); }

LLVMValueRef machine_random(AsmMachine *machine) { return call_runtime(machine, "__sennit_random_number", NULL, 0); }

LLVMValueRef machine_system_call(AsmMachine *machine, const unsigned registers[7])
{
    LLVMValueRef args[7];
    for (unsigned i = 0; i < 7; i++)
        args[i] = machine_register(machine, registers[i]);
    return call_runtime(machine, "__sennit_system_call", args, 7);
}

LLVMValueRef machine_compute(AsmMachine *machine, LLVMAtomicRMWBinOp op, LLVMValueRef old, LLVMValueRef value)
{
    LLVMBuilderRef b = machine->m->builder;
    switch (op) {
    case LLVMAtomicRMWBinOpXchg: return value;
    case LLVMAtomicRMWBinOpAdd: return LLVMBuildAdd(b, old, value, "");
    case LLVMAtomicRMWBinOpSub: return LLVMBuildSub(b, old, value, "");
    case LLVMAtomicRMWBinOpAnd: return LLVMBuildAnd(b, old, value, "");
    case LLVMAtomicRMWBinOpOr: return LLVMBuildOr(b, old, value, "");
    default: return LLVMBuildXor(b, old, value, "");
    }
}

/* ---- Flags ------------------------------------------------------------------------------ */

static LLVMValueRef compare(AsmMachine *machine, LLVMIntPredicate relation, LLVMValueRef a, LLVMValueRef b)
{
    return LLVMBuildICmp(machine->m->builder, relation, a, b, "");
}

/* What the operation left: for FLAGS_LOGIC that is `left`. */
static LLVMValueRef outcome(AsmMachine *machine)
{
    const AsmFlags *flags = &machine->flags;
    switch (flags->kind) {
    case FLAGS_SUB: return LLVMBuildSub(machine->m->builder, flags->left, flags->right, "");
    case FLAGS_ADD:
    case FLAGS_STEP: return LLVMBuildAdd(machine->m->builder, flags->left, flags->right, "");
    default: return flags->left;
    }
}

static LLVMValueRef is_zero(AsmMachine *machine)
{
    const AsmFlags *flags = &machine->flags;
    if (flags->kind == FLAGS_BIT)
        return NULL;
    if (flags->kind == FLAGS_SUB)
        return compare(machine, LLVMIntEQ, flags->left, flags->right);
    LLVMValueRef value = outcome(machine);
    return compare(machine, LLVMIntEQ, value, LLVMConstNull(LLVMTypeOf(value)));
}

static LLVMValueRef is_negative(AsmMachine *machine)
{
    if (machine->flags.kind == FLAGS_BIT)
        return NULL;
    LLVMValueRef value = outcome(machine);
    return compare(machine, LLVMIntSLT, value, LLVMConstNull(LLVMTypeOf(value)));
}

static LLVMValueRef carries(AsmMachine *machine)
{
    const AsmFlags *flags = &machine->flags;
    switch (flags->kind) {
    case FLAGS_BIT: return flags->left;
    case FLAGS_SUB: return compare(machine, LLVMIntULT, flags->left, flags->right);
    case FLAGS_ADD: return compare(machine, LLVMIntULT, outcome(machine), flags->left);
    case FLAGS_LOGIC: return LLVMConstInt(machine->m->i1, 0, 0);
    default: return NULL;
    }
}

/* Relations of the operands of a comparison; a logical operation compares its result with 0. */
static LLVMValueRef relates(AsmMachine *machine, LLVMIntPredicate relation)
{
    const AsmFlags *flags = &machine->flags;
    if (flags->kind == FLAGS_SUB)
        return compare(machine, relation, flags->left, flags->right);
    if (flags->kind == FLAGS_LOGIC)
        return compare(machine, relation, flags->left, LLVMConstNull(LLVMTypeOf(flags->left)));
    return NULL;
}

static LLVMValueRef less(AsmMachine *machine) { return relates(machine, LLVMIntSLT); }
static LLVMValueRef less_or_equal(AsmMachine *machine) { return relates(machine, LLVMIntSLE); }
static LLVMValueRef below_or_equal(AsmMachine *machine) { return relates(machine, LLVMIntULE); }

LLVMValueRef machine_condition(AsmMachine *machine, const char *name)
{
    static const struct {
        const char *name, *opposite;
        LLVMValueRef (*holds)(AsmMachine *machine);
    } conditions[] = {
        {"z", "nz", is_zero}, {"e", "ne", is_zero}, {"s", "ns", is_negative}, {"c", "nc", carries},
        {"b", "nb", carries}, {"nae", "ae", carries}, {"l", "nl", less}, {"nge", "ge", less},
        {"le", "nle", less_or_equal}, {"ng", "g", less_or_equal}, {"be", "nbe", below_or_equal},
        {"na", "a", below_or_equal},
    };
    if (machine->flags.kind == FLAGS_UNKNOWN)
        return NULL;
    for (unsigned i = 0; i < sizeof conditions / sizeof *conditions; i++) {
        bool opposite = strcmp(name, conditions[i].opposite) == 0;
        if (!opposite && strcmp(name, conditions[i].name) != 0)
            continue;
        LLVMValueRef value = conditions[i].holds(machine);
        return value && opposite ? LLVMBuildNot(machine->m->builder, value, "") : value;
    }
    return NULL;
}
