/* model_pointsto.c - see model_pointsto.h
 *
 * Design: a fixed point by iteration over all activations. Every set only grows, and models are small, so this is
 * faster than keeping track of dependencies.
 */
#include "deadlock/model_pointsto.h"

#include <string.h>

#include "deadlock/flow.h"

/* ---- Objects ------------------------------------------------------------------------- */

static uint64_t site_of(const Code *code, uint32_t at)
{
    return (uint64_t)(code->number + 1) << 32 | at;
}

static uint64_t object_key(const AbstractObject *object, bool local)
{
    uint64_t key = local ? object->cog + 1 : 0;
    for (uint32_t i = 0; i < object->context_count; i++)
        key = map_mix(key, object->context[i]);
    return key >> 1;
}

/* The context of an object that is created at a site on `creator`. */
static void set_context(const ModelPointsTo *p, AbstractObject *object, uint64_t site, uint32_t creator)
{
    const AbstractObject *from = &p->objects.items[creator];
    object->context[0] = site;
    object->context_count = 1;
    for (uint32_t i = 0; i < from->context_count && object->context_count < p->depth; i++)
        object->context[object->context_count++] = from->context[i];
}

static SetId *new_sets(ModelPointsTo *p, uint32_t count)
{
    return arena_zero(&p->arena, (count + 1) * sizeof(SetId));
}

/* Fields that the init block may leave unassigned may be null. */
static void init_fields(ModelPointsTo *p, AbstractObject *object)
{
    const Code *init = object->class->init;
    uint32_t next[FLOW_MOST_NEXT];
    object->fields = new_sets(p, object->class->field_count);
    for (uint32_t i = 0; i < object->class->field_count; i++)
        object->fields[i] = atoms_single(&p->atoms, MODEL_POINTSTO_NULL);
    for (uint32_t i = 0; i < init->count && flow_next(init, i, next) == 1 && next[0] == i + 1; i++)
        if (init->instrs[i].op == INSTR_STORE)
            object->fields[init->instrs[i].b] = 0;
}

static uint32_t make_object(ModelPointsTo *p, const Activation *a, uint32_t at, bool local)
{
    bool added;
    AbstractObject object = {.class = a->code->instrs[at].x.class, .code = a->code, .at = at};
    object.single = a->code == p->image->main && !flow_repeats(a->code, at); /* outside loops of the main block */
    object.cog = local ? p->objects.items[a->object].cog : 0;
    set_context(p, &object, site_of(a->code, at), a->object);
    uint64_t *number = map_insert(&p->object_numbers, object_key(&object, local), &added);
    if (!added)
        return (uint32_t)*number;
    *number = p->objects.count;
    uint32_t result = p->objects.count;
    if (!local)
        object.cog = result;
    init_fields(p, &object);
    VEC_PUSH(&p->objects, object);
    p->changed = true;
    return result;
}

uint32_t model_pointsto_find_object(const ModelPointsTo *p, const Code *code, uint32_t at, uint32_t creator, bool local)
{
    AbstractObject object = {.cog = local ? p->objects.items[creator].cog : 0};
    set_context(p, &object, site_of(code, at), creator);
    const uint64_t *number = map_find(&p->object_numbers, object_key(&object, local));
    return number ? (uint32_t)*number : UINT32_MAX;
}

/* ---- Activations and tasks -------------------------------------------------------------- */

static uint64_t activation_key(uint32_t object, const Code *code)
{
    return (uint64_t)object << 32 | code->number;
}

static uint32_t make_activation(ModelPointsTo *p, uint32_t object, const Code *code)
{
    bool added;
    uint64_t *number = map_insert(&p->activation_numbers, activation_key(object, code), &added);
    if (!added)
        return (uint32_t)*number;
    *number = p->activations.count;
    Activation *a = arena_zero(&p->arena, sizeof *a);
    *a = (Activation){.object = object, .code = code};
    a->params = new_sets(p, code->param_count);
    a->states = new_sets(p, code->count * code->register_count);
    a->reached = arena_zero(&p->arena, code->count + 1u);
    VEC_PUSH(&p->activations, a);
    p->changed = true;
    return p->activations.count - 1;
}

static void grow(ModelPointsTo *p, SetId *set, SetId by)
{
    SetId joined = atoms_join(&p->atoms, *set, by);
    if (joined != *set) {
        *set = joined;
        p->changed = true;
    }
}

static uint32_t make_task(ModelPointsTo *p, uint32_t object, const Code *code)
{
    bool added;
    uint64_t *number = map_insert(&p->task_numbers, activation_key(object, code), &added);
    if (!added)
        return (uint32_t)*number;
    *number = p->tasks.count;
    uint32_t task = p->tasks.count, activation = make_activation(p, object, code);
    VEC_PUSH(&p->tasks, ((AbstractTask){object, activation}));
    grow(p, &p->activations.items[activation]->tasks, atoms_single(&p->atoms, atom_of_task(task)));
    return task;
}

static uint32_t find(const Map *map, uint64_t key)
{
    const uint64_t *number = map_find(map, key);
    return number ? (uint32_t)*number : UINT32_MAX;
}

uint32_t model_pointsto_find_activation(const ModelPointsTo *p, uint32_t object, const Code *code)
{
    return find(&p->activation_numbers, activation_key(object, code));
}

uint32_t model_pointsto_find_task(const ModelPointsTo *p, uint32_t object, const Code *code)
{
    return find(&p->task_numbers, activation_key(object, code));
}

static void add_link(ModelPointsTo *p, Activation *a, uint32_t at, LinkKind kind, uint32_t target)
{
    uint32_t place = a->links.count;
    for (uint32_t i = 0; i < a->links.count; i++)
        if (a->links.items[i].at == at && a->links.items[i].kind == (uint32_t)kind &&
            a->links.items[i].target == target)
            return;
    VEC_PUSH(&a->links, ((Link){at, kind, target}));
    for (; place > 0 && a->links.items[place - 1].at > at; place--)
        a->links.items[place] = a->links.items[place - 1];
    a->links.items[place] = (Link){at, kind, target};
    p->changed = true;
}

/* ---- Calls ------------------------------------------------------------------------------- */

typedef struct Step {
    ModelPointsTo *p;
    Activation *a;
    uint32_t at;
    const Instr *instr;
    SetId *registers; /* before, then after the instruction */
} Step;

static SetId join_registers(const Step *s, uint32_t first, uint32_t count)
{
    SetId set = 0;
    for (uint32_t i = 0; i < count; i++)
        set = atoms_join(&s->p->atoms, set, s->registers[first + i]);
    return set;
}

/* The set, with references that may be to objects of another cog, of which the abstract one may be the same. */
static SetId make_foreign(ModelPointsTo *p, SetId set)
{
    return set ? atoms_join(&p->atoms, set, atoms_single(&p->atoms, MODEL_POINTSTO_FOREIGN)) : 0;
}

static void pass_arguments(const Step *s, uint32_t activation, uint32_t first, bool foreign)
{
    Activation *callee = s->p->activations.items[activation];
    for (uint32_t i = 0; i < s->instr->c && i < callee->code->param_count; i++) {
        SetId set = s->registers[first + i];
        grow(s->p, &callee->params[i], foreign ? make_foreign(s->p, set) : set);
    }
}

static void start_task(const Step *s, LinkKind kind, uint32_t object, const Code *code, uint32_t first, SetId *future)
{
    uint32_t task = make_task(s->p, object, code);
    pass_arguments(s, s->p->tasks.items[task].activation, first, true);
    add_link(s->p, s->a, s->at, kind, task);
    if (future)
        *future = atoms_join(&s->p->atoms, *future, atoms_single(&s->p->atoms, atom_of_task(task)));
}

static Activation *run_inside(const Step *s, uint32_t object, const Code *code, uint32_t first, bool foreign)
{
    uint32_t number = make_activation(s->p, object, code);
    Activation *callee = s->p->activations.items[number];
    pass_arguments(s, number, first, foreign);
    grow(s->p, &callee->tasks, s->a->tasks);
    add_link(s->p, s->a, s->at, LINK_INSIDE, number);
    return callee;
}

static Activation *call_inside(const Step *s, uint32_t object, const Code *code, uint32_t first)
{
    return run_inside(s, object, code, first, false);
}

/* The init block of an object runs inside its creator unless it may wait; its run method is a task of its own. */
static void create(const Step *s, bool local)
{
    uint32_t object = make_object(s->p, s->a, s->at, local);
    const ClassCode *class = s->instr->x.class;
    if (class->init_may_wait && !local)
        start_task(s, LINK_SPAWN, object, class->init, s->instr->b, NULL);
    else
        run_inside(s, object, class->init, s->instr->b, !local);
    if (class->run)
        start_task(s, LINK_SPAWN, object, class->run, s->instr->b, NULL);
    SetId created = atoms_single(&s->p->atoms, atom_of_object(object));
    s->registers[s->instr->a] = local ? created : make_foreign(s->p, created);
}

static const Code *method_of(const Step *s, uint32_t atom)
{
    if (!atom_is_object(atom))
        return NULL;
    const ClassCode *class = s->p->objects.items[atom_number(atom)].class;
    return class ? class->methods[s->instr->x.selector] : NULL;
}

static void call_async(const Step *s)
{
    SetId futures = 0, receivers = s->registers[s->instr->b];
    for (uint32_t i = 0; i < atoms_get(&s->p->atoms, receivers).count; i++) {
        uint32_t atom = atoms_get(&s->p->atoms, receivers).items[i];
        const Code *code = method_of(s, atom);
        if (code)
            start_task(s, LINK_SPAWN, atom_number(atom), code, s->instr->b + 1u, &futures);
    }
    s->registers[s->instr->a] = futures;
}

static SetId result_of_task(const ModelPointsTo *p, uint32_t task)
{
    return p->activations.items[p->tasks.items[task].activation]->result;
}

/* The receiver's cog may be this one. An abstract cog may represent several, so the receiver may be in another cog too,
 * unless the abstract cog exists once or no reference came from another cog. */
static void call_sync(const Step *s)
{
    ModelPointsTo *p = s->p;
    SetId result = 0, receivers = s->registers[s->instr->b];
    bool foreign = atoms_has(&p->atoms, receivers, MODEL_POINTSTO_FOREIGN);
    for (uint32_t i = 0; i < atoms_get(&p->atoms, receivers).count; i++) {
        uint32_t atom = atoms_get(&p->atoms, receivers).items[i];
        const Code *code = method_of(s, atom);
        if (!code)
            continue;
        uint32_t object = atom_number(atom), cog = p->objects.items[s->a->object].cog;
        if (p->objects.items[object].cog == cog)
            result = atoms_join(&p->atoms, result, call_inside(s, object, code, s->instr->b + 1u)->result);
        bool own = p->objects.items[cog].single || !foreign;
        if (p->objects.items[object].cog != cog || !own) {
            start_task(s, LINK_CALL, object, code, s->instr->b + 1u, NULL);
            result = atoms_join(&p->atoms, result,
                                make_foreign(p, result_of_task(p, model_pointsto_find_task(p, object, code))));
        }
    }
    s->registers[s->instr->a] = result;
}

static void get(const Step *s)
{
    AtomSet futures = atoms_get(&s->p->atoms, s->registers[s->instr->b]);
    SetId result = 0;
    for (uint32_t i = 0; i < futures.count; i++)
        if (atom_is_task(futures.items[i]))
            result = atoms_join(&s->p->atoms, result, result_of_task(s->p, atom_number(futures.items[i])));
    s->registers[s->instr->a] = make_foreign(s->p, result);
}

/* ---- Instructions --------------------------------------------------------------------------- */

static SetId seen_by_pure_code(const Step *s)
{
    if (!s->p->pure_code_sees_task)
        return 0;
    return atoms_join(&s->p->atoms, s->a->tasks, atoms_single(&s->p->atoms, atom_of_object(s->a->object)));
}

static void load(const Step *s)
{
    const AbstractObject *object = &s->p->objects.items[s->a->object];
    s->registers[s->instr->a] = object->fields ? object->fields[s->instr->b] : 0;
}

static void store(const Step *s)
{
    const AbstractObject *object = &s->p->objects.items[s->a->object];
    if (object->fields)
        grow(s->p, &object->fields[s->instr->b], s->registers[s->instr->a]);
}

static void transfer(const Step *s)
{
    const Instr *instr = s->instr;
    Atoms *atoms = &s->p->atoms;
    SetId *target = &s->registers[instr->a];
    switch ((InstrOp)instr->op) {
    case INSTR_CONST: *target = instr->x.value == VALUE_NULL ? atoms_single(atoms, MODEL_POINTSTO_NULL) : 0; break;
    case INSTR_MOVE:
    case INSTR_ACCESS:
    case INSTR_ARGUMENT: *target = s->registers[instr->b]; break;
    case INSTR_CAST:
        *target = atoms_join(atoms, s->registers[instr->b], atoms_single(atoms, MODEL_POINTSTO_NULL));
        break;
    case INSTR_CONSTRUCT: *target = join_registers(s, instr->b, instr->c); break;
    case INSTR_LIST: *target = atoms_join(atoms, *target, join_registers(s, instr->b, instr->c)); break;
    case INSTR_CALL:
    case INSTR_CLOSURE:
    case INSTR_BUILTIN: *target = atoms_join(atoms, join_registers(s, instr->b, instr->c), seen_by_pure_code(s)); break;
    case INSTR_CALL_CLOSURE:
        *target = atoms_join(atoms, join_registers(s, instr->b, instr->c), s->registers[instr->x.number]);
        *target = atoms_join(atoms, *target, seen_by_pure_code(s));
        break;
    case INSTR_THIS: *target = atoms_single(atoms, atom_of_object(s->a->object)); break;
    case INSTR_DESTINY: *target = s->a->tasks; break;
    case INSTR_LOAD: load(s); break;
    case INSTR_STORE: store(s); break;
    case INSTR_NEW: create(s, false); break;
    case INSTR_NEW_LOCAL: create(s, true); break;
    case INSTR_ASYNC: call_async(s); break;
    case INSTR_SYNC: call_sync(s); break;
    case INSTR_SYNC_SELF: *target = call_inside(s, s->a->object, instr->x.code, instr->b)->result; break;
    case INSTR_GET: get(s); break;
    case INSTR_FINISH: grow(s->p, &s->a->result, s->registers[instr->b]); break;
    case INSTR_THROW:
    case INSTR_DIE: grow(s->p, &s->p->exceptions, make_foreign(s->p, s->registers[instr->b])); break;
    default:
        if (flow_defines(instr))
            *target = 0;
    }
}

/* ---- Activations ------------------------------------------------------------------------------ */

/* Joins registers into the state before an instruction; true if that changed. */
static bool join_state(ModelPointsTo *p, Activation *a, uint32_t at, const SetId *registers)
{
    uint32_t count = a->code->register_count;
    SetId *state = a->states + (size_t)at * count;
    bool changed = !a->reached[at];
    a->reached[at] = true;
    for (uint32_t i = 0; i < count; i++) {
        SetId joined = atoms_join(&p->atoms, state[i], registers[i]);
        changed |= joined != state[i];
        state[i] = joined;
    }
    return changed;
}

static bool enter_handler(ModelPointsTo *p, Activation *a, uint32_t at, SetId *registers)
{
    const TryRegion *region = flow_handler(a->code, at);
    if (!region)
        return false;
    SetId saved = registers[region->exception];
    registers[region->exception] = p->exceptions;
    bool changed = join_state(p, a, region->target, registers);
    registers[region->exception] = saved;
    return changed;
}

/* One pass over the code; true if a state changed before the current instruction. */
static bool sweep(ModelPointsTo *p, Activation *a, SetId *registers)
{
    const Code *code = a->code;
    uint32_t next[FLOW_MOST_NEXT];
    bool again = false;
    for (uint32_t at = 0; at < code->count; at++) {
        if (!a->reached[at])
            continue;
        Step step = {p, a, at, &code->instrs[at], registers};
        memcpy(registers, a->states + (size_t)at * code->register_count, code->register_count * sizeof *registers);
        again |= enter_handler(p, a, at, registers);
        transfer(&step);
        uint32_t count = flow_next(code, at, next);
        for (uint32_t i = 0; i < count; i++)
            again |= join_state(p, a, next[i], registers) && next[i] <= at;
    }
    return again;
}

/* A task that fails may start the recover block of its object. */
static void add_recovery(ModelPointsTo *p, Activation *a)
{
    const ClassCode *class = p->objects.items[a->object].class;
    if (!class || !class->recover || a->code->kind == CODE_RECOVER || a->code->count == 0)
        return;
    uint32_t number = make_activation(p, a->object, class->recover);
    Activation *recover = p->activations.items[number];
    if (recover->code->param_count)
        grow(p, &recover->params[0], p->exceptions);
    grow(p, &recover->tasks, a->tasks);
    add_link(p, a, a->code->count - 1, LINK_INSIDE, number);
}

static void run_activation(ModelPointsTo *p, Activation *a)
{
    SetId *registers = mem_alloc((a->code->register_count + 1u) * sizeof *registers);
    memcpy(registers, a->params, a->code->param_count * sizeof *registers);
    if (a->code->count)
        join_state(p, a, 0, registers);
    while (sweep(p, a, registers))
        ;
    add_recovery(p, a);
    free(registers);
}

/* ---- Lifecycle ----------------------------------------------------------------------------------- */

static bool pure_code_sees_task(const Image *image)
{
    for (uint32_t i = 0; i < image->codes.count; i++) {
        const Code *code = image->codes.items[i];
        bool pure = code->kind == CODE_FUNCTION || code->kind == CODE_LAMBDA || code->kind == CODE_GUARD;
        for (uint32_t at = 0; pure && at < code->count; at++)
            if (code->instrs[at].op == INSTR_THIS || code->instrs[at].op == INSTR_DESTINY)
                return true;
    }
    return false;
}

ModelPointsTo *model_pointsto_create(const Image *image, uint32_t depth)
{
    ModelPointsTo *p = mem_alloc(sizeof *p);
    p->image = image;
    p->depth = depth < 1 ? 1 : depth > MODEL_POINTSTO_MOST_CONTEXT ? MODEL_POINTSTO_MOST_CONTEXT : depth;
    p->pure_code_sees_task = pure_code_sees_task(image);
    VEC_PUSH(&p->objects, (AbstractObject){.single = true});
    make_task(p, 0, image->main);
    do {
        p->changed = false;
        for (uint32_t i = 0; i < p->activations.count; i++)
            run_activation(p, p->activations.items[i]);
    } while (p->changed);
    return p;
}

void model_pointsto_destroy(ModelPointsTo *p)
{
    if (!p)
        return;
    for (uint32_t i = 0; i < p->activations.count; i++)
        VEC_FREE(&p->activations.items[i]->links);
    atoms_release(&p->atoms);
    arena_release(&p->arena);
    VEC_FREE(&p->objects);
    VEC_FREE(&p->activations);
    VEC_FREE(&p->tasks);
    map_release(&p->object_numbers);
    map_release(&p->activation_numbers);
    map_release(&p->task_numbers);
    free(p);
}
