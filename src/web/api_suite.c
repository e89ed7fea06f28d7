/* api_suite.c - running generated tests again: on the model they were made for, as it is now */
#include "web/capture.h"
#include "web/server.h"

enum { SUITE_SECONDS = 120 };

static void answer_suite(WebRequest *request, const Captured *capture)
{
    Text text = {0};
    Json json = {.text = &text, .first = true};
    json_open_object(&json, NULL);
    json_add_integer(&json, "exit_code", capture->exit_code);
    json_add_bytes(&json, "output", text_borrow(&capture->output), capture->output.length);
    json_add_bytes(&json, "messages", text_borrow(&capture->messages), capture->messages.length);
    json_close_object(&json);
    request_answer_json(request, &text);
}

void api_run_suite(WebRequest *request)
{
    char path[PATH_MAX];
    Captured capture;
    Error error;
    Text junit = {0};
    Capturing how = request_capturing(request, SUITE_SECONDS);
    if (!request_find_run(request, path))
        return;
    text_add(&junit, "--junit=%s/junit.xml", path);
    const char *words[] = {"test-suite", path, junit.data, NULL};
    if (capture_run(&how, words, NULL, &capture, &error)) {
        answer_suite(request, &capture);
        capture_release(&capture);
    } else {
        request_fail(request, MHD_HTTP_INTERNAL_SERVER_ERROR, "%s", error.text);
    }
    text_release(&junit);
}
