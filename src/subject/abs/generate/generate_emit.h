/* generate_emit.h - the tests of `sennit generate` on standard output or in a directory */
#ifndef SUBJECT_ABS_GENERATE_EMIT_H
#define SUBJECT_ABS_GENERATE_EMIT_H

#include "report/coverage.h"
#include "subject/abs/generate/generate_abs.h"
#include "subject/abs/interleaving_tree.h"
#include "tcg/generate.h"

/* The result of a generation. */
typedef struct Generated {
    const GenerateRequest *request;
    Model *model;
    const TestSuite *suite;
    const GenerateStats *stats;
    uint32_t contexts;
    const InterleavingTree *tree; /* of the tests; NULL: not requested */
    const CodeCoverage *coverage; /* by the tests                      */
} Generated;

/* Before the search: creates the output directory, if one is given. False if that fails or it is not writable. */
bool generate_emit_prepare(const GenerateRequest *request, Error *error);

/* Reads each test back from its ABS form and runs it, then writes all. False with EXIT_DIVERGED if one does not
 * reproduce its execution: then nothing is written. */
bool generate_emit(const Generated *generated, Error *error);

#endif
