/* rundir.c - see rundir.h */
#include "app/run/rundir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"

static const char PARENT[] = "sennit-out", LAST[] = "sennit-last";

static bool fail(RunDir *dir, const char *path, int problem)
{
    if (!dir->failed)
        snprintf(dir->problem, sizeof dir->problem, "%s: %s", path, strerror(problem));
    dir->failed = true;
    return false;
}

/* ---- Creating it ------------------------------------------------------------- */

static unsigned highest_number(const char *parent)
{
    unsigned highest = 0;
    DIR *listing = opendir(parent);
    struct dirent *entry;
    while (listing && (entry = readdir(listing))) {
        char *end;
        unsigned long number = strtoul(entry->d_name, &end, 10);
        if (*end == '\0' && number > highest && number < 1000000000)
            highest = (unsigned)number;
    }
    if (listing)
        closedir(listing);
    return highest;
}

/* Two runs started at the same time get different numbers: only one mkdir succeeds. */
static void make_numbered(RunDir *dir)
{
    if (mkdir(PARENT, 0777) < 0 && errno != EEXIST) {
        fail(dir, PARENT, errno);
        return;
    }
    for (unsigned number = highest_number(PARENT) + 1;; number++) {
        char path[64];
        snprintf(path, sizeof path, "%s/%03u", PARENT, number);
        if (mkdir(path, 0777) == 0) {
            dir->path = mem_copy_string(path);
            return;
        }
        if (errno != EEXIST) {
            fail(dir, path, errno);
            return;
        }
    }
}

static void make_wanted(RunDir *dir, const char *wanted)
{
    if (file_make_directory(wanted))
        dir->path = mem_copy_string(wanted);
    else
        fail(dir, wanted, errno);
}

/* A directory that exists need not be ours to write to. */
static void try_writing(RunDir *dir)
{
    Text path = {0};
    text_add(&path, "%s/.try.%d", dir->path, (int)getpid());
    if (file_write(path.data, O_TRUNC, "", 0))
        unlink(path.data);
    else
        fail(dir, dir->path, errno);
    text_release(&path);
}

/* Traces of an earlier run in the same directory would look like results of this one. */
static void remove_traces(const RunDir *dir, const char *folder)
{
    Text path = {0};
    text_add(&path, "%s/%s", dir->path, folder);
    DIR *listing = opendir(path.data);
    struct dirent *entry;
    while (listing && (entry = readdir(listing))) {
        const char *dot = strrchr(entry->d_name, '.');
        if (dot && (strcmp(dot, ".trace") == 0 || strcmp(dot, ".txt") == 0))
            unlinkat(dirfd(listing), entry->d_name, 0);
    }
    if (listing)
        closedir(listing);
    text_release(&path);
}

void rundir_open(RunDir *dir, const char *wanted)
{
    *dir = (RunDir){0};
    if (*wanted)
        make_wanted(dir, wanted);
    else
        make_numbered(dir);
    if (!dir->path)
        return;
    dir->shown = mem_copy_string(dir->path);
    try_writing(dir);
    remove_traces(dir, "bugs");
}

bool rundir_check(const RunDir *dir, Error *error)
{
    return !dir->failed || error_set(error, EXIT_USAGE, "results cannot be saved: %s", dir->problem);
}

void rundir_forget(RunDir *dir)
{
    static const char *const names[] = {"run.json", "stats.jsonl", "coverage.info", "uncovered.txt",
                                        "checkpoint", "tree.dot", "tree.txt"};
    if (!dir->path)
        return;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        rundir_remove(dir, names[i]);
    remove_traces(dir, "states");
}

/* Is it one of ours, sennit-out/NNN, not one that the user named? */
static bool is_numbered(const char *path)
{
    size_t length = sizeof PARENT - 1;
    return strncmp(path, PARENT, length) == 0 && path[length] == '/' && path[length + 1] &&
           path[length + 1 + strspn(path + length + 1, "0123456789")] == '\0';
}

void rundir_link(RunDir *dir)
{
    char temporary[64];
    if (!dir->path)
        return;
    snprintf(temporary, sizeof temporary, "%s.%d", LAST, (int)getpid());
    unlink(temporary);
    bool linked = symlink(dir->path, temporary) == 0 && rename(temporary, LAST) == 0;
    if (!linked)
        unlink(temporary); /* reports then name the directory itself */
    if (linked && is_numbered(dir->path)) {
        free(dir->shown);
        dir->shown = mem_copy_string(LAST);
    }
}

void rundir_close(RunDir *dir)
{
    free(dir->path);
    free(dir->shown);
    *dir = (RunDir){0};
}

/* ---- Writing files ---------------------------------------------------------------- */

void rundir_name_bug(const char *kind, const char *id, const char *suffix, Text *name)
{
    text_add(name, "bugs/%s-%s.%s", kind, id, suffix);
}

static void make_folder_of(char *path)
{
    char *slash = strrchr(path, '/');
    if (slash) {
        *slash = '\0';
        mkdir(path, 0777);
        *slash = '/';
    }
}

bool rundir_write(RunDir *dir, const char *name, const Text *content)
{
    if (!dir->path)
        return false;
    Text path = {0}, temporary = {0};
    text_add(&path, "%s/%s", dir->path, name);
    text_add(&temporary, "%s.part", path.data);
    make_folder_of(path.data);
    bool good = file_write(temporary.data, O_TRUNC, text_borrow(content), content->length) &&
                rename(temporary.data, path.data) == 0;
    if (!good) {
        fail(dir, path.data, errno);
        unlink(temporary.data);
    }
    text_release(&path);
    text_release(&temporary);
    return good;
}

bool rundir_append(RunDir *dir, const char *name, const Text *content)
{
    if (!dir->path)
        return false;
    Text path = {0};
    text_add(&path, "%s/%s", dir->path, name);
    bool good = file_write(path.data, O_APPEND, text_borrow(content), content->length) || fail(dir, path.data, errno);
    text_release(&path);
    return good;
}

void rundir_remove(RunDir *dir, const char *name)
{
    if (!dir->path)
        return;
    Text path = {0};
    text_add(&path, "%s/%s", dir->path, name);
    unlink(path.data);
    text_release(&path);
}
