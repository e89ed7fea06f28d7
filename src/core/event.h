/* event.h - the footprint of a step, and when two steps are dependent
 *
 * A step leaves one event: its agent, the choices made inside the step, and its footprint, a list of accesses to
 * resources. Two steps of different agents are dependent iff their footprints conflict. Whether a step is enabled
 * (its guard) is a condition on resources of its own footprint; so a step that enables or disables it conflicts
 * with it. The table of footprints per operation is in docs/design/dependence.md.
 */
#ifndef CORE_EVENT_H
#define CORE_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "sym/expr/literal.h"

/* The number of an agent is the same in every execution: programs number agents by their creator and their
 * position among its children, never by the order of a schedule. */
typedef uint32_t AgentId;
#define AGENT_NONE UINT32_MAX

/* Each mode but WRITE commutes with itself and with no other. The accumulating modes are updates whose result is
 * not used: the new value is the old one plus (after - before), or `|`, `&`, `^` the operand of the access. */
typedef enum Mode {
    MODE_NONE, MODE_READ, MODE_ACCUMULATE, MODE_WRITE,
    MODE_ACCUMULATE_OR, MODE_ACCUMULATE_AND, MODE_ACCUMULATE_XOR
} Mode;

/* A condition on a value: (value & mask) relation operand. The S variants compare signed numbers of the width of
 * the access. REL_PROGRAM is for other guards: the program decides (ProgramOps.guard_holds), given the values of
 * all accesses of the step with this relation; `operand` names the guard. */
typedef enum Relation {
    REL_TRUE, REL_EQ, REL_NE,
    REL_ULT, REL_ULE, REL_UGT, REL_UGE,
    REL_SLT, REL_SLE, REL_SGT, REL_SGE,
    REL_PROGRAM
} Relation;

/* What the condition of an access decides. */
typedef enum Role {
    ROLE_NONE,   /* nothing: the access always has this mode                   */
    ROLE_GUARD,  /* whether the step is enabled (a mutex is free, a count > 0) */
    ROLE_SWITCH  /* the mode: mode_then if the value satisfies it, else mode_else
                    (a CAS writes if the value is the expected one, else reads) */
} Role;

/* How an access takes part in the memory model. A strong access sees and changes its resource as it is when the step
 * runs: everything under sequential consistency, and whatever is not an atomic operation. The others are weak
 * (WEAK-1..5 in program.h). */
typedef enum Order {
    ORDER_STRONG, ORDER_RELAXED, ORDER_ACQUIRE, ORDER_RELEASE, ORDER_ACQ_REL, ORDER_SEQ_CST
} Order;

/* What atomic operations mean. Under sequential consistency all accesses are strong. */
typedef enum MemoryModel { MEMORY_SC, MEMORY_TSO, MEMORY_RC11 } MemoryModel;

#define LANES_ALL 0xffu

/* One entry of a footprint. A resource is an opaque, class-invariant name; for memory it is an aligned 8-byte word,
 * and `lanes` are the accessed bytes of it, which are adjacent. Values (before, after, mask, operand) are those
 * bytes as an unsigned number shifted down to bit 0; other resources use all 64 bits. */
typedef struct Access {
    uint64_t resource;
    int64_t before;    /* value of the lanes before the step                  */
    int64_t after;     /* and after it; ACCUMULATE adds (after - before)      */
    uint64_t mask;     /* the condition, if role != ROLE_NONE                 */
    int64_t operand;   /* and of MODE_ACCUMULATE_OR, _AND, _XOR               */
    uint8_t relation;  /* Relation                                            */
    uint8_t role;      /* Role                                                */
    uint8_t mode;      /* Mode it had in this execution                       */
    uint8_t mode_then; /* ROLE_SWITCH only                                    */
    uint8_t mode_else;
    uint8_t lanes;
    bool companion;    /* it only carries a value: another access of the step conflicts wherever this
                          one does. Ignored when labels are compared (label.h)                 */
    uint8_t order;     /* Order, ORDER_UPDATES; of a weak switch, in bits 4 to 6, the Order if its
                          condition fails, and ORDER_MAY_FAIL                                 */
} Access;

/* The bytes of an access from `relation` on, as one number. */
static inline uint64_t access_tail(Role role, Relation relation, Mode mode, Mode then, Mode otherwise, uint8_t lanes)
{
    return (uint64_t)relation | (uint64_t)role << 8 | (uint64_t)mode << 16 | (uint64_t)then << 24 |
           (uint64_t)otherwise << 32 | (uint64_t)lanes << 40;
}
enum { ACCESS_ORDER_SHIFT = 56 }; /* of `order` in it */
static inline void access_set_tail(Access *access, uint64_t tail) { memcpy(&access->relation, &tail, sizeof tail); }
_Static_assert(offsetof(Access, lanes) - offsetof(Access, relation) == 5 &&
                   offsetof(Access, order) - offsetof(Access, relation) == ACCESS_ORDER_SHIFT / 8 &&
                   sizeof(Access) == 48,
               "access_tail packs this order");

/* What the condition of an access is and decides; `then` and `otherwise` matter for ROLE_SWITCH. */
static inline void access_set_condition(Access *access, Role role, Relation relation, Mode then, Mode otherwise)
{
    const uint64_t kept = access_tail((Role)0, (Relation)0, (Mode)0xff, (Mode)0, (Mode)0, 0xff) | 0xffffull << 48;
    uint64_t tail;
    memcpy(&tail, &access->relation, sizeof tail);
    access_set_tail(access, (tail & kept) | access_tail(role, relation, MODE_NONE, then, otherwise, 0));
}

/* Copies an access that was filled a moment ago, in the units in which it was filled: larger ones, which a compiler
 * would use, wait for the stores to reach the cache. (bench/programs/n_writers_a_reader.c) */
static inline void access_copy_fresh(Access *to, const Access *from)
{
    uint64_t resource = from->resource, mask = from->mask, tail;
    int64_t before = from->before, after = from->after, operand = from->operand;
    memcpy(&tail, &from->relation, sizeof tail);
    __asm__("" : "+r"(resource), "+r"(before), "+r"(after), "+r"(mask), "+r"(operand), "+r"(tail));
    to->resource = resource;
    to->before = before;
    to->after = after;
    to->mask = mask;
    to->operand = operand;
    access_set_tail(to, tail);
}

enum {
    ORDER_UPDATES = 8,   /* a weak write that reads the write before it                                 */
    ORDER_MAY_FAIL = 128 /* a weak switch that may take its second mode although its condition holds    */
};

/* The order of an access, if its condition holds or not. */
static inline Order access_order(const Access *access, bool holds)
{
    return (Order)(access->role == ROLE_SWITCH && !holds ? access->order >> 4 & 7 : access->order & 7);
}

/* A choice inside a step: one of `options` possible continuations, e.g. which waiter a signal wakes. If it has a
 * condition on the inputs, there are two options: 0 if the condition holds, 1 if it does not. A condition is named
 * by a number other than 0, the same in every execution. */
typedef struct Choice {
    uint32_t taken;
    uint32_t options;
    uint32_t condition; /* 0: none, every option is possible */
} Choice;

enum {
    EVENT_GUARD_ANY = 1, /* one satisfied guard access enables the step; else all must be */
    EVENT_OPAQUE = 2,    /* in another context the step may access other resources, which the
                            conditions of its accesses do not determine: it must be run    */
    EVENT_PREEMPTS = 4,  /* the previous agent was still enabled: a preemption              */
    EVENT_RERUN = 8,     /* with EVENT_OPAQUE: even if the values it accessed are the same  */
    EVENT_FIXED = 16,    /* it has one choice, which does not change its footprint: its other
                            outcomes are known without running them                         */
    EVENT_QUIET = 32     /* enabled only when no other step is: all earlier events happen before
                            it, and it is never reversed                                    */
};

typedef struct Event {
    AgentId agent;
    uint32_t index;        /* which step of its agent: 0, 1, ... */
    uint32_t first_access; /* into Execution.accesses            */
    uint32_t first_choice; /* into Execution.choices             */
    uint16_t access_count;
    uint16_t choice_count;
    uint16_t op;           /* the code of the operation, for reports of the program */
    uint16_t flags;        /* EVENT_*                                               */
    uint64_t site;         /* the name of the place, for reports of the program     */
} Event;

static inline bool modes_conflict(Mode a, Mode b)
{
    return a != MODE_NONE && b != MODE_NONE && (a == MODE_WRITE || b == MODE_WRITE || a != b);
}

static inline bool accesses_conflict(const Access *a, const Access *b)
{
    return a->resource == b->resource && (a->lanes & b->lanes) != 0 &&
           modes_conflict((Mode)a->mode, (Mode)b->mode);
}

/* The same for an announced access, whose mode may still be open. */
static inline bool accesses_may_conflict(const Access *announced, const Access *access)
{
    Mode mode = announced->role == ROLE_SWITCH ? MODE_WRITE : (Mode)announced->mode;
    return announced->resource == access->resource && (announced->lanes & access->lanes) != 0 &&
           modes_conflict(mode, (Mode)access->mode);
}

/* Whether `value`, held in the lanes of `access`, satisfies its condition. */
bool access_compares(const Access *access, int64_t value);
static inline bool access_condition_holds(const Access *access, int64_t value)
{
    bool equal = ((uint64_t)value & access->mask) == (uint64_t)access->operand;
    return access->relation == REL_EQ ? equal : access->relation == REL_NE ? !equal : access_compares(access, value);
}

/* ---- Values as parts of the word of a resource ---- */

/* The bits of some lanes: the number's nth bit is spread over the nth byte. */
static inline uint64_t lanes_mask(uint8_t lanes)
{
    uint64_t bits = lanes * 0x0101010101010101ull & 0x8040201008040201ull;
    return ((bits + 0x7f7f7f7f7f7f7f7full) >> 7 & 0x0101010101010101ull) * 0xff;
}

/* A value of some lanes, at its place in the word, and back. */
static inline uint64_t lanes_place(int64_t value, uint8_t lanes)
{
    return lanes == LANES_ALL ? (uint64_t)value : (uint64_t)value << 8 * __builtin_ctz(lanes) & lanes_mask(lanes);
}

static inline int64_t lanes_value(uint64_t word, uint8_t lanes)
{
    return (int64_t)(lanes == LANES_ALL ? word : (word & lanes_mask(lanes)) >> 8 * __builtin_ctz(lanes));
}

/* The word after an access in this mode, which is made again as it was recorded. */
uint64_t access_apply(uint64_t word, const Access *access, Mode mode);

#endif
