/* wire.h - expressions as bytes, for other processes
 *
 * A writer numbers the nodes it has written and writes each node once; a reader that gets its pieces in order makes the
 * same expressions. Inputs are written by name, so both sides may number them differently.
 */
#ifndef SYM_EXPR_WIRE_H
#define SYM_EXPR_WIRE_H

#include "base/text.h"
#include "base/vec.h"
#include "sym/expr/expr.h"

/* ---- Numbers ------------------------------------------------------------------ */

/* Seven bits per byte, lowest first. */
void wire_put_number(Text *bytes, Bits number);

/* Bytes still to be read. */
typedef struct WireBytes {
    const unsigned char *next, *end;
} WireBytes;

/* False if the bytes end too early or are damaged. */
bool wire_get_number(WireBytes *bytes, Bits *number);
/* The same for numbers that must be at most `most`. */
bool wire_get_small(WireBytes *bytes, uint32_t most, uint32_t *number);

/* ---- Writing ------------------------------------------------------------------- */

/* Start with {0} and call wire_writer_reset. */
typedef struct WireWriter {
    const ExprPool *pool;
    uint64_t *numbers;  /* by node id: epoch and number in the stream */
    uint32_t room;
    uint32_t epoch;
    uint32_t generation;
    VEC(ExprId) written; /* by number */
    VEC(uint32_t) stack;
} WireWriter;

/* A new stream. */
void wire_writer_reset(WireWriter *writer, const ExprPool *pool);
void wire_writer_release(WireWriter *writer);

/* Appends a piece: the nodes of these expressions that are new, and which nodes they are. */
void wire_put_exprs(WireWriter *writer, const ExprId *exprs, uint32_t count, Text *bytes);

/* ---- Reading --------------------------------------------------------------------- */

/* Start with {0} and call wire_reader_reset. */
typedef struct WireReader {
    ExprPool *pool;
    VEC(ExprId) nodes; /* by number */
} WireReader;

void wire_reader_reset(WireReader *reader, ExprPool *pool);
void wire_reader_release(WireReader *reader);

/* Reads one piece into `exprs`, which is emptied first; false if it is damaged. */
typedef VEC(ExprId) ExprVec;
bool wire_get_exprs(WireReader *reader, WireBytes *bytes, ExprVec *exprs);

#endif
