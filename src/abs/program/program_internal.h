/* program_internal.h - what the files of the ABS program share */
#ifndef ABS_PROGRAM_PROGRAM_INTERNAL_H
#define ABS_PROGRAM_PROGRAM_INTERNAL_H

#include "abs/program/program_abs.h"
#include "base/map.h"

/* Tasks each of which waits for the next. */
typedef struct TaskCycle {
    uint32_t first, count;     /* into circle_tasks                             */
    enum { CYCLE_OPEN, CYCLE_BROKEN, CYCLE_FINAL } state;    /* open: an object may die and break it */
    uint32_t position;         /* steps after which it was final                */
} TaskCycle;

struct AbsProgram {
    Program program;
    Model *model;
    Image *image;
    Machine *machine;
    AbsOptions options;
    AbsObserver *observer;
    Execution *single;         /* for runs one by one; NULL: not needed yet     */
    AgentId last;              /* task that took the last step                  */
    VEC(uint64_t) arrivals;    /* per task: when it came to its queue (policy)  */
    Map told;                  /* deadlocks that were put into words            */
    uint64_t clock;
    uint32_t turn;             /* object whose turn it was (policy)             */
    VEC(TaskCycle) cycles;       /* of this execution (task_cycles.c)                 */
    VEC(AgentId) cycle_tasks;
    uint32_t open_cycles;
    uint8_t **reached;         /* by code, once it is asked for: code it leads to */
    Stability *stability;      /* NULL: none                                    */
    Killers *killers;          /* NULL: any method may kill its object          */
};

/* ---- Bugs (findings.c) ---- */

void findings_after_step(AbsProgram *self, Execution *ex, AgentId agent);
void findings_at_end(AbsProgram *self, Execution *ex);
void findings_add_livelock(AbsProgram *self, Execution *ex);
/* Each of the tasks waits for the next. */
void findings_add_deadlock(AbsProgram *self, Execution *ex, const AgentId *tasks, uint32_t count);

/* ---- Deadlocks (task_cycles.c) ---- */

void task_cycles_reset(AbsProgram *self);
/* Looks for cycles that the step closed, and reports those that nothing can break any more. */
void task_cycles_after_step(AbsProgram *self, Execution *ex, AgentId agent);
void task_cycles_at_end(AbsProgram *self, Execution *ex);
void task_cycles_release(AbsProgram *self);

/* ---- Policies (policy.c) ---- */

void policy_reset(AbsProgram *self);
void policy_note_step(AbsProgram *self, AgentId agent);
bool policy_allows(AbsProgram *self, AgentId agent);

/* ---- States (state.c) ---- */

/* Only with DEPENDENCE_EXACT: else variables have no values before their first assignment. */
uint64_t state_hash(Program *self);

/* ---- Names and texts (describe.c) ---- */

void describe_agent(Program *self, AgentId agent, char *text, size_t size);
void describe_owner(Program *self, AgentId agent, char *text, size_t size);
void describe_resource(Program *self, uint64_t resource, uint8_t lanes, char *text, size_t size);
void describe_step(Program *self, uint16_t op, const Access *accesses, uint32_t count, char *text, size_t size);
bool describe_place(Program *self, uint64_t site, Place *place);
void describe_path(Program *self, AgentId agent, char *text, size_t size);
AgentId describe_find(Program *self, const char *path);
/* "DBimp_1" or "main" */
void describe_object(const AbsProgram *self, uint32_t object, Text *text);

#endif
