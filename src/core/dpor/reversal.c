/* reversal.c - see reversal.h
 *
 * Invariants (docs/design/exploration.md):
 * REV-1  the events a reversal keeps replay with the same labels and values, since
 *        everything they depend on is kept;
 * REV-2  hence the value of a resource in the new context follows from the last kept
 *        access of its chain, without running anything;
 * REV-3  all independent events are kept, also those after the step, and events of every
 *        execution are reversed, also if an earlier execution had the same events up to
 *        it (but see REV-5): what is kept differs. Shorter sequences seem to be covered
 *        by steps that conflict with what was left out.
 */
#include "core/dpor/reversal.h"

#include <string.h>

#include "base/vec.h"
#include "core/program.h"

/* ---- The new context -------------------------------------------------- */

static bool knows_one_gone(const Reversal *r, uint32_t position)
{
    for (uint32_t g = 0; g < r->gone_count; g++)
        if (hb_reaches(r->hb, r->gone[g], position))
            return true;
    return false;
}

/* Is the event at `position` replayed before the reversed step? */
static inline bool keeps(const Reversal *r, uint32_t position)
{
    return position < r->first || (position != r->step.position && !knows_one_gone(r, position));
}

/* The usual case: one event is gone. What happens after it knows it: that is a column of the clocks. */
static void sequence_without_one(const Reversal *r, LabelSequence *sequence)
{
    const Hb *hb = r->hb;
    const Label *gone = &hb->events.items[r->gone[0]].label;
    const uint32_t *known = &hb_clock(hb, r->first)[gone->agent];
    uint32_t count = sequence->count;
    VEC_RESERVE(sequence, count + hb->count - r->first);
    for (uint32_t i = r->first; i < hb->count; i++, known += hb->stride) {
        sequence->items[count] = &hb->events.items[i].label;
        count += *known <= gone->index && i != r->step.position;
    }
    sequence->count = count;
}

void reversal_sequence(const Reversal *r, LabelSequence *sequence)
{
    if (r->gone_count == 1) {
        sequence_without_one(r, sequence);
        return;
    }
    for (uint32_t i = r->first; i < r->hb->count; i++)
        if (keeps(r, i))
            VEC_PUSH(sequence, &r->hb->events.items[i].label);
}

/* The value of `lanes` of a resource before any event: the one their oldest access read, or,
 * if no event accessed them, the one the step itself read. */
static uint64_t initial_word(const Hb *hb, uint32_t newest, uint8_t lanes, const Access *own)
{
    uint64_t word = lanes_place(own->before, own->lanes);
    for (uint32_t a = newest; a != HB_NONE; a = hb->accesses[a].previous) {
        uint8_t common = hb->touches[a].lanes & lanes;
        uint64_t mask = lanes_mask(common);
        word = (word & ~mask) | (lanes_place(hb->ex->accesses[a].before, hb->touches[a].lanes) & mask);
    }
    return word;
}

/* REV-2. Goes back to a kept read or write, which gives an absolute value, of all lanes needed; then applies
 * the kept accesses after it, oldest first. */
static int64_t value_in_context(const Reversal *r, const Access *own)
{
    const Hb *hb = r->hb;
    uint32_t newest = hb_newest(hb, own->resource), a;
    uint8_t needed = own->lanes;
    Positions *kept = &r->scratch->kept;
    kept->count = 0;
    for (a = newest; a != HB_NONE; a = hb->accesses[a].previous) {
        const Touch *touch = &hb->touches[a];
        if (touch->mode == MODE_NONE || !keeps(r, hb->accesses[a].position))
            continue;
        bool absolute = touch->mode == MODE_READ || touch->mode == MODE_WRITE;
        VEC_PUSH(kept, a);
        if (absolute && (touch->lanes & needed) == needed)
            break;
        needed |= absolute ? 0 : touch->lanes; /* adding carries from lane to lane */
    }
    uint64_t word = a == HB_NONE ? initial_word(hb, newest, needed, own) : 0;
    while (kept->count > 0) {
        uint32_t nth = kept->items[--kept->count];
        word = access_apply(word, &hb->ex->accesses[nth], (Mode)hb->touches[nth].mode); /* REV-1 */
    }
    return lanes_value(word, own->lanes);
}

/* Guards that only the program can evaluate are evaluated last, with all values at once. */
static bool enabled_in_context(const Reversal *r)
{
    bool any = false, all = true, guarded = false;
    uint64_t guard = 0;
    r->scratch->asked.count = 0;
    for (uint32_t n = 0; n < r->step.access_count; n++) {
        const Access *access = &r->hb->ex->accesses[r->step.first_access + n];
        if (access->role != ROLE_GUARD)
            continue;
        int64_t value = value_in_context(r, access);
        bool holds = access_condition_holds(access, value);
        if (access->relation == REL_PROGRAM) {
            guard = (uint64_t)access->operand;
            VEC_PUSH(&r->scratch->asked, value);
        }
        guarded = true;
        any = any || holds;
        all = all && holds;
    }
    Program *program = r->hb->ex->program;
    if (r->scratch->asked.count && all)
        return program->ops->guard_holds(program, guard, r->scratch->asked.items, r->scratch->asked.count);
    return !guarded || (r->step.flags & EVENT_GUARD_ANY ? any : all);
}

Resolved reversal_resolve(const Reversal *r, Label *label, Touch *touches)
{
    *label = (Label){
        .agent = r->step.agent, .index = r->step.index, .touches = touches, .touch_count = r->step.access_count};
    if (r->step.choice_count > 0 || r->step.flags & EVENT_RERUN)
        return RESOLVED_BY_RUN;
    for (uint32_t n = 0; n < r->step.access_count; n++) {
        const Access *access = &r->hb->ex->accesses[r->step.first_access + n];
        uint8_t mode = access->mode;
        if (r->step.flags & EVENT_OPAQUE) {
            if (value_in_context(r, access) != access->before)
                return RESOLVED_BY_RUN;
        } else if (access->role == ROLE_SWITCH) {
            mode = access_condition_holds(access, value_in_context(r, access)) ? access->mode_then : access->mode_else;
        }
        touches[n] = touch_of(access);
        touches[n].mode = mode;
        label->filter |= label_filter_bit(access->resource);
    }
    return RESOLVED_KNOWN;
}

/* ---- Conflicting events ----------------------------------------------- */

static bool contains(const Positions *set, uint32_t position)
{
    for (uint32_t i = 0; i < set->count; i++)
        if (set->items[i] == position)
            return true;
    return false;
}

static bool needed_to_exist(const Hb *hb, const ReversedStep *step, uint32_t position)
{
    return step->previous != HB_NONE && hb_reaches(hb, position, step->previous);
}

/* The access before the step's own on the same resource. */
static uint32_t chain_before(const Hb *hb, const ReversedStep *step, uint32_t nth)
{
    uint32_t a = step->position < hb->count ? hb->accesses[step->first_access + nth].previous
                                            : hb_newest(hb, hb->ex->accesses[step->first_access + nth].resource);
    while (a != HB_NONE && hb->accesses[a].position == step->position)
        a = hb->accesses[a].previous;
    return a;
}

/* Moves the nth cursor, if need be, to an access that conflicts and whose event the step does not need in order to
 * exist. What is hidden behind a needed write is needed too. */
static void settle_cursor(const Reversal *r, uint32_t nth)
{
    const Hb *hb = r->hb;
    const Access *access = &hb->ex->accesses[r->step.first_access + nth];
    ConflictCursor *cursor = &r->scratch->cursors.items[nth];
    for (; cursor->at != HB_NONE && cursor->open; cursor->at = hb->accesses[cursor->at].previous) {
        const Touch *touch = &hb->touches[cursor->at];
        if (!(touch->lanes & cursor->open) || !modes_conflict((Mode)access->mode, (Mode)touch->mode))
            continue;
        if (!needed_to_exist(hb, &r->step, hb->accesses[cursor->at].position))
            return;
        if (touch->mode == MODE_WRITE)
            cursor->open &= (uint8_t)~touch->lanes;
    }
    cursor->at = HB_NONE;
}

static void start_cursors(const Reversal *r)
{
    ReversalScratch *scratch = r->scratch;
    VEC_RESERVE(&scratch->cursors, r->step.access_count);
    scratch->conflicts.count = 0;
    for (uint32_t n = 0; n < r->step.access_count; n++) {
        scratch->cursors.items[n] = (ConflictCursor){.at = chain_before(r->hb, &r->step, n),
                                                     .open = r->hb->ex->accesses[r->step.first_access + n].lanes};
        settle_cursor(r, n);
    }
}

/* Does the access at the nth cursor hide all conflicts of the nth access before it? */
static bool hides_earlier(const Reversal *r, uint32_t nth)
{
    const Touch *touch = &r->hb->touches[r->scratch->cursors.items[nth].at];
    uint8_t lanes = r->hb->ex->accesses[r->step.first_access + nth].lanes;
    return touch->mode == MODE_WRITE && (touch->lanes & lanes) == lanes;
}

/* Adds the newest conflicting event that is not listed yet; false if none of the `open` accesses has any. */
static bool find_conflict(const Reversal *r, uint64_t open)
{
    ReversalScratch *scratch = r->scratch;
    Conflict next = {0};
    bool wanted = false;
    for (uint32_t n = 0; n < r->step.access_count; n++) {
        uint32_t at = scratch->cursors.items[n].at;
        if (at == HB_NONE)
            continue;
        wanted = wanted || open >> n % HIDING_ACCESSES & 1;
        if (r->hb->accesses[at].position > next.position)
            next.position = r->hb->accesses[at].position;
    }
    if (!wanted)
        return false;
    for (uint32_t n = 0; n < r->step.access_count; n++)
        for (ConflictCursor *cursor = &scratch->cursors.items[n];
             cursor->at != HB_NONE && r->hb->accesses[cursor->at].position == next.position; settle_cursor(r, n)) {
            if (r->step.access_count <= HIDING_ACCESSES && hides_earlier(r, n))
                next.hides |= 1ull << n;
            cursor->at = r->hb->accesses[cursor->at].previous;
        }
    VEC_PUSH(&scratch->conflicts, next);
    return true;
}

/* ---- Steps without a guard: the classical adjacent races ---------------- */

static void reverse_unguarded(Reversal *r, ReversalVisitor *visitor)
{
    uint32_t count;
    const uint32_t *races = hb_races(r->hb, r->step.position, &count);
    for (uint32_t i = 0; i < count; i++) {
        r->first = races[i];
        r->gone = &races[i];
        r->gone_count = 1;
        visitor->visit(visitor, r);
    }
}

/* ---- Steps with a guard: remove until enabled -------------------------- */

static bool removal_seen(const ReversalScratch *scratch, const Positions *gone)
{
    for (uint32_t i = 0; i < scratch->removals.count; i++) {
        const Removal *removal = &scratch->removals.items[i];
        if (removal->count == gone->count &&
            memcmp(&scratch->removed.items[removal->first], gone->items, gone->count * sizeof *gone->items) == 0)
            return true;
    }
    return false;
}

static Removal *add_removal(ReversalScratch *scratch, const Positions *gone)
{
    uint32_t first = scratch->removed.count;
    for (uint32_t i = 0; i < gone->count; i++)
        VEC_PUSH(&scratch->removed, gone->items[i]);
    VEC_PUSH(&scratch->removals, ((Removal){.first = first, .count = gone->count}));
    return &scratch->removals.items[scratch->removals.count - 1];
}

static void insert_sorted(Positions *set, uint32_t position)
{
    VEC_PUSH(set, position);
    for (uint32_t i = set->count - 1; i > 0 && set->items[i - 1] > set->items[i]; i--) {
        uint32_t swap = set->items[i];
        set->items[i] = set->items[i - 1];
        set->items[i - 1] = swap;
    }
}

/* Does the nth conflict happen before none of the newer ones that are still there? */
static bool last_remaining(const Reversal *r, const Positions *gone, uint32_t nth)
{
    const Conflict *conflicts = r->scratch->conflicts.items;
    for (uint32_t i = nth; i-- > 0;)
        if (!contains(gone, conflicts[i].position) && hb_reaches(r->hb, conflicts[nth].position, conflicts[i].position))
            return false;
    return true;
}

/* Tries one set of removals; if the step is still disabled, the set is extended later. */
static void try_removal(Reversal *r, const Positions *gone, ReversalVisitor *visitor)
{
    Removal *removal = add_removal(r->scratch, gone);
    r->first = gone->items[0];
    r->gone = gone->items;
    r->gone_count = gone->count;
    removal->enables = enabled_in_context(r);
    if (removal->enables)
        visitor->visit(visitor, r);
}

/* Extends a set of removals that does not suffice, by each conflict that is the last remaining one. Where every access
 * has a remaining conflict that hides the earlier ones, none of these is: they happen before it. */
static void extend_removal(Reversal *r, Removal base, ReversalVisitor *visitor)
{
    ReversalScratch *scratch = r->scratch;
    Positions *gone = &scratch->gone;
    uint64_t open = r->step.access_count < HIDING_ACCESSES ? (1ull << r->step.access_count) - 1 : UINT64_MAX;
    for (uint32_t i = 0; open && (i < scratch->conflicts.count || find_conflict(r, open)); i++) {
        const Conflict conflict = scratch->conflicts.items[i];
        gone->count = 0;
        for (uint32_t g = 0; g < base.count; g++)
            VEC_PUSH(gone, scratch->removed.items[base.first + g]);
        if (contains(gone, conflict.position))
            continue;
        open &= ~conflict.hides;
        if (!last_remaining(r, gone, i))
            continue;
        insert_sorted(gone, conflict.position);
        if (!removal_seen(scratch, gone))
            try_removal(r, gone, visitor);
    }
}

/* A thread that waits for what one step alone does, as for the end of another thread, cannot go first. */
static bool waits_for_one_step(const Reversal *r)
{
    const Hb *hb = r->hb;
    const Access *own = &hb->ex->accesses[r->step.first_access];
    uint32_t only = r->step.access_count == 1 ? chain_before(hb, &r->step, 0) : HB_NONE;
    return only != HB_NONE && hb->accesses[only].previous == HB_NONE && hb->touches[only].lanes == own->lanes &&
           own->relation != REL_PROGRAM && !access_condition_holds(own, hb->ex->accesses[only].before);
}

static void reverse_guarded(Reversal *r, ReversalVisitor *visitor)
{
    ReversalScratch *scratch = r->scratch;
    if (waits_for_one_step(r))
        return;
    start_cursors(r);
    scratch->gone.count = scratch->removed.count = scratch->removals.count = 0;
    add_removal(scratch, &scratch->gone);
    for (uint32_t s = 0; s < scratch->removals.count; s++)
        if (!scratch->removals.items[s].enables)
            extend_removal(r, scratch->removals.items[s], visitor);
}

void reversal_release(ReversalScratch *scratch)
{
    VEC_FREE(&scratch->conflicts);
    VEC_FREE(&scratch->cursors);
    VEC_FREE(&scratch->gone);
    VEC_FREE(&scratch->kept);
    VEC_FREE(&scratch->asked);
    VEC_FREE(&scratch->removed);
    VEC_FREE(&scratch->removals);
}

/* ---- Entry points ----------------------------------------------------- */

static bool has_guard(const Execution *ex, const Event *event)
{
    for (uint32_t n = 0; n < event->access_count; n++)
        if (ex->accesses[event->first_access + n].role == ROLE_GUARD)
            return true;
    return false;
}

void reversal_of_event(const Hb *hb, ReversalScratch *scratch, uint32_t position, ReversalVisitor *visitor)
{
    const Event *event = &hb->ex->events[position];
    bool guarded = has_guard(hb->ex, event);
    if (event->flags & EVENT_QUIET || (!guarded && !hb->events.items[position].race_count))
        return;
    Reversal r = {.hb = hb,
                  .scratch = scratch,
                  .step = {.agent = event->agent,
                           .index = event->index,
                           .position = position,
                           .previous = hb->events.items[position].previous,
                           .first_access = event->first_access,
                           .access_count = event->access_count,
                           .choice_count = event->choice_count,
                           .flags = event->flags}};
    if (guarded)
        reverse_guarded(&r, visitor);
    else
        reverse_unguarded(&r, visitor);
}

void reversal_of_blocked(const Hb *hb, ReversalScratch *scratch, const Blocked *blocked, ReversalVisitor *visitor)
{
    const Agent *agent = &hb->ex->agents[blocked->agent];
    Reversal r = {.hb = hb,
                  .scratch = scratch,
                  .step = {.agent = blocked->agent,
                           .index = agent->steps,
                           .position = hb->count,
                           .previous = hb_previous_of(hb, blocked->agent, agent->steps),
                           .first_access = blocked->first_access,
                           .access_count = blocked->access_count,
                           .flags = blocked->flags}};
    reverse_guarded(&r, visitor);
}
