/* concolic.c - see concolic.h */
#include "concolic.h"

#include <time.h>

#include "base/vec.h"
#include "sym/expr/op.h"

/* Inputs of a run to come; its first `known` branches were asked about already. */
typedef struct Job {
    Assignment inputs;
    uint32_t known;
} Job;

struct Run {
    ExprPool *pool;
    PathCond *pc;
    Solver *solver;
    Assignment inputs;
    uint32_t known, branches;
    VEC(Job) jobs;
    Result result;
};

/* ---- Values ------------------------------------------------------------------- */

Value constant(Sort sort, Bits v)
{
    return (Value){EXPR_NONE, bits_cut(v, sort), sort};
}

Value input(Run *run, const char *name, uint32_t number, Sort sort)
{
    InputId id = input_make(run->pool->inputs, name, number, sort);
    return (Value){expr_input(run->pool, id), assignment_get(&run->inputs, id), sort};
}

static Bits concrete(ExprOp op, Value a, Value b)
{
    Bits result = 0;
    switch (op) {
    case EXPR_NE: return a.v != b.v;
    case EXPR_SGT: return bits_signed(a.v, a.sort) > bits_signed(b.v, a.sort);
    default: op_apply(op, a.sort, 0, (Bits[]){a.v, b.v, 0}, &result); return result;
    }
}

Value apply(Run *run, ExprOp op, Value a, Value b)
{
    bool orders = op == EXPR_NE || op == EXPR_SGT || op == EXPR_EQ || (op >= EXPR_ULT && op <= EXPR_SLE);
    ExprId e = expr_binary_mixed(run->pool, op, a.sort, a.e, a.v, b.e, b.v);
    return (Value){e, concrete(op, a, b), orders ? SORT_BOOL : a.sort};
}

/* ---- Branches ------------------------------------------------------------------ */

static void ask_other_side(Run *run, ExprId other)
{
    Assignment model = {0};
    run->result.queries++;
    if (solver_check(run->solver, run->pc, other, &model) == SOLVER_SAT) {
        Job job = {model, run->branches};
        VEC_PUSH(&run->jobs, job);
    } else {
        assignment_release(&model);
    }
}

bool branch(Run *run, Value condition)
{
    if (expr_is_none(condition.e))
        return condition.v;
    ExprId taken = condition.v ? condition.e : expr_not(run->pool, condition.e);
    if (pathcond_decides(run->pc, taken) >= 0)
        return condition.v;
    run->branches++;
    run->result.branches++;
    if (run->branches > run->known)
        ask_other_side(run, expr_not(run->pool, taken));
    pathcond_add(run->pc, taken);
    return condition.v;
}

/* ---- Exploration ------------------------------------------------------------------ */

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

Result explore(ExprPool *pool, Solver *solver, const Program *program)
{
    Run run = {.pool = pool, .pc = pathcond_create(pool), .solver = solver};
    ExprMark mark = expr_mark(pool);
    double start = cpu_seconds();
    Job first = {0};
    VEC_PUSH(&run.jobs, first);
    while (run.jobs.count) {
        Job job = run.jobs.items[--run.jobs.count];
        assignment_copy(&run.inputs, &job.inputs);
        assignment_release(&job.inputs);
        run.known = job.known;
        run.branches = 0;
        pathcond_reset(run.pc);
        if (expr_count(pool) > 1 << 18)
            expr_reset(pool, mark);
        pathcond_set_witness(run.pc, &run.inputs);
        program->run(&run, program->size);
        run.result.paths++;
    }
    run.result.seconds = cpu_seconds() - start;
    pathcond_destroy(run.pc);
    assignment_release(&run.inputs);
    VEC_FREE(&run.jobs);
    expr_reset(pool, mark);
    return run.result;
}
