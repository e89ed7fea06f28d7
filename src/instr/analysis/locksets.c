/* locksets.c - see locksets.h */
#include "instr/analysis/locksets.h"

#include "base/mem.h"

typedef struct Flow {
    LockState *before;     /* by block                                           */
    LockState exit;
} Flow;

struct LockSets {
    PointsTo *pointsto;
    Flow *flows;           /* by context                                         */
    Map calls;             /* context and call -> LockCall                       */
    uint32_t threads;
    bool *descends;        /* [a * threads + b]: b descends from a               */
    bool *at_create;       /* [a * threads + b]: b may run when an a is created  */
    RunningList *left;     /* by class: what may still run when it ends          */
    bool changed;
    WaitSink *sink;        /* NULL: the sets are still growing                   */
    void *self;
};

/* ---- Locks ----------------------------------------------------------------------------------- */

static bool is_function_of_operands(LLVMValueRef value)
{
    return LLVMIsAGetElementPtrInst(value) || LLVMIsACastInst(value) || LLVMIsABinaryOperator(value);
}

/* Two values with the same key are equal within one iteration of all loops. */
static uint64_t key_of(const Context *context, LLVMValueRef value)
{
    if (LLVMIsAArgument(value) && context->caller && !context->shared) {
        LLVMValueRef function = context->function->value;
        for (unsigned i = 0; i < LLVMCountParams(function) && i < LLVMGetNumArgOperands(context->call); i++)
            if (LLVMGetParam(function, i) == value)
                return key_of(context->caller, LLVMGetOperand(context->call, i));
    }
    if (LLVMIsAConstant(value))
        return map_mix(map_key(value), 1);
    if (!is_function_of_operands(value))
        return map_mix(map_key(value), context->number + 2);
    uint64_t key = LLVMGetInstructionOpcode(value);
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++)
        key = map_mix(key, key_of(context, LLVMGetOperand(value, i)));
    return key;
}

static const LockCall *lock_call(LockSets *sets, Context *context, LLVMValueRef call, unsigned operand)
{
    uint64_t *slot = map_insert(&sets->calls, map_mix(map_key(call), context->number), NULL);
    if (!*slot) {
        LockCall *made = mem_alloc(sizeof *made);
        *made = (LockCall){.context = context, .call = call, .key = key_of(context, LLVMGetOperand(call, operand))};
        pointsto_read(sets->pointsto, context, LLVMGetOperand(call, operand), &made->lock);
        *slot = map_key(made);
    }
    return (const LockCall *)(uintptr_t)*slot;
}

bool locksets_is_one(const PointsTo *pointsto, const AbsValue *lock)
{
    const AbsAtom *atom = lock->atoms.count == 1 ? &lock->atoms.items[0] : NULL;
    return atom && atom->object >= OBJECT_FIRST && atom->stride == 0 &&
           abstract_memory_get(&pointsto->memory, atom->object)->single;
}

static bool is_same(const LockSets *sets, const LockCall *a, const LockCall *b)
{
    return a->key == b->key || (locksets_is_one(sets->pointsto, &a->lock) && abstract_value_equal(&a->lock, &b->lock));
}

static void take(LockSets *sets, LockState *state, const LockCall *taken, bool shared, bool certain)
{
    LockEntry held = {.taken = taken, .trial = taken->call, .must = certain, .shared = shared};
    LockEntry *known = lockstate_find_held(&state->held, taken);
    for (uint32_t i = 0; i < state->held.count; i++)
        held.nested |= state->held.items[i].must && is_same(sets, state->held.items[i].taken, taken);
    if (known) {
        known->many = true;
        return;
    }
    VEC_PUSH(&state->held, held);
}

/* Releases the newest of the entries if they are nested, else all of them: each was acquired on some path. */
static bool give_back_same(LockSets *sets, LockState *state, const LockCall *given)
{
    bool found = false;
    for (uint32_t i = state->held.count; i-- > 0;) {
        LockEntry *held = &state->held.items[i];
        if (!is_same(sets, held->taken, given))
            continue;
        bool nested = held->nested;
        found = true;
        if (held->many)
            held->must = false;
        else
            lockstate_remove_held(&state->held, i);
        if (nested)
            break;
    }
    return found;
}

static bool has_address(const AbsValue *value)
{
    for (uint32_t i = 0; i < value->atoms.count; i++)
        if (value->atoms.items[i].object != OBJECT_NUMBER)
            return true;
    return false;
}

/* A thread releases only locks that it holds: if only one entry is possible, it is that one. An unknown pointer may
 * refer to any of them. */
static void give_back(LockSets *sets, LockState *state, const LockCall *given)
{
    uint32_t count = 0, last = 0;
    bool known = has_address(&given->lock);
    if (give_back_same(sets, state, given))
        return;
    for (uint32_t i = 0; i < state->held.count; i++)
        if (!known || abstract_value_may_be_same(&state->held.items[i].taken->lock, &given->lock)) {
            count++;
            last = i;
        }
    if (count == 1 && !state->held.items[last].many) {
        lockstate_remove_held(&state->held, last);
        return;
    }
    for (uint32_t i = 0; i < state->held.count; i++)
        if (!known || abstract_value_may_be_same(&state->held.items[i].taken->lock, &given->lock))
            state->held.items[i].must = false;
}

/* ---- Threads --------------------------------------------------------------------------------- */

static void create_threads(LockSets *sets, LockState *state, Context *context, LLVMValueRef call)
{
    for (uint32_t t = 1; t < sets->threads; t++) {
        const ThreadClass *thread = &sets->pointsto->threads.items[t];
        bool mine = thread->call == call && (thread->creator == context || sets->descends[t * sets->threads + t]);
        if (!mine)
            continue;
        for (uint32_t i = 0; i < state->running.count; i++) {
            bool *noted = &sets->at_create[t * sets->threads + state->running.items[i].thread];
            sets->changed |= !*noted;
            *noted = true;
        }
        Running *known = lockstate_find_running(&state->running, t);
        lockstate_add_running(&state->running, (Running){t, known != NULL});
        for (uint32_t d = 1; d < sets->threads; d++)
            if (sets->descends[t * sets->threads + d])
                lockstate_add_running(&state->running, (Running){d, true});
        LockState fresh = {.reached = true};
        sets->changed |= lockstate_join(&sets->flows[thread->root->number].before[0], &fresh);
    }
}

/* The only thread that the handle can refer to has ended; threads that it created may still run. */
static void join_thread(LockSets *sets, LockState *state, Context *context, const AbsValue *handle)
{
    uint32_t count = 0, joined = 0;
    for (uint32_t i = 0; i < handle->atoms.count; i++) {
        uint32_t number = handle->atoms.items[i].object;
        const Object *object = abstract_memory_get(&sets->pointsto->memory, number);
        if (number == OBJECT_NUMBER)
            continue;
        if (number < OBJECT_FIRST || object->kind != OBJECT_THREAD ||
            !sets->descends[context->thread * sets->threads + object->number])
            return;
        if (lockstate_find_running(&state->running, object->number)) {
            joined = object->number;
            count++;
        }
    }
    Running *running =
        count == 1 && context->threads.count == 1 ? lockstate_find_running(&state->running, joined) : NULL;
    if (!running || running->many)
        return;
    *running = state->running.items[--state->running.count];
    for (uint32_t i = 0; i < sets->left[joined].count; i++)
        lockstate_add_running(&state->running, sets->left[joined].items[i]);
}

static void end_thread(LockSets *sets, LockState *state, Context *context, bool is_end_of_program)
{
    static const AbsValue none;
    for (uint32_t t = 0; t < context->threads.count; t++)
        for (uint32_t i = 0; i < state->running.count; i++)
            sets->changed |= lockstate_add_running(&sets->left[context->threads.items[t]], state->running.items[i]);
    for (uint32_t i = 0; sets->sink && !is_end_of_program && i < state->held.count; i++) {
        LockState one = {.reached = true};
        VEC_PUSH(&one.held, state->held.items[i]);
        sets->sink(sets->self, WAIT_NEVER, context, state->held.items[i].taken->call, &none, false, &one);
        lockstate_release(&one);
    }
}

/* ---- Calls ----------------------------------------------------------------------------------- */

static void tell(LockSets *sets, WaitKind kind, Context *context, LLVMValueRef call, const AbsValue *target,
                 bool shared, const LockState *state)
{
    if (sets->sink)
        sets->sink(sets->self, kind, context, call, target, shared, state);
}

/* The lock is acquired again while the others are still held. */
static void await_again(LockSets *sets, LockState *state, Context *context, const LockCall *lock)
{
    LockState without = lockstate_copy(state);
    give_back(sets, &without, lock);
    tell(sets, WAIT_LOCK, context, lock->call, &lock->lock, false, &without);
    lockstate_release(&without);
}

/* All contexts that the call enters; `may_return` if it may return without entering one. */
static void enter_callees(LockSets *sets, LockState *state, Context *context, LLVMValueRef call, bool may_return)
{
    LockState after = may_return ? lockstate_copy(state) : (LockState){0};
    for (uint32_t i = 0; i < context->callees.count; i++) {
        if (context->callees.items[i].call != call)
            continue;
        Flow *flow = &sets->flows[context->callees.items[i].context->number];
        sets->changed |= lockstate_join(&flow->before[0], state);
        lockstate_join(&after, &flow->exit);
    }
    lockstate_release(state);
    *state = after;
}

static void analyse_library(LockSets *sets, LockState *state, Context *context, LLVMValueRef call, LibRole role,
                           unsigned operand)
{
    bool reads = role == LIB_LOCK_READ || role == LIB_TRY_READ;
    const LockCall *lock;
    switch (role) {
    case LIB_LOCK:
    case LIB_LOCK_READ:
        lock = lock_call(sets, context, call, operand);
        tell(sets, WAIT_LOCK, context, call, &lock->lock, reads, state);
        take(sets, state, lock, reads, true);
        break;
    case LIB_TRY:
    case LIB_TRY_READ: take(sets, state, lock_call(sets, context, call, operand), reads, false); break;
    case LIB_UNLOCK: give_back(sets, state, lock_call(sets, context, call, operand)); break;
    case LIB_AWAIT: await_again(sets, state, context, lock_call(sets, context, call, operand)); break;
    case LIB_CREATE: create_threads(sets, state, context, call); break;
    case LIB_JOIN:
        lock = lock_call(sets, context, call, operand);
        tell(sets, WAIT_JOIN, context, call, &lock->lock, false, state);
        join_thread(sets, state, context, &lock->lock);
        break;
    case LIB_END:
        end_thread(sets, state, context, false);
        state->reached = false;
        break;
    default: enter_callees(sets, state, context, call, true); break;
    }
}

static void analyse_function(LockSets *sets, LockState *state, Context *context, LLVMValueRef call,
                            LLVMValueRef function)
{
    unsigned operand;
    LibRole role = libcall_role(function, &operand);
    if (role != LIB_NONE)
        analyse_library(sets, state, context, call, role, operand);
    else
        enter_callees(sets, state, context, call, LLVMIsDeclaration(function));
}

/* Through a pointer: all functions it may refer to. */
static void analyse_pointer(LockSets *sets, LockState *state, Context *context, LLVMValueRef call)
{
    AbsValue called = {0};
    LockState after = lockstate_copy(state);
    pointsto_read(sets->pointsto, context, LLVMGetCalledValue(call), &called);
    enter_callees(sets, &after, context, call, false);
    for (uint32_t i = 0; i < called.atoms.count; i++) {
        uint32_t number = called.atoms.items[i].object;
        const Object *object = abstract_memory_get(&sets->pointsto->memory, number);
        if (number < OBJECT_FIRST || object->kind != OBJECT_FUNCTION || !LLVMIsDeclaration(object->value))
            continue;
        LockState way = lockstate_copy(state);
        analyse_function(sets, &way, context, call, object->value);
        lockstate_join(&after, &way);
        lockstate_release(&way);
    }
    lockstate_release(state);
    *state = after;
    abstract_value_release(&called);
}

static void analyse_call(LockSets *sets, LockState *state, Context *context, LLVMValueRef call)
{
    LLVMValueRef function = pointsto_called(call);
    if (function)
        analyse_function(sets, state, context, call, function);
    else if (!LLVMIsAInlineAsm(LLVMGetCalledValue(call)))
        analyse_pointer(sets, state, context, call);
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

/* On the branch on which the call failed, no lock was acquired. */
static void resolve_trials(LockState *state, LLVMValueRef end, LLVMBasicBlockRef to)
{
    LLVMValueRef test = LLVMIsABranchInst(end) && LLVMIsConditional(end) ? LLVMGetCondition(end) : NULL;
    if (!test || !LLVMIsAICmpInst(test) || !LLVMIsNull(LLVMGetOperand(test, 1)) ||
        LLVMGetSuccessor(end, 0) == LLVMGetSuccessor(end, 1))
        return;
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(test);
    if (predicate != LLVMIntEQ && predicate != LLVMIntNE)
        return;
    bool is_zero = (predicate == LLVMIntEQ) == (LLVMGetSuccessor(end, 0) == to);
    for (uint32_t i = state->held.count; i-- > 0;) {
        LockEntry *held = &state->held.items[i];
        if (held->trial != LLVMGetOperand(test, 0) || held->many)
            continue;
        held->must |= is_zero;
        held->trial = NULL;
        if (!is_zero)
            lockstate_remove_held(&state->held, i);
    }
}

static void leave_block(LockSets *sets, Context *context, uint32_t block, const LockState *state)
{
    Flow *flow = &sets->flows[context->number];
    const Cfg *cfg = context->function->cfg;
    LLVMBasicBlockRef here = cfg_block(cfg, block);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(here);
    const BlockList *next = cfg_successors(cfg, block);
    for (uint32_t i = 0; i < next->count; i++) {
        LLVMBasicBlockRef to = cfg_block(cfg, next->items[i]);
        if (!pointsto_goes_to(sets->pointsto, context, here, to))
            continue;
        LockState copy = lockstate_copy(state);
        resolve_trials(&copy, end, to);
        sets->changed |= lockstate_join(&flow->before[next->items[i]], &copy);
        lockstate_release(&copy);
    }
    if (LLVMIsAReturnInst(end)) {
        sets->changed |= lockstate_join(&flow->exit, state);
        if (!context->caller)
            end_thread(sets, (LockState *)state, context, context->thread == 0);
    }
}

static void analyse_block(LockSets *sets, Context *context, uint32_t block)
{
    LockState state = lockstate_copy(&sets->flows[context->number].before[block]);
    LLVMBasicBlockRef here = cfg_block(context->function->cfg, block);
    for (LLVMValueRef i = LLVMGetFirstInstruction(here); i && state.reached; i = LLVMGetNextInstruction(i))
        if (LLVMIsACallInst(i))
            analyse_call(sets, &state, context, i);
    if (state.reached)
        leave_block(sets, context, block, &state);
    lockstate_release(&state);
}

static void track_all(LockSets *sets)
{
    for (uint32_t i = 0; i < sets->pointsto->contexts.count; i++) {
        Context *context = sets->pointsto->contexts.items[i];
        for (uint32_t b = 0; b < cfg_block_count(context->function->cfg); b++)
            if (context->reached[b] && sets->flows[i].before[b].reached)
                analyse_block(sets, context, b);
    }
}

/* ---- Lifecycle ------------------------------------------------------------------------------- */

static void find_descent(LockSets *sets)
{
    const PointsTo *p = sets->pointsto;
    bool changed = true;
    for (uint32_t t = 1; t < sets->threads; t++)
        for (uint32_t i = 0; i < p->threads.items[t].creator->threads.count; i++)
            sets->descends[p->threads.items[t].creator->threads.items[i] * sets->threads + t] = true;
    /* Threads that create threads of their own class (pointsto.c). */
    for (uint32_t i = 0; i < p->contexts.count; i++)
        for (uint32_t t = 1; t < sets->threads; t++)
            if (!p->threads.items[t].single && p->contexts.items[i]->thread == t &&
                map_find(&p->contexts.items[i]->function->slots, map_key(p->threads.items[t].call)))
                sets->descends[t * sets->threads + t] = true;
    while (changed) {
        changed = false;
        for (uint32_t a = 0; a < sets->threads; a++)
            for (uint32_t b = 1; b < sets->threads; b++)
                for (uint32_t c = 1; sets->descends[a * sets->threads + b] && c < sets->threads; c++)
                    if (sets->descends[b * sets->threads + c] && !sets->descends[a * sets->threads + c])
                        sets->descends[a * sets->threads + c] = changed = true;
    }
}

LockSets *locksets_create(PointsTo *pointsto)
{
    LockSets *sets = mem_alloc(sizeof *sets);
    *sets = (LockSets){.pointsto = pointsto, .threads = pointsto->threads.count};
    sets->flows = mem_alloc(pointsto->contexts.count * sizeof *sets->flows);
    sets->descends = mem_alloc((size_t)sets->threads * sets->threads);
    sets->at_create = mem_alloc((size_t)sets->threads * sets->threads);
    sets->left = mem_alloc(sets->threads * sizeof *sets->left);
    for (uint32_t i = 0; i < pointsto->contexts.count; i++)
        sets->flows[i].before =
            mem_alloc(cfg_block_count(pointsto->contexts.items[i]->function->cfg) * sizeof(LockState));
    find_descent(sets);
    sets->flows[pointsto->threads.items[0].root->number].before[0].reached = true;
    do {
        sets->changed = false;
        track_all(sets);
    } while (sets->changed);
    return sets;
}

void locksets_each_wait(LockSets *sets, WaitSink *sink, void *self)
{
    sets->sink = sink;
    sets->self = self;
    track_all(sets);
    sets->sink = NULL;
}

bool locksets_meet(const LockSets *sets, uint32_t thread, uint32_t other)
{
    for (uint32_t x = 1; x < sets->threads; x++) {
        bool above_thread = x == thread || sets->descends[x * sets->threads + thread];
        bool above_other = x == other || sets->descends[x * sets->threads + other];
        if ((above_other && sets->at_create[x * sets->threads + thread]) ||
            (above_thread && sets->at_create[x * sets->threads + other]))
            return true;
    }
    return thread == other && sets->descends[thread * sets->threads + thread];
}

void locksets_destroy(LockSets *sets)
{
    for (uint32_t i = 0; i < sets->pointsto->contexts.count; i++) {
        for (uint32_t b = 0; b < cfg_block_count(sets->pointsto->contexts.items[i]->function->cfg); b++)
            lockstate_release(&sets->flows[i].before[b]);
        lockstate_release(&sets->flows[i].exit);
        free(sets->flows[i].before);
    }
    for (uint32_t i = 0; i < sets->calls.room; i++)
        if (sets->calls.entries[i].key != MAP_NO_KEY && sets->calls.entries[i].value) {
            LockCall *call = (LockCall *)(uintptr_t)sets->calls.entries[i].value;
            abstract_value_release(&call->lock);
            free(call);
        }
    for (uint32_t t = 0; t < sets->threads; t++)
        VEC_FREE(&sets->left[t]);
    map_release(&sets->calls);
    free(sets->flows);
    free(sets->descends);
    free(sets->at_create);
    free(sets->left);
    free(sets);
}
