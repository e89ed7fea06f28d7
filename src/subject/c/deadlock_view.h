/* deadlock_view.h - candidate cycles of C programs as reports show them */
#ifndef SUBJECT_C_DEADLOCK_VIEW_H
#define SUBJECT_C_DEADLOCK_VIEW_H

#include "app/run/buglist.h"
#include "report/cycleview.h"
#include "subject/c/candidate.h"

/* The directed search for one candidate. */
typedef struct CycleSearch {
    Bug *bug;
    bool borrowed;          /* its trace is that of another cycle at the same places */
    uint64_t executions, steps;
    double seconds;
} CycleSearch;

/* Fills in line, details, places, id, counts and the note of a view whose result is set. Its texts live until
 * deadlockview_release; the candidate must live as long. */
void deadlockview_fill(CycleView *view, const CycleCandidate *cycle, const CycleSearch *search);
void deadlockview_release(CycleView *view);

typedef enum DeadlockScope {
    SCOPE_CODE,     /* it follows from the code and directed searches           */
    SCOPE_EXPLORED, /* all schedules were explored                              */
    SCOPE_CUT,      /* not all of them                                          */
    SCOPE_BUG       /* there is a deadlock                                      */
} DeadlockScope;

/* Does the verdict follow from the code alone, so that it holds for every schedule and input? */
bool deadlockview_is_for_all(const CycleCandidates *cycles, DeadlockScope scope);
/* A clause of the verdict: what else it rests on, and what it does not cover. */
void deadlockview_write_scope(const CycleCandidates *cycles, DeadlockScope scope, Text *out);

#endif
