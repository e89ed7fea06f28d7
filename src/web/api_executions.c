/* api_executions.c - executions of a run: those of its traces, and those that leave one at some step */
#include <cjson/cJSON.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "web/capture.h"
#include "web/server.h"
#include "web/traces.h"
#include "web/tree.h"
#include "web/workspace.h"

enum { REPLAY_SECONDS = 60, MOST_NAMES = 2000, FEW_STEPS = 1000 };

/* ---- Listing ---------------------------------------------------------------------------- */

/* Where a run keeps traces; those of generated tests are in its directory itself. */
static const char *const FOLDERS[] = {"bugs", "states", "what-if", "passing", "", "tests", "executions", NULL};

static void add_name(void *json, const char *name, const char *path)
{
    (void)path;
    json_add_string(json, NULL, name);
}

void api_run_tree(WebRequest *request)
{
    char path[PATH_MAX];
    Text text = {0};
    if (!request_find_run(request, path))
        return;
    tree_write(path, &text);
    request_answer_json(request, &text);
}

void api_executions_list(WebRequest *request)
{
    char path[PATH_MAX];
    Text text = {0};
    Json json = {.text = &text, .first = true};
    if (!request_find_run(request, path))
        return;
    json_open_list(&json, NULL);
    for (unsigned i = 0; FOLDERS[i]; i++)
        traces_each(path, FOLDERS[i], MOST_NAMES, add_name, &json);
    json_close_list(&json);
    request_answer_json(request, &text);
}

/* ---- Reading ------------------------------------------------------------------------------ */

static bool is_file(const char *directory, const char *name)
{
    int file = workspace_open(directory, name);
    if (file >= 0)
        close(file);
    return file >= 0;
}

/* Is it a file of the run, or one of the directory that the run has a link to, as for --tests? */
static bool is_readable(WebRequest *request, const char *run, const char *file)
{
    Text linked = {0};
    text_add(&linked, "sennit-out/%s/%s", request->words[0], file);
    bool readable = is_file(run, file) || is_file(request->server->options->directory, linked.data);
    text_release(&linked);
    return readable;
}

/* The trace of an execution; answers itself if there is none. */
static bool find_trace(WebRequest *request, const char *run, const char *name, char trace[PATH_MAX])
{
    char file[PATH_MAX];
    snprintf(file, sizeof file, "%s.trace", name);
    bool found = !strstr(name, "..") && is_readable(request, run, file) &&
                 snprintf(trace, PATH_MAX, "%s/%s", run, file) < PATH_MAX;
    if (!found)
        request_fail(request, MHD_HTTP_NOT_FOUND, "there is no execution %s", name);
    return found;
}

/* Runs `sennit replay` with these words on the trace (the second may be NULL); true if it printed a document. Answers
 * itself otherwise. */
static bool replay(WebRequest *request, const char *trace, const char *how, const char *word, Captured *capture)
{
    Error error;
    Capturing capturing = request_capturing(request, REPLAY_SECONDS);
    const char *words[] = {"replay", how, trace, word, NULL};
    if (!capture_run(&capturing, words, NULL, capture, &error)) {
        request_fail(request, MHD_HTTP_INTERNAL_SERVER_ERROR, "%s", error.text);
        return false;
    }
    if (!capture->late && capture->exit_code <= EXIT_BUG && capture->output.length > 0)
        return true;
    request_fail(request, MHD_HTTP_UNPROCESSABLE_CONTENT, "%s",
                 capture->late ? "the execution took too long" : text_borrow(&capture->messages));
    capture_release(capture);
    return false;
}

/* A query parameter that is a number from least on; answers itself if it is another. */
static bool read_number(WebRequest *request, const char *name, unsigned long least, unsigned long *number)
{
    const char *said = request_query(request, name);
    char *end = NULL;
    if (!said)
        return true;
    unsigned long value = strtoul(said, &end, 10);
    if (said[0] < '0' || said[0] > '9' || *end || value < least || value > INT_MAX) {
        request_fail(request, MHD_HTTP_BAD_REQUEST, "%s is a number from %lu on", name, least);
        return false;
    }
    *number = value;
    return true;
}

/* Some steps of an execution, and how many it has. */
static void answer_steps(WebRequest *request, const char *document, unsigned long from, unsigned long count)
{
    cJSON *execution = cJSON_Parse(document);
    const cJSON *steps = cJSON_GetObjectItemCaseSensitive(execution, "steps"), *step;
    Text text = {0};
    Json json = {.text = &text, .first = true};
    json_open_object(&json, NULL);
    json_add_integer(&json, "from", (long long)from);
    json_add_integer(&json, "all", cJSON_GetArraySize(steps));
    json_open_list(&json, "steps");
    unsigned long number = 0;
    cJSON_ArrayForEach(step, steps) {
        if (++number < from || number - from >= count)
            continue;
        char *printed = cJSON_PrintUnformatted(step);
        json_add_raw(&json, NULL, printed);
        cJSON_free(printed);
    }
    json_close_list(&json);
    json_close_object(&json);
    request_answer_json(request, &text);
    cJSON_Delete(execution);
}

/* NAME is the execution, NAME/steps are its steps. */
void api_execution_read(WebRequest *request)
{
    char path[PATH_MAX], trace[PATH_MAX];
    char *name = request->words[1], *last = strrchr(name, '/');
    bool only_steps = last && strcmp(last, "/steps") == 0;
    unsigned long from = 1, count = FEW_STEPS;
    Captured capture;
    if (only_steps) {
        *last = '\0';
        if (!read_number(request, "from", 1, &from) || !read_number(request, "count", 0, &count))
            return;
    }
    if (!request_find_run(request, path) || !find_trace(request, path, name, trace) ||
        !replay(request, trace, "--execution", NULL, &capture))
        return;
    if (only_steps)
        answer_steps(request, text_borrow(&capture.output), from, count);
    else
        request_answer_json(request, &capture.output);
    capture_release(&capture);
}

/* ---- What if --------------------------------------------------------------------------------- */

/* Keeps the trace that a member of a document is in the run, as FOLDER/NAME. */
static bool keep_trace(const char *run, const char *folder, const char *name, const char *document, const char *member)
{
    cJSON *parsed = cJSON_Parse(document);
    const char *trace = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(parsed, member));
    Text content = {0}, path = {0};
    text_add(&path, "%s/%s", run, folder);
    bool good = trace && (mkdir(path.data, 0777) == 0 || errno == EEXIST);
    if (good) {
        text_add_string(&content, trace);
        text_reset(&path);
        text_add(&path, "%s.trace", name);
        good = workspace_write(run, path.data, &content);
    }
    text_release(&content);
    text_release(&path);
    cJSON_Delete(parsed);
    return good;
}

static void answer_whatif(WebRequest *request, const char *execution, const char *instead)
{
    char path[PATH_MAX], trace[PATH_MAX], name[NAME_MAX + 1];
    Text word = {0};
    Captured capture;
    text_add(&word, "--instead=%s", instead);
    if (request_find_run(request, path) && find_trace(request, path, execution, trace) &&
        replay(request, trace, "--execution", word.data, &capture)) {
        const char *base = strrchr(execution, '/');
        snprintf(name, sizeof name, "what-if/%.100s@%.100s", base ? base + 1 : execution, instead);
        for (char *c = name + strlen("what-if/"); *c; c++)
            if (*c == '/' || *c == ':')
                *c = '-';
        keep_trace(path, "what-if", name, text_borrow(&capture.output), "trace");
        Text text = {0};
        Json json = {.text = &text, .first = true};
        json_open_object(&json, NULL);
        json_add_string(&json, "name", name);
        json_add_raw(&json, "execution", text_borrow(&capture.output));
        json_close_object(&json);
        request_answer_json(request, &text);
        capture_release(&capture);
    }
    text_release(&word);
}

void api_execution_whatif(WebRequest *request)
{
    cJSON *body = cJSON_ParseWithLength(text_borrow(&request->body), request->body.length);
    const char *execution = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(body, "execution"));
    const char *instead = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(body, "instead"));
    if (execution && instead)
        answer_whatif(request, execution, instead);
    else
        request_fail(request, MHD_HTTP_BAD_REQUEST,
                     "expected {\"execution\": \"bugs/deadlock-45e2\", \"instead\": \"2:0.1\"}");
    cJSON_Delete(body);
}

/* ---- The critical step --------------------------------------------------------------------------- */

static void answer_critical(WebRequest *request, const char *execution)
{
    char path[PATH_MAX], trace[PATH_MAX], name[NAME_MAX + 1];
    const char *base = strrchr(execution, '/');
    Captured capture;
    if (!request_find_run(request, path) || !find_trace(request, path, execution, trace) ||
        !replay(request, trace, "--critical", "--json", &capture))
        return;
    Text text = {0};
    Json json = {.text = &text, .first = true};
    snprintf(name, sizeof name, "passing/%.100s", base ? base + 1 : execution);
    bool kept = keep_trace(path, "passing", name, text_borrow(&capture.output), "passing");
    json_open_object(&json, NULL);
    json_add_raw(&json, "critical", text_borrow(&capture.output));
    json_add_string(&json, "passing", kept ? name : NULL);
    json_close_object(&json);
    request_answer_json(request, &text);
    capture_release(&capture);
}

void api_execution_critical(WebRequest *request)
{
    cJSON *body = cJSON_ParseWithLength(text_borrow(&request->body), request->body.length);
    const char *execution = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(body, "execution"));
    if (execution)
        answer_critical(request, execution);
    else
        request_fail(request, MHD_HTTP_BAD_REQUEST, "expected {\"execution\": \"bugs/deadlock-45e2\"}");
    cJSON_Delete(body);
}
