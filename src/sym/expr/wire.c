/* wire.c - see wire.h
 *
 * A node is its operation and sort, then its operands as distances back in the stream. A
 * node that is read is checked against the rules of expr.def before it is made, and is made
 * as it was: what was simplified stays so.
 */
#include "sym/expr/wire.h"

#include <string.h>

#include "sym/expr/simplify_internal.h"

enum { LONGEST_NAME = 1 << 12 };

/* ---- Numbers ------------------------------------------------------------------- */

void wire_put_number(Text *bytes, Bits number)
{
    char buffer[20];
    size_t n = 0;
    do {
        buffer[n++] = (char)((number & 0x7f) | (number > 0x7f ? 0x80 : 0));
        number >>= 7;
    } while (number);
    text_add_bytes(bytes, buffer, n);
}

bool wire_get_number(WireBytes *bytes, Bits *number)
{
    Bits result = 0;
    for (unsigned shift = 0; bytes->next < bytes->end && shift < 128; shift += 7) {
        unsigned char byte = *bytes->next++;
        result |= (Bits)(byte & 0x7f) << shift;
        if (!(byte & 0x80)) {
            *number = result;
            return true;
        }
    }
    return false;
}

bool wire_get_small(WireBytes *bytes, uint32_t most, uint32_t *number)
{
    Bits wide;
    if (!wire_get_number(bytes, &wide) || wide > most)
        return false;
    *number = (uint32_t)wide;
    return true;
}

/* ---- Writing -------------------------------------------------------------------- */

void wire_writer_reset(WireWriter *writer, const ExprPool *pool)
{
    writer->pool = pool;
    writer->generation = pool->generation;
    writer->written.count = 0;
    if (++writer->epoch == 0) {
        memset(writer->numbers, 0, writer->room * sizeof *writer->numbers);
        writer->epoch = 1;
    }
}

void wire_writer_release(WireWriter *writer)
{
    free(writer->numbers);
    VEC_FREE(&writer->written);
    VEC_FREE(&writer->stack);
    *writer = (WireWriter){0};
}

static void reserve(WireWriter *writer)
{
    uint32_t count = expr_count(writer->pool), room = writer->room ? writer->room : 256;
    if (count <= writer->room)
        return;
    while (room < count)
        room *= 2;
    writer->numbers = mem_resize(writer->numbers, room * sizeof *writer->numbers);
    memset(writer->numbers + writer->room, 0, (room - writer->room) * sizeof *writer->numbers);
    writer->room = room;
}

static bool is_written(const WireWriter *writer, uint32_t id)
{
    return writer->numbers[id] >> 32 == writer->epoch;
}

/* 0: none, 1: unsigned, 2: signed; then the limits. */
static void write_range(const InputRange *range, Text *bytes)
{
    wire_put_number(bytes, range->limited ? 1 + range->is_signed : 0);
    if (range->limited) {
        wire_put_number(bytes, range->low);
        wire_put_number(bytes, range->high);
    }
}

static void write_leaf(const WireWriter *writer, const ExprNode *node, Text *bytes)
{
    if (node->op == EXPR_CONST) {
        wire_put_number(bytes, expr_value(node));
        return;
    }
    const Input *input = input_get(writer->pool->inputs, (InputId){node->word[0]});
    size_t length = strlen(input->name);
    wire_put_number(bytes, input->number);
    write_range(&input->range, bytes);
    wire_put_number(bytes, length);
    text_add_bytes(bytes, input->name, length);
}

static void write_node(WireWriter *writer, uint32_t id, Text *bytes)
{
    const ExprNode *node = &writer->pool->nodes[id];
    char head[2] = {(char)node->op, (char)node->sort};
    text_add_bytes(bytes, head, 2);
    if (node->op == EXPR_CONST || node->op == EXPR_INPUT)
        write_leaf(writer, node, bytes);
    for (unsigned i = 0; i < expr_operands((ExprOp)node->op); i++)
        wire_put_number(bytes, writer->written.count - (uint32_t)writer->numbers[node->word[i]]);
    if (node->op == EXPR_EXTRACT)
        wire_put_number(bytes, node->word[1]);
    writer->numbers[id] = (uint64_t)writer->epoch << 32 | writer->written.count;
    VEC_PUSH(&writer->written, (ExprId){id});
}

/* Writes the node if its operands are written; else puts them on the stack. */
static void visit(WireWriter *writer, uint32_t id, Text *bytes)
{
    const ExprNode *node = &writer->pool->nodes[id];
    uint32_t waiting = writer->stack.count;
    for (unsigned i = 0; i < expr_operands((ExprOp)node->op); i++)
        if (!is_written(writer, node->word[i]))
            VEC_PUSH(&writer->stack, node->word[i]);
    if (writer->stack.count > waiting)
        return;
    write_node(writer, id, bytes);
    writer->stack.count--;
}

static void write_below(WireWriter *writer, ExprId e, Text *bytes)
{
    VEC_PUSH(&writer->stack, e.id);
    while (writer->stack.count) {
        uint32_t id = writer->stack.items[writer->stack.count - 1];
        if (is_written(writer, id))
            writer->stack.count--;
        else
            visit(writer, id, bytes);
    }
}

void wire_put_exprs(WireWriter *writer, const ExprId *exprs, uint32_t count, Text *bytes)
{
    assert(writer->generation == writer->pool->generation);
    Text nodes = {0};
    uint32_t before = writer->written.count;
    reserve(writer);
    for (uint32_t i = 0; i < count; i++)
        write_below(writer, exprs[i], &nodes);
    wire_put_number(bytes, writer->written.count - before);
    text_add_bytes(bytes, text_borrow(&nodes), nodes.length);
    wire_put_number(bytes, count);
    for (uint32_t i = 0; i < count; i++)
        wire_put_number(bytes, (uint32_t)writer->numbers[exprs[i].id]);
    text_release(&nodes);
}

/* ---- Reading ----------------------------------------------------------------------- */

void wire_reader_reset(WireReader *reader, ExprPool *pool)
{
    reader->pool = pool;
    reader->nodes.count = 0;
}

void wire_reader_release(WireReader *reader)
{
    VEC_FREE(&reader->nodes);
}

/* The family of an operation; see expr.def. */
typedef enum Family { LEAF, BITS, ORDER, SHAPE, INT, ANY, SUGAR } Family;

static Family family_of(uint8_t op)
{
    static const uint8_t families[] = {
#define EXPR(name, operands, family, infix, smtlib) family,
#include "sym/expr/expr.def"
#undef EXPR
    };
    return (Family)families[op];
}

static bool is_well_shaped(uint8_t op, Sort sort, unsigned low, const Sort *s)
{
    switch (op) {
    case EXPR_CONCAT: return s[0] && s[1] && s[0] + s[1] == sort;
    case EXPR_EXTRACT: return sort && s[0] <= SORT_WIDEST && low + sort <= s[0];
    default: return s[0] && s[0] < sort;
    }
}

/* Whether operands of these sorts make a node of this sort. */
static bool is_well_sorted(uint8_t op, Sort sort, unsigned low, const Sort *s)
{
    bool two = expr_operands((ExprOp)op) == 2;
    bool on_integers = op == EXPR_ILT || op == EXPR_ILE;
    switch (family_of(op)) {
    case BITS: return sort != SORT_INT && s[0] == sort && (!two || s[1] == sort);
    case INT: return sort == SORT_INT && s[0] == sort && (!two || s[1] == sort);
    case ORDER: return sort == SORT_BOOL && s[0] == s[1] && (s[0] == SORT_INT) == on_integers;
    case SHAPE: return is_well_shaped(op, sort, low, s);
    case ANY:
        if (op == EXPR_EQ)
            return sort == SORT_BOOL && s[0] == s[1];
        return s[0] == SORT_BOOL && s[1] == sort && s[2] == sort;
    default: return false;
    }
}

static bool read_range(WireBytes *bytes, InputRange *range)
{
    uint32_t kind;
    if (!wire_get_small(bytes, 2, &kind))
        return false;
    *range = (InputRange){.limited = kind != 0, .is_signed = kind == 2};
    return kind == 0 || (wire_get_number(bytes, &range->low) && wire_get_number(bytes, &range->high));
}

static bool read_input(WireReader *reader, WireBytes *bytes, Sort sort, ExprId *e)
{
    uint32_t number, length;
    InputRange range;
    char name[LONGEST_NAME + 1];
    if (!wire_get_small(bytes, UINT32_MAX, &number) || !read_range(bytes, &range) ||
        !wire_get_small(bytes, LONGEST_NAME, &length) ||
        (size_t)(bytes->end - bytes->next) < length)
        return false;
    memcpy(name, bytes->next, length);
    name[length] = '\0';
    bytes->next += length;
    *e = expr_input(reader->pool, input_make_limited(reader->pool->inputs, name, number, sort, &range));
    return true;
}

static bool read_operation(WireReader *reader, WireBytes *bytes, uint8_t op, Sort sort, ExprId *e)
{
    ExprId operands[3] = {EXPR_NONE, EXPR_NONE, EXPR_NONE};
    Sort sorts[3] = {0};
    uint32_t back, low = 0;
    for (unsigned i = 0; i < expr_operands((ExprOp)op); i++) {
        if (!wire_get_small(bytes, reader->nodes.count, &back) || back == 0)
            return false;
        operands[i] = reader->nodes.items[reader->nodes.count - back];
        sorts[i] = expr_sort(reader->pool, operands[i]);
    }
    if (op == EXPR_EXTRACT && !wire_get_small(bytes, SORT_WIDEST, &low))
        return false;
    if (!is_well_sorted(op, sort, low, sorts))
        return false;
    if (op == EXPR_EXTRACT)
        operands[1].id = low;
    *e = expr_intern(reader->pool, (ExprOp)op, sort, operands[0], operands[1], operands[2]);
    return true;
}

static bool read_node(WireReader *reader, WireBytes *bytes, ExprId *e)
{
    if (bytes->end - bytes->next < 2)
        return false;
    uint8_t op = *bytes->next++;
    Sort sort = *bytes->next++;
    Bits value;
    if (op >= EXPR_NE || sort > SORT_WIDEST)
        return false;
    if (op == EXPR_INPUT)
        return read_input(reader, bytes, sort, e);
    if (op != EXPR_CONST)
        return read_operation(reader, bytes, op, sort, e);
    if (!wire_get_number(bytes, &value))
        return false;
    *e = expr_const(reader->pool, sort, value);
    return true;
}

bool wire_get_exprs(WireReader *reader, WireBytes *bytes, ExprVec *exprs)
{
    uint32_t nodes, count, number;
    ExprId e;
    exprs->count = 0;
    if (!wire_get_small(bytes, UINT32_MAX, &nodes))
        return false;
    for (uint32_t i = 0; i < nodes; i++) {
        if (!read_node(reader, bytes, &e))
            return false;
        VEC_PUSH(&reader->nodes, e);
    }
    if (!wire_get_small(bytes, UINT32_MAX, &count))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        if (!wire_get_small(bytes, UINT32_MAX, &number) || number >= reader->nodes.count)
            return false;
        VEC_PUSH(exprs, reader->nodes.items[number]);
    }
    return true;
}
