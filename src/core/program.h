/* program.h - the contract between the engine and a program under test
 *
 * A program is a set of agents that take atomic steps. It must be a pure
 * function of its decisions: the same plan gives the same events.
 *
 *   run      from the initial state, repeat: take the agent of the next plan entry
 *            (or, after the plan, the picker's or the default policy's choice),
 *            check that it is enabled (else END_DIVERGED), open its event, let it
 *            act up to just before its next visible operation, leave its footprint.
 *            At the end (also when the picker abandons the execution) list every
 *            unfinished agent that is not enabled in ex->blocked, and set ex->end.
 *            A step marked EVENT_FIXED that touches nothing may follow its agent's last
 *            one without asking: it is local.
 *   numbers  agent numbers and resource names are class-invariant: functions of an
 *            agent's own history, never of the schedule.
 *   guards   a pending step is enabled iff its ROLE_GUARD accesses are satisfied by
 *            the current values of their resources; these accesses are part of the
 *            event when the step runs, and of the Blocked record when it never does.
 *            Every change of a guard's value appears as an access that writes or
 *            accumulates on its resource, with the values before and after.
 *   inputs   before a plan is run, `solve` is asked for inputs that lead along it.
 *   a bug    (a failed assertion, an exit) is local: the agent stops for good, the
 *            others go on, since whatever they do could have come before. Only with
 *            stop_at_bug the execution is abandoned at once.
 */
#ifndef CORE_PROGRAM_H
#define CORE_PROGRAM_H

#include "core/execution.h"

/* A source position for people. Strings live as long as the program. */
typedef struct Place {
    const char *file;
    const char *function;
    uint32_t line;
    uint32_t column;
} Place;

/* An agent that is a message: its first step is that the receiver takes it. Actors are
 * numbered by the program, the same in every execution. */
typedef struct Mail {
    uint32_t sender;
    uint32_t receiver;
    uint64_t queue; /* messages of one queue arrive in the order of sending, where that is asked for */
    uint32_t order; /* how many messages were sent before it in the execution that runs              */
    bool timer;     /* no message: the time-out of a receive                                        */
} Mail;

typedef struct ProgramOps {
    /* Runs one execution. Called again and again; resets the program itself. */
    void (*run)(Program *self, Execution *ex);

    /* For pickers, while an execution runs. */
    bool (*enabled)(Program *self, AgentId agent);

    /* For pickers too: puts enabled agents that suffice to go on into `agents` (room for all) and
     * answers how many: whatever other agents do before one of these moves, their steps do not
     * conflict with the next steps of these (a persistent set). NULL: all are needed. */
    uint32_t (*sufficient)(Program *self, AgentId *agents);

    /* For reports; each writes a NUL-terminated text into the buffer. */
    void (*agent_name)(Program *self, AgentId agent, char *text, size_t size);
    void (*resource_name)(Program *self, uint64_t resource, uint8_t lanes, char *text, size_t size);
    /* What a step does, with values: "lock m", "x = 3 (was 1)". `accesses` are its footprint. */
    void (*step_text)(Program *self, uint16_t op, const Access *accesses, uint32_t count,
                      char *text, size_t size);
    /* The object that an agent belongs to ("DB_1"), for texts of its steps. NULL if agents
     * stand for themselves. */
    void (*agent_owner)(Program *self, AgentId agent, char *text, size_t size);
    /* False if the site is unknown. */
    bool (*place)(Program *self, uint64_t site, Place *place);

    /* Structural name of an agent for trace files ("0", "0.2", "0.2.1") and back;
     * agent_find answers AGENT_NONE if no such agent was ever created. */
    void (*agent_path)(Program *self, AgentId agent, char *text, size_t size);
    AgentId (*agent_find)(Program *self, const char *path);

    /* Would a guard hold if its resources had these values? `guard` and the order of the
     * values are those of the step's REL_PROGRAM accesses. Asked at any time, about any
     * guard met so far. NULL if the program has no such guards. */
    bool (*guard_holds)(Program *self, uint64_t guard, const int64_t *values, uint32_t count);

    /* While an execution runs: the message that an agent is; false if it is none. NULL if the
     * program has no messages. */
    bool (*mail)(Program *self, AgentId agent, Mail *mail);

    /* Are there inputs for which all literals hold and, of each clause, at least one does
     * not? Clause k is any[ends[k-1]..ends[k]). "Perhaps" counts as yes. NULL if the program
     * has no conditions. */
    bool (*feasible)(Program *self, const Literal *all, uint32_t count,
                     const Literal *any, const uint32_t *ends, uint32_t clauses);

    /* Finds inputs for the plan of `ex`; they are those of the next run. False if they could not be
     * found again, which the program counts: the plan is left out. NULL if a run needs none. */
    bool (*solve)(Program *self, const Execution *ex);

    /* A hash of the state after the last run, partial or not: what is equal has the same
     * future, and the same bugs behind it. NULL if the program does not know (REDUCTION_EXACT
     * needs it). */
    uint64_t (*state)(Program *self);

    /* The inputs of an execution in the order in which it asked for them, as text: "-3", or
     * bytes in quotes. NULL if the program has none. */
    void (*each_input)(Program *self, const Execution *ex,
                       void (*each)(void *context, const char *name, const char *value), void *context);
    /* From now on this input has that value in every execution; false if that is no value. */
    bool (*set_input)(Program *self, const char *name, const char *value);
} ProgramOps;

struct Program {
    const ProgramOps *ops;
};

static inline bool program_solves(Program *program, const Execution *ex)
{
    return !program->ops->solve || program->ops->solve(program, ex);
}

#endif
