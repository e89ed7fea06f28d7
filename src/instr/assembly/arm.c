/* arm.c - instructions of AArch64, see lift.h */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "instr/assembly/lift.h"

enum { MAX_PARTS = 5, SYSTEM_CALL_NUMBER = 8 };

/* ---- Registers and operands --------------------------------------------------------- */

bool arm_register(const char *name, unsigned *reg, unsigned *size)
{
    char *end;
    unsigned long number = strtoul(name + 1, &end, 10);
    *size = name[0] == 'x' ? 8 : name[0] == 'w' ? 4 : 0;
    *reg = (unsigned)number;
    return *size && isdigit((unsigned char)name[1]) && !*end && number <= 30;
}

static unsigned size_of_letter(char letter) { return letter == 'w' ? 4 : letter == 'x' ? 8 : 0; }

/* A register; without a modifier it has 64 bits, whatever the type of the operand. */
static const char *read_register(AsmMachine *machine, const char *text, AsmPlace *place)
{
    if (text[0] == '$') {
        const char *end = machine_operand(machine, text, place, size_of_letter);
        if (end && text[1] != '{' && place->kind == PLACE_REGISTER)
            place->size = 8;
        return end;
    }
    char name[8];
    size_t length = 0;
    for (; isalnum((unsigned char)*text) && length + 1 < sizeof name; text++)
        name[length++] = *text;
    name[length] = '\0';
    *place = (AsmPlace){.kind = PLACE_REGISTER};
    if (strcmp(name, "xzr") == 0 || strcmp(name, "wzr") == 0) {
        *place = (AsmPlace){.kind = PLACE_IMMEDIATE, .size = name[0] == 'x' ? 8 : 4};
        return text;
    }
    return arm_register(name, &place->reg, &place->size) ? text : NULL;
}

/* [base] and [base,#distance] */
static bool read_indirect(AsmMachine *machine, const char *text, AsmPlace *place)
{
    AsmPlace base;
    const char *at = read_register(machine, text + 1, &base);
    long distance = 0;
    char *end = (char *)(uintptr_t)at;
    if (!at || base.kind != PLACE_REGISTER)
        return false;
    if (*at == ',')
        distance = strtol(at + 1 + (at[1] == '#'), &end, 0);
    *place = (AsmPlace){.kind = PLACE_MEMORY, .address = machine_address(machine, base.reg, distance)};
    return strcmp(end, "]") == 0;
}

static bool read_place(AsmMachine *machine, const char *text, AsmPlace *place)
{
    char *end;
    if (text[0] == '[')
        return read_indirect(machine, text, place);
    if (text[0] == '#' || isdigit((unsigned char)text[0])) {
        *place = (AsmPlace){.kind = PLACE_IMMEDIATE, .number = strtoll(text + (text[0] == '#'), &end, 0)};
        return !*end;
    }
    const char *behind = read_register(machine, text, place);
    return behind && !*behind;
}

/* ---- Instructions -------------------------------------------------------------------- */

typedef struct ArmInstruction {
    const char *name;
    const char *parts[MAX_PARTS];
    unsigned count;
} ArmInstruction;

/* What the letters behind the name of an instruction say. */
typedef struct ArmSuffix {
    bool acquires, releases;
    unsigned size;            /* 1, 2; 0: that of the register */
} ArmSuffix;

static bool read_suffix(const char *text, ArmSuffix *suffix)
{
    *suffix = (ArmSuffix){0};
    if (*text == 'a')
        suffix->acquires = *text++;
    if (*text == 'l')
        suffix->releases = *text++;
    if (*text == 'b' || *text == 'h')
        suffix->size = *text++ == 'b' ? 1 : 2;
    return !*text;
}

static LLVMAtomicOrdering ordering_of(bool acquires, bool releases)
{
    if (acquires && releases)
        return LLVMAtomicOrderingAcquireRelease;
    return acquires ? LLVMAtomicOrderingAcquire : releases ? LLVMAtomicOrderingRelease : LLVMAtomicOrderingMonotonic;
}

/* The operands of an instruction on a register and memory, which is the last one. */
static bool read_places(AsmMachine *machine, const ArmInstruction *i, unsigned count, AsmPlace *places)
{
    if (i->count != count)
        return false;
    for (unsigned n = 0; n < count; n++)
        if (!read_place(machine, i->parts[n], &places[n]))
            return false;
    return true;
}

/* Results of less than 4 bytes are extended. */
static bool set_extended(AsmMachine *machine, const AsmPlace *place, LLVMValueRef value)
{
    if (place->kind == PLACE_IMMEDIATE)
        return true; /* the zero register */
    if (place->kind != PLACE_REGISTER)
        return false;
    machine_set_register(machine, place->reg, 8, LLVMBuildIntCast2(machine->m->builder, value, machine->m->i64, 0, ""));
    return true;
}

/* A register and memory, accessed with the size that the suffix says. */
static bool read_access(AsmMachine *machine, const ArmInstruction *i, const char *rest, AsmPlace places[2],
                        unsigned *size)
{
    ArmSuffix suffix;
    if (!read_suffix(rest, &suffix) || suffix.acquires || suffix.releases || !read_places(machine, i, 2, places) ||
        places[1].kind != PLACE_MEMORY)
        return false;
    *size = suffix.size ? suffix.size : places[0].size;
    return true;
}

static bool load(AsmMachine *machine, const ArmInstruction *i, const char *rest, bool acquires)
{
    AsmPlace places[2];
    unsigned size;
    return read_access(machine, i, rest, places, &size) &&
           set_extended(machine, &places[0],
                        machine_load(machine, &places[1], size,
                                     acquires ? LLVMAtomicOrderingAcquire : LLVMAtomicOrderingMonotonic));
}

static bool store(AsmMachine *machine, const ArmInstruction *i, const char *rest, bool releases)
{
    AsmPlace places[2];
    unsigned size;
    LLVMValueRef value = read_access(machine, i, rest, places, &size) ? machine_read(machine, &places[0], size) : NULL;
    if (!value)
        return false;
    machine_store(machine, &places[1], value, releases ? LLVMAtomicOrderingRelease : LLVMAtomicOrderingMonotonic);
    return true;
}

/* Atomic instructions of version 8.1: ldadd, stadd, swp and so on. */
static bool update(AsmMachine *machine, const ArmInstruction *i, const char *rest, LLVMAtomicRMWBinOp op, bool inverted,
                   bool returns)
{
    AsmPlace places[3];
    ArmSuffix suffix;
    unsigned count = returns ? 3 : 2;
    if (!read_suffix(rest, &suffix) || !read_places(machine, i, count, places) ||
        places[count - 1].kind != PLACE_MEMORY)
        return false;
    unsigned size = suffix.size ? suffix.size : places[0].size;
    LLVMValueRef value = machine_read(machine, &places[0], size);
    if (!value)
        return false;
    if (inverted)
        value = LLVMBuildNot(machine->m->builder, value, "");
    LLVMValueRef old = machine_rmw(machine, places[count - 1].address, op, value,
                                   ordering_of(suffix.acquires, suffix.releases));
    return !returns || set_extended(machine, &places[1], old);
}

static bool compare_and_swap(AsmMachine *machine, const ArmInstruction *i, const char *rest)
{
    AsmPlace places[3];
    ArmSuffix suffix;
    if (!read_suffix(rest, &suffix) || !read_places(machine, i, 3, places) || places[2].kind != PLACE_MEMORY)
        return false;
    unsigned size = suffix.size ? suffix.size : places[0].size;
    LLVMValueRef expected = machine_read(machine, &places[0], size), desired = machine_read(machine, &places[1], size);
    return expected && desired &&
           set_extended(machine, &places[0],
                        machine_cas(machine, places[2].address, expected, desired,
                                    ordering_of(suffix.acquires, suffix.releases)));
}

static LLVMValueRef join(AsmMachine *machine, const AsmPlace places[2], unsigned size)
{
    LLVMBuilderRef b = machine->m->builder;
    LLVMTypeRef type = machine_type(machine, 2 * size);
    LLVMValueRef low = LLVMBuildZExt(b, machine_read(machine, &places[0], size), type, "");
    LLVMValueRef high = LLVMBuildZExt(b, machine_read(machine, &places[1], size), type, "");
    return LLVMBuildOr(b, low, LLVMBuildShl(b, high, LLVMConstInt(type, 8 * size, 0), ""), "");
}

static bool compare_and_swap_pair(AsmMachine *machine, const ArmInstruction *i, const char *rest)
{
    AsmPlace places[5];
    ArmSuffix suffix;
    if (!read_suffix(rest, &suffix) || suffix.size || !read_places(machine, i, 5, places) ||
        places[4].kind != PLACE_MEMORY)
        return false;
    for (int n = 0; n < 4; n++)
        if (places[n].kind != PLACE_REGISTER)
            return false;
    LLVMBuilderRef b = machine->m->builder;
    unsigned size = places[0].size;
    LLVMValueRef old = machine_cas(machine, places[4].address, join(machine, &places[0], size),
                                   join(machine, &places[2], size), ordering_of(suffix.acquires, suffix.releases));
    LLVMValueRef high = LLVMBuildLShr(b, old, LLVMConstInt(LLVMTypeOf(old), 8 * size, 0), "");
    return set_extended(machine, &places[0], LLVMBuildTrunc(b, old, machine_type(machine, size), "")) &&
           set_extended(machine, &places[1], LLVMBuildTrunc(b, high, machine_type(machine, size), ""));
}

/* ---- Load-exclusive and store-exclusive ------------------------------------------------ */

static bool load_exclusive(AsmMachine *machine, const ArmInstruction *i, const char *rest, bool acquires)
{
    AsmPlace places[2];
    unsigned size;
    if (machine->exclusive.loaded || machine->exclusive.cas || !read_access(machine, i, rest, places, &size) ||
        places[0].kind != PLACE_REGISTER)
        return false;
    machine->exclusive = (AsmExclusive){.loaded = true, .address = places[1].address, .acquires = acquires,
                                        .old_reg = places[0].reg, .size = size};
    return true;
}

/* Is it the value found, which is not known before the store? */
static bool is_old(const AsmMachine *machine, const AsmPlace *place)
{
    return machine->exclusive.loaded && place->kind == PLACE_REGISTER && place->reg == machine->exclusive.old_reg;
}

/* An operand as a value of the size of the memory. */
static LLVMValueRef read_narrow(AsmMachine *machine, const AsmPlace *place)
{
    return is_old(machine, place) ? NULL : machine_read(machine, place, machine->exclusive.size);
}

/* new = old op operand */
static bool compute_exclusive(AsmMachine *machine, const AsmPlace places[3], LLVMAtomicRMWBinOp op, bool inverted)
{
    AsmExclusive *exclusive = &machine->exclusive;
    bool swapped = !is_old(machine, &places[1]) && op != LLVMAtomicRMWBinOpSub && !inverted;
    const AsmPlace *operand = swapped ? &places[1] : &places[2];
    if (exclusive->computed || exclusive->compares || !is_old(machine, swapped ? &places[2] : &places[1]) ||
        places[0].kind != PLACE_REGISTER)
        return false;
    exclusive->operand = read_narrow(machine, operand);
    if (!exclusive->operand)
        return false;
    if (inverted)
        exclusive->operand = LLVMBuildNot(machine->m->builder, exclusive->operand, "");
    exclusive->computed = true;
    exclusive->op = op;
    exclusive->new_reg = places[0].reg;
    return true;
}

/* A branch that leaves if the values differ. */
static bool leave_if_different(AsmExclusive *exclusive, const char *label)
{
    size_t length = strlen(label);
    if (!exclusive->expected || length < 2 || length > sizeof exclusive->label || label[length - 1] != 'f')
        return false;
    exclusive->compares = true;
    memcpy(exclusive->label, label, length - 1);
    exclusive->label[length - 1] = '\0';
    return true;
}

/* cbnz of `old ^ expected` or `old - expected`. */
static bool leave_if_not_zero(AsmExclusive *exclusive, const AsmPlace *tested, const char *label)
{
    bool differs = exclusive->op == LLVMAtomicRMWBinOpXor || exclusive->op == LLVMAtomicRMWBinOpSub;
    if (!exclusive->computed || !differs || tested->reg != exclusive->new_reg)
        return false;
    exclusive->expected = exclusive->operand;
    return leave_if_different(exclusive, label);
}

/* The registers after the operation. */
static void set_exclusive_results(AsmMachine *machine, LLVMValueRef old)
{
    AsmExclusive *exclusive = &machine->exclusive;
    const AsmPlace found = {.kind = PLACE_REGISTER, .reg = exclusive->old_reg};
    set_extended(machine, &found, old);
    if (exclusive->computed) {
        const AsmPlace computed = {.kind = PLACE_REGISTER, .reg = exclusive->new_reg};
        set_extended(machine, &computed, machine_compute(machine, exclusive->op, old, exclusive->operand));
    }
    if (exclusive->expected)
        machine->flags = (AsmFlags){FLAGS_SUB, old, exclusive->expected};
    machine_set_register(machine, exclusive->status_reg, 8, module_i64(machine->m, 0));
}

static bool store_exclusive(AsmMachine *machine, const ArmInstruction *i, const char *rest, bool releases)
{
    AsmExclusive *exclusive = &machine->exclusive;
    AsmPlace places[3];
    ArmSuffix suffix;
    if (!exclusive->loaded || !read_suffix(rest, &suffix) || suffix.acquires || suffix.releases ||
        !read_places(machine, i, 3, places) || places[0].kind != PLACE_REGISTER || places[2].kind != PLACE_MEMORY)
        return false;
    LLVMAtomicOrdering ordering = ordering_of(exclusive->acquires, releases);
    bool stores_computed = exclusive->computed && !exclusive->compares && places[1].kind == PLACE_REGISTER &&
                           places[1].reg == exclusive->new_reg;
    LLVMValueRef value = stores_computed ? exclusive->operand : read_narrow(machine, &places[1]), old;
    if (!value || (exclusive->computed && !stores_computed && !exclusive->compares) ||
        (exclusive->expected && !exclusive->compares))
        return false;
    exclusive->loaded = false;
    exclusive->status_reg = places[0].reg;
    if (exclusive->compares) {
        old = machine_cas(machine, exclusive->address, exclusive->expected, value, ordering);
        exclusive->cas = LLVMGetOperand(old, 0);
    } else {
        old = machine_rmw(machine, exclusive->address,
                          stores_computed ? exclusive->op : LLVMAtomicRMWBinOpXchg, value, ordering);
    }
    set_exclusive_results(machine, old);
    return true;
}

/* A label; the one behind a comparison ends what happens only if it succeeded. */
static void pass_label(AsmExclusive *exclusive, const char *label)
{
    if (exclusive->cas && strcmp(label, exclusive->label) == 0)
        exclusive->cas = NULL;
}

/* ---- Other instructions ------------------------------------------------------------------- */

static bool fence(AsmMachine *machine, const ArmInstruction *i)
{
    if (i->count != 1)
        return false;
    size_t length = strlen(i->parts[0]);
    const char *end = length > 2 ? i->parts[0] + length - 2 : i->parts[0];
    LLVMAtomicOrdering ordering = strcmp(end, "ld") == 0   ? LLVMAtomicOrderingAcquire
                                  : strcmp(end, "st") == 0 ? LLVMAtomicOrderingRelease
                                                           : LLVMAtomicOrderingSequentiallyConsistent;
    if (machine->exclusive.cas)
        LLVMSetCmpXchgSuccessOrdering(machine->exclusive.cas, LLVMAtomicOrderingSequentiallyConsistent);
    else
        machine_fence(machine, ordering);
    return true;
}

static bool compare(AsmMachine *machine, const ArmInstruction *i)
{
    AsmPlace places[2];
    if (!read_places(machine, i, 2, places))
        return false;
    if (is_old(machine, &places[0])) {
        machine->exclusive.expected = read_narrow(machine, &places[1]);
        return machine->exclusive.expected;
    }
    LLVMValueRef left = machine_read(machine, &places[0], places[0].size);
    LLVMValueRef right = left ? machine_read(machine, &places[1], places[0].size) : NULL;
    machine->flags = (AsmFlags){FLAGS_SUB, left, right};
    return right;
}

static bool compute(AsmMachine *machine, const ArmInstruction *i, LLVMAtomicRMWBinOp op, bool inverted)
{
    AsmPlace places[3];
    if (!read_places(machine, i, 3, places))
        return false;
    if (is_old(machine, &places[1]) || is_old(machine, &places[2]))
        return compute_exclusive(machine, places, op, inverted);
    LLVMValueRef left = machine_read(machine, &places[1], places[0].size);
    LLVMValueRef right = left ? machine_read(machine, &places[2], places[0].size) : NULL;
    if (!right || is_old(machine, &places[0]))
        return false;
    if (inverted)
        right = LLVMBuildNot(machine->m->builder, right, "");
    return set_extended(machine, &places[0], machine_compute(machine, op, left, right));
}

/* mov, and mvn, which inverts. */
static bool move(AsmMachine *machine, const ArmInstruction *i, bool inverted)
{
    AsmPlace places[2];
    if (!read_places(machine, i, 2, places) || places[0].kind != PLACE_REGISTER)
        return false;
    if (inverted && is_old(machine, &places[1])) {
        const AsmPlace parts[3] = {places[0], places[1], {.kind = PLACE_IMMEDIATE, .number = -1}};
        return compute_exclusive(machine, parts, LLVMAtomicRMWBinOpXor, false);
    }
    if (is_old(machine, &places[0]) || is_old(machine, &places[1]))
        return false;
    LLVMValueRef value = machine_read(machine, &places[1], places[0].size);
    if (value && inverted)
        value = LLVMBuildNot(machine->m->builder, value, "");
    return value && set_extended(machine, &places[0], value);
}

static bool set_condition(AsmMachine *machine, const ArmInstruction *i)
{
    AsmPlace place;
    if (i->count != 2 || machine->exclusive.loaded || !read_place(machine, i->parts[0], &place))
        return false;
    const char *name = i->parts[1];
    static const char *const names[][2] = {{"eq", "e"}, {"ne", "ne"}, {"lo", "b"}, {"hs", "ae"}, {"cc", "b"},
                                           {"cs", "ae"}, {"lt", "l"}, {"ge", "ge"}, {"le", "le"}, {"gt", "g"},
                                           {"ls", "be"}, {"hi", "a"}, {"mi", "s"}, {"pl", "ns"}};
    for (unsigned n = 0; n < sizeof names / sizeof *names; n++)
        if (strcmp(names[n][0], name) == 0) {
            LLVMValueRef holds = machine_condition(machine, names[n][1]);
            return holds && set_extended(machine, &place, holds);
        }
    return false;
}

static bool branch_if_not_zero(AsmMachine *machine, const ArmInstruction *i)
{
    AsmPlace place;
    if (i->count != 2 || !read_place(machine, i->parts[0], &place) || place.kind != PLACE_REGISTER)
        return false;
    if (machine->exclusive.loaded)
        return leave_if_not_zero(&machine->exclusive, &place, i->parts[1]);
    /* The loop around a store-exclusive, which does not fail here. */
    size_t length = strlen(i->parts[1]);
    return machine->exclusive.address && place.reg == machine->exclusive.status_reg && length &&
           i->parts[1][length - 1] == 'b';
}

static bool read_system_register(AsmMachine *machine, const ArmInstruction *i)
{
    AsmPlace place;
    if (i->count != 2 || !read_place(machine, i->parts[0], &place))
        return false;
    if (strcasecmp(i->parts[1], "cntvct_el0") == 0 || strcasecmp(i->parts[1], "cntpct_el0") == 0)
        return set_extended(machine, &place, machine_clock(machine));
    return (strcasecmp(i->parts[1], "rndr") == 0 || strcasecmp(i->parts[1], "rndrrs") == 0) &&
           set_extended(machine, &place, machine_random(machine));
}

static bool system_call(AsmMachine *machine, const ArmInstruction *i)
{
    static const unsigned registers[7] = {SYSTEM_CALL_NUMBER, 0, 1, 2, 3, 4, 5};
    AsmPlace place;
    if (i->count != 1 || !read_place(machine, i->parts[0], &place) || place.kind != PLACE_IMMEDIATE || place.number)
        return false;
    machine_set_register(machine, 0, 8, machine_system_call(machine, registers));
    return true;
}

/* ---- The tables ------------------------------------------------------------------------------ */

/* Operations of version 8.1 behind "ld" and "st". */
static const struct {
    const char *name;
    LLVMAtomicRMWBinOp op;
    bool inverted;
} updates[] = {
    {"add", LLVMAtomicRMWBinOpAdd, false}, {"clr", LLVMAtomicRMWBinOpAnd, true}, {"set", LLVMAtomicRMWBinOpOr, false},
    {"eor", LLVMAtomicRMWBinOpXor, false}, {"smax", LLVMAtomicRMWBinOpMax, false},
    {"smin", LLVMAtomicRMWBinOpMin, false}, {"umax", LLVMAtomicRMWBinOpUMax, false},
    {"umin", LLVMAtomicRMWBinOpUMin, false},
};

static const struct {
    const char *name;
    LLVMAtomicRMWBinOp op;
    bool inverted;
} computations[] = {
    {"add", LLVMAtomicRMWBinOpAdd, false}, {"sub", LLVMAtomicRMWBinOpSub, false}, {"and", LLVMAtomicRMWBinOpAnd, false},
    {"orr", LLVMAtomicRMWBinOpOr, false}, {"eor", LLVMAtomicRMWBinOpXor, false}, {"bic", LLVMAtomicRMWBinOpAnd, true},
};

static const char *const skipped[] = {"nop", "yield", "wfe", "sev", "sevl", "isb", "prfm", ".arch", ".arch_extension"};

/* What follows `prefix`, or NULL. */
static const char *behind(const char *name, const char *prefix)
{
    size_t length = strlen(prefix);
    return strncmp(name, prefix, length) == 0 ? name + length : NULL;
}

static bool is_skipped(const char *name)
{
    for (unsigned n = 0; n < sizeof skipped / sizeof *skipped; n++)
        if (strcmp(name, skipped[n]) == 0)
            return true;
    return false;
}

/* Loads, stores and atomic operations. */
static bool translate_memory(AsmMachine *machine, const ArmInstruction *i)
{
    const char *name = i->name, *rest;
    for (unsigned n = 0; n < sizeof updates / sizeof *updates; n++) {
        const char *middle = behind(name, "ld");
        if (middle && (rest = behind(middle, updates[n].name)))
            return update(machine, i, rest, updates[n].op, updates[n].inverted, true);
        middle = behind(name, "st");
        if (middle && (rest = behind(middle, updates[n].name)))
            return update(machine, i, rest, updates[n].op, updates[n].inverted, false);
    }
    if ((rest = behind(name, "ldaxr")))
        return load_exclusive(machine, i, rest, true);
    if ((rest = behind(name, "ldxr")))
        return load_exclusive(machine, i, rest, false);
    if ((rest = behind(name, "stlxr")))
        return store_exclusive(machine, i, rest, true);
    if ((rest = behind(name, "stxr")))
        return store_exclusive(machine, i, rest, false);
    if (machine->exclusive.loaded)
        return false;
    if ((rest = behind(name, "ldapr")) || (rest = behind(name, "ldar")))
        return load(machine, i, rest, true);
    if ((rest = behind(name, "ldr")))
        return load(machine, i, rest, false);
    if ((rest = behind(name, "stlr")))
        return store(machine, i, rest, true);
    if ((rest = behind(name, "str")))
        return store(machine, i, rest, false);
    if ((rest = behind(name, "swp")))
        return update(machine, i, rest, LLVMAtomicRMWBinOpXchg, false, true);
    if ((rest = behind(name, "casp")))
        return compare_and_swap_pair(machine, i, rest);
    if ((rest = behind(name, "cas")))
        return compare_and_swap(machine, i, rest);
    return false;
}

static bool translate(AsmMachine *machine, const ArmInstruction *i)
{
    bool branches = strcmp(i->name, "b.ne") == 0 || strcmp(i->name, "bne") == 0;
    if (strcmp(i->name, "dmb") == 0 || strcmp(i->name, "dsb") == 0)
        return fence(machine, i);
    if (branches)
        return machine->exclusive.loaded && i->count == 1 && leave_if_different(&machine->exclusive, i->parts[0]);
    if (strcmp(i->name, "cbnz") == 0)
        return branch_if_not_zero(machine, i);
    if (machine->exclusive.cas)
        return false; /* happens only if the comparison succeeded */
    if (strcmp(i->name, "cmp") == 0)
        return compare(machine, i);
    if (strcmp(i->name, "mov") == 0 || strcmp(i->name, "mvn") == 0)
        return move(machine, i, i->name[1] == 'v');
    if (strcmp(i->name, "cset") == 0)
        return set_condition(machine, i);
    if (strcmp(i->name, "mrs") == 0)
        return read_system_register(machine, i);
    if (strcmp(i->name, "svc") == 0)
        return system_call(machine, i);
    for (unsigned n = 0; n < sizeof computations / sizeof *computations; n++)
        if (strcmp(i->name, computations[n].name) == 0)
            return compute(machine, i, computations[n].op, computations[n].inverted);
    return translate_memory(machine, i);
}

/* Splits at commas outside brackets and removes white space. */
static bool split_operands(char *text, ArmInstruction *i)
{
    int depth = 0;
    char *to = text;
    if (!*text)
        return true;
    i->parts[i->count++] = text;
    for (const char *from = text; *from; from++) {
        if (isspace((unsigned char)*from))
            continue;
        depth += (*from == '[') - (*from == ']');
        if (*from != ',' || depth) {
            *to++ = *from;
            continue;
        }
        *to++ = '\0';
        if (i->count == MAX_PARTS)
            return false;
        i->parts[i->count++] = to;
    }
    *to = '\0';
    return true;
}

bool arm_translate(AsmMachine *machine, char *statement)
{
    ArmInstruction i = {0};
    char *colon = statement + strspn(statement, "0123456789");
    if (colon > statement && *colon == ':') {
        *colon = '\0';
        pass_label(&machine->exclusive, statement);
        statement = colon + 1 + strspn(colon + 1, " \t");
        if (!*statement)
            return true;
    }
    i.name = statement;
    char *end = statement + strcspn(statement, " \t"), *rest = end + strspn(end, " \t");
    *end = '\0';
    return is_skipped(i.name) || (split_operands(rest, &i) && translate(machine, &i));
}

bool arm_finish(AsmMachine *machine) { return !machine->exclusive.loaded; }
