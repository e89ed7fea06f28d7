/* solving.c - see solving.h */
#include "app/solving.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "report/json.h"

static void choose_solver(Options *options)
{
    const char *path = access(SENNIT_SOLVER_BUILT, X_OK) == 0 ? SENNIT_SOLVER_BUILT : SENNIT_SOLVER_INSTALLED;
    if (*options->solver)
        return;
    free(options->solver);
    options->solver = mem_copy_string(path);
}

static bool prepare_directory(Options *options, Error *error)
{
    if (!*options->smtlib)
        return true;
    if (mkdir(options->smtlib, 0777) != 0 && errno != EEXIST)
        return error_set(error, EXIT_USAGE, "--smtlib: cannot make %s: %s", options->smtlib, strerror(errno));
    char *path = realpath(options->smtlib, NULL);
    if (!path || access(path, W_OK | X_OK) != 0) {
        error_set(error, EXIT_USAGE, "--smtlib: cannot write to %s: %s", options->smtlib, strerror(errno));
        free(path);
        return false;
    }
    free(options->smtlib);
    options->smtlib = path;
    return true;
}

bool solving_prepare(Options *options, Error *error)
{
    choose_solver(options);
    return prepare_directory(options, error);
}

/* ---- What was solved ------------------------------------------------------------- */

static void add_layers(Json *json, const SolverStats *layers)
{
    json_open_list(json, "layers");
    for (int i = 0; i < LAYERS; i++) {
        if (layers[i].queries == 0)
            continue;
        json_open_object(json, NULL);
        json_add_string(json, "name", solver_layer_name((SolverLayer)i));
        json_add_count(json, "queries", layers[i].queries);
        json_add_count(json, "answered", solver_answered(layers, (SolverLayer)i));
        json_add_count(json, "sat", layers[i].sat);
        json_add_count(json, "unsat", layers[i].unsat);
        json_add_count(json, "unknown", layers[i].unknown);
        json_close_object(json);
    }
    json_close_list(json);
}

void solving_summarise(const SymStats *stats, Summary *summary)
{
    Text text = {0};
    Json json = {.text = &text};
    json_open_object(&json, NULL);
    json_add_count(&json, "executions_with_inputs", stats->inputs);
    json_add_count(&json, "conditions", stats->conditions);
    json_add_count(&json, "questions", stats->queries);
    json_add_count(&json, "feasible", stats->yes);
    json_add_count(&json, "unknown", stats->unknown);
    json_add_count(&json, "z3_queries", stats->layers[LAYER_END].queries);
    json_add_number(&json, "z3_seconds", (double)stats->layers[LAYER_END].nanoseconds * 1e-9);
    json_add_number(&json, "z3_cpu_seconds", (double)stats->layers[LAYER_END].cpu_nanoseconds * 1e-9);
    summary->cpu_seconds += (double)stats->layers[LAYER_END].cpu_nanoseconds * 1e-9;
    add_layers(&json, stats->layers);
    json_close_object(&json);
    summary_add_part(summary, "solver", &text);
    summary->inputs = stats->conditions > 0;
    if (stats->unknown)
        summary_add_bound(summary, "solver-time", 0, stats->unknown, "what the solver could not decide was left out");
}
