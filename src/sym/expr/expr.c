/* expr.c - see expr.h
 *
 * Design: nodes lie in one array, the hash table has chains through them. A new node
 * comes first in its chain, so chains run from high to low ids and a reset takes nodes
 * out from the newest on.
 */
#include "sym/expr/expr.h"

#include <string.h>
#include <sys/mman.h>

#include "base/mem.h"
#include "sym/expr/hash.h"
#include "sym/expr/op.h"
#include "sym/expr/simplify_internal.h"

enum { FIRST_BUCKETS = 1 << 12 };

/* ---- Pools ------------------------------------------------------------- */

static uint32_t most_buckets(uint32_t capacity)
{
    uint32_t buckets = FIRST_BUCKETS;
    while (buckets < capacity)
        buckets *= 2;
    return buckets;
}

static size_t round_up(size_t size)
{
    return (size + 63) & ~(size_t)63;
}

ExprPool *expr_pool_create(uint32_t capacity)
{
    size_t inputs_at = round_up(sizeof(ExprPool));
    size_t buckets_at = inputs_at + round_up(input_table_size());
    size_t nodes_at = buckets_at + (size_t)most_buckets(capacity) * sizeof(uint32_t);
    size_t size = nodes_at + (size_t)capacity * sizeof(ExprNode);
    char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    ExprPool *pool = (ExprPool *)memory;
    pool->nodes = (ExprNode *)(memory + nodes_at);
    pool->count = 1;
    pool->capacity = capacity;
    pool->buckets = (uint32_t *)(memory + buckets_at);
    pool->bucket_mask = FIRST_BUCKETS - 1;
    pool->inputs = input_table_init(memory + inputs_at);
    pool->size = size;
    return pool;
}

void expr_pool_destroy(ExprPool *pool)
{
    if (pool)
        munmap(pool, pool->size);
}

void expr_reset(ExprPool *pool, ExprMark mark)
{
    assert(mark.count >= 1 && mark.count <= pool->count);
    for (uint32_t i = pool->count; i-- > mark.count;) {
        uint32_t *bucket = &pool->buckets[pool->nodes[i].hash & pool->bucket_mask];
        assert(*bucket == i);
        *bucket = pool->nodes[i].chain;
    }
    if (pool->count != mark.count)
        pool->generation++;
    pool->count = mark.count;
}

/* ---- Hash-consing ------------------------------------------------------ */

static void set_buckets(ExprPool *pool, uint32_t buckets)
{
    memset(pool->buckets, 0, (size_t)buckets * sizeof *pool->buckets);
    pool->bucket_mask = buckets - 1;
    for (uint32_t i = 1; i < pool->count; i++) {
        uint32_t *bucket = &pool->buckets[pool->nodes[i].hash & pool->bucket_mask];
        pool->nodes[i].chain = *bucket;
        *bucket = i;
    }
}

void expr_pool_repair(ExprPool *pool)
{
    set_buckets(pool, pool->bucket_mask + 1);
    memset(pool->made, 0, sizeof pool->made);
}

/* The node that looks like `shape`, whose hash is set; made if there is none. */
static ExprId find_or_add(ExprPool *pool, const ExprNode *shape)
{
    uint32_t *bucket = &pool->buckets[shape->hash & pool->bucket_mask];
    for (uint32_t i = *bucket; i; i = pool->nodes[i].chain) {
        const ExprNode *node = &pool->nodes[i];
        if (node->hash == shape->hash && node->op == shape->op && node->sort == shape->sort &&
            node->half[0] == shape->half[0] && node->half[1] == shape->half[1])
            return (ExprId){i};
    }
    if (pool->count == pool->capacity)
        mem_exhausted(sizeof(ExprNode));
    uint32_t id = pool->count;
    pool->nodes[id] = *shape;
    pool->nodes[id].chain = *bucket;
    *bucket = id;
    pool->count++;
    if (id > pool->bucket_mask)
        set_buckets(pool, (pool->bucket_mask + 1) * 2);
    return (ExprId){id};
}

static uint64_t hash_shape(const ExprPool *pool, const ExprNode *shape)
{
    uint64_t h = (uint64_t)shape->op << 8 | shape->sort;
    unsigned operands = expr_operands((ExprOp)shape->op);
    if (shape->op == EXPR_EXTRACT)
        h |= (uint64_t)shape->word[1] << 16;
    for (unsigned i = 0; i < operands; i++)
        h = hash_mix(h, pool->nodes[shape->word[i]].hash);
    return h;
}

ExprId expr_intern(ExprPool *pool, ExprOp op, Sort sort, ExprId a, ExprId b, ExprId c)
{
    ExprNode shape = {.op = (uint8_t)op, .sort = sort, .word = {a.id, b.id, c.id, 0}};
    shape.hash = hash_shape(pool, &shape);
    return find_or_add(pool, &shape);
}

/* ---- Reading ----------------------------------------------------------- */

bool expr_is_const(const ExprPool *pool, ExprId e, Bits *value)
{
    const ExprNode *node = expr_get(pool, e);
    if (node->op != EXPR_CONST)
        return false;
    if (value)
        *value = expr_value(node);
    return true;
}

bool expr_is_true(const ExprPool *pool, ExprId e)
{
    const ExprNode *node = expr_get(pool, e);
    return node->op == EXPR_CONST && node->sort == SORT_BOOL && node->half[0] == 1;
}

bool expr_is_false(const ExprPool *pool, ExprId e)
{
    const ExprNode *node = expr_get(pool, e);
    return node->op == EXPR_CONST && node->sort == SORT_BOOL && node->half[0] == 0;
}

unsigned expr_operands(ExprOp op)
{
    static const uint8_t operands[] = {
#define EXPR(name, operands, family, infix, smtlib) operands,
#include "sym/expr/expr.def"
#undef EXPR
    };
    return operands[op];
}

/* ---- Leaves ------------------------------------------------------------ */

ExprId expr_const(ExprPool *pool, Sort sort, Bits value)
{
    value = bits_cut(value, sort);
    ExprNode shape = {.op = EXPR_CONST, .sort = sort};
    shape.half[0] = (uint64_t)value;
    shape.half[1] = (uint64_t)(value >> 64);
    shape.hash = hash_mix(hash_mix(EXPR_CONST << 8 | sort, shape.half[0]), shape.half[1]);
    return find_or_add(pool, &shape);
}

ExprId expr_bool(ExprPool *pool, bool value)
{
    return expr_const(pool, SORT_BOOL, value);
}

ExprId expr_int(ExprPool *pool, SignedBits value)
{
    return expr_const(pool, SORT_INT, (Bits)value);
}

ExprId expr_input(ExprPool *pool, InputId input)
{
    const Input *record = input_get(pool->inputs, input);
    ExprNode shape = {.op = EXPR_INPUT, .sort = record->sort, .word = {input.index, 0, 0, 0}};
    shape.hash = hash_mix(EXPR_INPUT << 8, record->hash);
    return find_or_add(pool, &shape);
}

/* ---- Making ------------------------------------------------------------ */

/* Writes > as <, >= as <=, != as not ==, TRUNC as EXTRACT. */
static ExprId make_sugar(ExprPool *pool, ExprOp op, Sort sort, ExprId a, ExprId b)
{
    switch (op) {
    case EXPR_NE: return expr_not(pool, expr_binary(pool, EXPR_EQ, a, b));
    case EXPR_UGT: return expr_binary(pool, EXPR_ULT, b, a);
    case EXPR_UGE: return expr_binary(pool, EXPR_ULE, b, a);
    case EXPR_SGT: return expr_binary(pool, EXPR_SLT, b, a);
    case EXPR_SGE: return expr_binary(pool, EXPR_SLE, b, a);
    case EXPR_IGT: return expr_binary(pool, EXPR_ILT, b, a);
    case EXPR_IGE: return expr_binary(pool, EXPR_ILE, b, a);
    case EXPR_TRUNC: return expr_extract(pool, a, 0, sort);
    default: assert(false && "an operation"); return EXPR_NONE;
    }
}

static Sort result_sort(const ExprPool *pool, ExprOp op, Sort given, ExprId a, ExprId b)
{
    switch (op) {
    case EXPR_EXTRACT:
    case EXPR_ZEXT:
    case EXPR_SEXT: return given;
    case EXPR_CONCAT: return (Sort)(expr_sort(pool, a) + expr_sort(pool, b));
    case EXPR_ITE: return expr_sort(pool, b);
    case EXPR_EQ:
    case EXPR_ULT:
    case EXPR_ULE:
    case EXPR_SLT:
    case EXPR_SLE:
    case EXPR_ILT:
    case EXPR_ILE: return SORT_BOOL;
    default: return expr_sort(pool, a);
    }
}

/* The constant that the operation gives if all operands are constants, else none. */
static ExprId fold(ExprPool *pool, const ExprNode *shape)
{
    Bits values[3] = {0}, result;
    for (unsigned i = 0; i < expr_operands((ExprOp)shape->op); i++)
        if (!expr_is_const(pool, expr_operand(shape, i), &values[i]))
            return EXPR_NONE;
    Sort sort = op_operand_sort(pool, shape);
    if (!op_apply((ExprOp)shape->op, sort, op_extra(pool, shape), values, &result))
        return EXPR_NONE;
    return expr_const(pool, shape->sort, result);
}

static ExprId simplify(ExprPool *pool, ExprOp op, Sort sort, ExprId a, ExprId b, ExprId c)
{
    switch (op) {
    case EXPR_ADD: return simplify_add(pool, a, b);
    case EXPR_SUB: return simplify_sub(pool, a, b);
    case EXPR_MUL: return simplify_mul(pool, a, b);
    case EXPR_NEG: return simplify_neg(pool, a);
    case EXPR_UDIV: return simplify_udiv(pool, a, b);
    case EXPR_SDIV: return simplify_sdiv(pool, a, b);
    case EXPR_UREM: return simplify_urem(pool, a, b);
    case EXPR_SREM: return simplify_srem(pool, a, b);
    case EXPR_AND: return simplify_and(pool, a, b);
    case EXPR_OR: return simplify_or(pool, a, b);
    case EXPR_XOR: return simplify_xor(pool, a, b);
    case EXPR_NOT: return simplify_not(pool, a);
    case EXPR_SHL: return simplify_shl(pool, a, b);
    case EXPR_LSHR: return simplify_lshr(pool, a, b);
    case EXPR_ASHR: return simplify_ashr(pool, a, b);
    case EXPR_CONCAT: return simplify_concat(pool, a, b);
    case EXPR_EXTRACT: return simplify_extract(pool, a, b.id, sort);
    case EXPR_ZEXT: return simplify_zext(pool, a, sort);
    case EXPR_SEXT: return simplify_sext(pool, a, sort);
    case EXPR_EQ: return simplify_eq(pool, a, b);
    case EXPR_ULT: return simplify_ult(pool, a, b);
    case EXPR_ULE: return simplify_ule(pool, a, b);
    case EXPR_SLT: return simplify_slt(pool, a, b);
    case EXPR_SLE: return simplify_sle(pool, a, b);
    case EXPR_ITE: return simplify_ite(pool, a, b, c);
    case EXPR_IADD: return simplify_iadd(pool, a, b);
    case EXPR_ISUB: return simplify_isub(pool, a, b);
    case EXPR_IMUL: return simplify_imul(pool, a, b);
    case EXPR_INEG: return simplify_ineg(pool, a);
    case EXPR_ILT: return simplify_ilt(pool, a, b);
    case EXPR_ILE: return simplify_ile(pool, a, b);
    default: return simplify_idivision(pool, op, a, b);
    }
}

static uint64_t hash_made(const ExprMade *made)
{
    uint64_t operands = (uint64_t)made->operands[0] << 32 | made->operands[1];
    return hash_mix(operands, (uint64_t)made->operands[2] << 16 | (uint64_t)made->op << 8 | made->sort) >> 32;
}

static bool is_made(const ExprMade *made, const ExprMade *wanted)
{
    return made->result && made->generation == wanted->generation && made->op == wanted->op &&
           made->sort == wanted->sort && memcmp(made->operands, wanted->operands, sizeof made->operands) == 0;
}

ExprId expr_make(ExprPool *pool, ExprOp op, Sort sort, ExprId a, ExprId b, ExprId c)
{
    assert(op > EXPR_INPUT && op < EXPR_OPS);
    if (op >= EXPR_NE)
        return make_sugar(pool, op, sort, a, b);
    ExprMade wanted = {.operands = {a.id, b.id, c.id}, .op = (uint8_t)op, .sort = sort, .generation = pool->generation};
    ExprMade *made = &pool->made[hash_made(&wanted) % EXPR_MADE];
    if (!is_made(made, &wanted)) {
        ExprNode shape = {.op = (uint8_t)op, .word = {a.id, b.id, c.id, 0}};
        shape.sort = result_sort(pool, op, sort, a, b);
        ExprId constant = fold(pool, &shape);
        wanted.result = (expr_is_none(constant) ? simplify(pool, op, shape.sort, a, b, c) : constant).id;
        *made = wanted;
    }
    return (ExprId){made->result};
}

ExprId expr_zext(ExprPool *pool, ExprId a, Sort sort)
{
    assert(sort >= expr_sort(pool, a));
    return sort == expr_sort(pool, a) ? a : expr_make(pool, EXPR_ZEXT, sort, a, EXPR_NONE, EXPR_NONE);
}

ExprId expr_sext(ExprPool *pool, ExprId a, Sort sort)
{
    assert(sort >= expr_sort(pool, a));
    return sort == expr_sort(pool, a) ? a : expr_make(pool, EXPR_SEXT, sort, a, EXPR_NONE, EXPR_NONE);
}

ExprId expr_trunc(ExprPool *pool, ExprId a, Sort sort)
{
    return expr_extract(pool, a, 0, sort);
}

ExprId expr_extract(ExprPool *pool, ExprId a, unsigned low, Sort sort)
{
    assert(sort >= 1 && low + sort <= expr_sort(pool, a));
    return sort == expr_sort(pool, a) ? a : expr_make(pool, EXPR_EXTRACT, sort, a, (ExprId){low}, EXPR_NONE);
}

ExprId expr_concat(ExprPool *pool, ExprId high, ExprId low)
{
    assert(expr_sort(pool, high) + expr_sort(pool, low) <= SORT_WIDEST);
    return expr_binary(pool, EXPR_CONCAT, high, low);
}

/* ---- For concolic clients ---------------------------------------------- */

ExprId expr_or_const(ExprPool *pool, ExprId e, Sort sort, Bits value)
{
    return expr_is_none(e) ? expr_const(pool, sort, value) : e;
}

ExprId expr_binary_mixed(ExprPool *pool, ExprOp op, Sort sort, ExprId a, Bits a_value, ExprId b, Bits b_value)
{
    if (expr_is_none(a) && expr_is_none(b))
        return EXPR_NONE;
    a = expr_or_const(pool, a, sort, a_value);
    b = expr_or_const(pool, b, sort, b_value);
    ExprId result = expr_binary(pool, op, a, b);
    return expr_is_const(pool, result, NULL) ? EXPR_NONE : result;
}

void expr_split_bytes(ExprPool *pool, ExprId e, ExprId *bytes, unsigned count)
{
    assert(expr_sort(pool, e) == 8 * count);
    for (unsigned i = 0; i < count; i++)
        bytes[i] = expr_extract(pool, e, 8 * i, 8);
}

/* The expression whose bytes 0 .. count - 1 these are, if they all are EXTRACTs of it. */
static ExprId find_whole(const ExprPool *pool, const ExprId *bytes, unsigned count)
{
    if (expr_is_none(bytes[0]) || !is_op(pool, bytes[0], EXPR_EXTRACT))
        return EXPR_NONE;
    ExprId whole = operand(pool, bytes[0], 0);
    if (expr_sort(pool, whole) != 8 * count)
        return EXPR_NONE;
    for (unsigned i = 0; i < count; i++) {
        if (expr_is_none(bytes[i]))
            return EXPR_NONE;
        const ExprNode *node = expr_get(pool, bytes[i]);
        if (node->op != EXPR_EXTRACT || node->word[0] != whole.id || node->word[1] != 8 * i)
            return EXPR_NONE;
    }
    return whole;
}

ExprId expr_join_bytes(ExprPool *pool, const ExprId *bytes, Bits value, unsigned count)
{
    assert(count >= 1 && count <= 16);
    unsigned symbolic = 0;
    for (unsigned i = 0; i < count; i++)
        symbolic += !expr_is_none(bytes[i]);
    if (symbolic == 0)
        return EXPR_NONE;
    ExprId whole = find_whole(pool, bytes, count);
    if (!expr_is_none(whole))
        return whole;
    whole = expr_or_const(pool, bytes[0], 8, value);
    for (unsigned i = 1; i < count; i++)
        whole = expr_concat(pool, expr_or_const(pool, bytes[i], 8, value >> 8 * i), whole);
    return whole;
}
