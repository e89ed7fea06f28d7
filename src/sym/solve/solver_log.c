/* solver_log.c - writes every query that reaches this layer as an SMT-LIB 2 file */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "sym/solve/smt2.h"
#include "sym/solve/solver_layers.h"

typedef struct LogLayer {
    Solver solver;
    char *directory;
    uint32_t number;
} LogLayer;

static const char *result_name(SolverResult result)
{
    return result == SOLVER_SAT ? "sat" : result == SOLVER_UNSAT ? "unsat" : "unknown";
}

/* A full disk must not change an answer: a file that cannot be written is left out. */
static void write_file(const LogLayer *self, const Text *query)
{
    Text path = {0};
    text_add(&path, "%s/%06u-%d.smt2", self->directory, self->number, (int)getpid());
    int fd = open(text_borrow(&path), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd >= 0) {
        text_write_all(fd, text_borrow(query), query->length);
        close(fd);
    }
    text_release(&path);
}

static SolverResult check(Solver *solver, const SolverQuery *query, SolverAnswer *answer)
{
    LogLayer *self = (LogLayer *)solver;
    Text text = {0};
    smt2_write_query(query->pool, query->conditions, query->count, &text);
    self->number++;
    write_file(self, &text); /* before solving: the query may kill the process */
    SolverResult result = solver_ask(solver->next, query, answer);
    text_add(&text, "; %s\n", result_name(result));
    write_file(self, &text);
    text_release(&text);
    return result;
}

static void destroy(Solver *solver)
{
    LogLayer *self = (LogLayer *)solver;
    free(self->directory);
    free(self);
}

Solver *solver_log_create(const char *directory)
{
    static const SolverOps ops = {check, destroy};
    LogLayer *self = mem_alloc(sizeof *self);
    self->solver.ops = &ops;
    self->directory = mem_copy_string(directory);
    return &self->solver;
}
