/* routes.c - which address is answered by what */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "web/server.h"

static const Route ROUTES[] = {
    {"GET", "/", page_answer},
    {"GET", "/api/about", api_about},
    {"GET", "/api/options", api_options},
    {"GET", "/api/files", api_files_list},
    {"GET", "/api/files/*", api_files_read},
    {"PUT", "/api/files/*", api_files_write},
    {"POST", "/api/check", api_check},
    {"GET", "/api/runs", api_runs_list},
    {"POST", "/api/runs", api_runs_start},
    {"GET", "/api/runs/*/events", api_run_events},
    {"GET", "/api/runs/*/console", api_run_console},
    {"POST", "/api/runs/*/stop", api_run_stop},
    {"POST", "/api/runs/*/resume", api_run_resume},
    {"POST", "/api/runs/*/test-suite", api_run_suite},
    {"POST", "/api/runs/*/critical", api_execution_critical},
    {"GET", "/api/runs/*/files/*", api_run_file},
    {"GET", "/api/runs/*/bugs/*", api_run_bug},
    {"GET", "/api/runs/*/tree", api_run_tree},
    {"GET", "/api/runs/*/executions", api_executions_list},
    {"GET", "/api/runs/*/executions/*", api_execution_read},
    {"POST", "/api/runs/*/what-if", api_execution_whatif},
    {"GET", "/api/runs/*", api_run_read},
};

/* Does the path fit the pattern? Fills in the words. */
static bool fits(WebRequest *request, const char *pattern)
{
    const char *path = request->path;
    unsigned count = 0;
    for (; *pattern; pattern++) {
        if (*pattern != '*') {
            if (*path++ != *pattern)
                return false;
            continue;
        }
        size_t length = pattern[1] ? strcspn(path, "/") : strlen(path);
        if (length == 0)
            return false;
        char *word = mem_alloc(length + 1);
        memcpy(word, path, length);
        free(request->words[count]);
        request->words[count++] = word;
        path += length;
    }
    return *path == '\0';
}

void routes_answer(WebRequest *request)
{
    bool other_method = false;
    for (unsigned i = 0; i < sizeof ROUTES / sizeof ROUTES[0]; i++) {
        if (!fits(request, ROUTES[i].path))
            continue;
        if (strcmp(request->method, ROUTES[i].method) == 0) {
            ROUTES[i].answer(request);
            return;
        }
        other_method = true;
    }
    if (other_method)
        request_fail(request, MHD_HTTP_METHOD_NOT_ALLOWED, "%s is not possible here", request->method);
    else
        request_fail(request, MHD_HTTP_NOT_FOUND, "there is nothing at this address");
}
