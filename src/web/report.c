/* report.c - see report.h */
#include "web/report.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "report/json.h"
#include "web/capture.h"
#include "web/page.h"
#include "web/traces.h"
#include "web/tree.h"
#include "web/workspace.h"

enum { MOST_EXECUTIONS = 1000, SECONDS_EACH = 30 };

/* The executions of a run; the sources, which are the same in all of them, are kept once. */
typedef struct ReportData {
    const char *sennit;
    const char *directory;
    cJSON *executions;
    cJSON *sources;
    unsigned left;
} ReportData;

static void move_sources(ReportData *data, cJSON *execution)
{
    cJSON *own = cJSON_DetachItemFromObjectCaseSensitive(execution, "sources");
    while (own && own->child) {
        cJSON *source = cJSON_DetachItemViaPointer(own, own->child);
        if (cJSON_GetObjectItemCaseSensitive(data->sources, source->string))
            cJSON_Delete(source);
        else
            cJSON_AddItemToObject(data->sources, source->string, source);
    }
    cJSON_Delete(own);
}

static int number_of(const cJSON *object, const char *key)
{
    return (int)cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(object, key));
}

static bool is_write(const cJSON *step)
{
    const cJSON *first = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(step, "accesses"), 0);
    const char *mode = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(first, "mode"));
    return mode && strcmp(mode, "write") == 0;
}

/* Of the writes that a step could have read, the one that it read. */
static void trim_choice(const cJSON *step, cJSON *choice)
{
    cJSON *possible = cJSON_GetObjectItemCaseSensitive(choice, "possible"), *next;
    if (is_write(step))
        cJSON_DeleteItemFromObjectCaseSensitive(choice, "possible");
    else
        for (cJSON *write = possible ? possible->child : NULL; write; write = next) {
            next = write->next;
            if (number_of(write, "option") != number_of(choice, "taken"))
                cJSON_Delete(cJSON_DetachItemViaPointer(possible, write));
        }
}

/* Nothing is replayed from a report, and the page shows values after steps only: with a thousand executions the rest is
 * most of it. */
static void trim(cJSON *execution)
{
    cJSON *step, *choice, *access;
    cJSON_DeleteItemFromObjectCaseSensitive(execution, "trace");
    cJSON_ArrayForEach(step, cJSON_GetObjectItemCaseSensitive(execution, "steps")) {
        cJSON_DeleteItemFromObjectCaseSensitive(step, "enabled");
        cJSON_ArrayForEach(choice, cJSON_GetObjectItemCaseSensitive(step, "choices"))
            trim_choice(step, choice);
        cJSON_ArrayForEach(access, cJSON_GetObjectItemCaseSensitive(step, "accesses")) {
            cJSON_DeleteItemFromObjectCaseSensitive(access, "before");
            cJSON_DeleteItemFromObjectCaseSensitive(access, "mode");
        }
    }
}

/* An execution that cannot be replayed any more is left out. */
static void add_execution(void *context, const char *name, const char *path)
{
    ReportData *data = context;
    const char *words[] = {"replay", "--execution", path, NULL};
    Capturing how = {.sennit = data->sennit, .directory = data->directory, .seconds = SECONDS_EACH};
    Captured captured;
    Error error;
    if (data->left == 0 || !capture_run(&how, words, NULL, &captured, &error))
        return;
    bool good = !captured.late && captured.exit_code <= EXIT_BUG;
    cJSON *execution = good ? cJSON_ParseWithLength(text_borrow(&captured.output), captured.output.length) : NULL;
    if (execution) {
        data->left--;
        move_sources(data, execution);
        trim(execution);
        cJSON_AddItemToObject(data->executions, name, execution);
    }
    capture_release(&captured);
}

static void add_member(Json *json, const char *key, const cJSON *value)
{
    char *text = cJSON_PrintUnformatted(value);
    json_add_raw(json, key, text ? text : "null");
    cJSON_free(text);
}

static void add_executions(Json *json, const char *sennit, const char *directory)
{
    static const char *const folders[] = {"bugs", "states", "executions"};
    ReportData data = {.sennit = sennit,
                       .directory = directory,
                       .executions = cJSON_CreateObject(),
                       .sources = cJSON_CreateObject(),
                       .left = MOST_EXECUTIONS};
    for (unsigned i = 0; i < sizeof folders / sizeof folders[0]; i++)
        traces_each(directory, folders[i], MOST_EXECUTIONS, add_execution, &data);
    add_member(json, "executions", data.executions);
    add_member(json, "sources", data.sources);
    cJSON_Delete(data.executions);
    cJSON_Delete(data.sources);
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
    Text run = {0}, tree = {0}, data = {0}, page = {0};
    Json json = {.text = &data, .first = true};
    bool good = workspace_read(directory, "run.json", WORKSPACE_MOST_RESULT, &run) ||
                error_set(error, EXIT_INTERNAL, "%s/run.json cannot be read", directory);
    if (good) {
        json_open_object(&json, NULL);
        json_add_raw(&json, "run", run.data);
        tree_write(directory, &tree);
        json_add_raw(&json, "tree", tree.data);
        add_executions(&json, sennit, directory);
        json_close_object(&json);
        good = page_write_report(data.data, &page) ||
               error_set(error, EXIT_INTERNAL, "this Sennit was built without its page, which the report is made of");
    }
    good = good && write_file(file, &page, error);
    text_release(&run);
    text_release(&tree);
    text_release(&data);
    text_release(&page);
    return good;
}
