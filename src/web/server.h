/* server.h - what all handlers share */
#ifndef WEB_SERVER_H
#define WEB_SERVER_H

#include <stdatomic.h>

#include "web/capture.h"
#include "web/request.h"
#include "web/runs.h"
#include "web/web.h"

struct WebServer {
    const WebOptions *options;
    char token[33];
    uint16_t port;
    Runs *runs;
    atomic_bool ending; /* the runs have ended: answers are no longer wanted */
};

/* One route: a method, a path in which '*' stands for one component and a '*' at the end for the rest, and what
 * answers it. */
typedef struct Route {
    const char *method;
    const char *path;
    void (*answer)(WebRequest *request);
} Route;

/* 32 random hex digits. False with errno set if there are none. */
bool server_random(char text[33]);

/* Finds the route and calls it. Answers 404 or 405 itself. */
void routes_answer(WebRequest *request);

/* A command that runs as long as the server does, in the directory that is served. */
Capturing request_capturing(const WebRequest *request, unsigned seconds);

/* The directory of the run that the first word names. Answers itself if there is none. */
bool request_find_run(WebRequest *request, char path[PATH_MAX]);

/* ---- The routes, by file ---- */

void api_about(WebRequest *request);
void api_options(WebRequest *request);
void api_files_list(WebRequest *request);
void api_files_read(WebRequest *request);
void api_files_write(WebRequest *request);
void api_check(WebRequest *request);
void api_runs_list(WebRequest *request);
void api_runs_start(WebRequest *request);
void api_run_read(WebRequest *request);
void api_run_stop(WebRequest *request);
void api_run_console(WebRequest *request);
void api_run_events(WebRequest *request);
void api_run_bug(WebRequest *request);
void api_run_file(WebRequest *request);
void api_run_resume(WebRequest *request);
void api_run_suite(WebRequest *request);
void api_execution_critical(WebRequest *request);
void api_run_tree(WebRequest *request);
void api_executions_list(WebRequest *request);
void api_execution_read(WebRequest *request);
void api_execution_whatif(WebRequest *request);
void page_answer(WebRequest *request);

#endif
