/* exec_value.c - instructions on values: arithmetic, comparison, data */
#include <math.h>
#include <string.h>

#include "abs/run/exec_internal.h"
#include "abs/run/symbol.h"
#include "abs/run/unknown.h"
#include "abs/value/number.h"

enum { LONGEST_STRING = 64 << 20, MOST_LIMBS = 1 << 18 };

/* ---- Moving ---------------------------------------------------------------------- */

const Instr *exec_CONST(Machine *machine, Value *registers, const Instr *instr)
{
    (void)machine;
    registers[instr->a] = instr->x.value;
    return instr + 1;
}

const Instr *exec_MOVE(Machine *machine, Value *registers, const Instr *instr)
{
    (void)machine;
    registers[instr->a] = registers[instr->b];
    return instr + 1;
}

/* ---- Arithmetic -------------------------------------------------------------------- */

static Value concatenate(Machine *machine, Value a, Value b)
{
    const Cell *x = value_cell(a), *y = value_cell(b);
    size_t size = (size_t)x->tag + y->tag;
    if (size > LONGEST_STRING)
        return VALUE_NONE;
    char *bytes = arena_alloc(machine->arena, size + 1);
    memcpy(bytes, cell_bytes(x), x->tag);
    memcpy(bytes + x->tag, cell_bytes(y), y->tag);
    return value_make_string(machine->arena, bytes, size);
}

static Value apply_floats(Machine *machine, NumberOp op, double x, double y)
{
    switch (op) {
    case NUMBER_ADD: return value_make_float(machine->arena, x + y);
    case NUMBER_SUB: return value_make_float(machine->arena, x - y);
    case NUMBER_MUL: return value_make_float(machine->arena, x * y);
    case NUMBER_DIV: return y == 0 ? VALUE_NONE : value_make_float(machine->arena, x / y);
    case NUMBER_MOD: return y == 0 ? VALUE_NONE : value_make_float(machine->arena, fmod(x, y));
    }
    return VALUE_NONE;
}

static uint32_t count_limbs(Value v) { return value_is_kind(v, CELL_INT) ? value_cell(v)->tag : 1; }

static const Instr *apply(Machine *machine, Value *registers, const Instr *instr, NumberOp op)
{
    Value a = registers[instr->b], b = registers[instr->c], result;
    if (value_is_symbol(a) || value_is_symbol(b)) {
        result = symbol_apply(machine, op, a, b);
    } else if (value_is_kind(a, CELL_STRING)) {
        result = concatenate(machine, a, b);
        if (result == VALUE_NONE)
            return exec_stop(machine, instr, CUT_ROOM);
    } else if (value_is_kind(a, CELL_FLOAT)) {
        result = apply_floats(machine, op, value_float(a), value_float(b));
    } else if (count_limbs(a) + count_limbs(b) > MOST_LIMBS) {
        return exec_stop(machine, instr, CUT_ROOM);
    } else {
        result = number_apply(machine->arena, op, a, b);
    }
    if (result == VALUE_NONE)
        return machine_throw(machine, instr, machine->image->division_by_zero);
    registers[instr->a] = result;
    return instr + 1;
}

const Instr *exec_ADD(Machine *machine, Value *registers, const Instr *instr)
{
    Value a = registers[instr->b], b = registers[instr->c];
    if (value_is_int(a) && value_is_int(b)) {
        int64_t sum = value_int(a) + value_int(b);
        if (value_fits_int(sum)) {
            registers[instr->a] = value_from_int(sum);
            return instr + 1;
        }
    }
    return apply(machine, registers, instr, NUMBER_ADD);
}

const Instr *exec_SUB(Machine *machine, Value *registers, const Instr *instr)
{
    Value a = registers[instr->b], b = registers[instr->c];
    if (value_is_int(a) && value_is_int(b)) {
        int64_t difference = value_int(a) - value_int(b);
        if (value_fits_int(difference)) {
            registers[instr->a] = value_from_int(difference);
            return instr + 1;
        }
    }
    return apply(machine, registers, instr, NUMBER_SUB);
}

const Instr *exec_MUL(Machine *machine, Value *registers, const Instr *instr)
{
    return apply(machine, registers, instr, NUMBER_MUL);
}

const Instr *exec_DIV(Machine *machine, Value *registers, const Instr *instr)
{
    return apply(machine, registers, instr, NUMBER_DIV);
}

const Instr *exec_MOD(Machine *machine, Value *registers, const Instr *instr)
{
    return apply(machine, registers, instr, NUMBER_MOD);
}

const Instr *exec_NEGATE(Machine *machine, Value *registers, const Instr *instr)
{
    Value a = registers[instr->b];
    if (value_is_symbol(a)) {
        registers[instr->a] = symbol_negate(machine, a);
        return instr + 1;
    }
    registers[instr->a] = value_is_kind(a, CELL_FLOAT) ? value_make_float(machine->arena, -value_float(a))
                                                       : number_negate(machine->arena, a);
    return instr + 1;
}

const Instr *exec_NOT(Machine *machine, Value *registers, const Instr *instr)
{
    Value a = registers[instr->b];
    registers[instr->a] = value_is_symbol(a) ? symbol_not(machine, a) : value_from_bool(a != VALUE_TRUE);
    return instr + 1;
}

/* ---- Comparison ---------------------------------------------------------------------- */

static Value equal(Machine *machine, Value a, Value b)
{
    if (machine->has_inputs && (value_is_cell(a) || value_is_cell(b)))
        return symbol_equal(machine, a, b);
    return value_from_bool(value_equal(a, b));
}

const Instr *exec_EQ(Machine *machine, Value *registers, const Instr *instr)
{
    registers[instr->a] = equal(machine, registers[instr->b], registers[instr->c]);
    return instr + 1;
}

const Instr *exec_NE(Machine *machine, Value *registers, const Instr *instr)
{
    Value same = equal(machine, registers[instr->b], registers[instr->c]);
    registers[instr->a] = value_is_symbol(same) ? symbol_not(machine, same) : value_from_bool(same != VALUE_TRUE);
    return instr + 1;
}

static const Instr *order(Machine *machine, Value *registers, const Instr *instr, SymbolOrder relation)
{
    Value a = registers[instr->b], b = registers[instr->c];
    int sign;
    if (value_is_int(a) && value_is_int(b)) {
        sign = (int64_t)a < (int64_t)b ? -1 : a != b;
    } else if (machine->has_inputs) {
        registers[instr->a] = symbol_order(machine, relation, a, b);
        return instr + 1;
    } else {
        sign = value_compare(&machine->context, a, b);
    }
    bool holds = relation == SYMBOL_LT   ? sign < 0
                 : relation == SYMBOL_LE ? sign <= 0
                 : relation == SYMBOL_GT ? sign > 0
                                         : sign >= 0;
    registers[instr->a] = value_from_bool(holds);
    return instr + 1;
}

const Instr *exec_LT(Machine *machine, Value *registers, const Instr *instr)
{
    return order(machine, registers, instr, SYMBOL_LT);
}

const Instr *exec_LE(Machine *machine, Value *registers, const Instr *instr)
{
    return order(machine, registers, instr, SYMBOL_LE);
}

const Instr *exec_GT(Machine *machine, Value *registers, const Instr *instr)
{
    return order(machine, registers, instr, SYMBOL_GT);
}

const Instr *exec_GE(Machine *machine, Value *registers, const Instr *instr)
{
    return order(machine, registers, instr, SYMBOL_GE);
}

/* ---- Data ---------------------------------------------------------------------------------- */

const Instr *exec_CONSTRUCT(Machine *machine, Value *registers, const Instr *instr)
{
    registers[instr->a] = value_make_data(&machine->context, machine->arena, (uint32_t)instr->x.number,
                                          registers + instr->b, instr->c);
    return instr + 1;
}

const Instr *exec_LIST(Machine *machine, Value *registers, const Instr *instr)
{
    Value list = registers[instr->a];
    for (uint32_t i = instr->c; i > 0; i--) {
        Value args[2] = {registers[instr->b + i - 1], list};
        list = value_make_data(&machine->context, machine->arena, (uint32_t)instr->x.number, args, 2);
    }
    registers[instr->a] = list;
    return instr + 1;
}

const Instr *exec_ACCESS(Machine *machine, Value *registers, const Instr *instr)
{
    Value data = registers[instr->b] = unknown_known(machine, registers[instr->b]);
    const Accessor *accessor = instr->x.accessor;
    for (uint32_t i = 0; value_is_cell(data) && i < accessor->count; i++)
        if (accessor->places[i].constructor == value_cell(data)->tag) {
            registers[instr->a] = value_cell(data)->args[accessor->places[i].index];
            return instr + 1;
        }
    return machine_throw(machine, instr, machine->image->no_match);
}

const Instr *exec_ARGUMENT(Machine *machine, Value *registers, const Instr *instr)
{
    registers[instr->a] = value_cell(unknown_known(machine, registers[instr->b]))->args[instr->c];
    return instr + 1;
}

const Instr *exec_IMPLEMENTS(Machine *machine, Value *registers, const Instr *instr)
{
    uint32_t object = value_number(unknown_known(machine, registers[instr->b]));
    bool does = object && machine->objects[object].class->implements[instr->x.number];
    registers[instr->a] = value_from_bool(does);
    return instr + 1;
}

const Instr *exec_CAST(Machine *machine, Value *registers, const Instr *instr)
{
    uint32_t object = value_number(unknown_known(machine, registers[instr->b]));
    bool does = object && machine->objects[object].class->implements[instr->x.number];
    registers[instr->a] = does ? registers[instr->b] : VALUE_NULL;
    return instr + 1;
}
