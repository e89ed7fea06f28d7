/* module.c - see module.h */
#include "instr/module/module.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "instr/module/carried.h"
#include "instr/module/site.h"

/* ---- Lifecycle ------------------------------------------------------------ */

static void init_types(Module *m)
{
    m->void_type = LLVMVoidTypeInContext(m->context);
    m->i1 = LLVMInt1TypeInContext(m->context);
    m->i8 = LLVMInt8TypeInContext(m->context);
    m->i32 = LLVMInt32TypeInContext(m->context);
    m->i64 = LLVMInt64TypeInContext(m->context);
    m->ptr = LLVMPointerTypeInContext(m->context, 0);
}

/* LLVM reports broken bitcode to the context's handler, which would end the process. */
static void note_diagnostic(LLVMDiagnosticInfoRef info, void *text)
{
    char *description = LLVMGetDiagInfoDescription(info);
    snprintf(text, sizeof((Error *)0)->text, "%s", description);
    LLVMDisposeMessage(description);
}

static bool parse(Module *m, const char *path, Error *error)
{
    LLVMMemoryBufferRef buffer;
    char *message = NULL;
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message)) {
        error_set(error, EXIT_USAGE, "cannot read %s: %s", path, message);
        LLVMDisposeMessage(message);
        return false;
    }
    char problem[sizeof error->text] = "";
    LLVMContextSetDiagnosticHandler(m->context, note_diagnostic, problem);
    bool failed = LLVMParseBitcodeInContext2(m->context, buffer, &m->llvm) != 0;
    LLVMContextSetDiagnosticHandler(m->context, NULL, NULL);
    LLVMDisposeMemoryBuffer(buffer);
    return failed ? error_set(error, EXIT_USAGE, "%s is not LLVM bitcode: %.300s", path, problem) : true;
}

static void complete(Module *m)
{
    m->builder = LLVMCreateBuilderInContext(m->context);
    m->layout = LLVMGetModuleDataLayout(m->llvm);
    m->sites = site_table_create();
    init_types(m);
}

bool module_open(Module *m, const char *path, Error *error)
{
    *m = (Module){.context = LLVMContextCreate(), .input = path};
    if (!parse(m, path, error)) {
        LLVMContextDispose(m->context);
        return false;
    }
    complete(m);
    return true;
}

bool module_open_program(Module *m, const char *path, Error *error)
{
    *m = (Module){.context = LLVMContextCreate(), .input = path};
    m->llvm = carried_link(m->context, path, error);
    if (!m->llvm) {
        LLVMContextDispose(m->context);
        return false;
    }
    complete(m);
    return true;
}

void module_close(Module *m)
{
    site_table_destroy(m->sites);
    VEC_FREE(&m->used);
    map_release(&m->private_roots);
    LLVMDisposeBuilder(m->builder);
    LLVMDisposeModule(m->llvm);
    LLVMContextDispose(m->context);
}

/* ---- Output --------------------------------------------------------------- */

bool module_verify(Module *m, Error *error)
{
    char *message = NULL;
    bool broken = LLVMVerifyModule(m->llvm, LLVMReturnStatusAction, &message) != 0;
    if (broken)
        error_set(error, EXIT_INTERNAL, "the instrumented module is broken: %.400s", message);
    LLVMDisposeMessage(message);
    return !broken;
}

bool module_write(Module *m, const char *path, bool text, Error *error)
{
    if (!module_verify(m, error))
        return false;
    char *message = NULL;
    bool failed = text ? LLVMPrintModuleToFile(m->llvm, path, &message) != 0
                       : LLVMWriteBitcodeToFile(m->llvm, path) != 0;
    if (failed)
        error_set(error, EXIT_USAGE, "cannot write %s%s%s", path, message ? ": " : "", message ? message : "");
    LLVMDisposeMessage(message);
    return !failed;
}

bool module_run_passes(Module *m, const char *passes, Error *error)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef failure = LLVMRunPasses(m->llvm, passes, NULL, options);
    LLVMDisposePassBuilderOptions(options);
    if (!failure)
        return true;
    char *message = LLVMGetErrorMessage(failure);
    error_set(error, EXIT_INTERNAL, "LLVM passes '%s': %.300s", passes, message);
    LLVMDisposeErrorMessage(message);
    return false;
}

/* ---- Queries -------------------------------------------------------------- */

LLVMValueRef module_after_variables(LLVMValueRef instruction)
{
    while (LLVMIsAAllocaInst(instruction))
        instruction = LLVMGetNextInstruction(instruction);
    return instruction;
}

LLVMValueRef module_first_action(LLVMValueRef function)
{
    return module_after_variables(LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
}

ValueList module_instructions(LLVMValueRef function)
{
    ValueList list = {0};
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
            VEC_PUSH(&list, i);
    return list;
}

uint64_t module_size_of(const Module *m, LLVMTypeRef type)
{
    return LLVMStoreSizeOfType(m->layout, type);
}

const char *module_name_of(LLVMValueRef global)
{
    size_t length;
    return LLVMGetValueName2(global, &length);
}

/* ---- Constants ------------------------------------------------------------ */

LLVMValueRef module_i32(const Module *m, uint64_t value)
{
    return LLVMConstInt(m->i32, value, 0);
}

LLVMValueRef module_i64(const Module *m, uint64_t value)
{
    return LLVMConstInt(m->i64, value, 0);
}

void module_mark(Module *m, const char *name)
{
    if (LLVMGetNamedGlobal(m->llvm, name))
        return;
    LLVMValueRef global = LLVMAddGlobal(m->llvm, m->i8, name);
    LLVMSetInitializer(global, LLVMConstNull(m->i8));
    LLVMSetGlobalConstant(global, 1);
    LLVMSetLinkage(global, LLVMWeakAnyLinkage);
}

LLVMValueRef module_constant(Module *m, LLVMValueRef value, const char *section, unsigned alignment)
{
    LLVMValueRef global = LLVMAddGlobal(m->llvm, LLVMTypeOf(value), "sennit.constant");
    LLVMSetInitializer(global, value);
    LLVMSetGlobalConstant(global, 1);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    LLVMSetAlignment(global, alignment);
    if (section)
        LLVMSetSection(global, section);
    else
        LLVMSetUnnamedAddress(global, LLVMGlobalUnnamedAddr);
    return global;
}

LLVMValueRef module_bytes(Module *m, const char *bytes, size_t size, const char *section)
{
    return module_constant(m, LLVMConstStringInContext2(m->context, bytes, size, 1), section, 1);
}

LLVMValueRef module_string(Module *m, const char *text)
{
    return module_bytes(m, text, strlen(text) + 1, NULL);
}

/* ---- Warnings ------------------------------------------------------------- */

void module_warn(Module *m, LLVMValueRef instruction, const char *format, ...)
{
    if (m->quiet)
        return;
    fprintf(stderr, "sennit: ");
    if (instruction)
        site_print(stderr, instruction);
    fprintf(stderr, "warning: ");
    va_list args;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
}
