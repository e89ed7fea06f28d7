/* codegen.c - see codegen.h */
#include "instr/codegen.h"

#include <errno.h>
#include <llvm-c/Analysis.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

typedef struct CodeOptions {
    bool optimised, position_independent;
} CodeOptions;

/* ---- What is asked for ---------------------------------------------------------------------- */

/* One argument of clang. False: unknown. The attributes of functions say the rest. */
static bool take_word(CodeOptions *options, const char *word)
{
    static const char *const independent[] = {"-fPIC", "-fpic", "-fPIE", "-fpie"};
    static const char *const fixed[] = {"-fno-PIC", "-fno-pic", "-fno-PIE", "-fno-pie"};
    for (unsigned i = 0; i < sizeof fixed / sizeof *fixed; i++)
        if (strcmp(word, fixed[i]) == 0 || strcmp(word, independent[i]) == 0) {
            options->position_independent = strcmp(word, independent[i]) == 0;
            return true;
        }
    if (strcmp(word, "-O2") == 0 || strcmp(word, "-O0") == 0) {
        options->optimised = word[2] == '2';
        return true;
    }
    return strcmp(word, "-fno-omit-frame-pointer") == 0;
}

static bool take_words(CodeOptions *options, const Text *words)
{
    bool for_clang = false;
    *options = (CodeOptions){0};
    for (size_t at = 0; at < words->length; at += strlen(words->data + at) + 1) {
        const char *word = words->data + at;
        if (for_clang && !take_word(options, word))
            return false;
        for_clang = for_clang || strcmp(word, "--") == 0;
    }
    return for_clang;
}

static bool has_thread_locals(const Module *m)
{
    for (LLVMValueRef g = LLVMGetFirstGlobal(m->llvm); g; g = LLVMGetNextGlobal(g))
        if (LLVMIsThreadLocal(g))
            return true;
    return false;
}

static bool is_for_this_machine(const Module *m)
{
    char *triple = LLVMGetDefaultTargetTriple();
    bool same = strcmp(LLVMGetTarget(m->llvm), triple) == 0;
    LLVMDisposeMessage(triple);
    return same;
}

bool codegen_knows(const Module *m, const Text *words)
{
    CodeOptions options;
    return take_words(&options, words) && is_for_this_machine(m) && !has_thread_locals(m);
}

/* ---- Generating ------------------------------------------------------------------------------ */

static bool fail(char *message, Error *error)
{
    error_set(error, EXIT_INTERNAL, "cannot generate code: %.400s", message);
    LLVMDisposeMessage(message);
    return false;
}

static LLVMTargetMachineRef create_machine(const Module *m, const CodeOptions *options, Error *error)
{
    LLVMTargetRef target;
    char *message = NULL;
    LLVMInitializeNativeTarget();
    LLVMInitializeNativeAsmPrinter();
    LLVMInitializeNativeAsmParser();
    if (LLVMGetTargetFromTriple(LLVMGetTarget(m->llvm), &target, &message)) {
        fail(message, error);
        return NULL;
    }
    /* As clang: of the oldest processor, for functions whose attributes name none. */
    return LLVMCreateTargetMachine(target, LLVMGetTarget(m->llvm), "", "",
                                   options->optimised ? LLVMCodeGenLevelDefault : LLVMCodeGenLevelNone,
                                   options->position_independent ? LLVMRelocPIC : LLVMRelocStatic,
                                   LLVMCodeModelDefault);
}

/* With what clang turns on at -O2 beside the defaults of LLVM. */
static bool optimise(Module *m, LLVMTargetMachineRef machine, bool optimised, Error *error)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMPassBuilderOptionsSetLoopVectorization(options, optimised);
    LLVMPassBuilderOptionsSetSLPVectorization(options, optimised);
    LLVMPassBuilderOptionsSetLoopInterleaving(options, optimised);
    LLVMErrorRef failure = LLVMRunPasses(m->llvm, optimised ? "default<O2>" : "default<O0>", machine, options);
    LLVMDisposePassBuilderOptions(options);
    return !failure || fail(LLVMGetErrorMessage(failure), error);
}

/* A file that has other names keeps its content under these. */
static bool replace_file(const char *path, const char *bytes, size_t size)
{
    struct stat status;
    if (lstat(path, &status) == 0 && S_ISREG(status.st_mode))
        unlink(path);
    return file_write(path, O_TRUNC, bytes, size);
}

static bool emit(Module *m, LLVMTargetMachineRef machine, const char *path, Error *error)
{
    char *message = NULL;
    LLVMMemoryBufferRef object;
    if (LLVMTargetMachineEmitToMemoryBuffer(machine, m->llvm, LLVMObjectFile, &message, &object))
        return fail(message, error);
    bool written = replace_file(path, LLVMGetBufferStart(object), LLVMGetBufferSize(object));
    if (!written)
        error_set(error, EXIT_USAGE, "cannot write %s: %s", path, strerror(errno));
    LLVMDisposeMemoryBuffer(object);
    return written;
}

bool codegen_write(Module *m, const Text *words, const char *path, Error *error)
{
    CodeOptions options;
    take_words(&options, words);
    LLVMTargetMachineRef machine = module_verify(m, error) ? create_machine(m, &options, error) : NULL;
    if (!machine)
        return false;
    bool done = optimise(m, machine, options.optimised, error) && emit(m, machine, path, error);
    LLVMDisposeTargetMachine(machine);
    return done;
}
