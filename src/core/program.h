/* program.h - the contract between the engine and a program under test
 *
 * A program is a set of agents that take atomic steps. It must be a pure function of its decisions: the same plan
 * gives the same events.
 *
 *   run      from the initial state, repeat: take the agent of the next plan entry (or, after the plan, the one
 *            chosen by the picker or the default policy), check that it is enabled (else END_DIVERGED), open its
 *            event, let it run up to just before its next visible operation, leave its footprint.
 *            At the end (also when the picker abandons the execution) list every unfinished agent that is not
 *            enabled in ex->blocked, and set ex->end.
 *            A step marked EVENT_FIXED with an empty footprint may follow its agent's last one without a decision:
 *            it is local.
 *   numbers  agent numbers and resource names are class-invariant: functions of an agent's own history, never of
 *            the schedule.
 *   guards   a pending step is enabled iff its ROLE_GUARD accesses are satisfied by the current values of their
 *            resources; these accesses are part of the event when the step runs, and of the Blocked record when it
 *            never does. Every change of a guard's value appears as an access that writes or accumulates on its
 *            resource, with the values before and after.
 *   inputs   before a plan is run, `solve` finds inputs that lead along it.
 *   weak     unless ex->memory is MEMORY_SC, atomic operations are weak steps:
 *            WEAK-1  A weak step has one access with an order other than ORDER_STRONG; its location is the resource
 *                    with these lanes, and no two locations overlap. Its first choice, always there, says which write
 *                    of the location a read or an update reads: 0 is the last in coherence order among the writes
 *                    executed so far, k the kth before it, the initial value being the first of all. A write is
 *                    placed before the last k writes; an update right behind the write it reads. There are as many
 *                    options as writes, with the initial one; the engine takes consistent ones only.
 *            WEAK-2  `before` is the value read, `after` the value written. Memory holds the last write in coherence
 *                    order. A compare-and-exchange is a switch: it writes if the value read is the expected one,
 *                    and has two orders. Whatever may read and write has ORDER_UPDATES. With ORDER_MAY_FAIL it has
                    a second choice, if the value is the expected one: 0 it writes, 1 it only reads all the same.
 *                    What it would write had it read another value, `written` tells.
 *            WEAK-3  A weak step with a guard (a loop that waits) is enabled if the last write satisfies it; planned
 *                    with k, if the kth before the last does. A picker is asked also while no agent is enabled
                    but some wait so, and may take one of them, with such a k; AGENT_NONE ends the execution.
 *            WEAK-4  A fence is a step with one access of MODE_NONE with an order, to resource 0.
 *            WEAK-5  What strong steps synchronise is told by accesses of MODE_NONE: ORDER_RELEASE into the resource
 *                    happens before ORDER_ACQUIRE from it in a later step. The creation of an agent happens before
 *                    its first step; everything happens before a step that is EVENT_QUIET.
 *            WEAK-6  An agent in ex->held takes no step after so many, and is listed in ex->blocked. If its guard
 *                    holds at the end, the execution is of no interest: END_ABANDONED, without findings.
 *   a bug    (a failed assertion, an exit) is local: the agent stops, the others continue, since everything they do
 *            could have come before. Only with stop_at_bug the execution is abandoned at once.
 */
#ifndef CORE_PROGRAM_H
#define CORE_PROGRAM_H

#include "base/fingerprint.h"
#include "core/execution.h"

/* A source position for reports. Strings live as long as the program. */
typedef struct Place {
    const char *file;
    const char *function;
    uint32_t line;
    uint32_t column;
} Place;

/* An agent that is a message: its first step is its reception. Actors are numbered by the program, in the same way in
 * every execution. */
typedef struct Mail {
    uint32_t sender;
    uint32_t receiver;
    uint64_t queue; /* messages of one queue arrive in the order of sending, where that is required  */
    uint32_t order; /* how many messages were sent before it in the current execution                */
    bool timer;     /* not a message but the time-out of a receive, or a timer                       */
} Mail;

/* In an alias, see ProgramOps.alias. Who has the same alias but for this is the same agent. */
#define ALIAS_STRONG (1ull << 63)

typedef struct ProgramOps {
    /* Runs one execution, from the initial state of the program. */
    void (*run)(Program *self, Execution *ex);

    /* Whether an agent is enabled; for pickers, while an execution runs. */
    bool (*enabled)(Program *self, AgentId agent);

    /* For pickers too, under weak memory: whether an agent waits in a weak step that the last write does not let
     * continue; its access. It may be picked if the choice that follows takes a write that does. NULL: never. */
    bool (*waits)(Program *self, AgentId agent, Access *guard);

    /* For pickers too: whether the next step of an agent may conflict with this one, which was executed last. NULL: it
     * may. */
    bool (*may_conflict)(Program *self, AgentId agent, const Execution *ex, const Event *event);

    /* For pickers too: puts a persistent set of enabled agents into `agents` (room for all) and returns its size:
     * whatever other agents do before one of these takes a step, it does not conflict with the next steps of
     * these. NULL: all enabled agents are needed. */
    uint32_t (*sufficient)(Program *self, AgentId *agents);

    /* For reports; each writes a NUL-terminated text into the buffer. */
    void (*agent_name)(Program *self, AgentId agent, char *text, size_t size);
    void (*resource_name)(Program *self, uint64_t resource, uint8_t lanes, char *text, size_t size);
    /* What a step does, with values: "lock m", "x = 3 (was 1)". `accesses` are its footprint. */
    void (*step_text)(Program *self, uint16_t op, const Access *accesses, uint32_t count,
                      char *text, size_t size);
    /* The object that an agent belongs to ("DB_1"), for texts of its steps. NULL if there are no objects. */
    void (*agent_owner)(Program *self, AgentId agent, char *text, size_t size);
    /* False if the site is unknown. */
    bool (*place)(Program *self, uint64_t site, Place *place);

    /* Structural name of an agent for trace files ("0", "0.2", "0.2.1") and back;
     * agent_find returns AGENT_NONE if no such agent was ever created. */
    void (*agent_path)(Program *self, AgentId agent, char *text, size_t size);
    AgentId (*agent_find)(Program *self, const char *path);
    /* Before the first run: gives an agent the number that it had in another process; steps tell numbers of agents in
     * resources and values. False if that is not possible. NULL if they do not. */
    bool (*agent_number)(Program *self, const char *path, AgentId number);

    /* Whether a guard would hold if its resources had these values. `guard` and the order of the values are those
     * of the step's REL_PROGRAM accesses. May be called at any time, for any guard met so far. NULL if the
     * program has no such guards. */
    bool (*guard_holds)(Program *self, uint64_t guard, const int64_t *values, uint32_t count);

    /* While an execution runs: the message that an agent stands for; false if it is not a message. NULL if the
     * program has no messages. */
    bool (*mail)(Program *self, AgentId agent, Mail *mail);

    /* Whether there are inputs for which all literals hold and, of each clause, at least one does not. Clause k is
     * any[ends[k-1]..ends[k]). "Perhaps" counts as yes. NULL if the program has no conditions. */
    bool (*feasible)(Program *self, const Literal *all, uint32_t count,
                     const Literal *any, const uint32_t *ends, uint32_t clauses);

    /* The value that an update, event `event` of `ex`, would write if it read this one, whatever it has done. False if
     * that is not known: it must be run. NULL: it never is. */
    bool (*written)(Program *self, const Execution *ex, uint32_t event, int64_t read, int64_t *value);

    /* Finds inputs for the plan of `ex`, which the next run uses. False if they could not be found (again), which the
     * program counts: the plan is left out. NULL if a run needs no inputs. */
    bool (*solve)(Program *self, const Execution *ex);

    /* A hash of the state after the last run, partial or not: equal states have the same continuations and the same
     * bugs behind them. NULL if the program cannot compute it (REDUCTION_EXACT needs it). */
    uint64_t (*state)(Program *self);

    /* The same with 128 bits, also for pickers while an execution runs (REDUCTION_STATES). NULL if the program cannot
     * compute it. */
    void (*fingerprint)(Program *self, Fingerprint *state);
    /* For pickers: a name of an enabled agent. Agents with the same alias, in one state or in equal ones, take the same
     * steps from there. With ALIAS_STRONG the step is strongly fair. With `fingerprint` only. */
    uint64_t (*alias)(Program *self, AgentId agent);
    /* With `fingerprint` only: which obligations of the program are open, as bits, since none was met; 0 where a limit
     * was met. An execution that comes back to a state by a fair way, with an obligation open all along, ends
     * there: END_ABANDONED, with a finding (BUG_LIVENESS). */
    uint64_t (*open)(Program *self);
    /* With `fingerprint` only: have the steps since this event, so many of the execution, changed nothing? An execution
     * that comes back to a state by such steps ends there too, if each agent that was enabled meanwhile has taken one:
     * they can do nothing else for ever (BUG_LIVELOCK). */
    bool (*idle)(Program *self, uint32_t since);
    /* For pickers: an agent whose next step commutes with all steps that others may take before it, and does not lie on
     * a cycle of such steps; AGENT_NONE if there is none. NULL: there never is one. */
    AgentId (*local)(Program *self);

    /* The inputs of an execution in the order in which it read them, as text: "-3", or bytes in quotes. NULL if the
     * program has none. */
    void (*each_input)(Program *self, const Execution *ex,
                       void (*each)(void *context, const char *name, const char *value), void *context);
    /* What a condition on the inputs says, for reports: "(x <s 3)". NULL if the program has none. */
    void (*condition_text)(Program *self, uint32_t condition, char *text, size_t size);
    /* Gives an input a value in all later executions; false if the text is not a value. */
    bool (*set_input)(Program *self, const char *name, const char *value);
    /* Takes back what set_input gave: later executions get what `solve` finds. NULL if set_input is. */
    void (*forget_inputs)(Program *self);
} ProgramOps;

struct Program {
    const ProgramOps *ops;
    MemoryModel memory; /* of its executions */
};

/* Whether inputs for the plan of `ex` were found, if the program needs any. */
static inline bool program_solves(Program *program, const Execution *ex)
{
    return !program->ops->solve || program->ops->solve(program, ex);
}

#endif
