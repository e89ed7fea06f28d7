/* probe.h - partial runs: which outcomes a step can have where it has not been seen yet
 *
 * What a step touches may follow from a value it sees or from a choice it takes. Where its
 * footprint does not tell, the program is run up to that step, once for each outcome.
 */
#ifndef CORE_PROBE_H
#define CORE_PROBE_H

#include "base/vec.h"
#include "core/label.h"
#include "core/program.h"
#include "core/schedule.h"

/* A partial run that killed its process. What its last step did up to there is all that it will
 * ever do; the tree needs that, for the crash to be explored like any other outcome. */
typedef struct ProbeCrash ProbeCrash;
struct ProbeCrash {
    ProbeCrash *next;
    Schedule *plan;
    bool early;             /* it was not the last step that died                 */
    Event event;            /* the last one; its accesses and choices:            */
    Access *accesses;
    Choice *choices;
};

typedef struct Probe {
    Program *program;
    Execution *ex;          /* its plan is filled by the caller                   */
    uint64_t *runs;         /* counted here                                       */
    ProbeCrash *crashes;    /* in a region; NULL: none is known                   */
    bool diverged;          /* the program did not follow a plan                  */
    VEC(Touch) touches;     /* of the outcome handed out                          */
    VEC(Literal) choices;
    VEC(Literal) literals;
} Probe;

/* Takes an outcome; the label is borrowed for the call. */
typedef void TakeOutcome(void *context, const Label *label);

void probe_init(Probe *probe, Program *program, Execution *ex, uint64_t *runs);
void probe_release(Probe *probe);

/* Another process may have died in the last run: then what is known of it, in memory of the
 * region, else NULL. */
ProbeCrash *probe_find_crash(Probe *probe, Region *region);

/* Makes `label` the step at `position` of a plan that has all before it, and ends the plan there. */
void plan_label(Execution *ex, uint32_t position, const Label *label);

/* Every feasible outcome of the plan's last step, whose choices are free. */
void probe_outcomes(Probe *probe, TakeOutcome *take, void *context);
/* Every feasible outcome of the plan's last step other than the one in which it took these choices. */
void probe_other_outcomes(Probe *probe, const Choice *taken, uint32_t count, TakeOutcome *take, void *context);

#endif
