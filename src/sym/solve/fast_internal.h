/* fast_internal.h - the fast decision procedures, a kit for solver_fast.c
 *
 * Each *_check answers SOLVER_SAT and sets *assignment to values of all inputs of the query, which it has evaluated;
 * SOLVER_UNSAT, which is a proof; or SOLVER_UNKNOWN if the query is not of its kind or its budget is used up, and then
 * the contents of *assignment are undefined. Results depend on the query alone. The objects keep working memory and
 * what they have learnt about conditions between queries; pools are borrowed.
 */
#ifndef SYM_SOLVE_FAST_INTERNAL_H
#define SYM_SOLVE_FAST_INTERNAL_H

#include "sym/expr/cone.h"
#include "sym/solve/solver_layer.h"

/* A query with what several procedures need; all borrowed. */
typedef struct FastQuery {
    ExprPool *pool;
    const ExprId *conditions;
    uint32_t count;
    const Assignment *witness; /* satisfies all but the goal, or NULL */
    Cone *cone;
    const ExprId *nodes;       /* all nodes, operands first; cone_position gives indices into it */
    uint32_t node_count;
    const InputId *inputs;
    uint32_t input_count;
    Support *support;
    Evaluator *evaluator;
} FastQuery;

/* Whether all conditions hold under the assignment. */
bool fast_confirms(const FastQuery *query, const Assignment *assignment); /* solver_fast.c */

/* ---- Small domains (fast_bytes.c): all inputs have at most 8 bits. Tries all values, with forward checking. ---- */

typedef struct FastBytes FastBytes;
FastBytes *fast_bytes_create(const ExprPool *pool);
void fast_bytes_destroy(FastBytes *bytes);
SolverResult fast_bytes_check(FastBytes *bytes, const FastQuery *query, Assignment *assignment);

/* Values of an input: base .. base + count - 1; at most 256. */
typedef struct FastWindow {
    Bits base;
    uint32_t count;
} FastWindow;

/* The same for inputs of any sort, restricted to these windows (one per input of the query): SOLVER_UNSAT means that
 * there is no solution within them. Subtracts the nodes it computed from *budget. */
SolverResult fast_bytes_search(FastBytes *bytes, const FastQuery *query, const FastWindow *windows, uint64_t *budget,
                               Assignment *assignment);

/* ---- Orders (fast_order.c): comparisons of values with each other and with constants, as differences. ---- */

typedef struct FastOrder FastOrder;
FastOrder *fast_order_create(void);
void fast_order_destroy(FastOrder *order);
SolverResult fast_order_check(FastOrder *order, const FastQuery *query, Assignment *assignment);

/* ---- Ranges (fast_range.c): bounds and known bits of all nodes, then a short search. ---- */

typedef struct FastRange FastRange;
FastRange *fast_range_create(void);
void fast_range_destroy(FastRange *range);
SolverResult fast_range_check(FastRange *range, const FastQuery *query, Assignment *assignment);

/* The bounds that the latest check found for the `input`-th input of its query before it searched: the value lies in
 * *low .. *low + *count - 1 (wrapping). False if there are none. */
bool fast_range_bounds(const FastRange *range, uint32_t input, Bits *low, uint64_t *count);

/* ---- Windows (fast_window.c): inputs with few values within their bounds. ---- */

/* `range` must have checked this query last. `budget` limits the nodes computed. */
SolverResult fast_window_check(FastBytes *bytes, const FastRange *range, const FastQuery *query, uint64_t budget,
                               Assignment *assignment);

/* ---- Samples (fast_sample.c): random changes of the witness. Never answers SOLVER_UNSAT. ---- */

SolverResult fast_sample_check(const FastQuery *query, Assignment *assignment);

#endif
