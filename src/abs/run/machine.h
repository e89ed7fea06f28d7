/* machine.h - the state of an execution of a model, and the interpreter that changes it
 *
 * Objects live in cogs; a cog is named after its first object. A task runs until it ends or reaches a release point:
 * that is one step (a macro-step). Its footprint is recorded while it runs (footprint.h). All values of an execution
 * are in one arena, which is emptied for the next one. The rules are in docs/design/abs.md.
 */
#ifndef ABS_RUN_MACHINE_H
#define ABS_RUN_MACHINE_H

#include "abs/check/types.h"
#include "abs/lower/ir.h"
#include "abs/run/bounds.h"
#include "abs/run/knowledge.h"
#include "abs/value/names.h"
#include "core/execution.h"
#include "sym/session/session.h"

/* What an await does when its guard holds: continue, or let other tasks run first. For a future, AWAIT_CONTINUE
 * continues if the task knows that it is resolved (knowledge.h); AWAIT_LITERAL if it is resolved, which is for
 * searches without reduction. */
typedef enum AwaitMode { AWAIT_CONTINUE, AWAIT_RELEASE, AWAIT_LITERAL } AwaitMode;
typedef enum DependenceLevel { DEPENDENCE_ACTOR, DEPENDENCE_FIELDS, DEPENDENCE_EXACT } DependenceLevel;

/* One activation of a method, init or recover block, or of the main block. */
typedef struct Frame Frame;
struct Frame {
    Frame *caller;
    const Code *code;
    const Instr *pc;       /* where it continues; of a caller: its call */
    uint32_t object;       /* this; 0 in the main block                 */
    uint32_t room;         /* registers allocated                       */
    uint32_t turns;        /* as in Call                                */
    uint32_t decisions;
    Value registers[];
};

typedef enum TaskState {
    TASK_ABSENT,           /* not created in this execution                       */
    TASK_NEW,
    TASK_INIT,             /* new, and holds the cog of its new object            */
    TASK_READY,            /* suspended, without condition                        */
    TASK_AWAIT,            /* suspended until its guard holds                     */
    TASK_GET,              /* holds its cog until a future is resolved            */
    TASK_RUNNING,
    TASK_DONE,
    TASK_KILLED,           /* its object died while it was suspended              */
    TASK_STOPPED,          /* by a bound                                          */
    TASK_DELAY,            /* holds its cog until time has passed                 */
    TASK_COST,             /* holds its cog, and asks its component for resources next */
    TASK_CLOCK             /* the clock, which is no task of the model (clock.h)  */
} TaskState;

struct Task {
    AgentId id;
    uint8_t state;         /* TaskState                                  */
    uint8_t killed_state;  /* TASK_KILLED: its state before              */
    bool failed;           /* ended by an exception, which is its result */
    bool seen;             /* a task has read the result                 */
    bool handled;          /* its object recovered                       */
    bool keeps;            /* TASK_STOPPED: it keeps its cog             */
    bool guard_known;      /* guard_holds was computed at guard_version  */
    bool guard_holds;
    uint32_t guard_version;
    uint32_t object;       /* whose method it runs; 0: main              */
    uint32_t cog;
    const Code *code;
    Frame *frame;          /* newest                                     */
    Value result;          /* once it ended                              */
    const Guarding *guard; /* TASK_AWAIT                                 */
    AgentId wanted;        /* TASK_GET                                   */
    uint32_t children, objects; /* created so far                                 */
    uint32_t draws;        /* inputs it asked for so far                          */
    const Knowledge *known;/* tasks it knows to be over                           */
    const Knowledge *last; /* of a task that is over: what it knew then           */
    uint32_t created_stamp;/* step of the execution in which it was created       */
    uint64_t site;         /* where it waits or begins, or where it failed        */
    const AssertReads *asserted;  /* what an assertion that failed has read                       */
    const Value *asserted_values; /* the same; NULL without keep_values                           */
    AgentId failure_from;  /* task whose exception it got, or that killed its object; NONE: it threw first */
    /* time (clock.h) */
    bool delayed;          /* TASK_AWAIT, TASK_DELAY: it waits for the clock              */
    uint32_t moment;       /* the same: number of the moment since which it does not; 0: it never did */
    Value earliest, latest;/* the times between which it waits                            */
    Value amount;          /* TASK_COST, TASK_DELAY: what its component still has to give; VALUE_NONE: nothing */
    uint8_t resource;      /* CapacityKind of it                                          */
    Value arrival;         /* when it was created                                         */
    Value deadline;        /* the time; VALUE_NONE: none                                  */
    bool holds;            /* TASK_AWAIT in a model with inputs: its condition    */
    Value raised;          /* what the condition threw, or VALUE_NONE             */
    KnowledgeSlot guard_slot;
    uint32_t queued;              /* when it came into the queue of its cog (turn.h)     */
    uint32_t ordinal;             /* among those of its method on its object, computed on demand; 0: it is alone */
    const struct IdleReads *idle; /* TASK_READY: what its next step waits for; NULL: it may run (idle.h) */
};

typedef struct ModelObject {
    const ClassCode *class; /* NULL: does not exist in this execution                          */
    uint32_t cog;           /* its first object                                                */
    AgentId holder;         /* of a first object: task that holds the cog, or NONE             */
    bool dead;
    AgentId killer;         /* of a dead object: the task that failed, or NONE                 */
    uint32_t created_stamp;
    const Code *creation;   /* the code that created it, run by this object:                   */
    uint32_t creator;
    uint32_t creation_at;   /* with this instruction                                           */
    uint32_t component;     /* of a first object: where its cog is deployed; 0: nowhere        */
    bool local;             /* in its creator's cog                                            */
    const Guarding *scheduler; /* of a first object: chooses the next task (turn.h); NULL: any */
    AgentId turn;           /* the task it has chosen, or NONE                                 */
    uint32_t entered;       /* tasks that have come into the queue so far                      */
    uint32_t turn_stamp;    /* step that has changed the queue last                            */
    int64_t turn_value;
    uint32_t last_task;     /* that took a step on it, + 1; counted with max_switches          */
    uint32_t switches;
    uint32_t steps;         /* counted with whole_bounds and max_chain                         */
    uint32_t rank;          /* among the objects of its class, computed on demand (describe.c) */
    uint32_t actor_stamp;   /* step that touched it last (DEPENDENCE_ACTOR)                    */
    uint32_t version;       /* changes with every assignment to a field                        */
    uint64_t name;          /* hash; its resources are made of it                              */
    ExprId identity;        /* of an object of the start state (unknown.h)                     */
    const char *path;       /* the same; else NULL                                             */
    Value *fields;
    uint64_t *marks;        /* per field: stamp << 32 | access of this step                    */
    KnowledgeSlot cog_slot, life_slot, actor_slot;
    KnowledgeSlot *field_slots;
} ModelObject;

/* A resource that the step accessed: the step adds its knowledge there. */
typedef struct Touched {
    KnowledgeSlot *slot;
    uint32_t access;        /* of the event, for its final mode                    */
} Touched;

/* An unknown reference that was resolved to an object of the start state. */
typedef struct ResolvedPath {
    const char *path;
    uint32_t object;
} ResolvedPath;

/* A call of pure code: where to continue afterwards. */
typedef struct Call {
    const Instr *next;      /* NULL: return to machine_evaluate                  */
    Value *registers;
    Value *top;
    uint16_t target;
    /* kept with bounds on recursion */
    const Code *code;
    uint32_t depth;         /* how often the code called itself on the way here  */
    uint32_t turns;         /* the same, where inputs decided something between  */
    uint32_t decisions;     /* of the execution when it was called               */
} Call;

/* A step read the result of a task. */
typedef struct Receipt {
    uint32_t stamp; /* of the step */
    AgentId from;
} Receipt;

typedef struct MachineOptions {
    AwaitMode await;
    DependenceLevel dependence;
    uint64_t max_heap;      /* bytes of values in one execution                 */
    uint64_t max_loop;      /* bounds.h; 0: no bound                            */
    uint64_t max_switches, max_objects, max_chain, max_recursion;
    bool whole_bounds;      /* exceeding one ends the execution                 */
    uint64_t max_fuel;      /* backward jumps and calls in one step             */
    bool keep_output;       /* of print and println                             */
    bool keep_values;       /* of all fields, for reports                       */
    SessionOptions solver;  /* for models with inputs                           */
    bool plain_inputs;      /* concrete values without expressions or decisions */
    bool free_delays;       /* the length of a delay is a choice                 */
    bool ignore_resources;  /* costs have no effect                             */
    bool ignore_schedulers; /* any task may be next                             */
    uint64_t max_clock;     /* the clock goes no further; 0: no bound           */
} MachineOptions;

enum { COVERED_TRUE = 1, COVERED_FALSE = 2, COVERED_BOTH = 3 };

struct Machine {
    const Image *image;
    NameTable *names;
    ValueContext context;
    MachineOptions options;
    Execution *ex;
    Arena heap;             /* of this execution                    */
    Arena scratch;          /* of one evaluation outside executions */
    Arena *arena;           /* where new values go: heap or scratch */
    /* this execution */
    Task *tasks;            /* by agent                                          */
    uint32_t task_count;    /* numbers in use: entries above are stale           */
    ModelObject *objects;   /* by number                                         */
    VEC(uint32_t) live;     /* numbers of the objects                            */
    uint32_t ranked;        /* how many objects there were when they were ranked */
    uint32_t announced;     /* how many tasks there are                           */
    uint32_t numbered;      /* how many there were when they were numbered        */
    VEC(uint32_t) starters; /* of those of the start state, in order of creation */
    VEC(ResolvedPath) resolved; /* one per resolution, repetitions included        */
    Frame *free_frames[64]; /* by size / 4                                         */
    Text output;
    const char *unsupported;/* the feature that the execution reached, or NULL     */
    uint64_t unsupported_site;
    bool init_failed;       /* an exception left an init block, thrown here:       */
    uint64_t init_site;
    AgentId clock;          /* AGENT_NONE: time never passes (clock.h)             */
    Value now;
    uint32_t clock_read;           /* the step that has read it last                      */
    uint32_t moment;               /* how often the clock has advanced                    */
    Value supposed_now;            /* while a guard is evaluated for other orders         */
    Value call_deadline;           /* of the next call; VALUE_NONE: none                  */
    uint32_t new_component;        /* of the next object; 0: that of its creator          */
    const Guarding *new_scheduler; /* of the next object; NULL: that of its class   */
    VEC(uint32_t) changed_queues;  /* cogs whose queue this step changes (turn.h)   */
    VEC(AgentId) queue;            /* of the cog whose scheduler chooses                  */
    VEC(AgentId) starving;         /* tasks that wait for resources, in their order       */
    KnowledgeSlot clock_slot;
    VEC(Births) births;
    VEC(Find) finds;
    bool has_inputs;        /* values may be symbols (symbol.h)                         */
    bool diverged;          /* a decision on inputs differs from the plan               */
    bool refused;           /* the inputs are excluded (inputs_require)                 */
    bool inspecting;        /* after the execution: values are read, nothing is decided */
    uint32_t decisions;     /* on inputs, so far                                        */
    uint32_t limited;       /* unknown values that could have been larger               */
    uint32_t concretised;   /* values for which only the current inputs are explored    */
    /* this step */
    uint32_t stamp;         /* number of the step, from 1                               */
    VEC(Receipt) receipts;  /* of this execution, only with keep_values                 */
    Task *task;
    Frame *frame;           /* newest of the task                                       */
    uint64_t fuel;
    uint32_t cog_access;    /* UINT32_MAX: none yet                                     */
    int64_t cog_before;     /* value of the cog when the step began                     */
    bool read_data;         /* its footprint may depend on other tasks                  */
    bool wrote_guarded;     /* it assigned a field that some guard reads                */
    bool killed;            /* an object died: depends on which tasks existed           */
    bool printed;           /* it printed something                                     */
    uint64_t idle_hash;     /* of the task before the step, if that may repeat (idle.h) */
    uint32_t idle_children, idle_objects, idle_draws;
    bool asked;             /* it tested its knowledge: depends on its past             */
    const Knowledge *given; /* knowledge that needs no conflicting access               */
    VEC(Touched) touched;
    VEC(AgentId) created;   /* tasks that the step created: they know all that it knows */
    /* pure code */
    Value *registers;       /* of the code that runs                                */
    Value *stack, *top, *stack_end;
    Call *calls;
    uint32_t call_count, call_base;
    bool evaluating;        /* a guard: exceptions go to machine_evaluate's caller  */
    bool supposing;         /* the same, with values from other orders of the steps */
    bool exhausted;         /* a limit ended the evaluation: its result is unknown  */
    Value raised;
    /* guards seen so far, for evaluating them in other orders (guard.h) */
    struct Map *executed;   /* gets the executed instructions; NULL: not recorded */
    uint8_t *covered;       /* by decision: COVERED_*; NULL: not recorded         */
    struct Marks *marks;    /* of the instructions (marks.h); NULL: not recorded  */
    struct GuardTable *guards;
    bool (*may_continue)(void *context); /* asked now and then during a step; NULL: it may           */
    void *may_continue_context;
    bool interrupted;       /* it may not: the execution ends in the middle of a step                */
    const struct StartState *start; /* in place of the main block; NULL: none (start.h) */
    Types types;
    struct Inputs *inputs;  /* NULL: the model has none (inputs.h)                 */
};

/* A machine for an image (borrowed), without an execution yet; the options are copied. */
Machine *machine_create(const Image *image, const MachineOptions *options);
void machine_destroy(Machine *machine);

/* Begins an execution: only the first task exists, which runs the main block. */
void machine_reset(Machine *machine, Execution *ex);
bool machine_enabled(Machine *machine, AgentId agent);
/* The same without the bound on steps; and whether this one allows another step. */
bool machine_ready(Machine *machine, AgentId agent);
bool machine_has_steps(const Machine *machine, AgentId agent);
/* Could a task that does not hold its cog run, if no other one held it and it were its turn? */
bool machine_could_run(Machine *machine, Task *task);
/* Runs a step of an enabled task and adds its event to the execution. */
void machine_step(Machine *machine, AgentId agent);

/* ---- For instructions ---- */

/* Throws from `instr`; answers where to continue, or NULL if the task is over. */
const Instr *machine_throw(Machine *machine, const Instr *instr, Value exception);
/* The same, ignoring the handlers of the newest frame. */
const Instr *machine_throw_out(Machine *machine, const Instr *instr, Value exception);
/* The code of a guard or scheduler needs what is not supported there: the search ends with this reason. */
void machine_refuse(Machine *machine, const char *what);
/* The site of an instruction: code and position. */
uint64_t machine_site(const Code *code, const Instr *instr);
const Instr *machine_enter(Machine *machine, const Code *code, uint32_t object, const Value *args, uint32_t count);
/* Gives the frame back for reuse; nothing may point to it. */
void machine_free_frame(Machine *machine, Frame *frame);
/* Makes the number an agent of the execution. */
void machine_announce(Machine *machine, AgentId id, AgentId creator);
Task *machine_add_task(Machine *machine, uint32_t object, const Code *code, const Value *args, uint32_t count);
/* The newest frame returns `result`: the task ends (NULL), or its caller continues at the answer. */
const Instr *machine_finish(Machine *machine, Value result);
bool machine_spend(Machine *machine); /* false: the step has used up its fuel */
/* Reads the result of a task that is over into instr->a, or throws it. */
const Instr *machine_take_result(Machine *machine, Task *task, const Instr *instr);
/* Runs pure code outside the current step. VALUE_NONE if it threw (machine->raised), or met a limit
 * (machine->exhausted). */
Value machine_evaluate(Machine *machine, const Code *code, const Value *captured);
/* The task has learnt that another one is over. */
void machine_learn(Machine *machine, Task *task, AgentId agent);
void machine_kill(Machine *machine, uint32_t object);
/* In a model with inputs: decides again whether conditions hold, those that read what the step assigned, or those that
 * read the clock. */
void machine_decide_guards(Machine *machine, bool clock);
/* A limit stops the task inside its step. It keeps its cog: nothing else may see the objects in between. */
const Instr *machine_stop(Machine *machine, CutKind cut);
/* A limit is met where pure code of a guard is evaluated: its result is unknown. */
const Instr *machine_give_up(Machine *machine, CutKind cut);

/* Sets the start state of the following executions (borrowed); NULL: the main block. */
void machine_set_start(Machine *machine, const struct StartState *start);
/* Creates the object with this number, alone in its cog, with null fields. */
void machine_init_object(Machine *machine, uint32_t number, const ClassCode *class);

static inline ModelObject *machine_object(const Machine *machine, uint32_t number) { return &machine->objects[number]; }
/* Records the outcome of a decision, unless a guard is evaluated with other values. */
static inline void machine_cover(Machine *machine, uint32_t decision, bool holds)
{
    uint8_t outcome = holds ? COVERED_TRUE : COVERED_FALSE;
    if (machine->covered && decision && !machine->supposing && !(machine->covered[decision] & outcome))
        machine->covered[decision] |= outcome;
}

static inline bool machine_knows(const Task *task, AgentId agent) { return knowledge_has(task->known, agent); }
/* Has it begun, or will it, and is not over? A task that a bound stopped counts as over. */
static inline bool task_is_unfinished(const Task *task)
{
    return task->state == TASK_NEW || task->state == TASK_INIT || task->state == TASK_READY ||
           task->state == TASK_AWAIT || task->state == TASK_GET || task->state == TASK_DELAY ||
           task->state == TASK_COST;
}
/* Does it keep its cog while it waits? */
static inline bool task_holds_cog(const Task *task)
{
    return task->state == TASK_GET || task->state == TASK_DELAY || task->state == TASK_COST ||
           (task->state == TASK_STOPPED && task->keeps);
}
static inline bool task_is_over(const Task *task) { return task->state == TASK_DONE || task->state == TASK_KILLED; }

#endif
