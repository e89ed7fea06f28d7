/* durable_files.c - see durable_files.h */
#include "rt/file/durable_files.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "rt/actors/fault_rule.h"
#include "rt/detect/bug.h"
#include "rt/detect/unseen.h"
#include "rt/file/files_internal.h"
#include "rt/kernel/node.h"
#include "rt/kernel/step.h"

/* Names as they survive; one that is not listed is that of the real file, or of none. */
static NameList durable;

/* What a crash may do. */
typedef enum Loss { LOSE_NOTHING, LOSE_CONTENTS, LOSE_NAMES, LOSE_ALL } Loss;

static bool is_tracked(void)
{
    return node_is_mortal() && node_starts_again() && fault_rule_allows_node(FAULT_CRASH);
}

void durable_files_reset(void) { name_list_clear(&durable); }

/* ---- Contents --------------------------------------------------------------------------------- */

static unsigned char *read_contents(const File *file, size_t *size)
{
    struct stat status;
    if (fstat(file->storage, &status) != 0)
        report_not_modelled("a file of a node that cannot be read");
    *size = (size_t)status.st_size;
    unsigned char *bytes = mem_alloc(*size + 1);
    if (pread(file->storage, bytes, *size, 0) != (ssize_t)*size)
        report_not_modelled("a file of a node that cannot be read");
    return bytes;
}

static void keep_contents(File *file)
{
    if (file->storage < 0)
        return;
    free(file->synced);
    file->synced = read_contents(file, &file->synced_size);
}

static bool contents_survive(File *file)
{
    size_t size;
    if (file->storage < 0)
        return true;
    if (file->writes_through)
        keep_contents(file);
    unsigned char *bytes = read_contents(file, &size);
    bool same = size == file->synced_size && memcmp(bytes, file->synced ? file->synced : bytes, size) == 0;
    free(bytes);
    return same;
}

static void lose_contents(const File *file)
{
    if (file->storage < 0)
        return;
    if (ftruncate(file->storage, 0) != 0 ||
        pwrite(file->storage, file->synced, file->synced_size, 0) != (ssize_t)file->synced_size)
        report_not_modelled("a file of a node that cannot be restored");
}

/* ---- Syncing ------------------------------------------------------------------------------------ */

/* The name becomes durable, and the directories in which it is. */
static void keep_name(const char *name)
{
    char parent[PATH_MAX];
    const NameEntry *entry = name_list_find(files_names(), name);
    if (entry)
        name_list_set(&durable, name, entry->file);
    files_parent(name, parent);
    if (strcmp(parent, name) != 0 && strcmp(parent, ".") != 0)
        keep_name(parent);
}

void durable_files_keep(const char *name, File *file)
{
    if (!is_tracked())
        return;
    keep_contents(file);
    name_list_set(&durable, name, file);
}

/* That a name it had before it was renamed is gone survives, too. */
void durable_files_sync(File *file)
{
    if (!is_tracked())
        return;
    keep_contents(file);
    for (const NameEntry *at = files_names()->first; at; at = at->next)
        if (at->file == file)
            keep_name(at->name);
    for (const NameEntry *at = durable.first; at; at = at->next)
        if (at->file == file)
            keep_name(at->name);
}

void durable_files_sync_directory(const char *directory)
{
    char parent[PATH_MAX];
    if (!is_tracked())
        return;
    for (const NameEntry *at = files_names()->first; at; at = at->next)
        if (at->node == node_self() && strcmp(files_parent(at->name, parent), directory) == 0)
            keep_name(at->name);
}

void durable_files_sync_all(void)
{
    if (!is_tracked())
        return;
    for (const NameEntry *at = files_names()->first; at; at = at->next) {
        if (at->node != node_self())
            continue;
        name_list_set(&durable, at->name, at->file);
        if (at->file)
            keep_contents(at->file);
    }
}

/* ---- The crash ------------------------------------------------------------------------------------ */

static bool all_contents_survive(const NameList *names)
{
    bool all = true;
    for (const NameEntry *at = names->first; at; at = at->next)
        all &= at->node != node_self() || !at->file || contents_survive(at->file);
    return all;
}

static bool all_names_survive(void)
{
    for (const NameEntry *at = files_names()->first; at; at = at->next) {
        const NameEntry *kept = at->node == node_self() ? name_list_find(&durable, at->name) : at;
        if (!kept || kept->file != at->file)
            return false;
    }
    return true;
}

/* The outcomes that differ from each other. */
static unsigned list_outcomes(Loss outcomes[3])
{
    bool contents = !all_contents_survive(files_names()) || !all_contents_survive(&durable);
    unsigned count = 0;
    outcomes[count++] = LOSE_NOTHING;
    if (contents)
        outcomes[count++] = LOSE_CONTENTS;
    if (!all_names_survive())
        outcomes[count++] = contents ? LOSE_ALL : LOSE_NAMES;
    return count;
}

static void lose_names(void)
{
    NameList *names = files_names();
    for (NameEntry **link = &names->first; *link;) {
        NameEntry *entry = *link;
        const NameEntry *kept = entry->node == node_self() ? name_list_find(&durable, entry->name) : entry;
        if (kept) {
            entry->file = kept->file;
            link = &entry->next;
            continue;
        }
        *link = entry->next;
        free(entry->name);
        free(entry);
    }
    for (const NameEntry *at = durable.first; at; at = at->next)
        if (at->node == node_self() && at->file) {
            free(at->file->name);
            at->file->name = mem_copy_string(at->name);
        }
}

static void lose_unsynced(const NameList *names)
{
    for (const NameEntry *at = names->first; at; at = at->next)
        if (at->node == node_self() && at->file)
            lose_contents(at->file);
}

void durable_files_crash(void)
{
    Loss outcomes[3], loss;
    unsigned count = list_outcomes(outcomes);
    if (count == 1)
        return;
    unseen_note(UNSEEN_PART, "what was not synced before a crash", sennit_rt_site);
    step_begin(OP_FILES_SURVIVE, 0);
    step_wait();
    loss = outcomes[step_choose(count)];
    step_done();
    if (loss == LOSE_NAMES || loss == LOSE_ALL)
        lose_names();
    if (loss == LOSE_CONTENTS || loss == LOSE_ALL)
        lose_unsynced(files_names());
}
