/* binary.c - see binary.h
 *
 * Test binaries carry a note (ELF section .note.sennit, written by subject/c/test_main.c).
 */
#include "host/binary.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/parts.h"

/* ---- Looking into the file ------------------------------------------------------ */

typedef struct Image {
    const char *bytes;
    size_t size;
} Image;

static const void *part_of(const Image *image, uint64_t offset, uint64_t size)
{
    return offset <= image->size && size <= image->size - offset ? image->bytes + offset : NULL;
}

/* Goes through the notes of a segment; answers the text of ours. */
static const char *find_in_notes(const char *at, size_t size)
{
    while (size >= sizeof(Elf64_Nhdr)) {
        const Elf64_Nhdr *head = (const Elf64_Nhdr *)at;
        size_t name = (head->n_namesz + 3u) & ~3u, text = (head->n_descsz + 3u) & ~3u;
        size_t whole = sizeof *head + name + text;
        if (whole > size)
            return NULL;
        const char *name_text = at + sizeof *head;
        if (head->n_namesz == 7 && memcmp(name_text, "Sennit", 7) == 0 && text > 0)
            return name_text + name;
        at += whole;
        size -= whole;
    }
    return NULL;
}

/* The version in the binary's note, or NULL. */
static const char *find_version(const Image *image)
{
    const Elf64_Ehdr *head = part_of(image, 0, sizeof *head);
    if (!head || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 || head->e_ident[EI_CLASS] != ELFCLASS64)
        return NULL;
    for (unsigned i = 0; i < head->e_phnum; i++) {
        const Elf64_Phdr *segment = part_of(image, head->e_phoff + (uint64_t)i * head->e_phentsize, sizeof *segment);
        const char *notes =
            segment && segment->p_type == PT_NOTE ? part_of(image, segment->p_offset, segment->p_filesz) : NULL;
        const char *version = notes ? find_in_notes(notes, segment->p_filesz) : NULL;
        if (version)
            return version;
    }
    return NULL;
}

static bool judge_image(const char *path, const Image *image, Error *error)
{
    if (image->size < 4 || memcmp(image->bytes, ELFMAG, SELFMAG) != 0)
        return error_set(error, EXIT_USAGE, "%s: not a program (not an ELF file); build it with `sennit cc`", path);
    const char *version = find_version(image);
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

/* ---- Judging a path ---------------------------------------------------------------- */

static bool ends_with(const char *path, const char *ending)
{
    size_t length = strlen(path), size = strlen(ending);
    return length > size && strcmp(path + length - size, ending) == 0;
}

static bool judge_kind(const char *path, const struct stat *status, Error *error)
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
    if (!judge_kind(path, &status, error))
        return false;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return error_set(error, EXIT_USAGE, "%s: %s", path, strerror(errno));
    Image image = {.size = (size_t)status.st_size};
    void *bytes = image.size ? mmap(NULL, image.size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    close(fd);
    if (bytes == MAP_FAILED)
        return error_set(error, EXIT_USAGE, "%s: not a program (it cannot be read, or is empty)", path);
    image.bytes = bytes;
    bool good = judge_image(path, &image, error);
    munmap(bytes, image.size);
    return good;
}

/* ---- Starting it ---------------------------------------------------------------------- */

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
    if (parts_find_solver(solver)) {
        text_reset(&word);
        text_add(&word, "--solver=%s", solver);
        add_word(options, &word);
    }
    text_release(&word);
}
