/* api_files.c - files of the workspace, and of the examples; checking them while they are edited */
#include <cjson/cJSON.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "web/capture.h"
#include "web/server.h"
#include "web/workspace.h"

enum { CHECK_SECONDS = 20 };

/* ---- Names -------------------------------------------------------------------------- */

/* "examples:bank.c" is a file of the examples, which cannot be written; others are files of the workspace. */
#define EXAMPLES "examples:"

static const char *directory_of(const WebRequest *request, const char **name)
{
    const WebOptions *options = request->server->options;
    if (strncmp(*name, EXAMPLES, strlen(EXAMPLES)) != 0)
        return options->directory;
    *name += strlen(EXAMPLES);
    return options->examples;
}

/* ---- Listing, reading, writing ---------------------------------------------------------- */

static void add_file(void *context, const char *name, long long size)
{
    Json *json = context;
    json_open_object(json, NULL);
    json_add_string(json, "name", name);
    json_add_integer(json, "size", size);
    json_close_object(json);
}

void api_files_list(WebRequest *request)
{
    const WebOptions *options = request->server->options;
    Text text = {0};
    Json json = {.text = &text, .first = true};
    json_open_object(&json, NULL);
    json_add_string(&json, "directory", options->directory);
    json_open_list(&json, "files");
    workspace_each(options->directory, add_file, &json);
    json_close_list(&json);
    json_open_list(&json, "examples");
    if (options->examples)
        workspace_each(options->examples, add_file, &json);
    json_close_list(&json);
    json_close_object(&json);
    request_answer_json(request, &text);
}

void api_files_read(WebRequest *request)
{
    const char *name = request->words[0], *directory = directory_of(request, &name);
    Text text = {0};
    if (directory && workspace_read(directory, name, WORKSPACE_MOST_BYTES, &text))
        request_answer(request, MHD_HTTP_OK, "text/plain; charset=utf-8", text_borrow(&text), text.length);
    else
        request_fail(request, MHD_HTTP_NOT_FOUND, "%s: there is no such file here", name);
    text_release(&text);
}

void api_files_write(WebRequest *request)
{
    const char *name = request->words[0];
    if (strncmp(name, EXAMPLES, strlen(EXAMPLES)) == 0)
        request_fail(request, MHD_HTTP_FORBIDDEN, "examples cannot be changed: save a copy");
    else if (workspace_write(request->server->options->directory, name, &request->body))
        request_answer(request, MHD_HTTP_OK, "application/json", "{}", 2);
    else
        request_fail(request, errno == ENOENT || errno == EXDEV ? MHD_HTTP_NOT_FOUND : MHD_HTTP_INTERNAL_SERVER_ERROR,
                     "%s cannot be written: %s", name, strerror(errno));
}

/* ---- Checking ------------------------------------------------------------------------------ */

/* "file:12:5: error: message", as clang and `sennit check` print it. Other lines belong to the one before. */
static void add_problem(Json *json, const char *line)
{
    const char *colon = line;
    while ((colon = strchr(colon, ':'))) {
        char *rest;
        unsigned long row = strtoul(colon + 1, &rest, 10), column = 0;
        if (rest > colon + 1 && *rest == ':') {
            char *message = rest + 1;
            column = strtoul(message, &rest, 10);
            if (rest > message && *rest == ':')
                message = rest + 1;
            message += strspn(message, " ");
            json_open_object(json, NULL);
            json_add_count(json, "line", row);
            json_add_count(json, "column", column ? column : 1);
            json_add_string(json, "message", message);
            json_close_object(json);
            return;
        }
        colon++;
    }
}

/* Not of a header or of another module. */
static bool is_of_text(const char *line)
{
    static const char *const names[] = {"<stdin>:", "/dev/stdin:"};
    return strncmp(line, names[0], strlen(names[0])) == 0 || strncmp(line, names[1], strlen(names[1])) == 0;
}

static void answer_problems(WebRequest *request, const Captured *capture)
{
    Text text = {0};
    Json json = {.text = &text, .first = true};
    Text all = text_copy(&capture->output); /* `sennit check` prints to it, compilers to the other */
    text_add_bytes(&all, text_borrow(&capture->messages), capture->messages.length);
    char *rest = all.data, *line;
    json_open_object(&json, NULL);
    json_open_list(&json, "problems");
    while ((line = strsep(&rest, "\n")))
        if (is_of_text(line))
            add_problem(&json, line);
    json_close_list(&json);
    json_close_object(&json);
    request_answer_json(request, &text);
    text_release(&all);
}

static bool ends_in(const char *name, const char *ending)
{
    size_t length = strlen(name), size = strlen(ending);
    return length >= size && strcmp(name + length - size, ending) == 0;
}

/* Headers and modules are beside the file that includes or imports them: `option` with that place. */
static void add_place(const char *option, const char *directory, const char *examples, const char *name, Text *out)
{
    bool example = strncmp(name, EXAMPLES, strlen(EXAMPLES)) == 0;
    const char *path = example ? name + strlen(EXAMPLES) : name, *slash = strrchr(path, '/');
    text_add(out, "%s%s/%.*s", option, example && examples ? examples : directory, slash ? (int)(slash - path) : 0,
             path);
}

static void check_text(WebRequest *request, const char *name, const char *content)
{
    Capturing how = request_capturing(request, CHECK_SECONDS);
    bool model = ends_in(name, ".abs");
    Text input = {0}, beside = {0};
    Captured capture;
    Error error;
    if (!model && !ends_in(name, ".c") && !ends_in(name, ".h")) {
        request_answer(request, MHD_HTTP_OK, "application/json", "{\"problems\":[]}", 15);
        return;
    }
    text_add_string(&input, content);
    add_place(model ? "--path=" : "-I", how.directory, request->server->options->examples, name, &beside);
    const char *abs_words[] = {"check", beside.data, "/dev/stdin", NULL};
    const char *c_words[] = {"cc", "-fsyntax-only", "-Wall", "-fno-caret-diagnostics", beside.data, "-I.",
                             "-x", "c", "-", NULL};
    if (capture_run(&how, model ? abs_words : c_words, &input, &capture, &error)) {
        answer_problems(request, &capture);
        capture_release(&capture);
    } else {
        request_fail(request, MHD_HTTP_INTERNAL_SERVER_ERROR, "%s", error.text);
    }
    text_release(&input);
    text_release(&beside);
}

void api_check(WebRequest *request)
{
    cJSON *body = cJSON_ParseWithLength(text_borrow(&request->body), request->body.length);
    const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(body, "name"));
    const char *content = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(body, "text"));
    if (name && content)
        check_text(request, name, content);
    else
        request_fail(request, MHD_HTTP_BAD_REQUEST, "expected {\"name\": ..., \"text\": ...}");
    cJSON_Delete(body);
}
