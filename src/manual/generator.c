/* generator.c - writes man pages, completions and options.md into a directory, while Sennit is built
 *
 * Usage: sennit-manual DIRECTORY, in which man/ and completion/ exist.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "manual/manual.h"

static FILE *open_file(const char *directory, const char *name)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "w");
    if (!file) {
        fprintf(stderr, "sennit-manual: %s: %s\n", path, strerror(errno));
        exit(EXIT_FAILURE);
    }
    return file;
}

static void close_file(FILE *file)
{
    if (fclose(file) != 0) {
        fprintf(stderr, "sennit-manual: %s\n", strerror(errno));
        exit(EXIT_FAILURE);
    }
}

static void write_file(const char *directory, const char *name, void (*write)(FILE *file))
{
    FILE *file = open_file(directory, name);
    write(file);
    close_file(file);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: sennit-manual DIRECTORY\n");
        return EXIT_FAILURE;
    }
    for (const VerbRow *verb = verb_next(NULL); verb; verb = verb_next(verb)) {
        char name[64];
        snprintf(name, sizeof name, "man/sennit-%s.1", verb->text);
        FILE *file = open_file(argv[1], name);
        man_write_verb(verb, file);
        close_file(file);
    }
    write_file(argv[1], "man/sennit.1", man_write_overview);
    write_file(argv[1], "completion/sennit.bash", completion_write_bash);
    write_file(argv[1], "completion/_sennit", completion_write_zsh);
    write_file(argv[1], "completion/sennit.fish", completion_write_fish);
    write_file(argv[1], "options.md", markdown_write);
    return EXIT_SUCCESS;
}
