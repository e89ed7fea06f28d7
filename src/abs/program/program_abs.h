/* program_abs.h - an ABS model as a program under test (core/program.h) */
#ifndef ABS_PROGRAM_PROGRAM_ABS_H
#define ABS_PROGRAM_PROGRAM_ABS_H

#include "abs/run/machine.h"
#include "core/program.h"

/* Which of the enabled tasks may run: those that the schedulers of the model choose, or any. All others are for
 * simulation: they restrict the schedules in a way that no reduction takes into account. */
typedef enum TaskPolicy { TASKS_MODEL, TASKS_NONDET, TASKS_FIFO, TASKS_LIFO } TaskPolicy;
typedef enum ObjectPolicy { OBJECTS_ANY, OBJECTS_ROUND_ROBIN } ObjectPolicy;

/* How long duration(a, b) lasts: as long as the clock of ABS lets it, or a, a+1, ... or b. */
typedef enum TimeMode { TIME_ORDERED, TIME_FREE } TimeMode;

/* Costs take the capacity of deployment components, or have no effect. */
typedef enum ResourceMode { RESOURCES_COUNT, RESOURCES_IGNORE } ResourceMode;

typedef struct AbsOptions {
    ModelReading reading;
    AwaitMode await;
    DependenceLevel dependence; /* DEPENDENCE_EXACT goes with REDUCTION_EXACT and _STATES */
    TaskPolicy tasks;
    ObjectPolicy objects;
    uint64_t max_loop, max_switches, max_objects, max_chain, max_recursion; /* bounds (bounds.h); 0: none */
    bool whole_bounds; /* a bound ends the whole execution (END_CUT), see bounds.h */
    bool without_main; /* accept a model without main block                        */
    bool by_objects;   /* deadlocks at the same places of objects created at others are different bugs */
    bool keep_output;  /* keep what the model prints                               */
    bool keep_values;  /* of all fields, for reports                               */
    SessionOptions solver; /* for models with inputs; borrowed                         */
    TimeMode time;
    ResourceMode resources;
    uint64_t max_clock; /* bound on the time; 0: none                              */
    bool plain_inputs; /* inputs are concrete: one value per execution, no decisions  */
} AbsOptions;

typedef struct AbsProgram AbsProgram;

/* Reads, checks and lowers a model; the caller owns it. Errors and warnings are added to `diagnostics`; NULL with
 * `error` set if it cannot be run. */
AbsProgram *program_abs_create(const char *const *paths, uint32_t count, const AbsOptions *options, Text *diagnostics,
                               Error *error);
/* The same for a text in memory. */
AbsProgram *program_abs_create_text(const char *name, const char *text, size_t size, const AbsOptions *options,
                                    Text *diagnostics, Error *error);
void program_abs_destroy(AbsProgram *program);

/* Replaces the options; call it between searches. */
void program_abs_configure(AbsProgram *program, const AbsOptions *options);
/* Fixes inputs of the following executions (copied), overriding their plans; NULL: as planned. */
void program_abs_fix_inputs(AbsProgram *program, const InputValue *values, uint32_t count);

/* The program for the engine; the same object. */
Program *program_abs_program(AbsProgram *program);

/* Called after each execution, while its final state can be inspected. (Between executions a search also executes
 * prefixes, which change the state.) */
typedef struct AbsObserver AbsObserver;
struct AbsObserver {
    void (*ended)(AbsObserver *self, AbsProgram *program, const Execution *ex);
};

/* At most one observer (borrowed); NULL for none. */
void program_abs_observe(AbsProgram *program, AbsObserver *observer);

/* From the next execution on: see AbsOptions.keep_values; output is kept too. */
void program_abs_keep_values(AbsProgram *program, bool keep);

/* Makes executions record the outcomes of decisions: a byte per decision of the image (COVERED_*), in memory that the
 * workers share; NULL: stop recording. */
void program_abs_cover(AbsProgram *program, uint8_t *covered);
/* Marks the instructions that are executed from now on (borrowed). */
void program_abs_mark(AbsProgram *program, struct Marks *marks);
/* An execution for use outside searches, with an empty plan. Owned by the program, which has only one. */
Execution *program_abs_execution(AbsProgram *program);
/* Asks now and then, also within a step, whether executions may continue; if not, the execution is abandoned. */
void program_abs_set_clock(AbsProgram *program, bool (*may_continue)(void *context), void *context);
/* Adds the addresses of the instructions executed from now on to the map (borrowed); NULL: stop. */
void program_abs_trace_code(AbsProgram *program, struct Map *executed);
/* Executions begin in this state instead of the main block (borrowed); NULL: in the main block. */
void program_abs_set_start(AbsProgram *program, const struct StartState *start);
Model *program_abs_model(AbsProgram *program);

/* Decides which methods may kill the object they run on, by an uncaught exception or by `die`. Consulted only while a
 * cycle of the wait-for graph contains a suspended task. */
typedef struct Killers Killers;
struct Killers {
    bool (*may_kill)(Killers *self, const Code *method);
    void (*destroy)(Killers *self);
};

/* Takes ownership. NULL: any method may kill its object. */
void program_abs_set_killers(AbsProgram *program, Killers *killers);

/* Chooses enabled tasks that suffice to continue from a state (ProgramOps.sufficient). */
typedef struct Stability Stability;
struct Stability {
    uint32_t (*choose)(Stability *self, Machine *machine, AgentId *agents);
    void (*destroy)(Stability *self);
};

/* Takes ownership. NULL: all enabled tasks are needed. */
void program_abs_set_stability(AbsProgram *program, Stability *stability);

/* ---- The state after the last execution ---- */

/* A deadlock cycle: tasks each of which waits for the next, and nothing can break it. */
typedef struct AbsDeadlock {
    const AgentId *tasks;  /* valid until the next step */
    uint32_t task_count;
    uint32_t position;     /* steps after which this was certain */
} AbsDeadlock;

/* The deadlocks so far, also during an execution; `next` is 0 at first. False if there are no more. */
bool program_abs_deadlock(const AbsProgram *program, uint32_t *next, AbsDeadlock *deadlock);

/* Objects with their fields, one line each, in the order of their names; for reports and for comparing states. */
void program_abs_print_state(AbsProgram *program, Text *text);
/* A hash of the same: of objects and fields. */
uint64_t program_abs_objects_hash(const AbsProgram *program);
/* A hash of the same and of the states and results of all tasks. */
uint64_t program_abs_state_hash(AbsProgram *program);
/* What the model printed. */
const char *program_abs_output(const AbsProgram *program);
/* The unsupported feature that the execution reached, with its site; NULL if none. */
const char *program_abs_unsupported(const AbsProgram *program, uint64_t *site);

/* Numbers of the objects, oldest first; valid until the next execution. */
const uint32_t *program_abs_objects(AbsProgram *program, uint32_t *count);
/* "DB_1", the same in every execution of a class; "main" for object 0. */
void program_abs_object_name(AbsProgram *program, uint32_t object, Text *text);
/* "register", "register#2" if the object has several tasks of the method. */
void program_abs_task_name(AbsProgram *program, AgentId agent, Text *text);
/* "DB_1.register#2", "the main block" */
void program_abs_task_words(AbsProgram *program, AgentId agent, Text *text);
/* The value of a field. */
void program_abs_print_field(AbsProgram *program, uint32_t object, uint32_t field, Text *text);
/* " (x = 1, y = 2)": what the assertion that the task failed has read (only with keep_values). */
void program_abs_print_asserted(AbsProgram *program, const struct Task *task, Text *text);
/* The time that it is after a step of the clock. */
void program_abs_print_time(AbsProgram *program, const Execution *ex, const Event *event, Text *text);
/* The fields that a step changed: "; x = 3; y changes" (values only with keep_values). */
void program_abs_print_changes(AbsProgram *program, const Execution *ex, uint32_t event, Text *text);

/* The state of the last execution. */
const Machine *program_abs_machine(const AbsProgram *program);

#endif
