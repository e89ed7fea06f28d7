/* solving.c - see solving.h */
#include "app/run/solving.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "report/json.h"

/* The solver of an installation whose bin directory is in PATH, wherever it was moved to. */
static bool find_through_path(char path[PATH_MAX])
{
    const char *list = getenv("PATH");
    while (list && *list) {
        size_t length = strcspn(list, ":");
        int written = snprintf(path, PATH_MAX, "%.*s/../lib/sennit/sennit-solver", (int)length, list);
        if (written < PATH_MAX && access(path, X_OK) == 0)
            return true;
        list += length + (list[length] == ':');
    }
    return false;
}

/* A test binary that the tool starts is told where the solver is; one that is run by itself searches for it. */
static void choose_solver(Options *options)
{
    char found[PATH_MAX];
    const char *path = SENNIT_SOLVER_INSTALLED;
    if (*options->solver)
        return;
    if (access(SENNIT_SOLVER_BUILT, X_OK) == 0)
        path = SENNIT_SOLVER_BUILT;
    else if (access(path, X_OK) != 0 && find_through_path(found))
        path = found;
    free(options->solver);
    options->solver = mem_copy_string(path);
}

static bool prepare_directory(Options *options, Error *error)
{
    if (!*options->smtlib)
        return true;
    if (mkdir(options->smtlib, 0777) != 0 && errno != EEXIST)
        return error_set(error, EXIT_USAGE, "--smtlib: cannot create %s: %s", options->smtlib, strerror(errno));
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

/* ---- Statistics ------------------------------------------------------------------ */

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
        summary_add_bound(summary, "solver-time", 0, stats->unknown, "queries that the solver could not decide");
}

/* ---- For other processes ----------------------------------------------------------- */

enum { SOLVING_COUNTS = 5 + 6 * LAYERS };

/* The counts in the order in which they are written. */
static void list_counts(SymStats *stats, uint64_t **counts)
{
    uint32_t n = 0;
    counts[n++] = &stats->inputs;
    counts[n++] = &stats->queries;
    counts[n++] = &stats->yes;
    counts[n++] = &stats->unknown;
    counts[n++] = &stats->conditions;
    for (int i = 0; i < LAYERS; i++) {
        SolverStats *layer = &stats->layers[i];
        uint64_t *of_layer[] = {&layer->queries, &layer->sat,         &layer->unsat,
                                &layer->unknown, &layer->nanoseconds, &layer->cpu_nanoseconds};
        for (size_t k = 0; k < sizeof of_layer / sizeof *of_layer; k++)
            counts[n++] = of_layer[k];
    }
}

void solving_write(const SymStats *stats, SymStats *sent, Text *out)
{
    SymStats now = *stats, before = sent ? *sent : (SymStats){0};
    uint64_t *counts[SOLVING_COUNTS], *old[SOLVING_COUNTS];
    list_counts(&now, counts);
    list_counts(&before, old);
    bool news = false;
    for (uint32_t i = 0; i < SOLVING_COUNTS; i++)
        news |= *counts[i] != *old[i];
    if (!news)
        return;
    text_add_string(out, "solver");
    for (uint32_t i = 0; i < SOLVING_COUNTS; i++) /* of conditions the total: archive_add_stats takes the maximum */
        text_add(out, " %llu", (unsigned long long)(counts[i] == &now.conditions ? *counts[i] : *counts[i] - *old[i]));
    text_add_string(out, "\n");
    if (sent)
        *sent = *stats;
}

bool solving_read(SymStats *stats, const char *line)
{
    uint64_t *counts[SOLVING_COUNTS];
    char *end;
    *stats = (SymStats){0};
    list_counts(stats, counts);
    if (strncmp(line, "solver ", 7) != 0)
        return false;
    line += 6;
    for (uint32_t i = 0; i < SOLVING_COUNTS; i++, line = end) {
        *counts[i] = strtoull(line, &end, 10);
        if (end == line)
            return false;
    }
    return *line == '\n';
}
