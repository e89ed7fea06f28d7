/* exec_control.c - jumps and calls of pure code */
#include <string.h>

#include "abs/run/exec_internal.h"
#include "abs/run/symbol.h"
#include "abs/run/unknown.h"

enum { MOST_CALLS = (1 << 21) - 8 };

/* ---- Jumps ---------------------------------------------------------------------------- */

const Instr *exec_JUMP(Machine *machine, Value *registers, const Instr *instr)
{
    (void)registers;
    if (instr->x.target <= instr && !machine_spend(machine)) {
        machine->frame->pc = instr;
        return machine_stop(machine, CUT_FUEL);
    }
    return instr->x.target;
}

const Instr *exec_JUMP_IF(Machine *machine, Value *registers, const Instr *instr)
{
    Value test = registers[instr->b];
    bool holds = test == VALUE_TRUE || (test != VALUE_FALSE && symbol_decide(machine, test));
    return holds ? instr->x.target : instr + 1;
}

const Instr *exec_JUMP_UNLESS(Machine *machine, Value *registers, const Instr *instr)
{
    Value test = registers[instr->b];
    bool holds = test == VALUE_TRUE || (test != VALUE_FALSE && symbol_decide(machine, test));
    machine_cover(machine, instr->c, holds);
    return holds ? instr + 1 : instr->x.target;
}

const Instr *exec_UNLESS_DATA(Machine *machine, Value *registers, const Instr *instr)
{
    Value data = registers[instr->b];
    if (value_is_unknown(data))
        data = registers[instr->b] = unknown_settle(machine, data);
    if (machine->has_inputs && value_is_symbol(data))
        data = value_from_bool(symbol_decide(machine, data));
    uint32_t constructor = value_is_cell(data) ? value_cell(data)->tag : value_number(data);
    return constructor == instr->a ? instr + 1 : instr->x.target;
}

const Instr *exec_COVER(Machine *machine, Value *registers, const Instr *instr)
{
    (void)registers;
    machine_cover(machine, instr->c, instr->x.number != 0);
    return instr + 1;
}

const Instr *exec_NO_MATCH(Machine *machine, Value *registers, const Instr *instr)
{
    (void)registers;
    return machine_throw(machine, instr, machine->image->no_match);
}

/* ---- Calls ----------------------------------------------------------------------------- */

const Instr *exec_stop(Machine *machine, const Instr *instr, CutKind cut)
{
    if (machine->evaluating)
        return machine_give_up(machine, cut);
    machine->frame->pc = machine->call_count > machine->call_base ? machine->calls[machine->call_base].next - 1 : instr;
    return machine_stop(machine, cut);
}


/* The newest of the first `count` calls of the code; NULL: none. */
static const Call *find_call(const Machine *machine, const Code *code, uint32_t count)
{
    for (uint32_t i = count; i-- > 0;)
        if (machine->calls[i].code == code)
            return &machine->calls[i];
    return NULL;
}

static bool counts_recursion(const Machine *machine)
{
    return machine->options.max_recursion || (machine->options.max_loop && machine->has_inputs);
}

/* Records in the call how often the code called itself, the newest of `count` calls included; false if that exceeds a
 * bound. The bound on loops counts where inputs decided whether to continue: other recursions are as long as the
 * data. */
static bool recurse(Machine *machine, Call *call, const Code *code, uint32_t count)
{
    const MachineOptions *options = &machine->options;
    const Call *outer = find_call(machine, code, count);
    uint32_t depth = outer ? outer->depth + 1 : 0;
    uint32_t turns = outer ? outer->turns + (outer->decisions != machine->decisions) : 0;
    call->code = code;
    call->depth = depth;
    call->turns = turns;
    call->decisions = machine->decisions;
    return (!options->max_recursion || depth <= options->max_recursion) &&
           (!options->max_loop || turns <= options->max_loop);
}

static const Instr *enter(Machine *machine, const Code *code, const Value *args, const Instr *instr)
{
    Value *registers = machine->top;
    if (machine->call_count >= MOST_CALLS || machine->stack_end - registers <= code->register_count)
        return exec_stop(machine, instr, CUT_DEPTH);
    if (!machine_spend(machine))
        return exec_stop(machine, instr, CUT_FUEL);
    Call *call = &machine->calls[machine->call_count++];
    *call = (Call){.next = instr + 1, .registers = machine->registers, .top = machine->top, .target = instr->a};
    if (counts_recursion(machine) && !recurse(machine, call, code, machine->call_count - 1))
        return exec_stop(machine, instr, CUT_LOOP);
    for (uint32_t i = 0; i < instr->c; i++)
        registers[i] = args[i];
    machine->registers = registers;
    machine->top = registers + code->register_count;
    return code->instrs;
}

const Instr *exec_CALL(Machine *machine, Value *registers, const Instr *instr)
{
    return enter(machine, instr->x.code, registers + instr->b, instr);
}

const Instr *exec_TAIL_CALL(Machine *machine, Value *registers, const Instr *instr)
{
    const Code *code = instr->x.code;
    if (machine->stack_end - registers <= code->register_count)
        return exec_stop(machine, instr, CUT_DEPTH);
    if (!machine_spend(machine))
        return exec_stop(machine, instr, CUT_FUEL);
    if (counts_recursion(machine) && machine->call_count > machine->call_base &&
        !recurse(machine, &machine->calls[machine->call_count - 1], code, machine->call_count))
        return exec_stop(machine, instr, CUT_LOOP);
    memmove(registers, registers + instr->b, instr->c * sizeof(Value));
    machine->top = registers + code->register_count;
    return code->instrs;
}

const Instr *exec_CALL_CLOSURE(Machine *machine, Value *registers, const Instr *instr)
{
    const Cell *closure = value_cell(registers[instr->x.number]);
    const Code *code = (const Code *)(uintptr_t)closure->args[0];
    const Instr *next = enter(machine, code, registers + instr->b, instr);
    if (next == code->instrs)
        for (uint32_t i = 0; i < code->captured_count; i++)
            machine->registers[code->captured[i]] = closure->args[i + 1];
    return next;
}

const Instr *exec_RETURN(Machine *machine, Value *registers, const Instr *instr)
{
    const Call *call = &machine->calls[--machine->call_count];
    call->registers[call->target] = registers[instr->b];
    machine->registers = call->registers;
    machine->top = call->top;
    return call->next;
}

const Instr *exec_CLOSURE(Machine *machine, Value *registers, const Instr *instr)
{
    registers[instr->a] = value_make_closure(machine->arena, instr->x.code, registers + instr->b, instr->c);
    return instr + 1;
}

const Instr *exec_BUILTIN(Machine *machine, Value *registers, const Instr *instr)
{
    machine->raised = machine->image->division_by_zero;
    if (machine->has_inputs && !builtin_takes_symbols(instr->x.builtin))
        for (uint32_t i = 0; i < instr->c; i++)
            registers[instr->b + i] = symbol_concretise(machine, registers[instr->b + i]);
    Value result = instr->x.builtin(machine, registers + instr->b);
    if (result == VALUE_NONE)
        return machine_throw(machine, instr, machine->raised);
    machine->raised = VALUE_NONE;
    registers[instr->a] = result;
    return instr + 1;
}
