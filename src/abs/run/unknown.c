/* unknown.c - see unknown.h
 *
 * Design: the cell of an unknown value contains its path, its type and its depth; its input is found by the path.
 * Objects are named after the path through which they were first reached: steps that add objects conflict with each
 * other and with those that search for one.
 */
#include "abs/run/unknown.h"

#include <stdio.h>
#include <string.h>

#include "abs/run/bounds.h"
#include "abs/run/footprint.h"
#include "abs/run/inputs.h"
#include "abs/run/start.h"
#include "abs/run/symbol.h"
#include "abs/value/number.h"
#include "base/map.h"

enum {
    LONGEST_PATH = 200,
    MOST_IDENTITIES = 255,
    MOST_CONSTRUCTORS = 64,
    MOST_TEXTS = 12,
    PARTS = 2, /* of an input without a bound on loops */
    START_NAME = 1 << 30 /* objects of the start state are children of the first task above this */
};

static ExprPool *pool_of(const Machine *machine) { return inputs_pool(machine->inputs); }
const char *unknown_path(Value v) { return (const char *)&value_cell(v)->args[UNKNOWN_PATH]; }
Type *unknown_type(Value v) { return (Type *)(uintptr_t)value_cell(v)->args[UNKNOWN_TYPE]; }
static Value first_of(Value v) { return value_cell(v)->args[UNKNOWN_FIRST]; }
static uint32_t depth_of(Value v) { return (uint32_t)value_cell(v)->args[UNKNOWN_DEPTH]; }

/* The hash of a path that extends one with this hash. */
static uint64_t hash_on(uint64_t hash, const char *more)
{
    for (; *more; more++)
        hash = map_mix(hash, (unsigned char)*more);
    return hash;
}

static uint64_t hash_path(const char *path) { return hash_on(47, path); }

/* A path with its hash. */
typedef struct Path {
    char text[LONGEST_PATH + 64];
    uint64_t hash;
} Path;

static void join_path(Path *path, const char *holder, uint64_t hash, const char *name)
{
    size_t room = sizeof path->text - 2, length = strlen(holder), more = strlen(name);
    length = length < room ? length : room;
    more = more < room - length ? more : room - length;
    memcpy(path->text, holder, length);
    path->text[length] = '.';
    memcpy(path->text + length + 1, name, more);
    path->text[length + 1 + more] = '\0';
    path->hash = hash_on(hash, path->text + length);
}

/* ---- Inputs ------------------------------------------------------------------------- */

static ExprId get_input(Machine *machine, const char *path, Sort sort, InputRange range, Bits first, Bits *value)
{
    InputSpec spec = {.name = path, .sort = sort, .range = range};
    return machine->start ? session_input(inputs_session(machine->inputs), &spec, first, value)
                          : inputs_ask(machine, &spec, first, value);
}

static ExprId get_number(Machine *machine, const char *path, uint32_t most, uint32_t first, uint32_t *value)
{
    Bits bits;
    InputRange range = {.low = 0, .high = most, .limited = true, .is_signed = true};
    ExprId input = get_input(machine, path, SORT_INT, range, first, &bits);
    *value = (uint32_t)bits;
    return input;
}

/* The same for the input that selects an unknown value; its cell caches it during the execution. */
static ExprId get_cell_number(Machine *machine, Value v, uint32_t most, uint32_t first, uint32_t *value)
{
    Value *kept = &value_cell(v)->args[UNKNOWN_INPUT];
    if (*kept && !machine->evaluating) {
        *value = (uint32_t)*kept;
        return (ExprId){(uint32_t)(*kept >> 32)};
    }
    ExprId input = get_number(machine, unknown_path(v), most, first, value);
    if (!machine->evaluating && !machine->inspecting)
        *kept = (Value)input.id << 32 | *value;
    return input;
}

/* Which of `count` cases applies to an input with value 0..count-1: one decision per case. */
static uint32_t decide_case(Machine *machine, ExprId input, uint32_t value, uint32_t count)
{
    ExprPool *pool = pool_of(machine);
    for (uint32_t i = 0; i + 1 < count; i++) {
        inputs_decide(machine, expr_binary(pool, EXPR_EQ, input, expr_int(pool, i)), value == i);
        if (value == i)
            return i;
    }
    return count - 1;
}

/* ---- Making --------------------------------------------------------------------------- */

static Value make_cell(Machine *machine, const char *path, uint64_t hash, Type *type, uint32_t depth, Value first)
{
    size_t length = strlen(path);
    Cell *cell = arena_zero(machine->arena, sizeof *cell + UNKNOWN_PATH * sizeof(Value) + length + 1);
    *cell = (Cell){.kind = CELL_UNKNOWN, .tag = (uint32_t)length, .hash = map_mix(hash, 31)};
    cell->args[UNKNOWN_HASH] = hash;
    cell->args[UNKNOWN_TYPE] = (Value)(uintptr_t)type;
    cell->args[UNKNOWN_DEPTH] = depth;
    cell->args[UNKNOWN_FIRST] = first;
    memcpy(&cell->args[UNKNOWN_PATH], path, length + 1);
    return value_from_cell(cell);
}

/* Small, and different for most unknown numbers, so that tests distinguish their fields. */
static Bits first_number(const InputRange *range, uint64_t hash)
{
    enum { SMALLEST = 2, MANY = 9 };
    Bits first = SMALLEST + hash % MANY;
    if (!range->limited ||
        ((SignedBits)range->low <= (SignedBits)first && (SignedBits)first <= (SignedBits)range->high))
        return first;
    return range->low + hash % (range->high - range->low + 1 ? range->high - range->low + 1 : 1);
}

Bits unknown_first_number(const InputRange *range, const char *path) { return first_number(range, hash_path(path)); }

static Value make_integer(Machine *machine, const char *path, uint64_t hash, Value first)
{
    Bits value;
    SignedBits number = 0;
    InputRange range = machine->start ? machine->start->numbers : (InputRange){0};
    Bits begin = machine->start || first == VALUE_NONE || !number_to_bits(first, &number) ? first_number(&range, hash)
                                                                                          : (Bits)number;
    ExprId input = get_input(machine, path, SORT_INT, range, begin, &value);
    Value concrete = number_from_bits(machine->arena, (SignedBits)value);
    return machine->options.plain_inputs ? concrete : symbol_make(machine, concrete, input);
}

static Value make_boolean(Machine *machine, const char *path, Value first)
{
    Bits value;
    ExprId input = get_input(machine, path, SORT_BOOL, (InputRange){0}, first == VALUE_TRUE, &value);
    Value concrete = value_from_bool(value != 0);
    return machine->options.plain_inputs ? concrete : symbol_make(machine, concrete, input);
}

/* `first` or a whole number. */
static Value make_rational(Machine *machine, const char *path, uint64_t hash, Value first)
{
    Path whole;
    uint32_t value = 0;
    machine->limited++;
    join_path(&whole, path, hash, "whole");
    if (value_is_kind(first, CELL_RAT)) {
        ExprId input = get_number(machine, whole.text, 1, 0, &value);
        if (decide_case(machine, input, value, 2) == 0)
            return first;
    }
    return make_integer(machine, path, hash, first);
}

static void add_text(Value *texts, uint32_t *count, Value text)
{
    for (uint32_t i = 0; i < *count; i++)
        if (value_equal(texts[i], text))
            return;
    if (*count < MOST_TEXTS)
        texts[(*count)++] = text;
}

static void explain_text(Machine *machine, const char *path, Value text)
{
    char label[64];
    snprintf(label, sizeof label, "%.*s", (int)value_cell(text)->tag, cell_bytes(value_cell(text)));
    inputs_explain(machine, path, label);
}

/* `first`, the empty text, or one that the model compares values with. */
static Value make_text(Machine *machine, const char *path, Value first)
{
    Value texts[MOST_TEXTS];
    uint32_t count = 0, value = 0;
    machine->limited++;
    if (value_is_kind(first, CELL_STRING))
        add_text(texts, &count, first);
    add_text(texts, &count, value_make_string(machine->arena, "", 0));
    for (uint32_t i = 0; i < machine->image->texts.count; i++)
        add_text(texts, &count, machine->image->texts.items[i]);
    if (count > 1) {
        ExprId input = get_number(machine, path, count - 1, 0, &value);
        value = decide_case(machine, input, value, count);
        explain_text(machine, path, texts[value]);
    }
    return texts[value];
}

/* Types whose values are not explored: one value, counted as concretised. */
static Value make_concretised(Machine *machine, Value v)
{
    machine->concretised++;
    return v;
}

static Value make_data(Machine *machine, const char *path, uint64_t hash, Type *type, uint32_t depth, Value first)
{
    const Types *types = &machine->types;
    const Decl *decl = type->decl;
    if (decl == types->integer->decl)
        return make_integer(machine, path, hash, first);
    if (decl == types->boolean->decl)
        return make_boolean(machine, path, first);
    if (decl == types->unit->decl)
        return VALUE_UNIT;
    if (!machine->start && decl == types->rational->decl)
        return make_rational(machine, path, hash, first);
    if (!machine->start && decl == types->string->decl)
        return make_text(machine, path, first);
    if (!machine->start && decl == types->floating->decl && first != VALUE_NONE) {
        machine->limited++;
        return first;
    }
    if (decl == types->rational->decl)
        return make_concretised(machine, value_from_int(0));
    if (decl == types->floating->decl)
        return make_concretised(machine, value_make_float(machine->arena, 0));
    if (decl == types->string->decl)
        return make_concretised(machine, value_make_string(machine->arena, "", 0));
    if (((const DataDecl *)decl)->constructors.count == 0)
        return make_concretised(machine, VALUE_NULL);
    return make_cell(machine, path, hash, type, depth, first);
}

static Value make(Machine *machine, const char *path, uint64_t hash, Type *type, uint32_t depth, Value first)
{
    const StartValues *given = machine->start ? machine->start->given : NULL;
    Value known;
    type = type_resolve(type);
    if (given && given->find(given->context, machine, path, type, &known))
        return known;
    if (type->kind == TYPE_INTERFACE)
        return make_cell(machine, path, hash, type, depth, first);
    return type->kind == TYPE_DATA ? make_data(machine, path, hash, type, depth, first)
                                   : make_concretised(machine, VALUE_NULL);
}

Value unknown_make(Machine *machine, const char *path, Type *type, Value first)
{
    return make(machine, path, hash_path(path), type, 0, first);
}

/* ---- Data -------------------------------------------------------------------------------- */

static bool mentions(const Type *type, const Decl *decl)
{
    type = type_resolve((Type *)type);
    bool found = type->kind == TYPE_DATA && type->decl == decl;
    for (uint32_t i = 0; !found && i < type->count; i++)
        found = mentions(type->args[i], decl);
    return found;
}

bool unknown_is_recursive(const ConstructorDecl *constructor)
{
    for (uint32_t i = 0; i < constructor->params.count; i++)
        if (mentions(constructor->types[i], &constructor->data->decl))
            return true;
    return false;
}

/* The constructors to choose from: once the bound on loops is reached no recursive one, unless there is no other. */
static uint32_t list_constructors(Machine *machine, const DataDecl *data, uint32_t depth, const ConstructorDecl **list)
{
    uint64_t limit = machine->start || machine->options.max_loop ? machine->options.max_loop : PARTS;
    uint32_t count = 0;
    bool shallow = limit && depth >= limit;
    for (uint32_t i = 0; i < data->constructors.count && count < MOST_CONSTRUCTORS; i++)
        if (!shallow || !unknown_is_recursive(data->constructors.items[i]))
            list[count++] = data->constructors.items[i];
    if (shallow && count > 0 && count < data->constructors.count)
        machine->limited++;
    for (uint32_t i = 0; count == 0 && i < data->constructors.count; i++)
        list[i] = data->constructors.items[i];
    return count ? count : data->constructors.count;
}

static Value make_argument(Machine *machine, Value v, const ConstructorDecl *constructor, uint32_t i)
{
    Path path;
    char number[16];
    const Type *type = unknown_type(v);
    Types types = machine->types;
    types.arena = &machine->heap; /* the value lives no longer than the execution */
    Type *arg = type_substitute(&types, constructor->types[i], constructor->data->param_types,
                                type->args, type->count);
    bool deeper = mentions(arg, type->decl);
    const char *name = constructor->params.items[i].name.text;
    if (!name)
        snprintf(number, sizeof number, "%u", i + 1);
    join_path(&path, unknown_path(v), value_cell(v)->args[UNKNOWN_HASH], name ? name : number);
    Value first = first_of(v);
    bool same = value_is_kind(first, CELL_DATA) && value_cell(first)->tag == constructor->number;
    return make(machine, path.text, path.hash, arg, depth_of(v) + deeper,
                same ? value_cell(first)->args[i] : VALUE_NONE);
}

bool unknown_is_determined(Machine *machine, Value v)
{
    const ConstructorDecl *list[MOST_CONSTRUCTORS];
    return !unknown_is_reference(v) &&
           list_constructors(machine, (const DataDecl *)unknown_type(v)->decl, depth_of(v), list) == 1 &&
           !unknown_is_recursive(list[0]);
}

/* The value it was settled to earlier in this execution, or VALUE_NONE. Guards ignore it, since they are also
 * evaluated for values of other executions. */
static Value settled_before(const Machine *machine, Value v)
{
    const Cell *cell = value_cell(v);
    return cell->args[UNKNOWN_STAMP] && !machine->evaluating ? cell->args[UNKNOWN_VALUE] : VALUE_NONE;
}

static Value keep_settled(const Machine *machine, Value v, Value known)
{
    Cell *cell = value_cell(v);
    if (!machine->evaluating && !machine->inspecting && known != VALUE_NONE) {
        cell->args[UNKNOWN_STAMP] = machine->stamp;
        cell->args[UNKNOWN_VALUE] = known;
    }
    return known;
}

/* The constructor of the value that the search begins with, if there is one. */
static uint32_t first_constructor(Value v, const ConstructorDecl *const *list, uint32_t count)
{
    Value first = first_of(v);
    uint32_t number = value_is_kind(first, CELL_DATA)      ? value_cell(first)->tag
                      : value_tag(first) == TAG_CONSTANT ? value_number(first)
                                                           : UINT32_MAX;
    for (uint32_t i = 0; i < count; i++)
        if (list[i]->number == number)
            return i;
    return 0;
}

static Value settle_data(Machine *machine, Value v)
{
    const ConstructorDecl *list[MOST_CONSTRUCTORS], *constructor;
    const DataDecl *data = (const DataDecl *)unknown_type(v)->decl;
    uint32_t count = list_constructors(machine, data, depth_of(v), list), value = 0;
    if (count > 1) {
        ExprId input = get_cell_number(machine, v, count - 1, first_constructor(v, list, count), &value);
        value = decide_case(machine, input, value, count);
        if (!machine->start)
            inputs_explain(machine, unknown_path(v), list[value]->decl.name.text);
    }
    constructor = list[value];
    uint32_t arity = constructor->params.count;
    Value before = settled_before(machine, v);
    if (before != VALUE_NONE)
        return before; /* the step has repeated the decision */
    if (arity == 0)
        return value_constant(constructor->number);
    Value *args = arena_alloc(machine->arena, arity * sizeof *args);
    for (uint32_t i = 0; i < arity; i++)
        args[i] = make_argument(machine, v, constructor, i);
    return value_make_data(&machine->context, machine->arena, constructor->number, args, arity);
}

/* ---- References ------------------------------------------------------------------------------ */

bool unknown_is_reference(Value v) { return value_is_unknown(v) && unknown_type(v)->kind == TYPE_INTERFACE; }

static ExprId reference_input(Machine *machine, Value v, uint32_t *value)
{
    uint32_t fresh = machine->start->object_count + 1 + (uint32_t)(value_cell(v)->hash % (MOST_IDENTITIES / 2));
    return get_cell_number(machine, v, MOST_IDENTITIES, fresh, value);
}

/* Objects created by `new` do not belong to the start state: a number that no input has. */
ExprId unknown_identity(Machine *machine, Value v)
{
    uint32_t value, object = value_number(v);
    if (value_is_unknown(v))
        return reference_input(machine, v, &value);
    if (object == 0)
        return expr_int(pool_of(machine), 0);
    ExprId identity = machine->objects[object].identity;
    return expr_is_none(identity) ? expr_int(pool_of(machine), -(SignedBits)object) : identity;
}

bool unknown_fits(Value v, const ClassCode *class)
{
    return class->implements[((const InterfaceDecl *)unknown_type(v)->decl)->number];
}

/* Different paths of the start state lead to different objects (StartState.distinct). */
static uint32_t find_own(Machine *machine, Value v, ExprId input, uint32_t value)
{
    ExprPool *pool = pool_of(machine);
    Bits other;
    for (uint32_t i = 0; i < machine->starters.count; i++) {
        const ModelObject *object = &machine->objects[machine->starters.items[i]];
        if (strcmp(object->path, unknown_path(v)) == 0)
            return machine->starters.items[i];
        if (unknown_fits(v, object->class) &&
            session_evaluate(inputs_session(machine->inputs), object->identity, &other))
            inputs_require(machine, expr_not(pool, expr_binary(pool, EXPR_EQ, input, object->identity)),
                           value != other);
    }
    return 0;
}

/* The existing object of the start state that the reference means, or 0. */
static uint32_t find_alias(Machine *machine, Value v, ExprId input, uint32_t value)
{
    ExprPool *pool = pool_of(machine);
    for (uint32_t i = 0; i < machine->starters.count; i++) {
        const ModelObject *object = &machine->objects[machine->starters.items[i]];
        Bits other;
        if (!unknown_fits(v, object->class) ||
            !session_evaluate(inputs_session(machine->inputs), object->identity, &other))
            continue;
        inputs_decide(machine, expr_binary(pool, EXPR_EQ, input, object->identity), value == (uint32_t)other);
        if (value == (uint32_t)other)
            return machine->starters.items[i];
    }
    return 0;
}

/* The class of an object that is reached for the first time; NULL if no class fits. */
static const ClassCode *choose_class(Machine *machine, Value v)
{
    char path[LONGEST_PATH + 64];
    const ClassCode *fitting[MOST_CONSTRUCTORS];
    const Image *image = machine->image;
    uint32_t count = 0, value = 0;
    for (uint32_t i = 0; i < image->model->classes.count && count < MOST_CONSTRUCTORS; i++)
        if (unknown_fits(v, &image->classes[i]))
            fitting[count++] = &image->classes[i];
    if (count > 1) {
        snprintf(path, sizeof path, "%s class", unknown_path(v));
        ExprId input = get_number(machine, path, count - 1, 0, &value);
        value = decide_case(machine, input, value, count);
    }
    return count ? fitting[value] : NULL;
}

/* Neither the objects that the start state lists nor those that the task knows count as found. */
static bool may_find(Machine *machine, uint32_t object)
{
    uint32_t nth = 0;
    while (machine->starters.items[nth] != object)
        nth++;
    Task *task = machine->task;
    if (nth < machine->start->objects.count || machine->evaluating || machine->inspecting ||
        knowledge_has_object(task->known, nth))
        return true;
    task->known = knowledge_add_object(&machine->heap, task->known, nth);
    return bounds_find(machine, machine->frame->pc, object);
}

static Value follow(Machine *machine, Value v, uint32_t object)
{
    const char *path = unknown_path(v);
    if (!may_find(machine, object))
        return VALUE_NONE;
    if (!machine->inspecting)
        VEC_PUSH(&machine->resolved, ((ResolvedPath){arena_copy(&machine->heap, path, strlen(path)), object}));
    return value_object(object);
}

static Value settle_reference(Machine *machine, Value v)
{
    ExprPool *pool = pool_of(machine);
    uint32_t value, object;
    ExprId input = reference_input(machine, v, &value);
    ExprId is_null = expr_binary(pool, EXPR_EQ, input, expr_int(pool, 0));
    if (machine->start->never_null)
        inputs_require(machine, expr_not(pool, is_null), value != 0);
    else
        inputs_decide(machine, is_null, value == 0);
    if (value == 0)
        return VALUE_NULL;
    footprint_touch_start(machine, false);
    object = machine->start->distinct ? find_own(machine, v, input, value) : find_alias(machine, v, input, value);
    if (object)
        return follow(machine, v, object);
    if (machine->refused)
        return VALUE_NULL;
    const ClassCode *class = choose_class(machine, v);
    if (!class)
        return VALUE_NULL;
    footprint_touch_start(machine, true);
    object = unknown_add_object(machine, unknown_path(v), class, input);
    return object ? follow(machine, v, object) : VALUE_NONE;
}

/* Each step that depends on the value makes the decision, but only once. */
Value unknown_settle(Machine *machine, Value v)
{
    if (value_cell(v)->args[UNKNOWN_STAMP] == machine->stamp && settled_before(machine, v) != VALUE_NONE)
        return settled_before(machine, v);
    return keep_settled(machine, v, unknown_is_reference(v) ? settle_reference(machine, v) : settle_data(machine, v));
}

Value unknown_expand(Machine *machine, Value v)
{
    Value args[UINT8_MAX];
    v = unknown_known(machine, v);
    if (!value_is_kind(v, CELL_DATA) || value_cell(v)->count > UINT8_MAX)
        return v;
    const Cell *cell = value_cell(v);
    for (uint32_t i = 0; i < cell->count; i++)
        args[i] = unknown_expand(machine, cell->args[i]);
    return value_make_data(&machine->context, machine->arena, cell->tag, args, cell->count);
}

/* ---- Objects ------------------------------------------------------------------------------------ */

uint32_t unknown_object_number(Machine *machine, const char *path)
{
    return names_object(machine->names, 0, START_NAME | (uint32_t)(hash_path(path) & (START_NAME - 1)));
}

uint32_t unknown_add_object(Machine *machine, const char *path, const ClassCode *class, ExprId identity)
{
    Path name;
    uint64_t hash = hash_path(path);
    uint32_t number = unknown_object_number(machine, path);
    if (!number || machine->objects[number].class || strlen(path) > LONGEST_PATH) {
        execution_cut(machine->ex, CUT_ROOM);
        return 0;
    }
    ModelObject *object = &machine->objects[number];
    machine_init_object(machine, number, class);
    object->identity = identity;
    object->path = arena_copy(&machine->heap, path, strlen(path));
    for (uint32_t i = 0; i < class->field_count; i++) {
        const Field *field = class->decl->fields.items[i];
        join_path(&name, path, hash, field->name.text);
        object->fields[i] = make(machine, name.text, name.hash, field->type, 0, VALUE_NONE);
    }
    VEC_PUSH(&machine->starters, number);
    return number;
}
