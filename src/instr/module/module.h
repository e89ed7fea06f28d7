/* module.h - one bitcode module while it is being instrumented
 *
 * Everything the passes share: the LLVM objects, the common types, the table of
 * source places, the warnings. Passes are functions over a Module, run in the
 * order that instrument.c shows.
 */
#ifndef INSTR_MODULE_MODULE_H
#define INSTR_MODULE_MODULE_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/map.h"
#include "base/text.h"
#include "base/vec.h"
#include "instr/abi/flags.h"

typedef VEC(LLVMValueRef) ValueList;

typedef struct SiteTable SiteTable;

typedef struct Module {
    const char *input;        /* the file it was read from                          */
    LLVMContextRef context;
    LLVMModuleRef llvm;
    LLVMBuilderRef builder;
    LLVMTargetDataRef layout; /* borrowed from the module */
    LLVMTypeRef void_type, i1, i8, i32, i64, ptr;
    SiteTable *sites;
    ValueList used;           /* globals that must survive optimisation and linking */
    Map private_roots;        /* answers of private.h for the current function */
    Map closed;               /* functions called only by this module, see shadow.h   */
    InstrFlags flags;
    Text carried_words;       /* how the module is compiled, see carried_record.h   */
    bool is_plain;            /* there are only plain versions of its functions     */
    bool makes_inputs;        /* a pass has made symbolic inputs of uninitialised variables */
    bool quiet;               /* no warnings                                        */
} Module;

/* Reads a bitcode file. On failure nothing is left to close. */
bool module_open(Module *m, const char *path, Error *error);
/* The same for the code of a whole test binary: all files of the program in one module. */
bool module_open_program(Module *m, const char *path, Error *error);
/* Is the module well formed? */
bool module_verify(Module *m, Error *error);
/* Checks the module and writes it as bitcode, or as text if `text`. */
bool module_write(Module *m, const char *path, bool text, Error *error);
void module_close(Module *m);

/* Runs LLVM passes given as in `opt -passes=...`. */
bool module_run_passes(Module *m, const char *passes, Error *error);

/* All instructions of the function in order; the caller frees the list. */
ValueList module_instructions(LLVMValueRef function);

/* The first instruction after the local variables of the function, which must come first in its entry block. */
LLVMValueRef module_first_action(LLVMValueRef function);
/* The first instruction from this one on that is not a local variable. */
LLVMValueRef module_after_variables(LLVMValueRef instruction);

/* "sennit: file:line: warning: ..." on standard error, at the place of `instruction`
 * (which may be NULL). */
void module_warn(Module *m, LLVMValueRef instruction, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Bytes that a load or store of this type accesses. */
uint64_t module_size_of(const Module *m, LLVMTypeRef type);

/* Defines a symbol that says of the whole program that some module has a property. */
void module_mark(Module *m, const char *name);

LLVMValueRef module_i32(const Module *m, uint64_t value);
LLVMValueRef module_i64(const Module *m, uint64_t value);

/* A private constant global; in `section` if not NULL, else mergeable with equal ones. */
LLVMValueRef module_constant(Module *m, LLVMValueRef value, const char *section, unsigned alignment);
/* The same with these bytes; and with a NUL-terminated string. */
LLVMValueRef module_bytes(Module *m, const char *bytes, size_t size, const char *section);
LLVMValueRef module_string(Module *m, const char *text);

/* The name of a function or global as a C string, valid while the module lives. */
const char *module_name_of(LLVMValueRef global);

#endif
