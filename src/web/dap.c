/* dap.c - see dap.h */
#include "web/dap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/vec.h"
#include "web/dap_wire.h"
#include "web/recording.h"

typedef struct Breakpoint {
    char *path;
    int line;
} Breakpoint;

typedef struct DapSession {
    const char *sennit;
    RecordedExecution recording;
    bool launched;
    bool stop_on_entry;
    bool ended;
    int position;     /* steps taken */
    int sequence;     /* of messages sent */
    VEC(Breakpoint) breakpoints;
} DapSession;

enum { SCOPE_VALUES = 1, SCOPE_INPUTS = 2 };

/* ---- Sending ------------------------------------------------------------------------- */

static cJSON *new_message(DapSession *session, const char *type)
{
    cJSON *message = cJSON_CreateObject();
    cJSON_AddNumberToObject(message, "seq", ++session->sequence);
    cJSON_AddStringToObject(message, "type", type);
    return message;
}

/* Takes the body over; it may be NULL. */
static void send_event(DapSession *session, const char *event, cJSON *body)
{
    cJSON *message = new_message(session, "event");
    cJSON_AddStringToObject(message, "event", event);
    if (body)
        cJSON_AddItemToObject(message, "body", body);
    dap_write(stdout, message);
}

static cJSON *new_response(DapSession *session, const cJSON *request, bool success)
{
    const cJSON *number = cJSON_GetObjectItemCaseSensitive(request, "seq");
    const char *command = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(request, "command"));
    cJSON *message = new_message(session, "response");
    cJSON_AddNumberToObject(message, "request_seq", cJSON_IsNumber(number) ? number->valuedouble : 0);
    cJSON_AddStringToObject(message, "command", command ? command : "");
    cJSON_AddBoolToObject(message, "success", success);
    return message;
}

static void answer(DapSession *session, const cJSON *request, cJSON *body)
{
    cJSON *message = new_response(session, request, true);
    if (body)
        cJSON_AddItemToObject(message, "body", body);
    dap_write(stdout, message);
}

static void refuse(DapSession *session, const cJSON *request, const char *why)
{
    cJSON *message = new_response(session, request, false);
    cJSON_AddStringToObject(message, "message", why);
    dap_write(stdout, message);
}

static void send_stopped(DapSession *session, const char *reason)
{
    const char *kind, *summary = recording_finding(&session->recording, &kind);
    bool at_bug = summary && session->position == recording_length(&session->recording);
    cJSON *body = cJSON_CreateObject();
    cJSON_AddStringToObject(body, "reason", at_bug ? "exception" : reason);
    cJSON_AddNumberToObject(body, "threadId", recording_current(&session->recording, session->position) + 1);
    cJSON_AddBoolToObject(body, "allThreadsStopped", true);
    if (at_bug) {
        cJSON_AddStringToObject(body, "description", kind);
        cJSON_AddStringToObject(body, "text", summary);
    }
    send_event(session, "stopped", body);
}

/* ---- Beginning and ending ----------------------------------------------------------------- */

static void on_initialize(DapSession *session, const cJSON *request, const cJSON *arguments)
{
    static const char *const capabilities[] = {"supportsConfigurationDoneRequest", "supportsStepBack",
                                               "supportsExceptionInfoRequest", "supportsTerminateRequest"};
    cJSON *body = cJSON_CreateObject();
    (void)arguments;
    for (unsigned i = 0; i < sizeof capabilities / sizeof capabilities[0]; i++)
        cJSON_AddTrueToObject(body, capabilities[i]);
    answer(session, request, body);
}

static void on_launch(DapSession *session, const cJSON *request, const cJSON *arguments)
{
    const char *trace = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(arguments, "trace"));
    const cJSON *entry = cJSON_GetObjectItemCaseSensitive(arguments, "stopOnEntry");
    Error error;
    if (!trace || session->launched) {
        refuse(session, request, trace ? "a trace was launched already" : "expected \"trace\", the path of a trace");
    } else if (recording_open(&session->recording, session->sennit, trace, &error)) {
        session->launched = true;
        session->stop_on_entry = !cJSON_IsFalse(entry);
        answer(session, request, NULL);
        send_event(session, "initialized", NULL);
    } else {
        refuse(session, request, error.text);
    }
}

static bool stops_at(const DapSession *session, int position)
{
    const cJSON *step = cJSON_GetArrayItem(session->recording.steps, position);
    const char *file = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(step, "file"));
    const cJSON *line = cJSON_GetObjectItemCaseSensitive(step, "line");
    for (uint32_t i = 0; file && line && i < session->breakpoints.count; i++) {
        const Breakpoint *point = &session->breakpoints.items[i];
        size_t length = strlen(point->path), size = strlen(file);
        if (point->line == line->valueint && length >= size && strcmp(point->path + length - size, file) == 0)
            return true;
    }
    return false;
}

/* To the next breakpoint in this direction, or to the end of the execution. */
static void run_on(DapSession *session, int direction)
{
    int end = direction > 0 ? recording_length(&session->recording) : 0;
    const char *kind, *reason = "entry";
    while (session->position != end) {
        session->position += direction;
        if (session->position != end && stops_at(session, session->position)) {
            reason = "breakpoint";
            break;
        }
    }
    if (direction > 0 && session->position == end && !recording_finding(&session->recording, &kind))
        send_event(session, "terminated", NULL);
    else
        send_stopped(session, reason);
}

static void on_configured(DapSession *session, const cJSON *request, const cJSON *arguments)
{
    (void)arguments;
    answer(session, request, NULL);
    if (session->stop_on_entry)
        send_stopped(session, "entry");
    else
        run_on(session, 1);
}

static void on_disconnect(DapSession *session, const cJSON *request, const cJSON *arguments)
{
    (void)arguments;
    answer(session, request, NULL);
    send_event(session, "terminated", NULL);
    session->ended = true;
}

static void forget_breakpoints(DapSession *session, const char *path)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < session->breakpoints.count; i++) {
        Breakpoint point = session->breakpoints.items[i];
        if (strcmp(point.path, path) == 0)
            free(point.path);
        else
            session->breakpoints.items[left++] = point;
    }
    session->breakpoints.count = left;
}

static void on_breakpoints(DapSession *session, const cJSON *request, const cJSON *arguments)
{
    const cJSON *source = cJSON_GetObjectItemCaseSensitive(arguments, "source"), *point;
    const char *path = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(source, "path"));
    cJSON *body = cJSON_CreateObject(), *list = cJSON_AddArrayToObject(body, "breakpoints");
    forget_breakpoints(session, path ? path : "");
    cJSON_ArrayForEach(point, cJSON_GetObjectItemCaseSensitive(arguments, "breakpoints")) {
        const cJSON *line = cJSON_GetObjectItemCaseSensitive(point, "line");
        cJSON *set = cJSON_CreateObject();
        bool good = path && cJSON_IsNumber(line);
        if (good)
            VEC_PUSH(&session->breakpoints, ((Breakpoint){strdup(path), line->valueint}));
        cJSON_AddBoolToObject(set, "verified", good);
        cJSON_AddItemToArray(list, set);
    }
    answer(session, request, body);
}

/* ---- Moving --------------------------------------------------------------------------------- */

static void on_next(DapSession *session, const cJSON *request, const cJSON *arguments)
{
    (void)arguments;
    answer(session, request, NULL);
    if (session->position < recording_length(&session->recording))
        session->position++;
    send_stopped(session, "step");
}

static void on_step_back(DapSession *session, const cJSON *request, const cJSON *arguments)
{
    (void)arguments;
    answer(session, request, NULL);
    if (session->position > 0)
        session->position--;
    send_stopped(session, "step");
}

static void on_continue(DapSession *session, const cJSON *request, const cJSON *arguments)
{
    cJSON *body = cJSON_CreateObject();
    (void)arguments;
    cJSON_AddTrueToObject(body, "allThreadsContinued");
    answer(session, request, body);
    run_on(session, 1);
}

static void on_reverse(DapSession *session, const cJSON *request, const cJSON *arguments)
{
    (void)arguments;
    answer(session, request, NULL);
    run_on(session, -1);
}

/* ---- Looking ---------------------------------------------------------------------------------- */

static void on_threads(DapSession *session, const cJSON *request, const cJSON *arguments)
{
    cJSON *body = cJSON_CreateObject(), *list = cJSON_AddArrayToObject(body, "threads");
    (void)arguments;
    for (int agent = 0; agent < recording_agents(&session->recording); agent++) {
        cJSON *thread = cJSON_CreateObject();
        cJSON_AddNumberToObject(thread, "id", agent + 1);
        cJSON_AddStringToObject(thread, "name", recording_agent_name(&session->recording, agent));
        cJSON_AddItemToArray(list, thread);
    }
    answer(session, request, body);
}

static void add_source(const DapSession *session, cJSON *frame, const char *file)
{
    char path[2 * PATH_MAX];
    const char *slash = strrchr(file, '/');
    bool absolute = *file == '/';
    snprintf(path, sizeof path, "%s%s%s", absolute ? "" : session->recording.directory, absolute ? "" : "/", file);
    cJSON *source = cJSON_AddObjectToObject(frame, "source");
    cJSON_AddStringToObject(source, "name", slash ? slash + 1 : file);
    cJSON_AddStringToObject(source, "path", path);
}

/* One frame: where the thread's next step is. */
static void on_stack(DapSession *session, const cJSON *request, const cJSON *arguments)
{
    const cJSON *thread = cJSON_GetObjectItemCaseSensitive(arguments, "threadId");
    int agent = cJSON_IsNumber(thread) ? thread->valueint - 1 : 0;
    RecordedPlace place = recording_place(&session->recording, agent, session->position);
    cJSON *body = cJSON_CreateObject(), *list = cJSON_AddArrayToObject(body, "stackFrames");
    if (place.text) {
        char name[300];
        cJSON *frame = cJSON_CreateObject();
        snprintf(name, sizeof name, "%s: %s", place.function ? place.function : "?", place.text);
        cJSON_AddNumberToObject(frame, "id", agent + 1);
        cJSON_AddStringToObject(frame, "name", name);
        cJSON_AddNumberToObject(frame, "line", place.line > 0 ? place.line : 0);
        cJSON_AddNumberToObject(frame, "column", 1);
        if (place.file)
            add_source(session, frame, place.file);
        cJSON_AddItemToArray(list, frame);
    }
    cJSON_AddNumberToObject(body, "totalFrames", cJSON_GetArraySize(list));
    answer(session, request, body);
}

static void add_scope(cJSON *list, const char *name, int reference)
{
    cJSON *scope = cJSON_CreateObject();
    cJSON_AddStringToObject(scope, "name", name);
    cJSON_AddNumberToObject(scope, "variablesReference", reference);
    cJSON_AddBoolToObject(scope, "expensive", false);
    cJSON_AddItemToArray(list, scope);
}

static void on_scopes(DapSession *session, const cJSON *request, const cJSON *arguments)
{
    cJSON *body = cJSON_CreateObject(), *list = cJSON_AddArrayToObject(body, "scopes");
    (void)arguments;
    add_scope(list, "Shared", SCOPE_VALUES);
    add_scope(list, "Inputs", SCOPE_INPUTS);
    answer(session, request, body);
}

static void add_variable(void *list, const char *name, const char *value)
{
    cJSON *variable = cJSON_CreateObject();
    cJSON_AddStringToObject(variable, "name", name ? name : "?");
    cJSON_AddStringToObject(variable, "value", value ? value : "?");
    cJSON_AddNumberToObject(variable, "variablesReference", 0);
    cJSON_AddItemToArray(list, variable);
}

static void on_variables(DapSession *session, const cJSON *request, const cJSON *arguments)
{
    const cJSON *reference = cJSON_GetObjectItemCaseSensitive(arguments, "variablesReference");
    cJSON *body = cJSON_CreateObject(), *list = cJSON_AddArrayToObject(body, "variables");
    if (cJSON_IsNumber(reference) && reference->valueint == SCOPE_VALUES)
        recording_values(&session->recording, session->position, add_variable, list);
    else if (cJSON_IsNumber(reference) && reference->valueint == SCOPE_INPUTS)
        recording_inputs(&session->recording, add_variable, list);
    answer(session, request, body);
}

static void on_exception(DapSession *session, const cJSON *request, const cJSON *arguments)
{
    const char *kind, *summary = recording_finding(&session->recording, &kind);
    cJSON *body = cJSON_CreateObject();
    (void)arguments;
    cJSON_AddStringToObject(body, "exceptionId", summary ? kind : "none");
    cJSON_AddStringToObject(body, "description", summary ? summary : "no bug");
    cJSON_AddStringToObject(body, "breakMode", "always");
    answer(session, request, body);
}

/* ---- Requests ------------------------------------------------------------------------------------ */

typedef struct DapRequest {
    const char *command;
    void (*answer)(DapSession *session, const cJSON *request, const cJSON *arguments);
    bool always; /* also before a trace is launched */
} DapRequest;

static const DapRequest REQUESTS[] = {
    {"initialize", on_initialize, true},       {"launch", on_launch, true},
    {"disconnect", on_disconnect, true},       {"terminate", on_disconnect, true},
    {"setBreakpoints", on_breakpoints, true},  {"configurationDone", on_configured, false},
    {"threads", on_threads, false},            {"stackTrace", on_stack, false},
    {"scopes", on_scopes, false},              {"variables", on_variables, false},
    {"next", on_next, false},                  {"stepIn", on_next, false},
    {"stepOut", on_next, false},               {"stepBack", on_step_back, false},
    {"continue", on_continue, false},          {"reverseContinue", on_reverse, false},
    {"exceptionInfo", on_exception, false},
};

static void handle(DapSession *session, const cJSON *request)
{
    const char *command = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(request, "command"));
    const cJSON *arguments = cJSON_GetObjectItemCaseSensitive(request, "arguments");
    for (unsigned i = 0; command && i < sizeof REQUESTS / sizeof REQUESTS[0]; i++) {
        if (strcmp(command, REQUESTS[i].command) != 0)
            continue;
        if (session->launched || REQUESTS[i].always)
            REQUESTS[i].answer(session, request, arguments);
        else
            refuse(session, request, "no trace was launched");
        return;
    }
    refuse(session, request, "this request is not known");
}

int dap_serve(const char *sennit)
{
    DapSession session = {.sennit = sennit};
    cJSON *request;
    while (!session.ended && (request = dap_read(stdin))) {
        handle(&session, request);
        cJSON_Delete(request);
    }
    recording_release(&session.recording);
    for (uint32_t i = 0; i < session.breakpoints.count; i++)
        free(session.breakpoints.items[i].path);
    VEC_FREE(&session.breakpoints);
    return EXIT_CLEAN;
}
