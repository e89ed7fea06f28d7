/* binary.c - see binary.h
 *
 * Test binaries carry a note (ELF section .note.sennit, written by subject/c/test_main.c).
 */
#include "host/binary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "host/elf.h"
#include "host/installation.h"
#include "sennit_version.h"

/* ---- The contents ---------------------------------------------------------------- */

static bool check_contents(const char *path, const ElfFile *file, Error *error)
{
    if (!elf_has_magic(file))
        return error_set(error, EXIT_USAGE, "%s: not a program (not an ELF file); build it with `sennit cc`", path);
    const char *version = elf_find_note(file, "Sennit").bytes;
    if (!version)
        return error_set(error, EXIT_USAGE,
                         "%s: not built with `sennit cc`, so its threads cannot be scheduled. Rebuild it, for example "
                         "with CC=\"sennit cc\" make",
                         path);
    if (strncmp(version, SENNIT_VERSION, sizeof SENNIT_VERSION) != 0)
        return error_set(error, EXIT_USAGE, "%s: built with Sennit %.15s, this is %s: rebuild it", path, version,
                         SENNIT_VERSION);
    return true;
}

/* ---- The file ---------------------------------------------------------------- */

static bool ends_with(const char *path, const char *ending)
{
    size_t length = strlen(path), size = strlen(ending);
    return length > size && strcmp(path + length - size, ending) == 0;
}

static bool check_kind(const char *path, const struct stat *status, Error *error)
{
    if (S_ISDIR(status->st_mode))
        return error_set(error, EXIT_USAGE, "%s: is a directory, not a program", path);
    if (!S_ISREG(status->st_mode))
        return error_set(error, EXIT_USAGE, "%s: not a program", path);
    if (ends_with(path, ".c"))
        return error_set(error, EXIT_USAGE, "%s: is C source; try: sennit test %s", path, path);
    if (ends_with(path, ".trace"))
        return error_set(error, EXIT_USAGE, "%s: is a trace; try: sennit replay %s", path, path);
    if (access(path, X_OK) < 0)
        return error_set(error, EXIT_USAGE, "%s: not executable (%s)", path, strerror(errno));
    return true;
}

bool binary_check(const char *path, Error *error)
{
    struct stat status;
    if (stat(path, &status) < 0)
        return error_set(error, EXIT_USAGE, "%s: %s", path, strerror(errno));
    if (!check_kind(path, &status, error))
        return false;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return error_set(error, EXIT_USAGE, "%s: %s", path, strerror(errno));
    ElfFile file;
    bool mapped = elf_map(&file, fd);
    close(fd);
    if (!mapped)
        return error_set(error, EXIT_USAGE, "%s: not a program (it cannot be read, or is empty)", path);
    bool good = check_contents(path, &file, error);
    elf_unmap(&file);
    return good;
}

/* ---- Starting it ---------------------------------------------------------------------- */

char **binary_argv(char **arguments)
{
    size_t count = 0;
    while (arguments[count])
        count++;
    char **argv = mem_alloc((count + 2) * sizeof *argv);
    memcpy(argv + 1, arguments, count * sizeof *argv);
    return argv;
}

void binary_become(const char *path, const char *options, char **argv, Error *error)
{
    setenv("SENNIT_OPTIONS", options, 1);
    argv[0] = (char *)path;
    execv(path, argv);
    error_set(error, EXIT_USAGE, "%s: cannot be started: %s", path, strerror(errno));
}

static void add_word(Text *options, const Text *word)
{
    text_add_string(options, " ");
    options_quote(options, text_borrow(word));
}

void binary_add_command(Text *options, int argc, char **argv)
{
    Text word = {0};
    char solver[PATH_MAX];
    text_add_string(&word, "--command=sennit");
    for (int i = 0; i < argc; i++)
        text_add(&word, " %s", argv[i]);
    add_word(options, &word);
    if (installation_find_solver(solver)) {
        text_reset(&word);
        text_add(&word, "--solver=%s", solver);
        add_word(options, &word);
    }
    text_release(&word);
}
