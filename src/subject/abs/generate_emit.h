/* generate_emit.h - the tests of `sennit generate` on standard output or in a directory */
#ifndef SUBJECT_ABS_GENERATE_EMIT_H
#define SUBJECT_ABS_GENERATE_EMIT_H

#include "subject/abs/generate_abs.h"
#include "tcg/generate.h"

/* What is known when all tests are there. */
typedef struct Generated {
    const GenerateRequest *request;
    Model *model;
    const TestSuite *suite;
    const GenerateStats *stats;
    uint32_t contexts;
} Generated;

/* Before the search: is the directory, if one is wanted, there or can it be made? */
bool generate_emit_prepare(const GenerateRequest *request, Error *error);

/* Reads each test back from its ABS form and runs that, then writes them all. False with
 * EXIT_DIVERGED if one does not behave as it is written: then nothing is written. */
bool generate_emit(const Generated *generated, Error *error);

#endif
