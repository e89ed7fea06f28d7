/* inputs.c - see inputs.h */
#include "abs/run/inputs.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abs/run/symbol.h"
#include "abs/run/unknown.h"
#include "abs/value/number.h"
#include "base/mem.h"

enum { LONGEST_NAME = 320, LONGEST_LABEL = 40, MOST_DECISIONS = 1 << 13 /* of one step */ };

/* An input that the execution asked for. */
typedef struct Asked {
    char name[LONGEST_NAME];
    uint32_t number;         /* of those with this name */
    bool is_bool;
    Bits value;
    char label[LONGEST_LABEL];
} Asked;

struct Inputs {
    Archive *archive;
    Session *session;        /* of this process; created on demand    */
    SessionOptions options;
    VEC(Literal) literals;
    VEC(InputValue) fixed;
    bool is_fixed;
    bool solved;             /* those of the next execution are known */
    VEC(Asked) asked;        /* of this execution                     */
};

/* ---- Lifecycle ------------------------------------------------------------------------ */

Inputs *inputs_create(const SessionOptions *options)
{
    Inputs *inputs = mem_alloc(sizeof *inputs);
    *inputs = (Inputs){.archive = archive_create(), .options = *options};
    return inputs;
}

static void forget_fixed(Inputs *inputs)
{
    for (uint32_t i = 0; i < inputs->fixed.count; i++)
        free((char *)inputs->fixed.items[i].name);
    inputs->fixed.count = 0;
}

void inputs_destroy(Inputs *inputs)
{
    if (!inputs)
        return;
    forget_fixed(inputs);
    session_destroy(inputs->session);
    archive_destroy(inputs->archive);
    VEC_FREE(&inputs->literals);
    VEC_FREE(&inputs->fixed);
    VEC_FREE(&inputs->asked);
    free(inputs);
}

void inputs_fix(Inputs *inputs, const InputValue *values, uint32_t count)
{
    forget_fixed(inputs);
    inputs->is_fixed = values != NULL;
    for (uint32_t i = 0; values && i < count; i++) {
        InputValue copy = values[i];
        copy.name = mem_copy_string(values[i].name);
        VEC_PUSH(&inputs->fixed, copy);
    }
}

/* Without a solver process only the cheap layers answer; other queries stay open and are counted. */
static Session *get_session(Inputs *inputs)
{
    Error error = {0};
    if (!inputs->session)
        inputs->session = session_create(inputs->archive, &inputs->options, &error);
    if (!inputs->session) {
        inputs->options.solver = NULL;
        inputs->session = session_create(inputs->archive, &inputs->options, &error);
    }
    return inputs->session;
}

ExprPool *inputs_pool(const Inputs *inputs) { return session_pool(inputs->session); }
Archive *inputs_archive(const Inputs *inputs) { return inputs->archive; }
Session *inputs_session(const Inputs *inputs) { return inputs->session; }

/* ---- Executions -------------------------------------------------------------------------- */

static bool solve_plan(Inputs *inputs, const Execution *ex)
{
    inputs->literals.count = 0;
    for (uint32_t i = 0; i < ex->plan_length; i++)
        for (uint32_t c = 0; c < ex->plan[i].choice_count; c++) {
            Literal literal = ex->plan_choices[ex->plan[i].first_choice + c];
            if (literal.condition)
                VEC_PUSH(&inputs->literals, literal);
        }
    return session_begin(get_session(inputs), inputs->literals.items, inputs->literals.count) == SOLVER_SAT;
}

bool inputs_solve(Machine *machine, const Execution *ex)
{
    Inputs *inputs = machine->inputs;
    inputs->solved = !inputs->is_fixed && solve_plan(inputs, ex);
    return inputs->is_fixed || inputs->solved;
}

bool inputs_begin(Machine *machine)
{
    Inputs *inputs = machine->inputs;
    Session *session = get_session(inputs);
    bool solved = inputs->solved;
    inputs->solved = false;
    inputs->asked.count = 0;
    if (!inputs->is_fixed)
        return solved || solve_plan(inputs, machine->ex);
    session_begin_with(session, inputs->fixed.items, inputs->fixed.count);
    return true;
}

/* "n" of the main block, "0.2.1 n" of another task. */
static void print_name(const Machine *machine, const char *name, char *text)
{
    char path[256];
    AgentId task = machine->task->id;
    names_print_task(machine->names, task, path, sizeof path);
    if (task == 0)
        snprintf(text, LONGEST_NAME, "%s", name);
    else
        snprintf(text, LONGEST_NAME, "%s %s", path, name);
}

/* How many inputs with this name the execution has asked for: the same in every schedule, since the task that asks is
 * part of the name. */
static uint32_t count_asked(const Inputs *inputs, const char *name)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < inputs->asked.count; i++)
        count += strcmp(inputs->asked.items[i].name, name) == 0;
    return count;
}

static ExprId ask(Machine *machine, const InputSpec *spec, Bits first, Bits *value)
{
    Inputs *inputs = machine->inputs;
    ExprId input = session_input(inputs->session, spec, first, value);
    Asked asked = {.number = spec->number, .is_bool = spec->sort == SORT_BOOL, .value = *value};
    snprintf(asked.name, sizeof asked.name, "%s", spec->name);
    VEC_PUSH(&inputs->asked, asked);
    return input;
}

ExprId inputs_ask(Machine *machine, const InputSpec *spec, Bits first, Bits *value)
{
    Inputs *inputs = machine->inputs;
    return count_asked(inputs, spec->name) ? session_input(inputs->session, spec, first, value)
                                           : ask(machine, spec, first, value);
}

/* A label is one word. */
void inputs_explain(Machine *machine, const char *name, const char *label)
{
    Inputs *inputs = machine->inputs;
    for (uint32_t i = 0; i < inputs->asked.count; i++) {
        Asked *asked = &inputs->asked.items[i];
        if (*asked->label || strcmp(asked->name, name) != 0)
            continue;
        snprintf(asked->label, sizeof asked->label, "%s", *label ? label : "empty");
        for (char *c = asked->label; *c; c++)
            if (!isalnum((unsigned char)*c))
                *c = '_';
    }
}

/* Parts of the value are inputs, with names that extend this one: "rows", and "rows(2)" the second time. */
static Value declare_data(Machine *machine, const InputCode *input, Value first)
{
    char text[LONGEST_NAME], numbered[LONGEST_NAME + 16];
    if (machine->start) { /* tests of methods do not state it */
        machine->concretised++;
        return first;
    }
    print_name(machine, input->name, text);
    snprintf(numbered, sizeof numbered, "%s(%u)", text, machine->task->draws);
    return unknown_make(machine, machine->task->draws > 1 ? numbered : text, input->type, first);
}

Value inputs_declare(Machine *machine, const InputCode *code, Value first)
{
    char text[LONGEST_NAME];
    SignedBits number = 0;
    Bits value;
    bool is_bool = code->type->decl == machine->types.boolean->decl;
    machine->task->draws++;
    if (!is_bool && code->type->decl != machine->types.integer->decl)
        return declare_data(machine, code, first);
    if (!is_bool && !number_to_bits(first, &number))
        return first;
    print_name(machine, code->name, text);
    InputSpec spec = {
        .name = text, .number = count_asked(machine->inputs, text), .sort = is_bool ? SORT_BOOL : SORT_INT};
    ExprId input = ask(machine, &spec, is_bool ? (Bits)(first == VALUE_TRUE) : (Bits)number, &value);
    Value concrete = is_bool ? value_from_bool(value != 0) : number_from_bits(machine->arena, (SignedBits)value);
    return machine->options.plain_inputs ? concrete : symbol_make(machine, concrete, input);
}

Value inputs_query(Machine *machine, const InputCode *input, const Value *args, uint32_t count)
{
    Text path = {0};
    if (machine->start)
        machine_refuse(machine, "a query, in a test of a method");
    machine->context.compact = true;
    text_add(&path, "%s(", input->name);
    for (uint32_t i = 0; i < count; i++) {
        text_add_string(&path, i ? "," : "");
        value_print(&machine->context, symbol_concretise(machine, args[i]), &path);
    }
    text_add_string(&path, ")");
    machine->context.compact = false;
    Value result = unknown_make(machine, text_borrow(&path), input->type, VALUE_NONE);
    text_release(&path);
    return result;
}

Value inputs_draw(Machine *machine, Value bound)
{
    char text[LONGEST_NAME];
    SignedBits most;
    Bits value;
    machine->task->draws++;
    if (!number_to_bits(bound, &most))
        return VALUE_NONE;
    print_name(machine, "random", text);
    InputSpec spec = {.name = text, .number = count_asked(machine->inputs, text), .sort = SORT_INT,
                      .range = {.low = 0, .high = (Bits)(most - 1), .limited = true, .is_signed = true}};
    ExprId input = ask(machine, &spec, 0, &value);
    Value concrete = number_from_bits(machine->arena, (SignedBits)value);
    return machine->options.plain_inputs ? concrete : symbol_make(machine, concrete, input);
}

/* ---- As text --------------------------------------------------------------------------------- */

static void write_number(SignedBits value, char text[48])
{
    char digits[48];
    uint32_t count = 0, at = 0;
    Bits rest = value < 0 ? -(Bits)value : (Bits)value;
    do
        digits[count++] = (char)('0' + (int)(rest % 10));
    while (rest /= 10);
    if (value < 0)
        text[at++] = '-';
    while (count)
        text[at++] = digits[--count];
    text[at] = '\0';
}

/* "n", and "n#1" the second time. */
void inputs_each(const Machine *machine, void (*each)(void *context, const char *name, const char *value),
                 void *context)
{
    const Inputs *inputs = machine->inputs;
    for (uint32_t i = 0; inputs && i < inputs->asked.count; i++) {
        const Asked *asked = &inputs->asked.items[i];
        char name[LONGEST_NAME + 16], value[48 + LONGEST_LABEL];
        snprintf(name, sizeof name, "%s", asked->name);
        if (asked->number)
            snprintf(name, sizeof name, "%s#%u", asked->name, asked->number);
        write_number((SignedBits)asked->value, value);
        if (*asked->label)
            snprintf(value + strlen(value), sizeof value - strlen(value), ":%s", asked->label);
        each(context, name, asked->is_bool ? asked->value ? "True" : "False" : value);
    }
}

/* Up to the label, if there is one. */
static bool read_number(const char *text, Bits *value)
{
    bool negative = *text == '-';
    Bits sum = 0;
    text += negative;
    if (!*text)
        return false;
    for (; *text && *text != ':'; text++) {
        if (*text < '0' || *text > '9')
            return false;
        sum = sum * 10 + (Bits)(*text - '0');
    }
    *value = negative ? -sum : sum;
    return true;
}

bool inputs_fix_text(Inputs *inputs, const char *name, const char *value)
{
    InputValue entry = {.name = mem_copy_string(name)};
    char *hash = strrchr(entry.name, '#');
    if (strcmp(value, "True") == 0 || strcmp(value, "False") == 0)
        entry.value = *value == 'T';
    else if (!read_number(value, &entry.value)) {
        free((char *)entry.name);
        return false;
    }
    if (hash) {
        entry.number = (uint32_t)strtoul(hash + 1, NULL, 10);
        *hash = '\0';
    }
    VEC_PUSH(&inputs->fixed, entry);
    inputs->is_fixed = true;
    return true;
}

/* ---- Decisions ---------------------------------------------------------------------------- */

/* One decision per condition and step suffices. */
static bool decided_already(const Execution *ex, uint32_t condition)
{
    const Event *event = &ex->events[ex->event_count - 1];
    for (uint32_t i = 0; i < event->choice_count; i++)
        if (ex->choices[event->first_choice + i].condition == condition)
            return true;
    return false;
}

void inputs_decide(Machine *machine, ExprId condition, bool holds)
{
    if (machine->inspecting)
        return;
    Session *session = inputs_session(machine->inputs);
    uint32_t number = session_condition(session, condition);
    if (number && decided_already(machine->ex, number))
        return;
    if (number)
        machine->diverged |= !execution_branch(machine->ex, number, holds ? 0 : 1);
    else if (session_is_full(session))
        execution_cut(machine->ex, CUT_ROOM);
    machine->decisions++;
    if (machine->ex->events[machine->ex->event_count - 1].choice_count > MOST_DECISIONS)
        machine->fuel = 0; /* the step seems not to terminate */
}

void inputs_require(Machine *machine, ExprId condition, bool holds)
{
    uint32_t number = machine->inspecting ? 0 : session_assumption(inputs_session(machine->inputs), condition);
    machine->refused |= !holds;
    if (number && !decided_already(machine->ex, number))
        machine->diverged |= !execution_branch(machine->ex, number, holds ? 0 : 1);
}

void inputs_assume(Machine *machine, ExprId condition)
{
    Session *session = inputs_session(machine->inputs);
    uint32_t number = session_assumption(session, condition);
    if (!number || decided_already(machine->ex, number))
        return;
    machine->diverged |= !execution_branch(machine->ex, number, 0);
    machine->concretised++;
}

void inputs_concretise(Machine *machine, ExprId expr)
{
    Bits value;
    ExprPool *pool = inputs_pool(machine->inputs);
    if (!expr_is_const(pool, expr, NULL) && session_evaluate(inputs_session(machine->inputs), expr, &value))
        inputs_assume(machine, expr_binary(pool, EXPR_EQ, expr, expr_const(pool, expr_sort(pool, expr), value)));
}

bool inputs_feasible(Machine *machine, const Literal *all, uint32_t count, const Literal *any, const uint32_t *ends,
                     uint32_t clauses)
{
    return session_feasible(get_session(machine->inputs), all, count, any, ends, clauses);
}
