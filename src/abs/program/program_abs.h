/* program_abs.h - an ABS model as a program under test (core/program.h) */
#ifndef ABS_PROGRAM_PROGRAM_ABS_H
#define ABS_PROGRAM_PROGRAM_ABS_H

#include "abs/run/machine.h"
#include "core/program.h"

/* Which tasks may run, of those that could. All but the first are for simulation: they
 * restrict the schedules in a way that no reduction knows about. */
typedef enum TaskPolicy { TASKS_ANY, TASKS_FIFO, TASKS_LIFO } TaskPolicy;
typedef enum ObjectPolicy { OBJECTS_ANY, OBJECTS_ROUND_ROBIN } ObjectPolicy;

typedef struct AbsOptions {
    AwaitMode await;
    DependenceLevel dependence; /* DEPENDENCE_EXACT goes with REDUCTION_EXACT             */
    TaskPolicy tasks;
    ObjectPolicy objects;
    uint64_t max_loop, max_switches, max_objects, max_chain, max_recursion; /* limits (bounds.h); 0: none */
    bool whole_limits; /* who meets a limit ends the execution (END_CUT), see bounds.h  */
    bool without_main; /* a model without main block can be run all the same           */
    bool keep_output;  /* what the model prints                                        */
    bool keep_values;  /* so that reports can show the values of all fields            */
    SessionOptions solver; /* for models with inputs; borrowed                         */
    bool plain_inputs; /* one execution has one value of each input and asks for no other */
} AbsOptions;

typedef struct AbsProgram AbsProgram;

/* Reads, checks and lowers a model. What is wrong with it is added to `diagnostics`; NULL
 * with `error` set if it cannot be run. */
AbsProgram *program_abs_create(const char *const *paths, uint32_t count, const AbsOptions *options, Text *diagnostics,
                               Error *error);
/* The same for a text in memory. */
AbsProgram *program_abs_create_text(const char *name, const char *text, size_t size, const AbsOptions *options,
                                    Text *diagnostics, Error *error);
void program_abs_destroy(AbsProgram *program);

/* Other options for the searches from now on. */
void program_abs_configure(AbsProgram *program, const AbsOptions *options);
/* Inputs for the executions from now on (copied), whatever their plans say; NULL: as planned. */
void program_abs_fix_inputs(AbsProgram *program, const InputValue *values, uint32_t count);

Program *program_abs_program(AbsProgram *program);

/* Is told of each execution that is over, while its final state can be looked at. (Between
 * executions a search also makes partial runs, which change the state.) */
typedef struct AbsObserver AbsObserver;
struct AbsObserver {
    void (*ended)(AbsObserver *self, AbsProgram *program, const Execution *ex);
};

/* At most one observer (borrowed); NULL for none. */
void program_abs_observe(AbsProgram *program, AbsObserver *observer);

/* From the next execution on: see AbsOptions.keep_values; output is kept too. */
void program_abs_keep_values(AbsProgram *program, bool keep);

/* Lets executions note which ways decisions went: a byte per decision of the image (COVERED_*),
 * in memory that the workers share; NULL: no more. */
void program_abs_cover(AbsProgram *program, uint8_t *covered);
/* An execution for runs outside of searches, one at a time; the program's own. Made empty of plans. */
Execution *program_abs_execution(AbsProgram *program);
/* The instructions that are run from now on are added to the map, by their addresses; NULL: no more. */
void program_abs_trace_code(AbsProgram *program, struct Map *executed);
/* Executions begin with this state instead of the main block (borrowed); NULL: as usual. */
void program_abs_set_start(AbsProgram *program, const struct StartState *start);
Model *program_abs_model(AbsProgram *program);

/* Says which methods may kill the object they run on, by an exception that leaves their task or
 * by `die`. Asked only while a cycle of waiting tasks goes through a suspended one. */
typedef struct Killers Killers;
struct Killers {
    bool (*may_kill)(Killers *self, const Code *method);
    void (*destroy)(Killers *self);
};

/* The program owns them from now on. Without, any method may. */
void program_abs_set_killers(AbsProgram *program, Killers *killers);

/* Says which enabled tasks suffice to go on from a state (ProgramOps.sufficient). */
typedef struct Stability Stability;
struct Stability {
    uint32_t (*choose)(Stability *self, Machine *machine, AgentId *agents);
    void (*destroy)(Stability *self);
};

/* The program owns it from now on. Without, all are needed. */
void program_abs_set_stability(AbsProgram *program, Stability *stability);

/* ---- The state after the last execution ---- */

/* Tasks each of which waits for the next, so that none will ever go on. */
typedef struct AbsDeadlock {
    const AgentId *tasks;  /* valid until the next step */
    uint32_t task_count;
    uint32_t position;     /* steps after which this was certain */
} AbsDeadlock;

/* The deadlocks so far, also while it runs; `next` is 0 at first. False if there are no more. */
bool program_abs_deadlock(const AbsProgram *program, uint32_t *next, AbsDeadlock *deadlock);

/* Objects with their fields, one line each, in the order of their names; for people and for
 * comparing states. */
void program_abs_print_state(AbsProgram *program, Text *text);
/* A hash of the same: of objects and fields. */
uint64_t program_abs_objects_hash(const AbsProgram *program);
/* A hash of the same and of the states and results of all tasks. */
uint64_t program_abs_state_hash(AbsProgram *program);
/* What the model printed. */
const char *program_abs_output(const AbsProgram *program);
/* What the model needed and Sennit does not have, with its site; NULL if nothing. */
const char *program_abs_unsupported(const AbsProgram *program, uint64_t *site);

/* Numbers of the objects, oldest first; valid until the next execution. */
const uint32_t *program_abs_objects(AbsProgram *program, uint32_t *count);
/* "DB_1", the same in every execution of a class; "main" for object 0. */
void program_abs_object_name(AbsProgram *program, uint32_t object, Text *text);
/* "0.1:register" */
void program_abs_task_name(AbsProgram *program, AgentId agent, Text *text);
/* The value of a field. */
void program_abs_print_field(AbsProgram *program, uint32_t object, uint32_t field, Text *text);
/* The fields that a step changed: "; x = 3; y changes" (values only with keep_values). */
void program_abs_print_changes(AbsProgram *program, const Execution *ex, uint32_t event, Text *text);

const Machine *program_abs_machine(const AbsProgram *program);

#endif
