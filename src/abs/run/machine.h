/* machine.h - the state of a running model and the interpreter that changes it
 *
 * Objects live in cogs; a cog is named by its first object. A task runs until it ends
 * or reaches a release point: that is one step. What a step touches is recorded while
 * it runs (footprint.h). All values of an execution lie in one arena that is emptied
 * for the next one. The rules are in docs/design/abs.md.
 */
#ifndef ABS_RUN_MACHINE_H
#define ABS_RUN_MACHINE_H

#include "abs/lower/ir.h"
#include "abs/run/bounds.h"
#include "abs/run/knowledge.h"
#include "abs/value/names.h"
#include "core/execution.h"
#include "sym/session/session.h"

/* What an await does when its guard holds: go on, or let other tasks run first. For a
 * future, AWAIT_CONTINUE goes on if the task knows that it is resolved (knowledge.h);
 * AWAIT_LITERAL if it is, which is for searches without reduction. */
typedef enum AwaitMode { AWAIT_CONTINUE, AWAIT_RELEASE, AWAIT_LITERAL } AwaitMode;
typedef enum DependenceLevel { DEPENDENCE_ACTOR, DEPENDENCE_FIELDS, DEPENDENCE_EXACT } DependenceLevel;

/* One activation of a method, init or recover block, or of the main block. */
typedef struct Frame Frame;
struct Frame {
    Frame *caller;
    const Code *code;
    const Instr *pc;       /* where it goes on; of a caller: its call             */
    uint32_t object;       /* this; 0 in the main block                           */
    uint32_t room;         /* registers allocated                                 */
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
    TASK_STOPPED           /* by a bound                                          */
} TaskState;

struct Task {
    AgentId id;
    uint8_t state;         /* TaskState */
    uint8_t killed_state;  /* TASK_KILLED: its state before                       */
    bool failed;           /* ended by an exception, which is its result          */
    bool seen;             /* somebody has read the result                        */
    bool handled;          /* its object recovered                                */
    bool guard_known;      /* guard_holds is of guard_version                     */
    bool guard_holds;
    uint32_t guard_version;
    uint32_t object;       /* whose method it runs; 0: main                       */
    uint32_t cog;
    const Code *code;
    Frame *frame;          /* newest                                              */
    Value result;          /* once it ended                                       */
    const Guarding *guard; /* TASK_AWAIT                                          */
    AgentId wanted;        /* TASK_GET                                            */
    uint32_t children, objects; /* created so far                                 */
    uint32_t draws;        /* inputs it asked for so far                          */
    const Knowledge *known;/* tasks it knows to be over                           */
    const Knowledge *last; /* of a task that is over: what it knew then           */
    uint32_t created_stamp;/* step of the execution in which it was created       */
    uint64_t site;         /* where it waits or begins, or where it failed        */
    AgentId failure_from;  /* task whose exception it got, or NONE                */
    bool holds;            /* TASK_AWAIT in a model with inputs: its condition    */
    Value raised;          /* what the condition threw, or VALUE_NONE             */
    KnowledgeSlot guard_slot;
};

typedef struct ModelObject {
    const ClassCode *class; /* NULL: does not exist in this execution              */
    uint32_t cog;           /* its first object                                    */
    AgentId holder;         /* of a first object: task that holds the cog, or NONE */
    bool dead;
    uint32_t created_stamp;
    const Code *creation;   /* the code that created it, run by this object:       */
    uint32_t creator;
    uint32_t creation_at;   /* with this instruction                               */
    bool local;             /* in its creator's cog                                */
    uint32_t last_task;     /* that took a step on it, + 1; kept with max_switches */
    uint32_t switches;
    uint32_t turns;         /* steps on it, kept with whole_limits and max_chain   */
    uint32_t rank;          /* among the objects of its class, once it is asked for (describe.c) */
    uint32_t actor_stamp;   /* step that touched it last (DEPENDENCE_ACTOR)        */
    uint32_t version;       /* changes with every assignment to a field            */
    uint64_t name;          /* hash; its resources are made of it                  */
    ExprId identity;        /* of an object of the start state (unknown.h)         */
    const char *path;       /* the same; else NULL                                 */
    Value *fields;
    uint64_t *marks;        /* per field: stamp << 32 | access of this step        */
    KnowledgeSlot cog_slot, life_slot, actor_slot;
    KnowledgeSlot *field_slots;
} ModelObject;

/* A resource that the step touched: it leaves its knowledge there. */
typedef struct Touched {
    KnowledgeSlot *slot;
    uint32_t access;        /* of the event, for its final mode                    */
} Touched;

/* An unknown reference that turned out to mean an object of the start state. */
typedef struct ResolvedPath {
    const char *path;
    uint32_t object;
} ResolvedPath;

/* A call of pure code: where to go on. */
typedef struct Call {
    const Instr *next;      /* NULL: back to whoever evaluates                     */
    Value *registers;
    Value *top;
    uint16_t target;
    uint32_t depth;         /* how often the code called itself on the way here,   */
    const Code *code;       /* kept with max_recursion                             */
} Call;

typedef struct MachineOptions {
    AwaitMode await;
    DependenceLevel dependence;
    uint64_t max_heap;      /* bytes of values in one execution                    */
    uint64_t max_loop;      /* limits of bounds.h; 0: none                         */
    uint64_t max_switches, max_objects, max_chain, max_recursion;
    bool whole_limits;      /* who meets one ends the execution                    */
    uint64_t max_fuel;      /* backward jumps and calls in one step                */
    bool keep_output;       /* of print and println                                */
    bool keep_values;       /* of all fields, so that reports can show them        */
    SessionOptions solver;  /* for models with inputs                              */
    bool plain_inputs;      /* values without expressions: nothing is decided      */
} MachineOptions;

enum { COVERED_TRUE = 1, COVERED_FALSE = 2, COVERED_BOTH = 3 };

struct Machine {
    const Image *image;
    NameTable *names;
    ValueContext context;
    MachineOptions options;
    Execution *ex;
    Arena heap;             /* of this execution                                   */
    Arena scratch;          /* of one evaluation outside of executions             */
    Arena *arena;           /* where new values go: heap or scratch                */
    /* this execution */
    Task *tasks;            /* by agent                                            */
    uint32_t task_count;    /* numbers in use: entries above are stale             */
    ModelObject *objects;   /* by number                                           */
    VEC(uint32_t) live;     /* numbers of the objects                              */
    uint32_t ranked;        /* how many objects there were when they were ranked   */
    VEC(uint32_t) starters; /* of those of the start state, as they came to be     */
    VEC(ResolvedPath) followed; /* each as often as it was followed                */
    Frame *free_frames[64]; /* by size / 4                                         */
    Text output;
    const char *unsupported;/* what the model wants and Sennit does not have       */
    uint64_t unsupported_site;
    bool init_failed;       /* an exception left an init block, thrown here:       */
    uint64_t init_site;
    uint32_t cuts[CUT_COUNT]; /* tasks stopped, by reason                          */
    VEC(Births) births;
    VEC(Find) finds;
    bool out_of_room;       /* too many tasks, objects or values: bounded          */
    bool has_inputs;        /* values may be symbols (symbol.h)                    */
    bool diverged;          /* a decision on inputs is not as planned              */
    bool refused;           /* the inputs are none that are of interest            */
    bool looking;           /* after the execution: values are looked at, nothing is decided */
    uint32_t decisions;     /* on inputs, so far                                   */
    uint32_t limited;       /* unknown values that could have been larger          */
    uint32_t pinned;        /* values that only one of their inputs was tried for  */
    /* this step */
    uint32_t stamp;         /* number of the step, from 1                          */
    Task *task;
    Frame *frame;           /* newest of the task                                  */
    uint64_t fuel;
    uint32_t cog_access;    /* UINT32_MAX: none yet                                */
    int64_t cog_before;     /* value of the cog when the step began                */
    bool read_data;         /* its footprint may depend on what others did         */
    bool wrote_guarded;     /* a field that some condition reads                   */
    bool killed;            /* an object died: depends on which tasks were there   */
    bool asked;             /* whether it knew of an end: depends on its past      */
    const Knowledge *given; /* what it knows without any conflicting access        */
    VEC(Touched) touched;
    VEC(AgentId) created;   /* tasks that the step made: they know all that it knows */
    /* pure code */
    Value *registers;       /* of the code that runs                               */
    Value *stack, *top, *stack_end;
    Call *calls;
    uint32_t call_count, call_base;
    bool evaluating;        /* a guard: exceptions go to whoever asked             */
    bool supposing;         /* the same, with values of other orders of the steps  */
    Value raised;
    /* guards seen so far, for evaluating them in other orders (guard.h) */
    struct Map *executed;   /* instructions that were run are added; NULL: not wanted */
    uint8_t *covered;       /* by decision: COVERED_*; NULL: not wanted            */
    struct GuardTable *guards;
    const struct StartState *start; /* in place of the main block; NULL: none (start.h) */
    struct Inputs *inputs;  /* NULL: the model has none (inputs.h)                 */
};

Machine *machine_create(const Image *image, const MachineOptions *options);
void machine_destroy(Machine *machine);

/* Begins an execution: nothing but the first task, which runs the main block. */
void machine_reset(Machine *machine, Execution *ex);
bool machine_enabled(Machine *machine, AgentId agent);
/* Runs a step of an enabled task and leaves its event. */
void machine_step(Machine *machine, AgentId agent);

/* ---- For instructions ---- */

/* Throws from `instr`; answers where to go on, or NULL if the task is over. */
const Instr *machine_throw(Machine *machine, const Instr *instr, Value exception);
/* The same, but no handler of the newest frame is looked at. */
const Instr *machine_throw_out(Machine *machine, const Instr *instr, Value exception);
/* The name of an instruction's place: code and position. */
uint64_t machine_site(const Code *code, const Instr *instr);
const Instr *machine_enter(Machine *machine, const Code *code, uint32_t object, const Value *args, uint32_t count);
/* The frame is used again; nothing may point to it. */
void machine_free_frame(Machine *machine, Frame *frame);
Task *machine_add_task(Machine *machine, uint32_t object, const Code *code, const Value *args, uint32_t count);
/* The task of the current step ends, blocks or suspends; for returning from handlers. */
const Instr *machine_finish(Machine *machine, Value result);
bool machine_spend(Machine *machine); /* false: the step has used up its fuel */
/* Reads the result of a task that is over into instr->a, or throws it. */
const Instr *machine_take_result(Machine *machine, Task *task, const Instr *instr);
/* Runs pure code that needs nothing of the current step. VALUE_NONE if it raised. */
Value machine_evaluate(Machine *machine, const Code *code, const Value *captured);
/* The task has seen that another one is over. */
void machine_learn(Machine *machine, Task *task, AgentId agent);
void machine_kill(Machine *machine, uint32_t object);
const Instr *machine_stop(Machine *machine, Cut cut);

/* Begins with another state from the next execution on (borrowed). */
void machine_set_start(Machine *machine, const struct StartState *start);
/* Makes the number an object that is alone in its cog, its fields null. */
void machine_init_object(Machine *machine, uint32_t number, const ClassCode *class);

static inline ModelObject *machine_object(const Machine *machine, uint32_t number) { return &machine->objects[number]; }
/* A decision went one way. What a guard would do with other values does not count. */
static inline void machine_cover(Machine *machine, uint32_t decision, bool holds)
{
    if (machine->covered && decision && !machine->supposing)
        machine->covered[decision] |= holds ? COVERED_TRUE : COVERED_FALSE;
}

static inline bool machine_knows(const Task *task, AgentId agent) { return knowledge_has(task->known, agent); }
static inline bool task_is_over(const Task *task) { return task->state == TASK_DONE || task->state == TASK_KILLED; }

#endif
