/* testrun.h - `sennit test` and `sennit deadlock`: compile a program into the run directory, then run it
 *
 * The two verbs differ in a TestVerb; what they share is in testrun.c (the course of the verb),
 * testrun_parse.c (the command line) and testrun_build.c (a place for the binary, and compiling it).
 */
#ifndef CLI_TESTRUN_H
#define CLI_TESTRUN_H

#include "app/run/rundir.h"
#include "base/vec.h"
#include "host/binary.h"
#include "subject/abs/models.h"

typedef struct TestRequest TestRequest;

/* What a verb that compiles and runs programs does differently. */
typedef struct TestVerb {
    const char *name;
    unsigned uses;                         /* of options                                            */
    const char *task;                      /* of the test binary, as an option; "" if it is to explore */
    bool takes_binary;                     /* a program built by `sennit cc` may be given            */
    bool covers;                           /* programs are compiled for coverage                     */
    int (*run_models)(const Models *models, const Options *options, int argc, char **argv);
    void (*prepare)(TestRequest *request); /* before the binary is started; or NULL                  */
} TestVerb;

typedef VEC(char *) CompilerWords;

/* One command line. */
struct TestRequest {
    const TestVerb *verb;
    Options options;
    CompilerWords compile; /* for `sennit cc`                                      */
    char **arguments;      /* of the program; NULL-terminated                      */
    const char *source;    /* the first one, for names                             */
    Models models;         /* files, if a model is to be tested                    */
    FileNames files;       /* their names                                          */
    RunDir dir;
    char *temporary;       /* directory of the binary if the run's cannot hold it  */
    Text binary;
    bool is_built;         /* the binary was given, not a source                   */
    Text locks;            /* file with the lock orders found in the code, or empty */
};

/* Runs the verb; returns the exit code. */
int testrun(const TestVerb *verb, int argc, char **argv);

/* Fills in the request from the command line. */
bool testrun_parse(TestRequest *request, int argc, char **argv, Error *error);

/* Opens the run directory and chooses where the binary is to be, there or in a temporary directory. */
bool testrun_choose_place(TestRequest *request, Error *error);
/* Compiles the binary. On failure nothing is left behind. */
bool testrun_compile(TestRequest *request, Error *error);
/* Removes the binary, and its directory if that is empty. */
void testrun_remove_binary(TestRequest *request);
/* Adds "--build=..." with the flags and sources of the program, for those who compile it without Sennit. */
void testrun_add_build(const TestRequest *request, Text *options);

#endif
