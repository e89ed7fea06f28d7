/* report.c - see report.h */
#include "web/report.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "report/json.h"
#include "web/capture.h"
#include "web/page.h"
#include "web/workspace.h"

enum { MOST_EXECUTIONS = 1000, SECONDS_EACH = 30 };

static int is_trace(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return length > 6 && strcmp(entry->d_name + length - 6, ".trace") == 0;
}

/* An execution that cannot be replayed any more is left out. */
static void add_execution(Json *json, const char *sennit, const char *directory, const char *name, const char *trace)
{
    const char *words[] = {"replay", "--execution", trace, NULL};
    Captured captured;
    Error error;
    if (!capture_run(sennit, words, directory, NULL, SECONDS_EACH, &captured, &error))
        return;
    if (!captured.late && captured.exit_code <= EXIT_BUG && captured.output.length > 0)
        json_add_raw(json, name, captured.output.data);
    capture_release(&captured);
}

static void add_folder(Json *json, const char *sennit, const char *directory, const char *folder, unsigned *left)
{
    Text path = {0}, name = {0};
    struct dirent **entries;
    text_add(&path, "%s/%s", directory, folder);
    int count = scandir(path.data, &entries, is_trace, versionsort);
    for (int i = 0; i < count; i++) {
        text_reset(&path);
        text_reset(&name);
        text_add(&path, "%s/%s", folder, entries[i]->d_name);
        text_add(&name, "%.*s", (int)(path.length - 6), path.data);
        if (*left > 0) {
            --*left;
            add_execution(json, sennit, directory, name.data, path.data);
        }
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    text_release(&path);
    text_release(&name);
}

static bool write_file(const char *file, const Text *content, Error *error)
{
    int target = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    bool good = target >= 0 && text_write_all(target, text_borrow(content), content->length);
    if (target >= 0)
        good = close(target) == 0 && good;
    return good || error_set(error, EXIT_INTERNAL, "%s: %s", file, strerror(errno));
}

bool web_write_report(const char *sennit, const char *directory, const char *file, Error *error)
{
    Text run = {0}, data = {0}, page = {0};
    Json json = {.text = &data, .first = true};
    unsigned left = MOST_EXECUTIONS;
    bool good = workspace_read(directory, "run.json", &run) ||
                error_set(error, EXIT_INTERNAL, "%s/run.json cannot be read", directory);
    if (good) {
        json_open_object(&json, NULL);
        json_add_raw(&json, "run", run.data);
        json_open_object(&json, "executions");
        add_folder(&json, sennit, directory, "bugs", &left);
        add_folder(&json, sennit, directory, "states", &left);
        json_close_object(&json);
        json_close_object(&json);
        good = page_write_report(data.data, &page) ||
               error_set(error, EXIT_INTERNAL, "this Sennit was built without its page, which the report is made of");
    }
    good = good && write_file(file, &page, error);
    text_release(&run);
    text_release(&data);
    text_release(&page);
    return good;
}
