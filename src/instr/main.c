/* main.c - sennit-instr: instruments one bitcode file, or analyses the lock orders of a program
 *
 *     sennit-instr [-q] [-S] [flags of instr/abi/flags.def] INPUT.bc -o OUTPUT.bc [-c OBJECT] [-- WORD ...]
 *                                                 the words are those for code generation, which objects carry;
 *                                                 with -c an object is written, or bitcode if only clang can make one
 *     sennit-instr --locks PROGRAM -o OUTPUT      cycles of lock orders, as in lockscan.h
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "instr/analysis/lockscan.h"
#include "instr/codegen.h"
#include "instr/instrument.h"
#include "sennit_version.h"

typedef struct InstrArguments {
    const char *input, *output, *object;
    InstrFlags flags;
    Text words; /* see carried_record.h */
    bool text, quiet, locks;
} InstrArguments;

static void add_word(Text *words, const char *word) { text_add_bytes(words, word, strlen(word) + 1); }

static bool parse_arguments(int argc, char **argv, InstrArguments *args)
{
    int end = 1;
    while (end < argc && strcmp(argv[end], "--") != 0)
        end++;
    for (int i = 1; i < end; i++) {
        if (strcmp(argv[i], "-o") == 0 && i + 1 < end)
            args->output = argv[++i];
        else if (strcmp(argv[i], "-c") == 0 && i + 1 < end)
            args->object = argv[++i];
        else if (strcmp(argv[i], "-S") == 0)
            args->text = true;
        else if (strcmp(argv[i], "-q") == 0)
            args->quiet = true;
        else if (strcmp(argv[i], "--locks") == 0)
            args->locks = true;
        else if (argv[i][0] != '-' && !args->input)
            args->input = argv[i];
        else if (flags_take_instr(&args->flags, argv[i]))
            add_word(&args->words, argv[i]);
        else
            return false;
    }
    for (int i = end; i < argc; i++)
        add_word(&args->words, argv[i]);
    return args->input && args->output;
}

static void print_usage(void)
{
    fputs("usage: sennit-instr [-q] [-S] [flags] INPUT.bc -o OUTPUT [-c OBJECT] [-- WORD ...]\n"
          "       sennit-instr --locks PROGRAM -o OUTPUT\n"
          "flags:\n",
          stderr);
#define CC_FLAG(name, help) fprintf(stderr, "  --%-10s %s\n", #name, help);
#define INSTR_FLAG CC_FLAG
#include "instr/abi/flags.def"
}

static bool write_result(Module *module, const InstrArguments *args, Error *error)
{
    return args->object && codegen_knows(module, &args->words)
               ? codegen_write(module, &args->words, args->object, error)
               : module_write(module, args->output, args->text, error);
}

static bool run(const InstrArguments *args, Error *error)
{
    Module module;
    if (!module_open(&module, args->input, error))
        return false;
    module.quiet = args->quiet;
    module.flags = args->flags;
    module.carried_words = args->words;
    bool done = instrument(&module, error) && write_result(&module, args, error);
    module_close(&module);
    return done;
}

static bool write_text(const char *path, const Text *text, Error *error)
{
    int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0666);
    bool good = fd >= 0 && text_write_all(fd, text->data, text->length);
    if (!good)
        error_set(error, EXIT_USAGE, "cannot write %s: %s", path, strerror(errno));
    if (fd >= 0)
        close(fd);
    return good;
}

static bool scan_locks(const InstrArguments *args, Error *error)
{
    Module module;
    Text text = {0};
    if (!module_open_program(&module, args->input, error))
        return false;
    bool done = lockscan(&module, &text, error) && write_text(args->output, &text, error);
    text_release(&text);
    module_close(&module);
    return done;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--version") == 0) {
        puts("sennit-instr " SENNIT_VERSION);
        return EXIT_CLEAN;
    }
    InstrArguments args = {0};
    if (!parse_arguments(argc, argv, &args)) {
        print_usage();
        return EXIT_USAGE;
    }
    Error error;
    if (args.locks ? scan_locks(&args, &error) : run(&args, &error))
        return EXIT_CLEAN;
    fprintf(stderr, "sennit-instr: %s\n", error.text);
    return error.code;
}
