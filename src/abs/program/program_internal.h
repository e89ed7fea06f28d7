/* program_internal.h - what the files of the ABS program share */
#ifndef ABS_PROGRAM_PROGRAM_INTERNAL_H
#define ABS_PROGRAM_PROGRAM_INTERNAL_H

#include "abs/program/program_abs.h"
#include "base/map.h"

/* A cycle of the wait-for graph; a deadlock once it is final. */
typedef struct TaskCycle {
    uint32_t first, count;     /* into circle_tasks                             */
    enum { CYCLE_OPEN, CYCLE_BROKEN, CYCLE_FINAL } state;    /* open: an object may die and break it */
    uint32_t position;         /* steps after which it became final             */
} TaskCycle;

struct AbsProgram {
    Program program;
    Model *model;
    Image *image;
    Machine *machine;
    AbsOptions options;
    AbsObserver *observer;
    Execution *single;         /* program_abs_execution; NULL: not needed yet  */
    AgentId last;              /* task that took the last step                 */
    Map described;             /* deadlocks whose findings were written        */
    uint32_t turn;             /* object that round robin chose last (policy)  */
    VEC(TaskCycle) cycles;       /* of this execution (task_cycles.c)                 */
    VEC(AgentId) cycle_tasks;
    uint32_t open_cycles;
    uint8_t **reached;         /* by code, computed on demand: the code that it can reach */
    Stability *stability;      /* NULL: none                                              */
    Killers *killers;          /* NULL: any method may kill its object                    */
};

/* ---- Bugs (findings.c) ---- */

/* Add findings to the execution. After a step: deadlocks, failed assertions and init blocks. At the end: further
 * deadlocks, unhandled exceptions, stuck tasks. */
void findings_after_step(AbsProgram *self, Execution *ex, AgentId agent);
void findings_at_end(AbsProgram *self, Execution *ex);
/* The tasks form a deadlock cycle: each waits for the next. */
void findings_add_deadlock(AbsProgram *self, Execution *ex, const AgentId *tasks, uint32_t count);

/* ---- Deadlocks (task_cycles.c) ---- */

/* Before an execution. */
void task_cycles_reset(AbsProgram *self);
/* Finds the cycle that the step closed, if any, and adds findings for the cycles that nothing can break any more. */
void task_cycles_after_step(AbsProgram *self, Execution *ex, AgentId agent);
void task_cycles_at_end(AbsProgram *self, Execution *ex);
void task_cycles_release(AbsProgram *self);

/* ---- Policies (policy.c) ---- */

/* Before an execution, after each step, and: may this enabled task run next? */
void policy_reset(AbsProgram *self);
void policy_note_step(AbsProgram *self, AgentId agent);
bool policy_allows(AbsProgram *self, AgentId agent);

/* ---- States (state.c) ---- */

/* A hash of the current state. Only with DEPENDENCE_EXACT: otherwise variables have no values before their first
 * assignment. */
uint64_t state_hash(Program *self);
/* The same with 128 bits, sums of hashes of 64 bits: of tasks, of objects; and what goes with it in ProgramOps. */
void state_fingerprint(Program *self, Fingerprint *state);
uint64_t state_alias(Program *self, AgentId agent);
uint64_t state_open(Program *self);
bool state_idle(Program *self, uint32_t since);

/* ---- Names and texts (describe.c): see ProgramOps ---- */

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
