/* reversal.h - the reversals of the races of an execution
 *
 * A step e races with earlier steps: without some of them, e could have come before them. A reversal is that
 * other order: after the first `first` events, replay the events that do not depend on the removed ones, then
 * run e. For a step with a guard, conflicting events are removed one by one, latest first, until it is enabled;
 * so whole critical sections are removed. Steps that were blocked forever at the end of the execution are
 * treated in the same way.
 * Paper: Abdulla et al., "Optimal DPOR", extended to guards and to footprints that depend on data; invariants
 * in docs/design/exploration.md.
 */
#ifndef CORE_DPOR_REVERSAL_H
#define CORE_DPOR_REVERSAL_H

#include "core/hb.h"
#include "core/tree/insert.h"

/* The step being reversed: an event of the execution, or a blocked step. */
typedef struct ReversedStep {
    AgentId agent;
    uint32_t index;
    uint32_t position;       /* of the event, or the number of events if blocked       */
    uint32_t previous;       /* the agent's step before it (or its creation), HB_NONE  */
    uint32_t first_access;
    uint16_t access_count;
    uint16_t choice_count;
    uint16_t flags;          /* EVENT_* */
} ReversedStep;

/* Working memory, reused by all reversals. Start with {0}. */
typedef VEC(uint32_t) Positions;
typedef struct Removal {
    uint32_t first, count; /* a sorted run of ReversalScratch.removed                */
    bool enables;          /* the step can run without them: nothing more to remove  */
} Removal;
/* An event before the step that conflicts with it and that it does not need in order to exist. */
typedef struct Conflict {
    uint32_t position;
    uint64_t hides;        /* bits: accesses of the step whose earlier conflicts all happen before this one */
} Conflict;
/* How far the chain of one access of the step has been searched for conflicts. */
typedef struct ConflictCursor {
    uint32_t at;           /* the next one, or HB_NONE                               */
    uint8_t open;          /* lanes not hidden by a write that the step needs        */
} ConflictCursor;
enum { HIDING_ACCESSES = 64 };
typedef struct ReversalScratch {
    VEC(Conflict) conflicts; /* newest first, as many as were asked for */
    VEC(ConflictCursor) cursors;
    Positions gone, kept;
    Positions removed;
    VEC(int64_t) asked; /* values for guards that the program evaluates */
    VEC(Removal) removals;
} ReversalScratch;
void reversal_release(ReversalScratch *scratch);

typedef struct Reversal {
    const Hb *hb;
    ReversalScratch *scratch;
    ReversedStep step;
    uint32_t first;          /* the earliest removed event                              */
    const uint32_t *gone;    /* positions removed, with everything that depends on them  */
    uint32_t gone_count;
} Reversal;

typedef struct ReversalVisitor ReversalVisitor;
struct ReversalVisitor {
    void (*visit)(ReversalVisitor *self, const Reversal *reversal);
};

/* Visits the reversals of the event at `position`. */
void reversal_of_event(const Hb *hb, ReversalScratch *scratch, uint32_t position, ReversalVisitor *visitor);
/* Visits the reversals of a step that was pending and disabled at the end. */
void reversal_of_blocked(const Hb *hb, ReversalScratch *scratch, const Blocked *blocked, ReversalVisitor *visitor);

/* Appends the labels of the events from `first` on that are replayed before the reversed step. */
void reversal_sequence(const Reversal *reversal, LabelSequence *sequence);

typedef enum Resolved {
    RESOLVED_KNOWN,   /* the label is that of the step in its new context */
    RESOLVED_BY_RUN   /* the step has to be run to find its label         */
} Resolved;

/* The label of the reversed step in its new context. `touches` has room for all its
 * accesses; the label points into it. */
Resolved reversal_resolve(const Reversal *reversal, Label *label, Touch *touches);

#endif
