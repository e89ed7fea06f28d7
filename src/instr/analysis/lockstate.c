/* lockstate.c - see lockstate.h */
#include "instr/analysis/lockstate.h"

void lockstate_release(LockState *state)
{
    VEC_FREE(&state->held);
    VEC_FREE(&state->running);
}

LockState lockstate_copy(const LockState *from)
{
    LockState state = {.reached = from->reached};
    for (uint32_t i = 0; i < from->held.count; i++)
        VEC_PUSH(&state.held, from->held.items[i]);
    for (uint32_t i = 0; i < from->running.count; i++)
        VEC_PUSH(&state.running, from->running.items[i]);
    return state;
}

LockEntry *lockstate_find_held(HeldList *list, const LockCall *taken)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (list->items[i].taken == taken)
            return &list->items[i];
    return NULL;
}

Running *lockstate_find_running(RunningList *list, uint32_t thread)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (list->items[i].thread == thread)
            return &list->items[i];
    return NULL;
}

bool lockstate_add_running(RunningList *list, Running running)
{
    Running *known = lockstate_find_running(list, running.thread);
    if (!known) {
        VEC_PUSH(list, running);
        return true;
    }
    bool changed = running.many && !known->many;
    known->many |= running.many;
    return changed;
}

static bool merge_held(LockEntry *held, const LockEntry *other)
{
    LockEntry before = *held;
    held->must &= other->must;
    held->many |= other->many;
    held->nested |= other->nested;
    held->shared &= other->shared;
    if (held->trial != other->trial)
        held->trial = NULL;
    return before.must != held->must || before.many != held->many || before.nested != held->nested ||
           before.shared != held->shared || before.trial != held->trial;
}

void lockstate_remove_held(HeldList *list, uint32_t at)
{
    for (; at + 1 < list->count; at++)
        list->items[at] = list->items[at + 1];
    list->count--;
}

bool lockstate_join(LockState *state, const LockState *other)
{
    bool changed = other->reached && !state->reached;
    if (!other->reached)
        return false;
    if (changed) {
        lockstate_release(state);
        *state = lockstate_copy(other);
        return true;
    }
    for (uint32_t i = 0; i < state->held.count; i++)
        if (state->held.items[i].must && !lockstate_find_held((HeldList *)&other->held, state->held.items[i].taken)) {
            state->held.items[i].must = false;
            changed = true;
        }
    for (uint32_t i = 0; i < other->held.count; i++) {
        LockEntry *known = lockstate_find_held(&state->held, other->held.items[i].taken);
        if (known) {
            changed |= merge_held(known, &other->held.items[i]);
            continue;
        }
        VEC_PUSH(&state->held, other->held.items[i]);
        state->held.items[state->held.count - 1].must = false;
        changed = true;
    }
    for (uint32_t i = 0; i < other->running.count; i++)
        changed |= lockstate_add_running(&state->running, other->running.items[i]);
    return changed;
}
