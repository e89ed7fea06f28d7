/* generate_abs.h - `sennit generate` for models */
#ifndef SUBJECT_ABS_GENERATE_ABS_H
#define SUBJECT_ABS_GENERATE_ABS_H

#include <stdbool.h>
#include <stdint.h>

#include "app/options/options.h"
#include "base/error.h"
#include "base/vec.h"
#include "core/explore.h"
#include "tcg/select.h"
#include "tcg/testcase.h"

/* The output format of tests. */
typedef enum TestEmit { EMIT_TEXT, EMIT_ABS, EMIT_JSON, EMIT_XUNIT } TestEmit;

typedef struct GenerateRequest {
    const char *const *paths;
    uint32_t path_count;
    const Options *options;     /* how the files are read                      */
    VEC(const char *) methods;  /* "DB.register", "DB.register:1..2"          */
    uint64_t loop, switches, objects, recursion;
    uint64_t max_executions;
    double max_time;
    int64_t low, high;          /* range of numbers; low > high: all          */
    TestFormat format;
    TestEmit emit;
    const char *out;            /* directory; NULL: standard output            */
    Reduction reduction;
    Selection selection;        /* which tests are kept                        */
    bool no_independence, no_stability, no_aliases, no_null; /* see options.def */
    bool for_deadlock;          /* methods: those of the cycles of the deadlock analysis */
    bool json;                  /* print run.json; tests are only written to `out`       */
    bool only_contexts;         /* list them, explore nothing                            */
    bool quiet_tests;           /* --show=none: only the summary                         */
    bool tables, diagrams;      /* of each test, in its text                             */
    bool tree_text, tree_dot;   /* of all tests: printed, written to `out`               */
    const char *solver;
    double solver_time;         /* seconds per query                           */
    bool quiet;                 /* no progress                                           */
    const char *command;        /* as given, for run.json                                */
} GenerateRequest;

/* Generates tests and writes them. Answers the exit code. */
int model_generate(const GenerateRequest *request);

#endif
