/* solver_chain.c - which layers there are, and their order */
#include <stdlib.h>

#include "base/mem.h"
#include "sym/solve/solver_layers.h"

enum { DEFAULT_TIMEOUT_MS = 10000 };

/* ---- The end without a solver ---------------------------------------------------- */

static SolverResult know_nothing(Solver *self, const SolverQuery *query, SolverAnswer *answer)
{
    (void)self;
    (void)query;
    (void)answer;
    return SOLVER_UNKNOWN;
}

static void free_layer(Solver *self)
{
    free(self);
}

Solver *solver_none_create(void)
{
    static const SolverOps ops = {know_nothing, free_layer};
    Solver *solver = mem_alloc(sizeof *solver);
    solver->ops = &ops;
    return solver;
}

/* ---- Building ---------------------------------------------------------------------- */

typedef struct Builder {
    const SolverOptions *options;
    SolverStats *stats;
    Solver *first, *last;
} Builder;

static bool wants(const Builder *builder, SolverLayer layer)
{
    return !(builder->options->without & 1u << layer);
}

static void append(Builder *builder, SolverLayer layer, Solver *solver)
{
    solver->stats = &builder->stats[layer];
    solver->timing = builder->options->timing || layer == LAYER_END;
    solver->above = builder->last;
    *(builder->last ? &builder->last->next : &builder->first) = solver;
    builder->last = solver;
}

Solver *solver_chain_create(const SolverOptions *options)
{
    SolverStats *own = options->stats ? NULL : mem_alloc(LAYERS * sizeof *own);
    Builder b = {options, own ? own : options->stats, NULL, NULL};
    uint32_t timeout_ms = options->timeout_ms ? options->timeout_ms : DEFAULT_TIMEOUT_MS;
    Solver *end = options->end ? options->end : solver_none_create();

    append(&b, LAYER_SLICE, solver_slice_create(options->pool, timeout_ms, !wants(&b, LAYER_SLICE)));
    if (options->check)
        append(&b, LAYER_CHECK, solver_check_create(options->pool, options->end));
    if (wants(&b, LAYER_REUSE))
        append(&b, LAYER_REUSE, solver_reuse_create(options->pool));
    if (wants(&b, LAYER_CACHE))
        append(&b, LAYER_CACHE, solver_cache_create(options->pool));
    if (wants(&b, LAYER_FAST))
        append(&b, LAYER_FAST, solver_fast_create(options->pool));
    if (options->log_dir)
        append(&b, LAYER_LOG, solver_log_create(options->log_dir));
    if (wants(&b, LAYER_SMALL))
        append(&b, LAYER_SMALL, solver_small_create(options->pool));
    append(&b, LAYER_END, end);
    b.first->owned_stats = own;
    return b.first;
}

const SolverStats *solver_stats(const Solver *chain)
{
    return chain->stats; /* the first layer's are the first */
}
