/* sym_generate.h - random expressions, each made twice: simplified and as written */
#ifndef SYM_GENERATE_H
#define SYM_GENERATE_H

#include "base/rng.h"
#include "sym/expr/expr.h"

/* The same expression through expr_make, and node by node without simplification. */
typedef struct Pair {
    ExprId made;
    ExprId raw;
} Pair;

typedef struct Generator {
    ExprPool *pool;
    Rng rng;
    InputId inputs[8];
    uint32_t input_count;
    Sort widest_product; /* no wider products and quotients: solvers take ages over them */
} Generator;

/* Inputs for the following expressions: `count` of them, of sort `sort`. */
void generate_inputs(Generator *g, uint32_t count, Sort sort);

/* An expression of the sort, `depth` operations deep at most. */
Pair generate(Generator *g, Sort sort, int depth);

/* A Boolean that looks like the condition of a branch. */
Pair generate_condition(Generator *g, int depth);

/* Small numbers, extremes, powers of two, anything. */
Bits generate_value(Generator *g, Sort sort);

#endif
