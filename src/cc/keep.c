/* keep.c - see keep.h
 *
 * Archives that lie in a directory given with -L or in LIBRARY_PATH belong to the program, of which each node has a
 * copy; other libraries are the system's.
 */
#include "cc/keep.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "host/kept.h"

typedef struct Keeping {
    const CommandLine *args;
    VEC(KeptInput) inputs;
    VEC(const char *) directories; /* where libraries are looked for */
    VEC(char *) texts;
} Keeping;

static const char *own(Keeping *keeping, char *text)
{
    VEC_PUSH(&keeping->texts, text);
    return text;
}

static void add(Keeping *keeping, KeptKind kind, const char *text)
{
    VEC_PUSH(&keeping->inputs, ((KeptInput){kind, text}));
}

/* The cluster may be linked elsewhere. */
static void add_path(Keeping *keeping, KeptKind kind, const char *option, const char *path)
{
    char absolute[PATH_MAX];
    Text text = {0};
    text_add(&text, "%s%s", option, realpath(path, absolute) ? absolute : path);
    add(keeping, kind, own(keeping, text.data));
}

/* ---- Directories and libraries -------------------------------------------------------------- */

/* The next directory of -L from the ith word on; NULL: no more. */
static const char *next_directory(const ArgList *link, uint32_t *i)
{
    while (*i < link->count) {
        const char *word = link->items[(*i)++];
        if (strncmp(word, "-L", 2) != 0)
            continue;
        if (word[2])
            return word + 2;
        return *i < link->count ? link->items[(*i)++] : NULL;
    }
    return NULL;
}

static char *name_file(const char *directory, const char *name, const char *ending)
{
    Text path = {0};
    if (*name == ':')
        text_add(&path, "%s/%s", directory, name + 1);
    else
        text_add(&path, "%s/lib%s%s", directory, name, ending);
    return path.data;
}

/* The directories of -L, then those of LIBRARY_PATH, as the linker is given them. */
static void find_directories(Keeping *keeping)
{
    const char *given;
    for (uint32_t i = 0; (given = next_directory(&keeping->args->link, &i));)
        VEC_PUSH(&keeping->directories, given);
    for (const char *path = getenv("LIBRARY_PATH"); path && *path;) {
        size_t length = strcspn(path, ":");
        Text directory = {0};
        text_add(&directory, "%.*s", (int)length, path);
        VEC_PUSH(&keeping->directories, own(keeping, directory.data));
        path += length + (path[length] == ':');
    }
}

/* The archive of the program with this name; NULL: there is none, or the linker prefers a shared library. */
static const char *find_archive(Keeping *keeping, const char *name)
{
    for (uint32_t i = 0; i < keeping->directories.count; i++) {
        const char *directory = keeping->directories.items[i];
        const char *shared = own(keeping, name_file(directory, name, ".so"));
        const char *archive = own(keeping, name_file(directory, name, ".a"));
        if (*name != ':' && access(shared, R_OK) == 0)
            return NULL;
        if (access(archive, R_OK) == 0)
            return archive;
    }
    return NULL;
}

static void add_library(Keeping *keeping, const char *name)
{
    const char *archive = find_archive(keeping, name);
    Text word = {0};
    if (archive) {
        add(keeping, KEPT_FILE, archive);
        return;
    }
    text_add(&word, "-l%s", name);
    add(keeping, KEPT_WORD, own(keeping, word.data));
}

/* ---- Inputs ----------------------------------------------------------------------------------- */

static bool is_shared_library(const char *path)
{
    const char *at = strstr(path, ".so");
    return at && (!at[3] || at[3] == '.');
}

static void add_all(Keeping *keeping)
{
    const CommandLine *args = keeping->args;
    for (uint32_t i = 0; i < args->inputs.count; i++) {
        const char *text = args->inputs.items[i].text;
        bool more = i + 1 < args->inputs.count;
        if (strcmp(text, "-l") == 0 && more)
            add_library(keeping, args->inputs.items[++i].text);
        else if (strcmp(text, "-Xlinker") == 0)
            i++;
        else if (strncmp(text, "-l", 2) == 0)
            add_library(keeping, text + 2);
        else if (*text != '-')
            add_path(keeping, is_shared_library(text) ? KEPT_WORD : KEPT_FILE, "", text);
    }
    for (uint32_t i = 0; i < keeping->directories.count; i++)
        add_path(keeping, KEPT_WORD, "-L", keeping->directories.items[i]);
}

bool keep_inputs(const CommandLine *args, const char *program, Error *error)
{
    Keeping keeping = {.args = args};
    find_directories(&keeping);
    add_all(&keeping);
    bool good = kept_append(program, keeping.inputs.items, keeping.inputs.count, error);
    for (uint32_t i = 0; i < keeping.texts.count; i++)
        free(keeping.texts.items[i]);
    VEC_FREE(&keeping.texts);
    VEC_FREE(&keeping.directories);
    VEC_FREE(&keeping.inputs);
    return good;
}
