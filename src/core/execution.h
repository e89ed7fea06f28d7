/* execution.h - one execution: the plan it follows and the events it leaves
 *
 * The engine fills the first part, the program under test runs and fills the second. All arrays are reserved once
 * at full size (address space, not memory) in memory shared with the supervising process, so the events of a
 * program that dies are not lost.
 */
#ifndef CORE_EXECUTION_H
#define CORE_EXECUTION_H

#include <stddef.h>

#include "core/cut.h"
#include "core/event.h"
#include "core/outcome.h"

typedef struct Execution Execution;
typedef struct Program Program;

/* One entry of a plan: run a step of `agent`; its choices take the given values,
 * further choices of the step are free. */
typedef struct PlanStep {
    AgentId agent;
    uint16_t choice_count;
    uint16_t reserved;
    uint32_t first_choice; /* into Execution.plan_choices */
} PlanStep;

/* An agent that takes no step any more once it has taken `steps`. */
typedef struct HeldAgent {
    AgentId agent;
    uint32_t steps;
} HeldAgent;

/* Decides what happens after the plan. Without one the default policy applies: continue with the current agent
 * while it is enabled, else with the enabled agent that has the smallest number; choices take option 0. */
typedef struct Picker Picker;
struct Picker {
    /* The next agent, which must be enabled; AGENT_NONE abandons the execution.
     * Called only while some agent is enabled (WEAK-3 says what else). `current` ran last (or NONE). */
    AgentId (*pick)(Picker *self, Execution *ex, AgentId current);
    /* One of 0..options-1, also if there is only one; NULL means always 0. */
    uint32_t (*choose)(Picker *self, Execution *ex, uint32_t options);
    /* Notified of a branch that the inputs decided; may be NULL. */
    void (*branched)(Picker *self, Execution *ex, uint32_t condition, uint32_t taken);
    /* Notified that the execution begins again along the same plan, with other inputs: nothing behind the plan has
     * been decided. May be NULL. */
    void (*restarted)(Picker *self);
    bool passes;  /* knows the states that the execution comes back to: the program need not notice (ProgramOps.idle) */
    bool samples; /* other inputs than those of a failed assumption would do: the execution begins again with them */
};

typedef struct Agent {
    AgentId creator;        /* AGENT_NONE for a root agent            */
    uint32_t creator_step;  /* index of the creator's newest step; UINT32_MAX: it had taken none (execution_creation) */
    uint32_t nth;           /* of its creator's agents                */
    uint32_t steps;         /* steps taken so far                     */
} Agent;

/* A step that was pending but not enabled when the execution ended. */
typedef struct Blocked {
    AgentId agent;
    uint32_t first_access;  /* its guard and footprint, in Execution.accesses */
    uint16_t access_count;
    uint16_t op;
    uint16_t flags;         /* EVENT_* */
    uint64_t site;
} Blocked;

enum {
    EXECUTION_MAX_EVENTS = 1 << 23,
    EXECUTION_MAX_SHARED_EVENTS = 1 << 22, /* of several agents; the search needs more memory for each then */
    EXECUTION_MAX_ACCESSES = 1 << 24,
    EXECUTION_MAX_CHOICES = 1 << 20,
    EXECUTION_MAX_STEP_CHOICES = 1 << 12,
    EXECUTION_MAX_AGENTS = 1 << 13,
    EXECUTION_MAX_FINDINGS = 64,
    EXECUTION_MAX_NOTES = 1 << 28 /* bytes */
};

struct Execution {
    Program *program;

    /* -- given by the engine -- */
    PlanStep *plan;
    Literal *plan_choices;     /* their conditions are what the inputs must satisfy           */
    uint32_t plan_length;
    bool stop_after_plan;      /* end right after the last planned step: END_PLANNED          */
    bool stop_at_bug;          /* the first finding ends the execution; otherwise the agent
                                  at fault stops and the others continue                      */
    uint32_t max_agent_steps;  /* an agent that reaches this stops (0: no limit)              */
    bool stops_detours;        /* every class is visited: an agent whose newest steps led back to the
                                  state before them may stop, END_ABANDONED (SPIN-22)         */
    const HeldAgent *held;          /* agents that wait to the end (WEAK-6)                         */
    uint32_t held_count;
    MemoryModel memory;        /* whether atomic operations are weak (program.h)              */
    Picker *picker;            /* NULL: default policy                                        */

    /* -- left by the program -- */
    Event *events;
    Access *accesses;
    Choice *choices;
    Agent *agents;             /* indexed by AgentId; entries exist once created              */
    Blocked *blocked;
    Finding *findings;
    unsigned char *notes;      /* for the program: what it needs to answer later questions about
                                  this execution, perhaps in another process (guard_holds)    */
    uint32_t event_count, access_count, choice_count, agent_count;
    uint32_t blocked_count, finding_count;
    uint32_t idle_count;       /* blocked steps that no agent waits for: undelivered messages */
    size_t notes_size;         /* bytes of `notes` in use                                     */
    uint32_t cut_count;        /* how often limits were met: agents stopped, waits kept from
                                  timing out; see execution_cut                               */
    uint32_t cuts[CUT_COUNT];  /* the same, for each limit                                    */
    bool did_new;              /* code was executed for the first time in this run            */
    bool restored;             /* it was continued from a state that the program had kept     */
    uint32_t assumed_away;     /* agents stopped by a failed assumption                       */
    ExecutionEnd end;
    int status;                /* for the program: its exit status, 128 + signal after abort() */
    void *inputs;              /* for the program: the values of the inputs, in shared memory */
    uint32_t diverged_at;      /* END_DIVERGED: position of the plan                          */
};

/* Reserves the arrays in shared address space. Ends the process if that fails. */
Execution *execution_create(Program *program);
void execution_destroy(Execution *ex);

/* Empties the part that the program fills; the plan stays. */
void execution_reset(Execution *ex);
/* The number of preemptions among the first `length` steps. */
uint32_t execution_preemptions(const Execution *ex, uint32_t length);

/* -- For programs: leaving events ----------------------------------------- */

/* Opens the event of a step; accesses and choices added next belong to it. */
static inline Event *execution_add_event(Execution *ex, AgentId agent, uint16_t op, uint64_t site)
{
    Event *event = &ex->events[ex->event_count++];
    event->agent = agent;
    event->index = ex->agents[agent].steps++;
    event->first_access = ex->access_count;
    event->first_choice = ex->choice_count;
    event->access_count = 0;
    event->choice_count = 0;
    event->op = op;
    event->flags = 0;
    event->site = site;
    return event;
}

/* Adds an uninitialised access to the newest event; the caller fills it. */
static inline Access *execution_add_access(Execution *ex)
{
    ex->events[ex->event_count - 1].access_count++;
    return &ex->accesses[ex->access_count++];
}

/* The step in which an agent was created: the newest one of its creator or, if that had taken none yet, the one in
 * which the creator itself was created, and so on. False if no step was taken before. */
static inline bool execution_creation(const Execution *ex, AgentId agent, AgentId *by, uint32_t *index)
{
    const Agent *entry = &ex->agents[agent];
    while (entry->creator != AGENT_NONE && entry->creator_step == UINT32_MAX)
        entry = &ex->agents[entry->creator];
    *by = entry->creator;
    *index = entry->creator_step;
    return entry->creator != AGENT_NONE;
}

/* Was the agent created in this step? */
static inline bool execution_created_in(const Execution *ex, AgentId agent, AgentId by, uint32_t index)
{
    AgentId creator;
    uint32_t step;
    return execution_creation(ex, agent, &creator, &step) && creator == by && step == index;
}

/* Does the agent wait to the end, having taken so many steps? */
static inline bool execution_holds(const Execution *ex, AgentId agent, uint32_t steps)
{
    for (uint32_t i = 0; i < ex->held_count; i++)
        if (ex->held[i].agent == agent)
            return steps >= ex->held[i].steps;
    return false;
}

/* Is there room for another choice in the newest event? */
static inline bool execution_has_choice(const Execution *ex)
{
    return ex->choice_count < EXECUTION_MAX_CHOICES &&
           ex->events[ex->event_count - 1].choice_count < EXECUTION_MAX_STEP_CHOICES;
}
/* Makes a choice inside the newest event: as planned, else by the picker, else 0. Returns UINT32_MAX if the planned
 * value is not below `options` (divergence). */
uint32_t execution_choose(Execution *ex, uint32_t options);
/* Adds a choice that the inputs made: `taken` is 0 if the condition holds. Returns false if the plan says
 * otherwise (divergence). */
bool execution_branch(Execution *ex, uint32_t condition, uint32_t taken);

/* Adds a finding (at most EXECUTION_MAX_FINDINGS, others are dropped) and returns it. */
Finding *execution_add_finding(Execution *ex, BugKind kind);

/* A limit of Sennit was met. */
static inline void execution_cut(Execution *ex, CutKind kind)
{
    ex->cut_count++;
    ex->cuts[kind]++;
}

/* Was any limit met? Then what was left waiting, or is missing at the end, may be due to that. */
static inline bool execution_is_cut(const Execution *ex) { return ex->cut_count > 0; }

/* Did a bug end it inside its last step (stop_at_bug)? Then what that step does is known in part only. */
static inline bool execution_broke_off(const Execution *ex)
{
    return ex->stop_at_bug && ex->end == END_ABANDONED && ex->finding_count > 0;
}

/* The finding of the execution that is the same bug as `wanted`, or NULL. */
const Finding *execution_find_bug(const Execution *ex, const Finding *wanted);

#endif
