/* api_runs.c - runs: listing, starting, stopping, reading, watching */
#include <cjson/cJSON.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/vec.h"
#include "web/server.h"
#include "web/workspace.h"

/* ---- Listing and reading ---------------------------------------------------------------- */

static const char *phase_name(RunPhase phase)
{
    static const char *const names[] = {
        [RUN_GOING] = "going", [RUN_ENDED] = "ended", [RUN_ELSEWHERE] = "elsewhere", [RUN_FOUND] = "found"};
    return names[phase];
}

typedef struct RunListing {
    WebServer *server;
    Json *json;
    unsigned left;
} RunListing;

static void add_string_of(Json *json, const cJSON *run, const char *key)
{
    json_add_string(json, key, cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(run, key)));
}

/* The run.json of a run directory; NULL if there is none. */
static cJSON *parse_result(const char *path)
{
    Text text = {0};
    cJSON *run = workspace_read(path, "run.json", WORKSPACE_MOST_RESULT, &text)
                     ? cJSON_ParseWithLength(text.data, text.length)
                     : NULL;
    text_release(&text);
    return run;
}

/* What a list shows of a run.json. */
static void add_digest(Json *json, const char *path)
{
    cJSON *run = parse_result(path);
    if (run) {
        add_string_of(json, run, "command");
        add_string_of(json, run, "verdict");
        add_string_of(json, run, "sentence");
        json_add_integer(json, "bugs", cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(run, "bugs")));
    }
    cJSON_Delete(run);
}

static void add_run(void *context, const char *id)
{
    RunListing *listing = context;
    char path[PATH_MAX];
    if (listing->left == 0 || !runs_find(listing->server->runs, id, path))
        return;
    listing->left--;
    json_open_object(listing->json, NULL);
    json_add_string(listing->json, "id", id);
    json_add_string(listing->json, "phase", phase_name(runs_state(listing->server->runs, id).phase));
    add_digest(listing->json, path);
    json_close_object(listing->json);
}

void api_runs_list(WebRequest *request)
{
    Text text = {0};
    Json json = {.text = &text, .first = true};
    RunListing listing = {request->server, &json, 200};
    json_open_list(&json, NULL);
    runs_each(request->server->runs, add_run, &listing);
    json_close_list(&json);
    request_answer_json(request, &text);
}

bool request_find_run(WebRequest *request, char path[PATH_MAX])
{
    if (runs_find(request->server->runs, request->words[0], path))
        return true;
    request_fail(request, MHD_HTTP_NOT_FOUND, "there is no run %s", request->words[0]);
    return false;
}

/* The member of run.json's bugs whose name, KIND-ID, is the second word. */
void api_run_bug(WebRequest *request)
{
    char path[PATH_MAX], name[NAME_MAX];
    Text found = {0};
    if (!request_find_run(request, path))
        return;
    cJSON *run = parse_result(path);
    const cJSON *bug;
    cJSON_ArrayForEach(bug, cJSON_GetObjectItemCaseSensitive(run, "bugs")) {
        const char *kind = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(bug, "kind"));
        const char *id = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(bug, "id"));
        snprintf(name, sizeof name, "%s-%s", kind ? kind : "", id ? id : "");
        if (found.length > 0 || strcmp(name, request->words[1]) != 0)
            continue;
        char *printed = cJSON_PrintUnformatted(bug);
        text_add_string(&found, printed);
        cJSON_free(printed);
    }
    cJSON_Delete(run);
    if (found.length > 0)
        request_answer_json(request, &found);
    else
        request_fail(request, MHD_HTTP_NOT_FOUND, "there is no bug %s", request->words[1]);
}

static bool has_checkpoint(const char *path)
{
    int file = workspace_open(path, "checkpoint/search");
    if (file >= 0)
        close(file);
    return file >= 0;
}

void api_run_read(WebRequest *request)
{
    char path[PATH_MAX];
    Text text = {0}, result = {0};
    Json json = {.text = &text, .first = true};
    if (!request_find_run(request, path))
        return;
    RunState state = runs_state(request->server->runs, request->words[0]);
    json_open_object(&json, NULL);
    json_add_string(&json, "id", request->words[0]);
    json_add_string(&json, "phase", phase_name(state.phase));
    if (state.phase == RUN_ENDED)
        json_add_integer(&json, "exit_code", state.exit_code);
    json_add_bool(&json, "resumable", has_checkpoint(path));
    bool known = workspace_read(path, "run.json", WORKSPACE_MOST_RESULT, &result);
    json_add_raw(&json, "run", known ? text_borrow(&result) : "null");
    json_close_object(&json);
    request_answer_json(request, &text);
    text_release(&result);
}

void api_run_file(WebRequest *request)
{
    char path[PATH_MAX];
    Text text = {0};
    if (!request_find_run(request, path))
        return;
    if (workspace_read(path, request->words[1], WORKSPACE_MOST_RESULT, &text))
        request_answer(request, MHD_HTTP_OK, "text/plain; charset=utf-8", text_borrow(&text), text.length);
    else
        request_fail(request, MHD_HTTP_NOT_FOUND, "there is no file %s", request->words[1]);
    text_release(&text);
}

void api_run_console(WebRequest *request)
{
    char path[PATH_MAX];
    Text text = {0};
    if (!request_find_run(request, path))
        return;
    workspace_read(path, "console.txt", WORKSPACE_MOST_RESULT, &text);
    request_answer(request, MHD_HTTP_OK, "text/plain; charset=utf-8", text_borrow(&text), text.length);
    text_release(&text);
}

/* ---- Starting and stopping ------------------------------------------------------------------ */

static bool is_startable(const char *verb)
{
    static const char *const verbs[] = {"test", "explore", "deadlock", "generate"};
    for (unsigned i = 0; i < sizeof verbs / sizeof verbs[0]; i++)
        if (verb && strcmp(verb, verbs[i]) == 0)
            return true;
    return false;
}

static void start(WebRequest *request, const char *verb, const cJSON *arguments)
{
    VEC(const char *) words = {0};
    char id[NAME_MAX + 1];
    Error error;
    const cJSON *argument;
    VEC_PUSH(&words, verb);
    cJSON_ArrayForEach(argument, arguments)
        if (cJSON_IsString(argument))
            VEC_PUSH(&words, argument->valuestring);
    VEC_PUSH(&words, NULL);
    if (runs_start(request->server->runs, words.items, id, &error)) {
        Text text = {0};
        text_add(&text, "{\"id\":\"%s\"}", id);
        request_answer_json(request, &text);
    } else {
        request_fail(request, MHD_HTTP_INTERNAL_SERVER_ERROR, "%s", error.text);
    }
    VEC_FREE(&words);
}

void api_runs_start(WebRequest *request)
{
    cJSON *body = cJSON_ParseWithLength(text_borrow(&request->body), request->body.length);
    const char *verb = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(body, "verb"));
    const cJSON *arguments = cJSON_GetObjectItemCaseSensitive(body, "arguments");
    if (is_startable(verb) && cJSON_IsArray(arguments))
        start(request, verb, arguments);
    else
        request_fail(request, MHD_HTTP_BAD_REQUEST, "expected {\"verb\": \"test\", \"arguments\": [...]}");
    cJSON_Delete(body);
}

void api_run_stop(WebRequest *request)
{
    char path[PATH_MAX];
    if (!request_find_run(request, path))
        return;
    if (runs_stop(request->server->runs, request->words[0]))
        request_answer(request, MHD_HTTP_OK, "application/json", "{}", 2);
    else
        request_fail(request, MHD_HTTP_CONFLICT, "run %s has ended, or was not started here", request->words[0]);
}

void api_run_resume(WebRequest *request)
{
    char path[PATH_MAX];
    Error error;
    if (!request_find_run(request, path))
        return;
    if (!has_checkpoint(path))
        request_fail(request, MHD_HTTP_CONFLICT, "run %s has no checkpoint to continue from", request->words[0]);
    else if (runs_resume(request->server->runs, request->words[0], &error))
        request_answer(request, MHD_HTTP_OK, "application/json", "{}", 2);
    else
        request_fail(request, MHD_HTTP_CONFLICT, "%s", error.text);
}

/* ---- Watching --------------------------------------------------------------------------------- */

/* A stream of events: "console" with new text, "stats" with new lines of stats.jsonl, "end" with the exit code. */
typedef struct RunWatch {
    WebServer *server;
    char *id;
    char path[PATH_MAX];
    off_t console, stats;   /* how far they have been read */
    Text pending;
    size_t sent;
    bool ended;
} RunWatch;

/* What was added to a file since the last look. */
static void read_new(const RunWatch *watch, const char *name, off_t *position, Text *out)
{
    int file = workspace_open(watch->path, name);
    if (file < 0)
        return;
    if (lseek(file, *position, SEEK_SET) == *position)
        text_add_file(out, file);
    close(file);
    *position += (off_t)out->length;
}

static void add_event(RunWatch *watch, const char *name, const Text *content)
{
    Json json = {.text = &watch->pending, .first = true};
    if (content->length == 0)
        return;
    text_add(&watch->pending, "event: %s\ndata: ", name);
    json_add_bytes(&json, NULL, content->data, content->length);
    text_add_string(&watch->pending, "\n\n");
}

static void look(RunWatch *watch)
{
    Text console = {0}, stats = {0};
    RunState state = runs_state(watch->server->runs, watch->id); /* first: what it wrote before its end is read */
    read_new(watch, "console.txt", &watch->console, &console);
    read_new(watch, "stats.jsonl", &watch->stats, &stats);
    add_event(watch, "console", &console);
    add_event(watch, "stats", &stats);
    if (state.phase == RUN_ENDED || state.phase == RUN_FOUND) {
        text_add(&watch->pending, "event: end\ndata: %d\n\n", state.phase == RUN_ENDED ? state.exit_code : -1);
        watch->ended = true;
    }
    text_release(&console);
    text_release(&stats);
}

/* Called by the thread of the connection: it may wait. */
static ssize_t next_bytes(void *context, uint64_t position, char *bytes, size_t room)
{
    enum { LOOKS_BEFORE_SIGN_OF_LIFE = 500 };
    RunWatch *watch = context;
    struct timespec moment = {.tv_nsec = 20000000};
    (void)position;
    for (unsigned i = 0; watch->sent == watch->pending.length; i++) {
        if (watch->ended || watch->server->ending)
            return MHD_CONTENT_READER_END_OF_STREAM;
        text_reset(&watch->pending);
        watch->sent = 0;
        look(watch);
        if (watch->pending.length == 0 && i < LOOKS_BEFORE_SIGN_OF_LIFE)
            nanosleep(&moment, NULL);
        else if (watch->pending.length == 0)
            text_add_string(&watch->pending, ": still there\n\n");
    }
    size_t left = watch->pending.length - watch->sent, size = left < room ? left : room;
    memcpy(bytes, watch->pending.data + watch->sent, size);
    watch->sent += size;
    return (ssize_t)size;
}

static void end_watch(void *context)
{
    RunWatch *watch = context;
    text_release(&watch->pending);
    free(watch->id);
    free(watch);
}

void api_run_events(WebRequest *request)
{
    char path[PATH_MAX];
    if (!request_find_run(request, path))
        return;
    RunWatch *watch = mem_alloc(sizeof *watch);
    watch->server = request->server;
    watch->id = mem_copy_string(request->words[0]);
    memcpy(watch->path, path, sizeof path);
    struct MHD_Response *response =
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 4096, next_bytes, watch, end_watch);
    request_answer_with(request, MHD_HTTP_OK, "text/event-stream", response);
}
