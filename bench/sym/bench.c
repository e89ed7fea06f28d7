/* bench.c - how fast queries are answered, and by which layer
 *
 * Usage: sym_bench SOLVER [-v] [NAME]
 *
 *   SOLVER      path of sennit-solver, or - for z3 in this process
 *   -v          the layers of each run        NAME   one program only, or "rates"
 *   before z3   share of queries that did not reach z3
 *   z3 alone    CPU seconds of the same exploration with z3 answering everything in this
 *               process; left out where that takes long
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "concolic.h"
#include "sym/solve/solver_remote.h"
#include "sym/solve/solver_z3.h"

static const uint32_t z3_only =
    1u << LAYER_SLICE | 1u << LAYER_REUSE | 1u << LAYER_CACHE | 1u << LAYER_FAST | 1u << LAYER_SMALL;

static Solver *make_end(ExprPool *pool, const char *path)
{
    Error error;
    Solver *end = strcmp(path, "-") == 0 ? solver_z3_create(pool) : solver_remote_create(pool, path, &error);
    if (!end)
        fprintf(stderr, "%s\n", error.text);
    return end;
}

static Solver *make_chain(ExprPool *pool, const char *path, uint32_t without, bool timing)
{
    SolverOptions options = {.pool = pool, .end = make_end(pool, path), .without = without, .timing = timing};
    return solver_chain_create(&options);
}

static void measure(ExprPool *pool, const char *path, const Program *program, bool verbose)
{
    Solver *chain = make_chain(pool, path, 0, verbose), *alone = make_chain(pool, "-", z3_only, false);
    Result ours = explore(pool, chain, program);
    Result theirs = program->is_long ? ours : explore(pool, alone, program);
    double share = ours.queries ? 100.0 - 100.0 * (double)solver_stats(chain)[LAYER_END].queries / (double)ours.queries : 0;
    const char *mark = ours.paths != theirs.paths || (program->paths && ours.paths != program->paths) ? "!" : "";
    printf("%-9s %2d %7llu%1s %8llu %8.1f %% %9.4f %10.0f", program->name, program->size,
           (unsigned long long)ours.paths, mark, (unsigned long long)ours.queries, share, ours.seconds,
           (double)ours.queries / ours.seconds);
    if (!program->is_long)
        printf(" %9.3f", theirs.seconds);
    printf("\n");
    if (verbose) {
        Text text = {0};
        solver_stats_print(solver_stats(chain), &text);
        fputs(text_borrow(&text), stdout);
        text_release(&text);
    }
    fflush(stdout);
    solver_destroy(chain);
    solver_destroy(alone);
}

static double wall_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* What a query costs that needs no solving, so that the way there and back is seen. */
static void measure_round_trip(ExprPool *pool, const char *path)
{
    enum { QUERIES = 20000 };
    Solver *chain = make_chain(pool, path, z3_only, false);
    PathCond *pc = pathcond_create(pool);
    ExprId x = expr_input(pool, input_make(pool->inputs, "x", 0, 1));
    double start = 0;
    for (int i = 0; i < QUERIES; i++) {
        solver_check(chain, pc, i % 2 ? x : expr_not(pool, x), NULL);
        if (i == 100)
            start = wall_seconds();
    }
    printf("%.1f us for a trivial query of z3 %s\n", (wall_seconds() - start) / (QUERIES - 101) * 1e6,
           strcmp(path, "-") == 0 ? "in this process" : "in another process");
    pathcond_destroy(pc);
    solver_destroy(chain);
}

/* Expressions per second: byte-wise loads, sums, comparisons, as a C program makes them. */
static void measure_making(ExprPool *pool)
{
    ExprMark mark = expr_mark(pool);
    clock_t start = clock();
    ExprId x[64];
    uint64_t made = 0;
    for (uint32_t i = 0; i < 64; i++)
        x[i] = expr_input(pool, input_make(pool->inputs, "x", i, 32));
    for (uint32_t round = 0; round < 20000; round++) {
        ExprId sum = x[round % 64], bytes[4];
        for (uint32_t i = 0; i < 16; i++) {
            sum = expr_binary(pool, EXPR_ADD, sum, expr_binary(pool, EXPR_MUL, x[(round + i) % 64], x[(round * i) % 64]));
            expr_split_bytes(pool, sum, bytes, 4);
            sum = expr_join_bytes(pool, bytes, 0, 4);
            expr_binary(pool, EXPR_SLT, sum, x[i]);
            made += 8;
        }
        if (expr_count(pool) > 1 << 18)
            expr_reset(pool, mark);
    }
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    printf("%.1f million expressions made per second\n", (double)made / seconds * 1e-6);
    expr_reset(pool, mark);
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "-";
    bool verbose = argc > 2 && strcmp(argv[2], "-v") == 0;
    const char *name = argc > 2 + verbose ? argv[2 + verbose] : NULL;
    ExprPool *pool = expr_pool_create(1 << 22);
    printf("program       paths   queries  before z3     CPU s  queries/s  z3 alone\n");
    for (unsigned i = 0; i < program_count; i++)
        if (!name || strcmp(name, programs[i].name) == 0)
            measure(pool, path, &programs[i], verbose);
    if (!name || strcmp(name, "rates") == 0) {
        measure_making(pool);
        measure_round_trip(pool, "-");
        measure_round_trip(pool, path);
    }
    expr_pool_destroy(pool);
    return 0;
}
