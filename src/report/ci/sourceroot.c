/* sourceroot.c - see sourceroot.h */
#include "report/ci/sourceroot.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"

/* ---- Paths ----------------------------------------------------------------------- */

/* Adds an absolute path without empty components, "." and "..": "/" becomes "". Symbolic links are not resolved. */
static void add_normal(const char *path, Text *out)
{
    size_t begin = out->length;
    for (size_t size; *path; path += size) {
        path += strspn(path, "/");
        size = strcspn(path, "/");
        if (size == 0 || (size == 1 && path[0] == '.'))
            continue;
        if (size == 2 && path[0] == '.' && path[1] == '.') {
            while (out->length > begin && out->data[--out->length] != '/')
                continue;
            if (out->data)
                out->data[out->length] = '\0';
            continue;
        }
        text_add_string(out, "/");
        text_add_bytes(out, path, size);
    }
}

static void add_absolute(const char *directory, const char *file, Text *out)
{
    Text joined = {0};
    text_add(&joined, "%s/%s", file[0] == '/' ? "" : directory, file);
    add_normal(joined.data, out);
    text_release(&joined);
}

/* The part of an absolute path below the root, or NULL. */
static const char *below(const SourceRoot *root, const char *path)
{
    size_t length = strlen(root->path);
    return strncmp(path, root->path, length) == 0 && path[length] == '/' ? path + length + 1 : NULL;
}

/* ---- The root -------------------------------------------------------------------- */

static bool has_repository(const char *directory)
{
    Text path = {0};
    text_add(&path, "%s/.git", directory); /* a file in worktrees and submodules */
    bool found = access(path.data, F_OK) == 0;
    text_release(&path);
    return found;
}

void sourceroot_init(SourceRoot *root, const char *directory)
{
    Text normal = {0};
    add_normal(directory, &normal);
    *root = (SourceRoot){.path = mem_copy_string(text_borrow(&normal)),
                         .directory = mem_copy_string(text_borrow(&normal))};
    for (char *slash; normal.length; *slash = '\0') {
        if (has_repository(normal.data)) {
            free(root->path);
            root->path = mem_copy_string(normal.data);
            break;
        }
        slash = strrchr(normal.data, '/');
        if (!slash)
            break;
    }
    text_release(&normal);
}

void sourceroot_release(SourceRoot *root)
{
    free(root->path);
    free(root->directory);
    *root = (SourceRoot){0};
}

bool sourceroot_add_path(const SourceRoot *root, const char *file, Text *out)
{
    Text path = {0};
    char real[PATH_MAX];
    add_absolute(root->directory, file, &path);
    const char *name = below(root, text_borrow(&path));
    if (!name && realpath(text_borrow(&path), real)) /* the compiler may have gone through a link */
        name = below(root, real);
    text_add_string(out, name ? name : text_borrow(&path));
    text_release(&path);
    return name != NULL;
}

/* ---- URIs -------------------------------------------------------------------------- */

void sourceroot_add_encoded(const char *path, Text *out)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
    for (; *path; path++) {
        if (strchr(plain, *path))
            text_add_bytes(out, path, 1);
        else
            text_add(out, "%%%02X", (unsigned)(unsigned char)*path);
    }
}
