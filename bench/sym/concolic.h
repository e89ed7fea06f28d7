/* concolic.h - a minimal concolic explorer over hand-written symbolic programs
 *
 * Stands in for the instrumented C program, so that the solver can be measured by itself:
 * depth first over the branches, one query per branch that was not seen before.
 */
#ifndef BENCH_CONCOLIC_H
#define BENCH_CONCOLIC_H

#include "sym/solve/solver.h"

/* A value as the program sees it, with its expression unless it is a constant. */
typedef struct Value {
    ExprId e;
    Bits v;
    Sort sort;
} Value;

typedef struct Run Run;

/* The number-th input of a name. */
Value input(Run *run, const char *name, uint32_t number, Sort sort);
Value constant(Sort sort, Bits v);
Value apply(Run *run, ExprOp op, Value a, Value b);
/* Decides a branch by the run's inputs. */
bool branch(Run *run, Value condition);

typedef struct Program {
    const char *name;
    void (*run)(Run *run, int size);
    int size;
    uint64_t paths; /* how many there are; 0: not known */
    bool is_long;   /* for a solver alone */
} Program;

typedef struct Result {
    uint64_t paths;
    uint64_t branches;
    uint64_t queries;
    double seconds;
} Result;

/* Explores all paths. `pool` may be reset on the way. */
Result explore(ExprPool *pool, Solver *solver, const Program *program);

extern const Program programs[];
extern const unsigned program_count;

#endif
