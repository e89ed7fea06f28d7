/* command_line.h - the command line of `sennit cc`, parsed as a compiler driver does
 *
 * Determines whether this call is instrumented at all, which inputs are C sources, and which arguments belong to
 * compiling, to code generation and to linking.
 */
#ifndef CC_COMMAND_LINE_H
#define CC_COMMAND_LINE_H

#include <stdbool.h>

#include "base/error.h"
#include "base/vec.h"
#include "instr/abi/flags.h"

typedef VEC(const char *) ArgList;

typedef enum CcMode {
    CC_LINK,     /* up to an executable                                          */
    CC_OBJECT,   /* -c                                                           */
    CC_ASSEMBLY, /* -S                                                           */
    CC_PLAIN     /* not instrumented (-E, -shared, --version, ...): one call of clang */
} CcMode;

typedef enum CcInputKind {
    CC_SOURCE,  /* C: instrumented                                  */
    CC_FOREIGN, /* C++, assembler, ...: compiled, not instrumented  */
    CC_LINKABLE /* object, archive, library, option of the linker   */
} CcInputKind;

typedef struct CcInput {
    const char *text; /* the file, or the argument as given */
    const char *language; /* what -x said, or NULL */
    CcInputKind kind;
} CcInput;

typedef struct CommandLine {
    CcMode mode;
    bool verbose;              /* -v                                               */
    bool says_version;         /* --version                                        */
    bool shared;               /* -shared                                          */
    bool bare;                 /* -nostdlib and the like: link without the runtime */
    InstrFlags flags;
    bool optimised;            /* -O1 or more was asked for                        */
    const char *output;        /* -o, or NULL                                      */
    ArgList all;               /* everything, response files expanded              */
    ArgList compile;           /* for the front end                                */
    ArgList codegen;           /* for code generation from bitcode                 */
    ArgList link;              /* for both kinds of linking, beside the inputs     */
    VEC(CcInput) inputs;       /* in order, options of the linker among them       */
    const char *dependency;    /* -MD or -MMD, or NULL                             */
    bool dependency_file, dependency_target; /* -MF, -MT or -MQ were given         */
    ArgList ignored;           /* unsupported options, for a warning               */
    VEC(char *) owned;         /* texts made while parsing                         */
} CommandLine;

/* Parses the arguments (argv without the program's name). Strings are borrowed from argv. Release also after a
 * failure. */
bool command_line_parse(CommandLine *args, int argc, char **argv, Error *error);
void command_line_release(CommandLine *args);

#endif
