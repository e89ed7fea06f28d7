/* tracking.h - what the runtime knows about values that depend on inputs
 *
 * Only programs that ask for inputs are tracked. The expressions of this execution are in
 * the pool of the process's session; the conditions of the run are in the archive, which all
 * processes share. `tracking` is part of the runtime's global state (runtime.h).
 */
#ifndef RT_INPUTS_TRACKING_H
#define RT_INPUTS_TRACKING_H

#include "base/map.h"
#include "base/vec.h"
#include "rt/abi/shadow_hooks.h"
#include "rt/kernel/runtime.h"
#include "sym/session/session.h"

/* Where a value had to be taken as it is. */
typedef struct Concretised {
    uint64_t site;
    uint64_t count;
    char what[40];
} Concretised;

enum { MAX_CONCRETISED = 64 };

/* One input of an execution, for reports: its value is in the bytes from `first` on. */
typedef struct InputRecord {
    char name[72];
    uint32_t size;      /* bytes                         */
    uint32_t first;     /* into InputRecords.bytes       */
    bool text;          /* several bytes, not one number */
    bool is_signed;
} InputRecord;

enum { MAX_INPUT_RECORDS = 4096, MAX_INPUT_BYTES = 1 << 16, MAX_RECORDED = 256 };

/* All inputs of an execution (Execution.inputs). */
typedef struct InputRecords {
    uint32_t count, byte_count;
    InputRecord records[MAX_INPUT_RECORDS];
    uint8_t bytes[MAX_INPUT_BYTES];
} InputRecords;

/* What survives the process. */
typedef struct TrackingShared {
    uint32_t recorded;                 /* executions that have records            */
    uint32_t concretised_count;
    uint64_t concretised_total;
    Concretised concretised[MAX_CONCRETISED];
    InputRecords records[MAX_RECORDED];
} TrackingShared;

typedef struct Tracking {
    bool on;                  /* the program asks for inputs                               */
    bool restart;             /* the execution begins anew: an assumption can hold after all */
    bool stays;               /* it does not, since inputs for which it holds cannot be found again */
    bool solved;              /* the inputs of the next execution are known                */
    bool *ready;              /* this process has its session; wiped on fork               */
    Session *session;
    ExprPool *pool;
    Archive *archive;
    TrackingShared *shared;
    InputRecords *records;    /* of this execution                                         */
    Map decided;              /* (agent, condition) decided by that agent in this execution */
    Map origins;              /* shadow of an address -> 1 + number of its origin           */
    Map numbers;              /* (agent, name) -> how often it was asked for                */
    Map asked;                /* expression of an input -> tracking_moment when it was asked for */
    VEC(Literal) literals;    /* what the inputs of this execution had to satisfy          */
    VEC(Literal) restart_with;
} Tracking;

extern Tracking tracking __attribute__((visibility("hidden")));

static inline ExprId shadow_expr(uint32_t shadow) { return (ExprId){shadow}; }

/* ---- input.c: executions ------------------------------------------------------------ */

/* Before workers are forked. */
bool tracking_init(Error *error);
/* Solves the inputs of the planned execution; false if that cannot be done. */
bool tracking_solve(Program *self, const Execution *ex);
/* Begins it, and solves them unless that was done. */
bool tracking_begin(Execution *ex);
bool tracking_feasible(Program *self, const Literal *all, uint32_t count, const Literal *any, const uint32_t *ends,
                       uint32_t clauses);

void tracking_each_input(Program *self, const Execution *ex,
                         void (*each)(void *context, const char *name, const char *value), void *context);
bool tracking_set_input(Program *self, const char *name, const char *value);

/* ---- shadow_branch.c: decisions ------------------------------------------------------- */

/* A decision that the inputs take, as a step of its own. `holds` is what this execution's
 * inputs say. */
void tracking_decide(ExprId condition, bool holds);
/* The same as part of the step that is being made. */
void tracking_decide_in_step(ExprId condition, bool holds);
/* Did the running thread decide the condition before, one way or the other? From now on yes. */
bool tracking_decided(ExprId condition);
/* The running thread goes on only if the condition holds. */
void tracking_assume(ExprId condition, bool holds);
/* How far the running thread is, as far as others can tell: decisions do not count. */
uint64_t tracking_moment(void);
/* Counts that a value was taken as it is, at the current place. */
void tracking_note_concretised(const char *what);
/* The value is taken as it is in this execution; other values are not explored, which is
 * counted. */
void tracking_concretise(ExprId value, Bits concrete, const char *what);
/* Explores every value that the expression can have between low and high, in multiples of
 * `stride` from `concrete`, until at most `window` are left: *low and *high tell which. */
void tracking_narrow(ExprId value, uint64_t concrete, uint64_t stride, uint64_t window, uint64_t *low, uint64_t *high);
/* The same for all values, until one is left. */
void tracking_pin(ExprId value, Bits concrete);

/* ---- shadow_size.c ----------------------------------------------------------------------- */

/* A size that depends on inputs: how much room a block of it needs; 0 if it is taken as it is. */
uint64_t shadow_size_room(uint32_t shadow, uint64_t size);
/* The shadow of the product of two sizes, one of which has a shadow, unless it overflows. */
uint32_t shadow_size_product(const uint32_t *shadows, uint64_t count, uint64_t size);
/* Decides whether `end` bytes are within the size; `inside` is what this execution says. */
void shadow_size_decide(uint32_t shadow, uint64_t end, bool inside, bool in_step);

/* ---- shadow_memory.c --------------------------------------------------------------------- */

void shadow_memory_reset(void);
/* The shadow of a value in memory; `bytes` are those it has. */
uint32_t shadow_memory_get(uint64_t address, const void *bytes, uint32_t width);
/* Memory holds the value already. */
void shadow_memory_put(uint64_t address, uint32_t shadow, uint32_t width);
/* The same for an atomic operation, which tells stamps itself. */
void shadow_memory_set(uint64_t address, uint32_t shadow, uint32_t width);
void shadow_memory_clear(uint64_t address, uint64_t size);
/* Is there any shadow in memory at all? */
bool shadow_memory_used(void);
/* An operation here had to do with inputs, whatever it left. */
void shadow_memory_note(uint64_t address);
/* Did the word of this address hold anything in this execution that depends on inputs, or was it noted? */
bool shadow_memory_touched(uint64_t address);
void shadow_memory_copy(uint64_t to, uint64_t from, uint64_t size);

/* ---- shadow_address.c, shadow_reach.c -------------------------------------------------------- */

typedef struct ObjectRange ObjectRange;
/* The heap block, variable or constant that contains the address. */
bool shadow_find_object(uint64_t address, ObjectRange *range);
/* Is this the access whose address was settled last, at one of several places? That it is inside is decided then; to
 * decide it for the place of this execution would be another decision for other inputs. */
bool shadow_is_settled(uint64_t address, uint64_t size);
/* Takes what memory holds as it is; see tracking_concretise. */
void shadow_memory_concretise(uint64_t address, uint64_t size, const char *what);
/* The same for all that can be reached through a pointer. */
void tracking_concretise_reached(const void *p, const char *what);

/* ---- shadow_call.c ---------------------------------------------------------------------------- */

#define MODEL(function) ((const void *)(uintptr_t)(function))

/* For models: the shadow of the nth argument of the call that is being modelled, and of its
 * result. Arguments are to be taken before anything else is called. */
void shadow_take_arguments(const void *model, uint32_t *shadows, unsigned count);
void shadow_give_result(const void *model, uint32_t shadow);
/* 128 bits are returned in two registers. */
void shadow_give_wide_result(const void *model, uint32_t shadow);
/* A model has written memory of the program. */
static inline void shadow_overwritten(const void *p, uint64_t size)
{
    if (UNLIKELY(tracking.on))
        shadow_memory_clear(address_of(p), size);
}
/* Models that keep a pointer for the program, whatever it stands for: memory of theirs that
 * holds it gets the shadow. */
uint32_t shadow_argument(const void *model, unsigned n);
void shadow_keep(void *const *kept, uint32_t shadow);
/* The next call is that of `function` with the pointer kept there as its argument. */
void shadow_pass(const void *function, void *const *kept);
/* What `function`, which has just returned, gave back. */
uint32_t shadow_result(const void *function);
/* The model of an assumption about its first argument, an int. */
void shadow_assume(const void *model, int condition);

#endif
