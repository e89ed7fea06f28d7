/* cc.c - see cc.h
 *
 * A C source passes through two programs: clang makes unoptimised bitcode, sennit-instr instruments it, optimises the
 * result and generates code; where it cannot, as for options that only clang understands, clang does. Linking adds the
 * runtime, whose main explores, and the versions of functions that track inputs if the program has any. Everything else
 * is passed to clang unchanged.
 */
#include "cc/cc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "cc/carried.h"
#include "cc/command_line.h"
#include "cc/keep.h"
#include "cc/linker.h"
#include "cc/opaque.h"
#include "host/installation.h"
#include "host/scratch.h"
#include "host/subprocess.h"
#include "sennit_version.h"

/* One call of `sennit cc`. */
typedef struct Cc {
    CommandLine args;
    Installation installation;
    Scratch scratch;
    OwnedTexts texts;  /* arguments made here */
    int status;        /* exit code of the program that failed, or 0 */
    int signal;        /* that arrived meanwhile, or 0 */
    bool has_inputs;   /* an object of the program to be linked asks for symbolic inputs */
} Cc;

/* ---- Running -------------------------------------------------------------- */

static void push_all(ArgList *to, const ArgList *from)
{
    for (uint32_t i = 0; i < from->count; i++)
        VEC_PUSH(to, from->items[i]);
}

static void print_command(const ArgList *command)
{
    for (uint32_t i = 0; command->items[i]; i++)
        fprintf(stderr, "%s%s", i ? " " : "", command->items[i]);
    fputc('\n', stderr);
}

/* Runs the command (terminated here) and frees the list. False if it fails. */
static bool run(Cc *cc, ArgList *command)
{
    VEC_PUSH(command, NULL);
    if (cc->args.verbose)
        print_command(command);
    Subprocess result;
    Error error;
    bool started = subprocess_run(command->items, &result, &error);
    VEC_FREE(command);
    if (!started) {
        fprintf(stderr, "sennit cc: %s\n", error.text);
        cc->status = 1;
        return false;
    }
    cc->status = result.status;
    cc->signal = result.signal;
    return result.status == 0 && result.signal == 0;
}

static bool complain(Cc *cc, const Error *error)
{
    fprintf(stderr, "sennit cc: %s\n", error->text);
    cc->status = 1;
    return false;
}

/* ---- Names ---------------------------------------------------------------- */

/* "dir/a.c" with ending ".o" -> "a.o", in the current directory as compilers do; with `keep_directory` -> "dir/a.o".
 * The text lives as long as `cc`. */
static const char *change_ending(Cc *cc, const char *path, const char *ending, bool keep_directory)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash && !keep_directory ? slash + 1 : path;
    const char *name = strrchr(base, '/') ? strrchr(base, '/') : base;
    const char *dot = strrchr(name, '.');
    size_t stem = dot && dot != name ? (size_t)(dot - base) : strlen(base);
    char *text = mem_alloc(stem + strlen(ending) + 1);
    memcpy(text, base, stem);
    strcpy(text + stem, ending);
    VEC_PUSH(&cc->texts, text);
    return text;
}

/* The object or assembly file that compiling `source` must leave, NULL on failure. */
static const char *output_for(Cc *cc, const char *source)
{
    const char *ending = cc->args.mode == CC_ASSEMBLY ? ".s" : ".o";
    if (cc->args.mode != CC_LINK)
        return cc->args.output ? cc->args.output : change_ending(cc, source, ending, false);
    Error error;
    const char *name = scratch_name(&cc->scratch, source, ".o", &error);
    if (!name)
        complain(cc, &error);
    return name;
}

/* ---- Compiling ------------------------------------------------------------ */

/* The headers for users, and the macro by which a program knows that it is compiled for Sennit. */
static void push_environment(Cc *cc, ArgList *command)
{
    VEC_PUSH(command, "-D__SENNIT__=1");
    if (cc->installation.include[0]) {
        VEC_PUSH(command, "-idirafter");
        VEC_PUSH(command, cc->installation.include);
    }
}

/* The front end is given a temporary output name, so dependency files need the user's. */
static void push_dependency_names(Cc *cc, ArgList *command, const char *source, const char *output)
{
    if (!cc->args.dependency)
        return;
    const char *object = cc->args.mode == CC_LINK ? change_ending(cc, source, ".o", false) : output;
    const char *beside = cc->args.output ? cc->args.output : object;
    if (!cc->args.dependency_file) {
        VEC_PUSH(command, "-MF");
        VEC_PUSH(command, change_ending(cc, beside, ".d", true));
    }
    if (!cc->args.dependency_target) {
        VEC_PUSH(command, "-MT");
        VEC_PUSH(command, object);
    }
}

static bool has_debug_option(const ArgList *list)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (strncmp(list->items[i], "-g", 2) == 0)
            return true;
    return false;
}

/* Old C that other compilers accept with a warning is accepted here too; a -Werror=... of the user comes later. */
static void push_leniency(ArgList *command)
{
    VEC_PUSH(command, "-Wno-error=int-conversion");
    VEC_PUSH(command, "-Wno-error=implicit-function-declaration");
    VEC_PUSH(command, "-Wno-error=implicit-int");
    VEC_PUSH(command, "-Wno-error=incompatible-function-pointer-types");
}

/* Only the front end knows which shifts are of signed numbers, so it inserts the checks. */
static void push_shifts(ArgList *command)
{
    VEC_PUSH(command, "-fsanitize=shift");
    VEC_PUSH(command, "-fno-sanitize-recover=shift");
}

/* What the user says to the front end; -w has no power over what is an error to us. */
static void push_words(Cc *cc, ArgList *command)
{
    const ArgList *words = &cc->args.compile;
    bool silent = false;
    for (uint32_t i = 0; i < words->count; i++)
        if (strcmp(words->items[i], "-w") == 0)
            silent = true;
        else
            VEC_PUSH(command, words->items[i]);
    if (silent)
        VEC_PUSH(command, "-Wno-everything");
}

/* clang drops a fence whose order is none of C's, without a word; of an exchange it says so. */
#define FENCE_WITH_ORDER(fence) "-D" fence "(o)=((void)sizeof(__atomic_exchange_n((int *)0, 0, (o))), " fence "(o))"

/* Makes bitcode on which no pass has run. With -O1 clang permits optimisation later; with -O0 it marks functions
 * `optnone`, for debuggers. */
static bool run_front_end(Cc *cc, const CcInput *input, const char *output, const char *bitcode)
{
    static const char *const fixed[] = {"-Xclang",
                                        "-disable-llvm-passes",
                                        "-fno-omit-frame-pointer",
                                        "-fno-optimize-sibling-calls",
                                        "-femulated-tls",
                                        "-U_FORTIFY_SOURCE",
                                        "-D__NO_INLINE__", /* no bodies of getc_unlocked and the like from headers */
                                        "-fno-stack-protector",
                                        "-fno-discard-value-names",
                                        "-Wno-unused-command-line-argument",
                                        "-Wno-atomic-alignment",
                                        "-Werror=atomic-memory-ordering", /* clang drops such an operation */
                                        FENCE_WITH_ORDER("__c11_atomic_thread_fence"),
                                        FENCE_WITH_ORDER("__atomic_thread_fence"),
                                        "-emit-llvm",
                                        "-c"};
    ArgList command = {0};
    VEC_PUSH(&command, cc->installation.compiler);
    VEC_PUSH(&command, "-fno-pie"); /* test binaries have fixed addresses; -fPIC may follow */
    push_leniency(&command);
    if (!has_debug_option(&cc->args.compile))
        VEC_PUSH(&command, "-g");
    push_words(cc, &command);
    push_environment(cc, &command);
    VEC_PUSH(&command, cc->args.optimised ? "-O1" : "-O0");
    for (unsigned i = 0; i < sizeof fixed / sizeof *fixed; i++)
        VEC_PUSH(&command, fixed[i]);
    VEC_PUSH(&command, "-Xclang"); /* lifetime markers of variables; without -O clang emits them only for a sanitizer */
    VEC_PUSH(&command, cc->args.flags.scope ? "-fsanitize-address-use-after-scope" : "-disable-lifetime-markers");
    if (cc->args.flags.shifts)
        push_shifts(&command);
    push_dependency_names(cc, &command, input->text, output);
    if (cc->args.verbose)
        VEC_PUSH(&command, "-v");
    if (input->language) {
        VEC_PUSH(&command, "-x");
        VEC_PUSH(&command, input->language);
    }
    VEC_PUSH(&command, input->text);
    VEC_PUSH(&command, "-o");
    VEC_PUSH(&command, bitcode);
    return run(cc, &command);
}

/* What code generation needs to know, whenever it happens. */
static void push_generation(Cc *cc, ArgList *command)
{
    push_all(command, &cc->args.codegen);
    VEC_PUSH(command, "-fno-omit-frame-pointer");
    VEC_PUSH(command, cc->args.optimised ? "-O2" : "-O0");
}

/* Instruments a module and generates its code. The words are those of clang for code generation; the object carries
 * them, in case it has to be compiled again. Without an object, and where it cannot generate the code itself, the
 * instrumenter writes bitcode. Frees `command`, which has the flags. */
static bool run_instrumenter(Cc *cc, ArgList *command, const char *bitcode, const ArgList *words,
                             const char *instrumented, const char *object)
{
    VEC_PUSH(command, bitcode);
    VEC_PUSH(command, "-o");
    VEC_PUSH(command, instrumented);
    if (object) {
        VEC_PUSH(command, "-c");
        VEC_PUSH(command, object);
    }
    VEC_PUSH(command, "--");
    push_all(command, words);
    bool done = run(cc, command);
    if (cc->status == EXIT_USAGE)
        cc->status = 1; /* as compilers say it */
    return done;
}

static bool run_code_generator(Cc *cc, const char *instrumented, const ArgList *words, CcMode mode, const char *output)
{
    ArgList command = {0};
    VEC_PUSH(&command, cc->installation.compiler);
    VEC_PUSH(&command, "-fno-pie");
    push_all(&command, words);
    VEC_PUSH(&command, "-Wno-unused-command-line-argument");
    VEC_PUSH(&command, "-femulated-tls");
    VEC_PUSH(&command, mode == CC_ASSEMBLY ? "-S" : "-c");
    VEC_PUSH(&command, "-x");
    VEC_PUSH(&command, "ir");
    VEC_PUSH(&command, instrumented);
    VEC_PUSH(&command, "-o");
    VEC_PUSH(&command, output);
    return run(cc, &command);
}

/* Instruments the bitcode and makes an object, or assembly, of it. Frees `command`, see run_instrumenter. */
static bool generate(Cc *cc, ArgList *command, const char *bitcode, const ArgList *words, CcMode mode,
                     const char *output)
{
    Error error;
    const char *instrumented = scratch_name(&cc->scratch, bitcode, ".instr.bc", &error);
    if (!instrumented) {
        VEC_FREE(command);
        return complain(cc, &error);
    }
    return run_instrumenter(cc, command, bitcode, words, instrumented, mode == CC_ASSEMBLY ? NULL : output) &&
           (access(instrumented, F_OK) < 0 || run_code_generator(cc, instrumented, words, mode, output));
}

static void push_instrumenter(Cc *cc, ArgList *command)
{
    VEC_PUSH(command, cc->installation.instrumenter);
#define CC_FLAG(name, help)     \
    if (cc->args.flags.name)    \
        VEC_PUSH(command, "--" #name);
#include "instr/abi/flags.def"
    if (cc->args.flags.shifts || cc->has_inputs) /* overflow is seen by tracked versions */
        VEC_PUSH(command, "--tracked");
}

static bool compile_source(Cc *cc, const CcInput *input, const char *output)
{
    Error error;
    const char *bitcode = scratch_name(&cc->scratch, input->text, ".bc", &error);
    if (!bitcode)
        return complain(cc, &error);
    if (!run_front_end(cc, input, output, bitcode))
        return false;
    ArgList command = {0}, words = {0};
    push_instrumenter(cc, &command);
    push_generation(cc, &words);
    bool done = generate(cc, &command, bitcode, &words, cc->args.mode, output);
    VEC_FREE(&words);
    return done;
}

/* C++ and assembler are compiled without instrumentation: the program can call them as opaque functions. */
static bool compile_foreign(Cc *cc, const CcInput *input, const char *output)
{
    fprintf(stderr, "sennit cc: note: %s is not C: compiled without instrumentation, its functions are opaque\n",
            input->text);
    ArgList command = {0};
    VEC_PUSH(&command, cc->installation.compiler);
    push_all(&command, &cc->args.compile);
    VEC_PUSH(&command, cc->args.mode == CC_ASSEMBLY ? "-S" : "-c");
    if (input->language) {
        VEC_PUSH(&command, "-x");
        VEC_PUSH(&command, input->language);
    }
    VEC_PUSH(&command, input->text);
    VEC_PUSH(&command, "-o");
    VEC_PUSH(&command, output);
    return run(cc, &command);
}

/* A guess, which decides what is compiled first. */
static bool may_ask_for_inputs(const char *source)
{
    static const char *const words[] = {"sennit_", "klee_", "__VERIFIER_nondet"};
    Text text = {0};
    bool found = false;
    if (strcmp(source, "-") != 0 && file_read(source, &text))
        for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
            found = found || memmem(text.data, text.length, words[i], strlen(words[i]));
    text_release(&text);
    return found;
}

/* Compiles a source and replaces it in the input list by its object. */
static bool compile_one(Cc *cc, CcInput *input)
{
    const char *output = output_for(cc, input->text);
    if (!output)
        return false;
    bool is_c = input->kind == CC_SOURCE;
    if (!(is_c ? compile_source(cc, input, output) : compile_foreign(cc, input, output)))
        return false;
    *input = (CcInput){.text = output, .kind = CC_LINKABLE};
    cc->has_inputs = cc->has_inputs || (cc->args.mode == CC_LINK && is_c && carried_asks_for_inputs(output));
    return true;
}

/* Sources that ask for inputs first: the others of the same program then need not be compiled again for them. */
static bool compile_all(Cc *cc)
{
    CcInput *inputs = cc->args.inputs.items;
    bool links = cc->args.mode == CC_LINK && !cc->args.bare;
    for (uint32_t i = 0; links && i < cc->args.inputs.count; i++)
        if (inputs[i].kind == CC_SOURCE && may_ask_for_inputs(inputs[i].text) && !compile_one(cc, &inputs[i]))
            return false;
    for (uint32_t i = 0; i < cc->args.inputs.count; i++)
        if (inputs[i].kind != CC_LINKABLE && !compile_one(cc, &inputs[i]))
            return false;
    return true;
}

/* ---- Linking -------------------------------------------------------------- */

static const char *program_name(const Cc *cc) { return cc->args.output ? cc->args.output : "a.out"; }

/* Through clang, which knows what to add and what its options mean. */
static void push_driver(Cc *cc, ArgList *command)
{
    VEC_PUSH(command, cc->installation.compiler);
    VEC_PUSH(command, "-Wno-unused-command-line-argument");
    push_all(command, &cc->args.link);
    VEC_PUSH(command, "-no-pie");
    VEC_PUSH(command, "-o");
    VEC_PUSH(command, program_name(cc));
    for (uint32_t i = 0; i < cc->args.inputs.count; i++)
        VEC_PUSH(command, cc->args.inputs.items[i].text);
    if (!cc->args.bare) {
        VEC_PUSH(command, cc->installation.runtime);
        VEC_PUSH(command, "-lpthread");
        VEC_PUSH(command, "-lm");
    }
}

/* Links the inputs. */
static bool run_linker(Cc *cc)
{
    ArgList command = {0};
    if (!linker_command(&cc->args, &cc->installation, program_name(cc), &command, &cc->texts))
        push_driver(cc, &command);
    return run(cc, &command);
}

/* ---- Tracked versions ------------------------------------------------------- */

/* Compiles the module again, now with tracked versions. */
static const char *compile_tracked(Cc *cc, const CarriedModule *module)
{
    Error error;
    const char *object = scratch_name(&cc->scratch, "tracked", ".o", &error);
    if (!object) {
        complain(cc, &error);
        return NULL;
    }
    ArgList command = {0}, words = {0};
    VEC_PUSH(&command, cc->installation.instrumenter);
    VEC_PUSH(&command, "-q"); /* its warnings were given */
    VEC_PUSH(&command, "--tracked");
    for (uint32_t i = 0; i < module->instrument.count; i++)
        VEC_PUSH(&command, module->instrument.items[i]);
    for (uint32_t i = 0; i < module->generate.count; i++)
        VEC_PUSH(&words, module->generate.items[i]);
    bool done = generate(cc, &command, module->bitcode, &words, CC_OBJECT, object);
    VEC_FREE(&words);
    return done ? object : NULL;
}

/* Objects without tracked versions leave the list; those of archives are not used if their symbols are defined. An
 * object made of several cannot be replaced. */
static bool drop_plain_objects(Cc *cc)
{
    uint32_t kept = 0;
    Error error;
    for (uint32_t i = 0; i < cc->args.inputs.count; i++) {
        CcInput input = cc->args.inputs.items[i];
        uint32_t modules, plain;
        carried_count(input.text, &modules, &plain);
        if (plain && modules > 1) {
            error_set(&error, EXIT_USAGE, "%s consists of several objects: compile their sources with --inputs",
                      input.text);
            return complain(cc, &error);
        }
        if (!plain)
            cc->args.inputs.items[kept++] = input;
    }
    cc->args.inputs.count = kept;
    return true;
}

static void put_first(Cc *cc, const char *object)
{
    VEC_PUSH(&cc->args.inputs, ((CcInput){0}));
    memmove(cc->args.inputs.items + 1, cc->args.inputs.items,
            (cc->args.inputs.count - 1) * sizeof *cc->args.inputs.items);
    cc->args.inputs.items[0] = (CcInput){.text = object, .kind = CC_LINKABLE};
}

/* The program has inputs: links it again, with tracked versions of all its functions. */
static bool link_tracked(Cc *cc)
{
    CarriedModules modules = {0};
    Error error;
    bool good = carried_extract(program_name(cc), &cc->scratch, &modules, &error) || complain(cc, &error);
    good = good && drop_plain_objects(cc);
    for (uint32_t i = modules.count; good && i-- > 0;) {
        const char *object = compile_tracked(cc, &modules.items[i]);
        good = object != NULL;
        if (good)
            put_first(cc, object);
    }
    carried_release(&modules);
    if (!good || run_linker(cc))
        return good;
    fputs("sennit cc: the program has symbolic inputs; if it cannot be linked a second time, with objects that track "
          "them, compile all its sources with --inputs\n", stderr);
    return false;
}

static bool link_all(Cc *cc)
{
    if (!run_linker(cc))
        return false;
    if (!cc->args.bare && carried_needs_tracking(program_name(cc)) && !link_tracked(cc))
        return false;
    Error error;
    if (!cc->args.bare && !keep_inputs(&cc->args, program_name(cc), &error))
        return complain(cc, &error);
    if (cc->args.verbose)
        opaque_print(stderr, program_name(cc));
    return true;
}

/* ---- The command ---------------------------------------------------------- */

static bool run_plain(Cc *cc)
{
    ArgList command = {0};
    VEC_PUSH(&command, cc->installation.compiler);
    push_environment(cc, &command);
    push_all(&command, &cc->args.all);
    if (cc->args.shared && cc->installation.inert[0]) /* hooks for instrumented objects, if any */
        VEC_PUSH(&command, cc->installation.inert);
    bool verbose = cc->args.verbose;
    cc->args.verbose = false; /* clang's -v prints the commands */
    bool done = run(cc, &command);
    cc->args.verbose = verbose;
    if (done && cc->args.says_version)
        puts("Sennit " SENNIT_VERSION " (sennit cc: C is instrumented for systematic testing)");
    return done;
}

static void warn_ignored(const Cc *cc)
{
    for (uint32_t i = 0; i < cc->args.ignored.count; i++)
        fprintf(stderr, "sennit cc: warning: %s is ignored\n", cc->args.ignored.items[i]);
}

static bool carry_out(Cc *cc, int argc, char **argv)
{
    Error error;
    if (!command_line_parse(&cc->args, argc, argv, &error) || !installation_find(&cc->installation, &error))
        return complain(cc, &error);
    if (cc->args.mode == CC_PLAIN)
        return run_plain(cc);
    warn_ignored(cc);
    return compile_all(cc) && (cc->args.mode != CC_LINK || link_all(cc));
}

static void release(Cc *cc)
{
    scratch_release(&cc->scratch);
    command_line_release(&cc->args);
    for (uint32_t i = 0; i < cc->texts.count; i++)
        free(cc->texts.items[i]);
    VEC_FREE(&cc->texts);
}

int cc_run(int argc, char **argv)
{
    Cc cc = {0};
    bool done = carry_out(&cc, argc - 1, argv + 1);
    int signal = cc.signal, status = cc.status ? cc.status : 1;
    release(&cc);
    if (signal)
        subprocess_die_of(signal);
    return done ? 0 : status;
}

/* ---- Flags --------------------------------------------------------------- */

static const char *const FLAGS[] = {
#define CC_FLAG(name, help) "--" #name,
#define FRONT_END_FLAG CC_FLAG
#include "instr/abi/flags.def"
};

const char *cc_flag_word(CcFlag flag) { return FLAGS[flag]; }

bool cc_is_own_flag(const char *word)
{
    for (unsigned i = 0; i < CC_FLAG_COUNT; i++)
        if (strcmp(word, FLAGS[i]) == 0)
            return true;
    return false;
}
