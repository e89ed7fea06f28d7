/* task_serve.c - explores jobs of a shared search, slice by slice, for `sennit worker`
 *
 * `sennit worker` talks to the store; this process explores. Two sockets connect them: on the first the
 * supervisor receives slices and returns results, on the second a worker process requests insertions
 * above its jobs while it runs.
 *
 *   slice    see core/tree/slice.h
 *   stop     the slice ends early
 *   result   the jobs of the slice, see there; lines bug ...; record SIZE + bytes; reached ENOUGH WORD ...; stats ...;
 *            cpu SECONDS; bytes N; ending NAME; note TEXT
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/run/rundir.h"
#include "app/search/stage.h"
#include "app/search/supervise.h"
#include "app/tasks/task.h"
#include "base/channel.h"
#include "core/stats.h"
#include "core/tree/jobs_replica.h"
#include "core/tree/slice.h"

/* In the region: workers use it one at a time, under the lock of the jobs. */
typedef struct ServeLink {
    JobsLink link;
    int fd;
    uint64_t requests;
} ServeLink;

typedef struct SliceServer {
    Watcher watcher;       /* first: the watcher is the server */
    const RunInfo *info;
    Stage stage;
    RunSearch *search;
    Jobs *jobs;
    Signals signals;
    int fd;
    SliceLimits slice;
    bool gone;             /* the other side has closed the socket */
    SliceJobs held;
    uint32_t bugs_sent;
    ExploreStats before;
} SliceServer;

/* ---- Insertions above the jobs ------------------------------------------------- */

/* A worker that was killed in the middle of a request may have left its answer unread: answers carry the
 * number of their request. */
static bool receive_answer(ServeLink *self, char *word, Text *payload)
{
    char number[32];
    int size = snprintf(number, sizeof number, "%llu\n", (unsigned long long)self->requests);
    while (channel_receive(self->fd, word, payload))
        if (payload->length >= (size_t)size && memcmp(payload->data, number, (size_t)size) == 0)
            return true;
    return false;
}

static int serve_extend(JobsLink *link, uint64_t domain, uint32_t known, const char *entries, Text *news)
{
    ServeLink *self = (ServeLink *)link;
    Text request = {0}, answer = {0};
    char word[CHANNEL_WORD];
    self->requests++;
    text_add(&request, "%llu %llu %u\n%s", (unsigned long long)self->requests, (unsigned long long)domain, known,
             entries);
    bool good = channel_send(self->fd, "extend", request.data, request.length) && receive_answer(self, word, &answer);
    int result = !good ? -1 : strcmp(word, "done") == 0 ? 1 : strcmp(word, "stale") == 0 ? 0 : -1;
    if (result == 0)
        text_add_string(news, strchr(answer.data, '\n') + 1);
    text_release(&request);
    text_release(&answer);
    return result;
}

/* ---- Slices ------------------------------------------------------------------------- */

static bool read_slice(SliceServer *server, const Text *payload, Error *error)
{
    return slice_read(payload, server->jobs, server->stage.program, &server->held, &server->slice, error);
}

static void check_stop(SliceServer *server)
{
    struct pollfd watched = {.fd = server->fd, .events = POLLIN};
    char word[CHANNEL_WORD];
    Text payload = {0};
    if (poll(&watched, 1, 0) > 0) {
        server->gone = !channel_receive(server->fd, word, &payload);
        search_stop(server->search, ENDING_TIME);
    }
    text_release(&payload);
}

static void watch_slice(Watcher *self, double seconds)
{
    SliceServer *server = (SliceServer *)self;
    if (seconds >= server->slice.seconds)
        search_stop(server->search, ENDING_TIME);
    check_stop(server);
}

/* ---- Results ---------------------------------------------------------------------------- */

static void write_bugs(SliceServer *server, Text *out)
{
    const BugList *bugs = search_bugs(server->search);
    for (; server->bugs_sent < buglist_count(bugs); server->bugs_sent++) {
        const Bug *bug = &bugs->bugs[server->bugs_sent];
        text_add(out, "bug %016llx %s %llu %zu\n", (unsigned long long)bug->identity, bug->kind,
                 (unsigned long long)bug->seen, bug->trace_size);
        text_add_bytes(out, bug->trace, bug->trace_size);
    }
}

static void write_record(SliceServer *server, Text *out)
{
    Text record = {0};
    if (search_record(server->search))
        server->info->subject->record_write(search_record(server->search), false, &record);
    text_add(out, "record %zu\n", record.length);
    text_add_bytes(out, text_borrow(&record), record.length);
    text_release(&record);
}

static const char *ending_name(Ending ending)
{
    switch (ending) {
    case ENDING_BUG: return "bug";
    case ENDING_DIVERGED: return "diverged";
    case ENDING_REFUSED: return "refused";
    case ENDING_FAILED: return "failed";
    default: return "fine";
    }
}

/* "reached ENOUGH WORD ...": when all workers together have reported ENOUGH different words, the search is over. */
static void write_reached(SliceServer *server, Text *out)
{
    Text words = {0};
    const Subject *subject = server->info->subject;
    SearchRecord *record = search_record(server->search);
    uint32_t enough = record && subject->record_reached ? subject->record_reached(record, &words) : 0;
    if (enough)
        text_add(out, "reached %u%s\n", enough, text_borrow(&words));
    text_release(&words);
}

static void write_result(SliceServer *server, const Supervision *supervision, Text *out)
{
    Summary summary = {0};
    search_summarise(server->search, &summary);
    Ending ending = supervision->ending != ENDING_DONE ? supervision->ending : summary.ending;
    const char *note = *supervision->note ? supervision->note : summary.note;
    if (ending == ENDING_REFUSED && server->info->subject->refusal)
        note = server->info->subject->refusal(server->stage.program);
    bool sound = ending != ENDING_DIVERGED && ending != ENDING_FAILED && ending != ENDING_REFUSED;
    ExploreStats now = search_stats(server->search), since = stats_since(&now, &server->before);
    if (supervision->killed || (sound && !search_at_rest(server->search))) { /* to be repeated, here or elsewhere */
        text_add(out, "ending %s\n", supervision->killed ? "broken" : "lost");
        return;
    }
    if (sound)
        slice_write(&server->held, server->jobs, server->stage.program, out);
    write_bugs(server, out);
    write_record(server, out);
    write_reached(server, out);
    text_add_string(out, "stats");
    stats_write(&since, out);
    text_add(out, "\ncpu %.6f\nbytes %zu\nending %s\n", supervision->cpu_seconds, jobs_bytes(server->jobs),
             ending_name(ending));
    if (note)
        text_add(out, "note %s\n", note);
    server->before = now;
}

/* ---- Task ---------------------------------------------------------------------------------- */

static bool open_server(SliceServer *server, const RunInfo *info, Error *error)
{
    *server = (SliceServer){.watcher = {.watch = watch_slice}, .info = info, .fd = (int)info->options.serve_fd};
    if (!stage_open(&server->stage, info, STAGE_SEARCH, false, error))
        return false;
    server->search = search_create(server->stage.region, server->stage.program, info);
    server->jobs = server->search ? search_jobs(server->search, 0) : NULL;
    if (!server->jobs)
        return error_set(error, EXIT_USAGE, "this kind of search cannot be shared between machines");
    if (info->subject->record_create && info->subject->record_write) {
        Style style = {0};
        SearchRecord *record =
            info->subject->record_create(server->stage.region, server->stage.program, info, &style, error);
        if (!record)
            return false;
        search_keep_record(server->search, record);
    }
    ServeLink *link = region_alloc(server->stage.region, sizeof *link);
    *link = (ServeLink){.link = {.extend = serve_extend}, .fd = server->fd + 1};
    jobs_connect(server->jobs, &link->link);
    return signals_open(&server->signals, error);
}

static bool serve_slice(SliceServer *server, const Text *slice)
{
    Supervision supervision;
    Text result = {0};
    Error error;
    if (!read_slice(server, slice, &error)) {
        text_add(&result, "ending failed\nnote %s\n", error.text);
    } else {
        search_continue(server->search);
        search_limit(server->search, server->slice.executions);
        supervise_search(server->search, server->info, &server->signals, &server->watcher, &supervision);
        write_result(server, &supervision, &result);
    }
    bool good = !server->gone && channel_send(server->fd, "result", text_borrow(&result), result.length);
    text_release(&result);
    return good;
}

ExitCode task_serve(const RunInfo *info)
{
    SliceServer server;
    Error error;
    char word[CHANNEL_WORD];
    Text payload = {0};
    if (!open_server(&server, info, &error)) {
        channel_send(server.fd, "failed", error.text, strlen(error.text));
        return task_fail(info, &error);
    }
    bool good = channel_send(server.fd, "ready", "", 0);
    while (good && channel_receive(server.fd, word, &payload))
        if (strcmp(word, "slice") == 0) /* a late `stop` is ignored */
            good = serve_slice(&server, &payload);
    text_release(&payload);
    return EXIT_CLEAN;
}
