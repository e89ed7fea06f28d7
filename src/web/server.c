/* server.c - see web.h: connections, and who may ask */
#include "web/server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/mem.h"
#include "web/page.h"

enum { MOST_CONNECTIONS = 64, IDLE_SECONDS = 60 };

/* ---- Who may ask ------------------------------------------------------------------- */

static const char *header(const WebRequest *request, const char *name)
{
    return MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND, name);
}

/* "127.0.0.1:PORT" or "localhost:PORT": a page of another site that has our address under its own name is turned
 * away. */
static bool is_own_host(const WebRequest *request, const char *host)
{
    static const char *const names[] = {"127.0.0.1", "localhost"};
    char own[40];
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(own, sizeof own, "%s:%u", names[i], request->server->port);
        if (strcmp(host, own) == 0)
            return true;
    }
    return false;
}

static bool is_own_origin(const WebRequest *request)
{
    const char *origin = header(request, "Origin");
    return !origin || (strncmp(origin, "http://", 7) == 0 && is_own_host(request, origin + 7));
}

/* Compares all characters, however many are equal. */
static bool is_token(const WebRequest *request, const char *given)
{
    const char *token = request->server->token;
    unsigned char differs = 0;
    if (!given || strlen(given) != strlen(token))
        return false;
    for (size_t i = 0; token[i]; i++)
        differs |= (unsigned char)(token[i] ^ given[i]);
    return differs == 0;
}

/* Browsers cannot add a header to a stream of events: it has the token in its address. */
static bool is_allowed(const WebRequest *request)
{
    if (strncmp(request->path, "/api/", 5) != 0)
        return true;
    return is_token(request, header(request, "X-Sennit-Token")) || is_token(request, request_query(request, "token"));
}

static void answer(WebRequest *request)
{
    const char *host = header(request, "Host");
    if (!host || !is_own_host(request, host) || !is_own_origin(request))
        request_fail(request, MHD_HTTP_FORBIDDEN, "this server answers only requests to its own address");
    else if (!is_allowed(request))
        request_fail(request, MHD_HTTP_UNAUTHORIZED,
                     "the token is missing or wrong: use the address that sennit ui printed");
    else if (request->too_large)
        request_fail(request, MHD_HTTP_CONTENT_TOO_LARGE, "more than %d bytes", REQUEST_MOST_BODY);
    else
        routes_answer(request);
    if (!request->answered)
        request_fail(request, MHD_HTTP_INTERNAL_SERVER_ERROR, "no answer");
}

/* ---- Connections --------------------------------------------------------------------- */

static enum MHD_Result on_request(void *context, struct MHD_Connection *connection, const char *path,
                                  const char *method, const char *version, const char *body, size_t *body_size,
                                  void **state)
{
    WebRequest *request = *state;
    (void)version;
    if (!request) {
        *state = request = mem_alloc(sizeof *request);
        request->server = context;
        request->connection = connection;
        return MHD_YES;
    }
    request->path = path;
    request->method = method;
    if (*body_size == 0) {
        answer(request);
        return MHD_YES;
    }
    if (request->body.length + *body_size > REQUEST_MOST_BODY)
        request->too_large = true;
    else
        text_add_bytes(&request->body, body, *body_size);
    *body_size = 0;
    return MHD_YES;
}

static void on_end(void *context, struct MHD_Connection *connection, void **state, enum MHD_RequestTerminationCode code)
{
    WebRequest *request = *state;
    (void)context, (void)connection, (void)code;
    if (!request)
        return;
    for (unsigned i = 0; i < REQUEST_WORDS; i++)
        free(request->words[i]);
    text_release(&request->body);
    free(request);
    *state = NULL;
}

Capturing request_capturing(const WebRequest *request, unsigned seconds)
{
    const WebOptions *options = request->server->options;
    return (Capturing){options->sennit, options->directory, seconds, &request->server->ending};
}

/* ---- The server ------------------------------------------------------------------------ */

bool server_random(char text[33])
{
    unsigned char bytes[16];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return false;
    for (unsigned i = 0; i < sizeof bytes; i++)
        snprintf(text + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

static bool make_token(WebServer *server, Error *error)
{
    return server_random(server->token) ||
           error_set(error, EXIT_INTERNAL, "no random numbers: %s", strerror(errno));
}

static struct MHD_Daemon *start(WebServer *server, Error *error)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(server->options->port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    struct MHD_Daemon *daemon = MHD_start_daemon(
        MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_ITC, 0, NULL, NULL, on_request,
        server, MHD_OPTION_SOCK_ADDR, &address, MHD_OPTION_NOTIFY_COMPLETED, on_end, NULL, MHD_OPTION_CONNECTION_LIMIT,
        (unsigned)MOST_CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_SECONDS, MHD_OPTION_END);
    if (!daemon) {
        error_set(error, EXIT_USAGE, "cannot listen on port %u of this machine: %s", server->options->port,
                  strerror(errno));
        return NULL;
    }
    server->port = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT)->port;
    return daemon;
}

/* Runs are interrupted, and have some time to write their results; a second signal ends them at once. */
static void end_runs(WebServer *server, const sigset_t *ends)
{
    enum { LOOKS = 300 };
    struct timespec moment = {.tv_nsec = 50000000};
    runs_stop_all(server->runs, false);
    for (unsigned i = 0; !runs_have_ended(server->runs); i++)
        if (sigtimedwait(ends, NULL, &moment) > 0 || i >= LOOKS)
            runs_stop_all(server->runs, true);
}

int web_serve(const WebOptions *options, Error *error)
{
    WebServer server = {.options = options};
    sigset_t ends;
    int signal;
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &ends, NULL); /* also in the threads of the server; runs get the default back */
    struct MHD_Daemon *daemon = make_token(&server, error) ? start(&server, error) : NULL;
    if (!daemon)
        return error->code;
    server.runs = runs_create(options->sennit, options->directory, options->run);
    printf("http://127.0.0.1:%u/?token=%s\n", server.port, server.token);
    fflush(stdout);
    if (!page_is_built())
        fputs("sennit ui: built without its page: only the interface below /api/ answers\n", stderr);
    sigwait(&ends, &signal);
    end_runs(&server, &ends);
    server.ending = true;
    MHD_stop_daemon(daemon);
    runs_destroy(server.runs);
    return EXIT_CLEAN;
}
