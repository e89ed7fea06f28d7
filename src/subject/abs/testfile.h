/* testfile.h - files with tests (tcg/script.h) and the model they are run on */
#ifndef SUBJECT_ABS_TESTFILE_H
#define SUBJECT_ABS_TESTFILE_H

#include "abs/program/program_abs.h"
#include "tcg/script.h"

typedef struct TestFile {
    Model *suite;
    ScriptList tests;      /* empty: the file contains no tests  */
} TestFile;

/* Start with {0}. False if the file cannot be read or has errors, which are added to `problems`; release it anyway. */
bool testfile_open(TestFile *file, const char *path, Text *problems);
bool testfile_parse(TestFile *file, const char *name, const char *text, size_t size, Text *problems);
void testfile_release(TestFile *file);

/* Loads a model on which tests that need these semantics can be run (verify.h); the caller owns it. NULL with `error`
 * set and its diagnostics printed on standard error. */
AbsProgram *testfile_load_model(const char *const *paths, uint32_t count, TestSemantics semantics,
                                Error *error);

/* Runs the generated test in this text; false with `error` set if it does not pass. */
bool testfile_confirm(AbsProgram *program, const Text *text, Error *error);
/* Removes the tests of an earlier run with this prefix, which are not part of a new suite. */
void testfile_remove_old(const char *directory, const char *prefix);

#endif
