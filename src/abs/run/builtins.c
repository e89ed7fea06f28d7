/* builtins.c - functions of the standard library that ABS cannot express */
#include <math.h>
#include <string.h>

#include "abs/run/clock.h"
#include "abs/run/footprint.h"
#include "abs/run/inputs.h"
#include "abs/run/machine.h"
#include "abs/run/symbol.h"
#include "abs/value/number.h"

/* ---- Numbers ------------------------------------------------------------------------ */

static Value fail(Machine *machine, Value exception)
{
    machine->raised = exception;
    return VALUE_NONE;
}

static Value make_float(Machine *machine, double x)
{
    return value_make_float(machine->arena, x);
}

static Value builtin_abs(Machine *machine, const Value *args)
{
    if (value_is_kind(args[0], CELL_FLOAT))
        return make_float(machine, fabs(value_float(args[0])));
    return number_sign(args[0]) < 0 ? number_negate(machine->arena, args[0]) : args[0];
}

static Value builtin_truncate(Machine *machine, const Value *args)
{
    return value_is_symbol(args[0]) ? symbol_truncate(machine, args[0]) : number_truncate(machine->arena, args[0]);
}

static Value builtin_numerator(Machine *machine, const Value *args)
{
    (void)machine;
    return number_numerator(args[0]);
}

static Value builtin_denominator(Machine *machine, const Value *args)
{
    (void)machine;
    return number_denominator(args[0]);
}

static Value builtin_float(Machine *machine, const Value *args)
{
    return make_float(machine, number_to_double(args[0]));
}

static Value builtin_rat(Machine *machine, const Value *args)
{
    double x = value_float(args[0]);
    return isfinite(x) ? number_from_double(machine->arena, x) : VALUE_NONE;
}

static Value round_to_int(Machine *machine, double x)
{
    return isfinite(x) ? number_round(machine->arena, x) : VALUE_NONE;
}

static Value builtin_floor(Machine *machine, const Value *args)
{
    return round_to_int(machine, floor(value_float(args[0])));
}

static Value builtin_ceil(Machine *machine, const Value *args)
{
    return round_to_int(machine, ceil(value_float(args[0])));
}

static Value builtin_sqrt(Machine *machine, const Value *args)
{
    return value_float(args[0]) < 0 ? VALUE_NONE : make_float(machine, sqrt(value_float(args[0])));
}

static Value builtin_log(Machine *machine, const Value *args)
{
    return value_float(args[0]) <= 0 ? VALUE_NONE : make_float(machine, log(value_float(args[0])));
}

static Value builtin_exp(Machine *machine, const Value *args) { return make_float(machine, exp(value_float(args[0]))); }

/* A symbolic input, except in a guard or scheduler, which must have no effects. */
static Value builtin_random(Machine *machine, const Value *args)
{
    Value bound = symbol_concretise(machine, args[0]);
    if (number_sign(bound) < 1)
        return fail(machine, machine->image->no_match);
    if (!machine->evaluating)
        return inputs_draw(machine, bound);
    machine_refuse(machine, "random() in the condition of an await, or in a scheduler");
    return value_from_int(0);
}

/* ---- Time ----------------------------------------------------------------------------- */

static Value builtin_currentms(Machine *machine, const Value *args)
{
    (void)args;
    return clock_now(machine);
}

static Value builtin_lowlevelDeadline(Machine *machine, const Value *args)
{
    (void)args;
    return clock_time_left(machine, machine->task);
}

/* ---- Deployment and processes; a process is the future of its task --------------------- */

static Value builtin_thisDC(Machine *machine, const Value *args)
{
    (void)args;
    uint32_t cog = machine->objects[machine->frame->object].cog;
    if (machine->evaluating && machine->image->moves_cogs)
        machine_refuse(machine, "thisDC() in the condition of an await, in a model that moves cogs");
    footprint_read_place(machine, cog);
    if (!machine->objects[cog].component && !machine->unsupported) {
        machine->unsupported = "thisDC() where no deployment component was given";
        machine->unsupported_site = machine_site(machine->frame->code, machine->frame->code->instrs);
    }
    return value_object(machine->objects[cog].component);
}

static const Task *task_of(const Machine *machine, Value process)
{
    return &machine->tasks[value_number(process)];
}

static Value builtin_method(Machine *machine, const Value *args)
{
    const char *name = task_of(machine, args[0])->code->name;
    return value_make_string(machine->arena, name, strlen(name));
}

static Value builtin_lowlevelArrival(Machine *machine, const Value *args)
{
    return task_of(machine, args[0])->arrival;
}

static Value builtin_lowlevelProcDeadline(Machine *machine, const Value *args)
{
    return clock_time_left(machine, task_of(machine, args[0]));
}

/* ---- Strings ------------------------------------------------------------------------- */

static Value builtin_toString(Machine *machine, const Value *args)
{
    Text text = {0};
    machine->context.compact = true;
    value_print(&machine->context, args[0], &text);
    machine->context.compact = false;
    Value result = value_make_string(machine->arena, text_borrow(&text), text.length);
    text_release(&text);
    return result;
}

/* The byte at which character number `n` of a UTF-8 string begins. */
static uint32_t find_character(const Cell *string, int64_t n)
{
    uint32_t at = 0;
    for (; n > 0 && at < string->tag; n--)
        do
            at++;
        while (at < string->tag && ((unsigned char)cell_bytes(string)[at] & 0xc0) == 0x80);
    return at;
}

static int64_t count_characters(const Cell *string)
{
    int64_t count = 0;
    for (uint32_t i = 0; i < string->tag; i++)
        count += ((unsigned char)cell_bytes(string)[i] & 0xc0) != 0x80;
    return count;
}

static Value builtin_substr(Machine *machine, const Value *args)
{
    const Cell *string = value_cell(args[0]);
    if (!value_is_int(args[1]) || !value_is_int(args[2]) || value_int(args[1]) < 0 || value_int(args[2]) < 0 ||
        value_int(args[1]) + value_int(args[2]) > count_characters(string))
        return fail(machine, machine->image->no_match);
    uint32_t first = find_character(string, value_int(args[1]));
    uint32_t end = find_character(string, value_int(args[1]) + value_int(args[2]));
    return value_make_string(machine->arena, cell_bytes(string) + first, end - first);
}

static Value builtin_strlen(Machine *machine, const Value *args)
{
    (void)machine;
    return value_from_int(count_characters(value_cell(args[0])));
}

/* ---- Input and output --------------------------------------------------------------------- */

static Value builtin_print(Machine *machine, const Value *args)
{
    machine->printed |= !machine->evaluating;
    if (machine->options.keep_output && !machine->evaluating)
        text_add_bytes(&machine->output, cell_bytes(value_cell(args[0])), value_cell(args[0])->tag);
    return VALUE_UNIT;
}

static Value builtin_println(Machine *machine, const Value *args)
{
    builtin_print(machine, args);
    if (machine->options.keep_output && !machine->evaluating)
        text_add_string(&machine->output, "\n");
    return VALUE_UNIT;
}

/* There is no standard input during an exploration. */
static Value builtin_readln(Machine *machine, const Value *args)
{
    (void)args;
    return value_make_string(machine->arena, "", 0);
}

/* ---- The table ------------------------------------------------------------------------------- */

BuiltinFunction *builtin_find(const char *name)
{
    static const struct {
        const char *name;
        BuiltinFunction *function;
    } table[] = {
        {"abs", builtin_abs},           {"truncate", builtin_truncate},       {"numerator", builtin_numerator},
        {"denominator", builtin_denominator}, {"float", builtin_float},       {"rat", builtin_rat},
        {"floor", builtin_floor},       {"ceil", builtin_ceil},               {"sqrt", builtin_sqrt},
        {"log", builtin_log},           {"exp", builtin_exp},                 {"random", builtin_random},
        {"currentms", builtin_currentms},
        {"thisDC", builtin_thisDC},
        {"method", builtin_method},
        {"lowlevelArrival", builtin_lowlevelArrival},
        {"lowlevelProcDeadline", builtin_lowlevelProcDeadline},
        {"lowlevelDeadline", builtin_lowlevelDeadline},
        {"toString", builtin_toString}, {"substr", builtin_substr},           {"strlen", builtin_strlen},
        {"print", builtin_print},       {"println", builtin_println},         {"readln", builtin_readln},
    };
    for (unsigned i = 0; i < sizeof table / sizeof table[0]; i++)
        if (strcmp(table[i].name, name) == 0)
            return table[i].function;
    return NULL;
}

bool builtin_takes_symbols(BuiltinFunction *function)
{
    return function == builtin_truncate || function == builtin_random;
}

bool builtin_is_input(BuiltinFunction *function)
{
    return function == builtin_random;
}

bool builtin_reads_clock(BuiltinFunction *function)
{
    return function == builtin_currentms || function == builtin_lowlevelDeadline ||
           function == builtin_lowlevelProcDeadline;
}
