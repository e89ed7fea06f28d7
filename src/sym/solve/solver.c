/* solver.c - see solver.h: what all layers have in common */
#include "sym/solve/solver.h"

#include <stdlib.h>
#include <time.h>

#include "sym/solve/solver_layer.h"

/* ---- Asking ------------------------------------------------------------------ */

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void count_result(SolverStats *stats, SolverResult result)
{
    stats->sat += result == SOLVER_SAT;
    stats->unsat += result == SOLVER_UNSAT;
    stats->unknown += result == SOLVER_UNKNOWN;
}

static SolverResult ask_timed(Solver *layer, const SolverQuery *query, SolverAnswer *answer)
{
    uint64_t start = now_ns();
    SolverResult result = layer->ops->check(layer, query, answer);
    uint64_t spent = now_ns() - start;
    layer->stats->nanoseconds += spent;
    /* The layer above has waited all the while: that time is not its own. */
    if (layer->above && layer->above->timing)
        layer->above->stats->nanoseconds -= spent;
    return result;
}

SolverResult solver_ask(Solver *layer, const SolverQuery *query, SolverAnswer *answer)
{
    layer->stats->queries++;
    SolverResult result = layer->timing ? ask_timed(layer, query, answer) : layer->ops->check(layer, query, answer);
    count_result(layer->stats, result);
    return result;
}

/* Asks with the goal added to the path condition. */
static SolverResult ask_with_goal(Solver *solver, PathCond *pc, PathMark mark, Assignment *assignment)
{
    SolverQuery query = {.pool = pathcond_pool(pc), .pc = pc, .fresh = pathcond_count(pc) - mark.count};
    SolverAnswer answer = {0};
    SolverResult result = SOLVER_UNSAT;
    if (!pathcond_is_false(pc)) {
        result = solver_ask(solver, &query, &answer);
    } else {
        solver->stats->queries++;
        count_result(solver->stats, result);
    }
    if (result == SOLVER_SAT && assignment)
        assignment_copy(assignment, &answer.assignment);
    assignment_release(&answer.assignment);
    return result;
}

SolverResult solver_check(Solver *solver, PathCond *pc, ExprId goal, Assignment *assignment)
{
    PathMark mark = pathcond_mark(pc);
    if (!expr_is_none(goal))
        pathcond_add(pc, goal);
    SolverResult result = ask_with_goal(solver, pc, mark, assignment);
    pathcond_pop(pc, mark);
    return result;
}

SolverResult solver_check_path(Solver *solver, PathCond *pc, Assignment *assignment)
{
    uint32_t reach = pathcond_witness_reach(pc), count = pathcond_count(pc);
    const Assignment *witness = pathcond_find_witness_below(pc, reach);
    if (witness && reach == count) {
        if (assignment)
            assignment_copy(assignment, witness);
        return SOLVER_SAT;
    }
    return ask_with_goal(solver, pc, (PathMark){witness ? reach : count}, assignment);
}

void solver_destroy(Solver *solver)
{
    while (solver) {
        Solver *next = solver->next;
        free(solver->owned_stats);
        solver->ops->destroy(solver);
        solver = next;
    }
}

/* ---- Statistics ---------------------------------------------------------------- */

const char *solver_layer_name(SolverLayer layer)
{
    static const char *const names[LAYERS] = {"slice", "check", "reuse", "cache", "fast", "log", "small", "z3"};
    return names[layer];
}

uint64_t solver_answered(const SolverStats *stats, SolverLayer layer)
{
    for (int next = (int)layer + 1; next < LAYERS; next++)
        if (stats[next].queries)
            return stats[layer].queries > stats[next].queries ? stats[layer].queries - stats[next].queries : 0;
    return stats[layer].queries;
}

void solver_stats_print(const SolverStats *stats, Text *text)
{
    for (int i = 0; i < LAYERS; i++) {
        if (stats[i].queries == 0)
            continue;
        uint64_t answered = solver_answered(stats, (SolverLayer)i);
        text_add(text, "%-6s %10llu queries %10llu answered (%5.1f %%)  sat %llu unsat %llu unknown %llu",
                 solver_layer_name((SolverLayer)i), (unsigned long long)stats[i].queries, (unsigned long long)answered,
                 100.0 * (double)answered / (double)stats[i].queries, (unsigned long long)stats[i].sat,
                 (unsigned long long)stats[i].unsat, (unsigned long long)stats[i].unknown);
        if (stats[i].nanoseconds)
            text_add(text, "  %.3f s", (double)stats[i].nanoseconds * 1e-9);
        text_add_string(text, "\n");
    }
}
