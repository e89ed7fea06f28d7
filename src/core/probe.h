/* probe.h - partial runs: the outcomes of a step in a context in which it has not been executed yet
 *
 * The footprint of a step may depend on a value it reads or on a choice it makes. Where it cannot be predicted, the
 * program is run up to that step, once for each outcome.
 */
#ifndef CORE_PROBE_H
#define CORE_PROBE_H

#include "base/vec.h"
#include "core/label.h"
#include "core/program.h"
#include "core/schedule.h"

/* A partial run that killed its process, with what its last step did before it crashed. The tree needs that, so that
 * the crash is explored like any other outcome. */
typedef struct ProbeCrash ProbeCrash;
struct ProbeCrash {
    ProbeCrash *next;
    Schedule *plan;
    bool early;             /* it crashed before its last step                    */
    Event event;            /* the last one, with its accesses and choices        */
    Access *accesses;
    Choice *choices;
};

typedef struct Probe {
    Program *program;
    Execution *ex;          /* its plan is filled by the caller                   */
    uint64_t *runs;         /* the counter of partial runs                        */
    ProbeCrash *crashes;    /* in a region; NULL: none is known                   */
    bool diverged;          /* the program did not follow a plan                  */
    VEC(Touch) touches;     /* of the label passed to TakeOutcome                 */
    VEC(Literal) choices;
    VEC(Literal) literals;
} Probe;

/* Receives an outcome; the label is borrowed for the call. */
typedef void TakeOutcome(void *context, const Label *label);

void probe_init(Probe *probe, Program *program, Execution *ex, uint64_t *runs);
void probe_release(Probe *probe);

/* If another process died in the last partial run: what is known of it, in memory of the region. Else NULL. */
ProbeCrash *probe_find_crash(Probe *probe, Region *region);

/* Makes `label` the step at `position` of a plan that has all earlier steps, and ends the plan there. */
void plan_label(Execution *ex, uint32_t position, const Label *label);

/* Passes every feasible outcome of the plan's last step to `take`. */
void probe_outcomes(Probe *probe, TakeOutcome *take, void *context);
/* The same without the outcome in which the step made these choices. */
void probe_other_outcomes(Probe *probe, const Choice *taken, uint32_t count, TakeOutcome *take, void *context);

#endif
