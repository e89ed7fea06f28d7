/* expr.h - symbolic values: hash-consed expressions named by 32-bit ids
 *
 * Two expressions of one pool are equal iff their ids are. Everything is simplified when it is made
 * (simplify_internal.h); expr_make is the only way to get a node. Operands have smaller ids than what is made of them.
 *
 * Meaning: that of SMT-LIB 2, so everything is total. In particular x /u 0 is all
 * ones, x %u 0 is x, x /s 0 is 1 or -1, INT_MIN /s -1 is INT_MIN, and shifting by the
 * width or more gives 0 (or copies of the sign). A client that must report these as
 * bugs asks about the operands before it makes the node.
 *
 * A pool is one shared mapping: processes forked after its creation see the same nodes, which survive the death of a
 * worker. Only one process at a time may make nodes.
 *
 * Lifetime: nodes stay until the pool is reset to a mark. Equal expressions of later executions find the same node,
 * which keeps all caches warm, so a client lets the pool fill over many executions and resets it between two of them
 * when expr_count exceeds a limit. What must live longer (conditions in a search tree) is kept in an archive
 * (session/archive.h). Inputs are never removed.
 *
 * Floating point is not supported yet. It needs no sort of its own: an operation FADD on
 * bit-vectors of 32 or 64 bits that reads them as IEEE numbers is one line in expr.def,
 * one case in op.c (the machine's arithmetic, one chosen NaN) and one in solver_z3.c.
 */
#ifndef SYM_EXPR_EXPR_H
#define SYM_EXPR_EXPR_H

#include <assert.h>

#include "sym/expr/input.h"

typedef struct ExprId {
    uint32_t id;
} ExprId;

/* No expression: the value is known and needs none. */
#define EXPR_NONE ((ExprId){0})

typedef enum ExprOp {
#define EXPR(name, operands, family, infix, smtlib) EXPR_##name,
#include "sym/expr/expr.def"
#undef EXPR
    EXPR_OPS
} ExprOp;

/* One expression. `word` holds the operands' ids; for EXTRACT word[1] is the lowest
 * bit taken; for INPUT word[0] is the input; for CONST all four are the value. */
typedef struct ExprNode {
    uint64_t hash; /* of the structure: the same in every pool, process and machine */
    uint8_t op;
    Sort sort;
    uint16_t spare;
    uint32_t chain; /* next node of the hash bucket */
    union {
        uint32_t word[4];
        uint64_t half[2]; /* of a constant, low half first */
    };
} ExprNode;

_Static_assert(sizeof(ExprNode) == 32, "two nodes per cache line");

/* ---- Pools ------------------------------------------------------------ */

/* The result of a recent expr_make. */
typedef struct ExprMade {
    uint32_t operands[3];
    uint8_t op, sort;
    uint16_t unused;
    uint32_t generation;
    uint32_t result; /* 0: nothing was made yet */
} ExprMade;

enum { EXPR_MADE = 1 << 12 };

typedef struct ExprPool {
    ExprNode *nodes; /* node 0 is no expression */
    uint32_t count;
    uint32_t capacity;
    uint32_t *buckets;
    uint32_t bucket_mask;
    uint32_t generation; /* grows with each reset: ids from the mark on have another meaning then */
    InputTable *inputs;
    size_t size; /* of the mapping */
    ExprMade made[EXPR_MADE]; /* by hash: executions make the same expressions repeatedly */
} ExprPool;

enum { EXPR_POOL_DEFAULT = 1 << 26 };

/* An empty pool for at most `capacity` nodes; memory is used as it fills. NULL if the
 * system refuses the address space. */
ExprPool *expr_pool_create(uint32_t capacity);
void expr_pool_destroy(ExprPool *pool);

/* Rebuilds the hash table after the death of a process that may have been adding a node. */
void expr_pool_repair(ExprPool *pool);

static inline uint32_t expr_count(const ExprPool *pool)
{
    return pool->count;
}

typedef struct ExprMark {
    uint32_t count;
} ExprMark;

static inline ExprMark expr_mark(const ExprPool *pool)
{
    return (ExprMark){pool->count};
}

/* Removes all nodes made since the mark, in time proportional to their number. Inputs stay, with their numbers; their
 * nodes are made again when needed. */
void expr_reset(ExprPool *pool, ExprMark mark);

/* ---- Reading ---------------------------------------------------------- */

static inline const ExprNode *expr_get(const ExprPool *pool, ExprId e)
{
    assert(e.id != 0 && e.id < pool->count);
    return &pool->nodes[e.id];
}

static inline bool expr_same(ExprId a, ExprId b)
{
    return a.id == b.id;
}

static inline bool expr_is_none(ExprId e)
{
    return e.id == 0;
}

static inline Sort expr_sort(const ExprPool *pool, ExprId e)
{
    return expr_get(pool, e)->sort;
}

static inline ExprId expr_operand(const ExprNode *node, unsigned i)
{
    return (ExprId){node->word[i]};
}

static inline Bits expr_value(const ExprNode *constant)
{
    return (Bits)constant->half[1] << 64 | constant->half[0];
}

/* Whether `e` is a constant; then *value (may be NULL) is set. */
bool expr_is_const(const ExprPool *pool, ExprId e, Bits *value);
bool expr_is_true(const ExprPool *pool, ExprId e);
bool expr_is_false(const ExprPool *pool, ExprId e);

/* How many operands the operation has. */
unsigned expr_operands(ExprOp op);

/* ---- Making ----------------------------------------------------------- */

/* The value is cut to the sort. */
ExprId expr_const(ExprPool *pool, Sort sort, Bits value);
ExprId expr_bool(ExprPool *pool, bool value);
ExprId expr_int(ExprPool *pool, SignedBits value);
ExprId expr_input(ExprPool *pool, InputId input);

/* The simplified expression `op` of these operands, the unused ones EXPR_NONE. `sort` is the sort of the result and
 * used for EXTRACT, ZEXT, SEXT and TRUNC only, where it does not follow from the operands; for EXTRACT `b` is the
 * lowest bit. Operands of ADD.., ULT.., EQ, NE must have the same sort. */
ExprId expr_make(ExprPool *pool, ExprOp op, Sort sort, ExprId a, ExprId b, ExprId c);

static inline ExprId expr_unary(ExprPool *pool, ExprOp op, ExprId a)
{
    return expr_make(pool, op, 0, a, EXPR_NONE, EXPR_NONE);
}

static inline ExprId expr_binary(ExprPool *pool, ExprOp op, ExprId a, ExprId b)
{
    return expr_make(pool, op, 0, a, b, EXPR_NONE);
}

static inline ExprId expr_ite(ExprPool *pool, ExprId condition, ExprId yes, ExprId no)
{
    return expr_make(pool, EXPR_ITE, 0, condition, yes, no);
}

/* Negation of a Boolean, complement of a bit-vector. */
static inline ExprId expr_not(ExprPool *pool, ExprId a)
{
    return expr_unary(pool, EXPR_NOT, a);
}

/* To another width; the same width gives `a` itself. */
ExprId expr_zext(ExprPool *pool, ExprId a, Sort sort);
ExprId expr_sext(ExprPool *pool, ExprId a, Sort sort);
ExprId expr_trunc(ExprPool *pool, ExprId a, Sort sort);
/* Bits low .. low + sort - 1. */
ExprId expr_extract(ExprPool *pool, ExprId a, unsigned low, Sort sort);
ExprId expr_concat(ExprPool *pool, ExprId high, ExprId low);

/* ---- For concolic clients --------------------------------------------- */

/* `e`, or the constant `value` if `e` is none. */
ExprId expr_or_const(ExprPool *pool, ExprId e, Sort sort, Bits value);

/* The same as expr_make for two operands of one sort, each of which may be none and then stands for its value. None if
 * both are, or if the result is a constant. */
ExprId expr_binary_mixed(ExprPool *pool, ExprOp op, Sort sort, ExprId a, Bits a_value, ExprId b, Bits b_value);

/* A value of `count` bytes, lowest first, each an 8-bit expression. Values that were
 * split come back as themselves when joined. In joining, byte i is bytes[i] or, if that
 * is none, byte i of `value`; the result is none if all are. 1 <= count <= 16. */
void expr_split_bytes(ExprPool *pool, ExprId e, ExprId *bytes, unsigned count);
ExprId expr_join_bytes(ExprPool *pool, const ExprId *bytes, Bits value, unsigned count);

#endif
