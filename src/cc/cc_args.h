/* cc_args.h - the command line of `sennit cc`, taken apart as a compiler driver does
 *
 * What must be known: is this a call that we instrument at all, which inputs are C
 * sources, which arguments belong to compiling, which to code generation, which to linking.
 */
#ifndef CC_CC_ARGS_H
#define CC_CC_ARGS_H

#include <stdbool.h>

#include "base/error.h"
#include "base/vec.h"

typedef VEC(const char *) ArgList;

typedef enum CcMode {
    CC_LINK,     /* up to an executable                                          */
    CC_OBJECT,   /* -c                                                           */
    CC_ASSEMBLY, /* -S                                                           */
    CC_PLAIN     /* nothing for us (-E, -shared, --version, ...): clang does it all */
} CcMode;

typedef enum CcInputKind {
    CC_SOURCE,  /* C: instrumented                                  */
    CC_FOREIGN, /* C++, assembler, ...: compiled as it is           */
    CC_LINKABLE /* object, archive, library, option of the linker   */
} CcInputKind;

typedef struct CcInput {
    const char *text; /* the file, or the argument as given */
    const char *language; /* what -x said, or NULL */
    CcInputKind kind;
} CcInput;

typedef struct CcArgs {
    CcMode mode;
    bool verbose;              /* -v                                               */
    bool says_version;         /* --version                                        */
    bool shared;               /* -shared                                          */
    bool bare;                 /* -nostdlib and the like: no room for a runtime    */
    bool coverage;             /* --coverage: note the lines and branches executed */
    bool unset;                /* --unset: variables without a value are inputs */
    bool scope;                /* --scope: local variables end with their functions */
    bool shifts;               /* --shifts: shifts that C leaves undefined are bugs */
    bool unroll;               /* --unroll: count rounds of loops, for a bound      */
    bool tracks;               /* --inputs: track them even if none is asked for    */
    bool optimised;            /* -O1 or more was asked for                        */
    const char *output;        /* -o, or NULL                                      */
    ArgList all;               /* everything, response files expanded              */
    ArgList compile;           /* for the front end                                */
    ArgList codegen;           /* for code generation from bitcode                 */
    ArgList link;              /* for both kinds of linking, beside the inputs     */
    VEC(CcInput) inputs;       /* in order, options of the linker among them       */
    const char *dependency;    /* -MD or -MMD, or NULL                             */
    bool dependency_file, dependency_target; /* -MF, -MT or -MQ were given         */
    ArgList ignored;           /* options that make no sense here, for a warning   */
    VEC(char *) owned;         /* texts made while parsing                         */
} CcArgs;

/* Takes the arguments apart (argv without the program's name). Strings are borrowed from
 * argv. Release also after a failure. */
bool cc_args_parse(CcArgs *args, int argc, char **argv, Error *error);
void cc_args_release(CcArgs *args);

/* The number of inputs that are compiled rather than linked. */
unsigned cc_args_source_count(const CcArgs *args);

#endif
