/* main.c - sennit-instr: instruments one bitcode file
 *
 *     sennit-instr [-q] [-S] [--plain|--library] [--coverage] [--scope] [--unset] [--unroll] [--inputs] INPUT.bc -o
 * OUTPUT.bc sennit-instr --locks PROGRAM -o OUTPUT      cycles of lock orders, as in lockscan.h
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "instr/analysis/lockscan.h"
#include "instr/instrument.h"

typedef struct Arguments {
    const char *input, *output;
    bool text, plain, library, quiet, coverage, scope, unset, unroll, inputs, locks;
} Arguments;

static bool parse_arguments(int argc, char **argv, Arguments *args)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-o") == 0 && i + 1 < argc)
            args->output = argv[++i];
        else if (strcmp(argv[i], "-S") == 0)
            args->text = true;
        else if (strcmp(argv[i], "--plain") == 0)
            args->plain = true;
        else if (strcmp(argv[i], "--library") == 0)
            args->library = true;
        else if (strcmp(argv[i], "-q") == 0)
            args->quiet = true;
        else if (strcmp(argv[i], "--coverage") == 0)
            args->coverage = true;
        else if (strcmp(argv[i], "--scope") == 0)
            args->scope = true;
        else if (strcmp(argv[i], "--unset") == 0)
            args->unset = true;
        else if (strcmp(argv[i], "--unroll") == 0)
            args->unroll = true;
        else if (strcmp(argv[i], "--inputs") == 0)
            args->inputs = true;
        else if (strcmp(argv[i], "--locks") == 0)
            args->locks = true;
        else if (argv[i][0] != '-' && !args->input)
            args->input = argv[i];
        else
            return false;
    }
    return args->input && args->output;
}

static bool run(const Arguments *args, Error *error)
{
    Module module;
    if (!module_open(&module, args->input, error))
        return false;
    module.quiet = args->quiet;
    module.plain = args->plain;
    module.library = args->library;
    module.coverage = args->coverage;
    module.scope = args->scope;
    module.unset = args->unset;
    module.unroll = args->unroll;
    module.inputs = args->inputs;
    bool done = instrument(&module, error) && module_write(&module, args->output, args->text, error);
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

static bool scan_locks(const Arguments *args, Error *error)
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
    Arguments args = {0};
    if (!parse_arguments(argc, argv, &args)) {
        fputs("usage: sennit-instr [-q] [-S] [--plain|--library] [--coverage] [--scope] [--unset] [--unroll] "
              "[--inputs] INPUT.bc -o OUTPUT\n"
              "       sennit-instr --locks PROGRAM -o OUTPUT\n",
              stderr);
        return EXIT_USAGE;
    }
    Error error;
    if (args.locks ? scan_locks(&args, &error) : run(&args, &error))
        return EXIT_CLEAN;
    fprintf(stderr, "sennit-instr: %s\n", error.text);
    return error.code;
}
