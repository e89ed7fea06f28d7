/* csuite.h - tests of a C function as a C program that does not need Sennit
 *
 * Each test makes its arguments, calls the function, and compares the result and the final contents of the memory
 * passed to it with what they were when the test was written. These values are found by running all tests twice, with
 * different garbage in fresh memory: values that differ are not compared.
 */
#ifndef CGEN_CSUITE_H
#define CGEN_CSUITE_H

#include "cgen/arguments.h"
#include "cgen/compile.h"
#include "cgen/results.h"
#include "host/scratch.h"

typedef struct SuiteCase {
    uint32_t number;
    Trace *trace;
    char *skipped;           /* why it cannot be run without Sennit; NULL: it can     */
    NoteList notes;          /* what the call did, as recorded                        */
    int status;              /* exit status                                           */
} SuiteCase;

typedef struct CSuite {
    const DebugInfo *info;
    int function;
    const ArgumentOptions *options;
    const Words *words;      /* flags and other files                                 */
    const char *directory;   /* of the traces, and where the suite is written to      */
    const char *include;     /* the source as seen from there                         */
    Scratch *scratch;
    double deadline;         /* of subprocess_now; 0: none                            */
    VEC(SuiteCase) cases;
    Text records[2];         /* notes point into them                                 */
    uint32_t runnable;       /* tests that can be run without Sennit                  */
    bool confirmed;          /* all of them passed when the suite was run             */
} CSuite;

/* Reads the traces of the directory, writes NAME_tests.c and sennit_check.h, compiles and runs the suite. Release
 * also after a failure. EXIT_BUDGET: the deadline has come, and there is no NAME_tests.c. */
bool csuite_make(CSuite *suite, Error *error);
void csuite_release(CSuite *suite);

/* Compiles a source of a suite with its words, in its directory; answers the program, NULL on failure. */
const char *csuite_compile(CSuite *suite, const char *source, const char *define, Error *error);

#endif
