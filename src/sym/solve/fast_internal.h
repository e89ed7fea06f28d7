/* fast_internal.h - the cheap decision procedures behind solver_fast.c
 *
 * Each answers SAT with an assignment that it has evaluated, UNSAT with certainty, or UNKNOWN
 * when the query is not of its kind or its budget is used up.
 */
#ifndef SYM_SOLVE_FAST_INTERNAL_H
#define SYM_SOLVE_FAST_INTERNAL_H

#include "sym/expr/cone.h"
#include "sym/solve/solver_layer.h"

/* A query with everything that the procedures want to know of it. */
typedef struct FastQuery {
    ExprPool *pool;
    const ExprId *conditions;
    uint32_t count;
    const Assignment *witness; /* or NULL */
    Cone *cone;
    const ExprId *nodes; /* all nodes, operands first; cone_position gives indices into it */
    uint32_t node_count;
    const InputId *inputs;
    uint32_t input_count;
    Support *support;
    Evaluator *evaluator;
} FastQuery;

/* Whether all conditions hold under the assignment. */
bool fast_confirms(const FastQuery *query, const Assignment *assignment);

/* Small domains: all inputs have at most 8 bits. Exhaustive, with forward checking. */
typedef struct FastBytes FastBytes;
FastBytes *fast_bytes_create(const ExprPool *pool);
void fast_bytes_destroy(FastBytes *bytes);
SolverResult fast_bytes_check(FastBytes *bytes, const FastQuery *query, Assignment *assignment);

/* Some values of an input: base .. base + count - 1, at most 256. */
typedef struct FastWindow {
    Bits base;
    uint32_t count;
} FastWindow;

/* The same for inputs of any sort that are known to lie in these windows. Takes what it used
 * off the budget. */
SolverResult fast_bytes_search(FastBytes *bytes, const FastQuery *query, const FastWindow *windows, uint64_t *budget,
                               Assignment *assignment);

/* Orders: comparisons of inputs with each other and with constants, as differences. */
typedef struct FastOrder FastOrder;
FastOrder *fast_order_create(void);
void fast_order_destroy(FastOrder *order);
SolverResult fast_order_check(FastOrder *order, const FastQuery *query, Assignment *assignment);

/* Ranges: bounds and known bits of all nodes, then a short search. */
typedef struct FastRange FastRange;
FastRange *fast_range_create(void);
void fast_range_destroy(FastRange *range);
SolverResult fast_range_check(FastRange *range, const FastQuery *query, Assignment *assignment);

/* What the latest check found out about an input of its query before it searched: it lies
 * among *low .. *low + *count - 1 (wrapping). False if nothing helpful is known. */
bool fast_range_bounds(const FastRange *range, uint32_t input, Bits *low, uint64_t *count);

/* Windows: all values within the bounds that `range` found for this query, if they are few. */
SolverResult fast_window_check(FastBytes *bytes, const FastRange *range, const FastQuery *query, uint64_t budget,
                               Assignment *assignment);

/* Samples: random changes of the witness; never answers UNSAT. */
SolverResult fast_sample_check(const FastQuery *query, Assignment *assignment);

#endif
