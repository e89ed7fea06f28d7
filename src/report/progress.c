/* progress.c - see progress.h */
#include "report/progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double REFRESH = 0.2, INTERVAL = 5, FIRST_LINE = 2;

Progress progress_open(int fd, bool silent)
{
    const char *term = getenv("TERM");
    bool terminal = isatty(fd) && !(term && strcmp(term, "dumb") == 0);
    return (Progress){.fd = fd, .terminal = terminal, .silent = silent, .next = terminal ? REFRESH : FIRST_LINE};
}

static void write_clock(Text *out, double seconds)
{
    unsigned long whole = (unsigned long)seconds;
    if (whole >= 3600)
        text_add(out, "%lu:%02lu:%02lu", whole / 3600, whole % 3600 / 60, whole % 60);
    else
        text_add(out, "%02lu:%02lu", whole / 60, whole % 60);
}

void progress_write_estimate(Text *out, const Estimate *estimate, uint64_t explored)
{
    double more = estimate->high / estimate->total - 1;
    style_add_short(out, estimate->total);
    if (more <= 0.995 && estimate->total * (1 - more) >= (double)explored) {
        text_add(out, " (+-%.0f%%)", more > 0.01 ? more * 100 : 1);
        return;
    }
    text_add_string(out, " (");
    style_add_short(out, fmax(estimate->low, (double)explored));
    text_add_string(out, "..");
    style_add_short(out, estimate->high);
    text_add_string(out, ")");
}

/* What is left: by the estimate of the tree, or by the time allowed. */
static void write_rest(Text *out, const ExploreStats *stats, double seconds, double rate, double max_time)
{
    double total = stats->estimate.total, left = -1;
    if (total > (double)stats->executions) {
        text_add_string(out, "  est ");
        progress_write_estimate(out, &stats->estimate, stats->executions);
        if (rate > 0)
            left = (total - (double)stats->executions) / rate;
    }
    if (max_time > 0 && (left < 0 || max_time - seconds < left))
        left = max_time > seconds ? max_time - seconds : 0;
    if (left >= 0 && left < 1e7) {
        text_add_string(out, "  ETA ");
        write_clock(out, left);
    }
}

void progress_write_line(Text *out, const ExploreStats *stats, const ProgressWork *work, uint32_t bugs, double seconds,
                         double rate, double max_time)
{
    text_add_string(out, "#");
    style_add_count(out, stats->executions);
    text_add(out, " execs  %u %s  ", bugs, bugs == 1 ? "bug" : "bugs");
    style_add_count(out, stats->redundant);
    text_add_string(out, " redundant  ");
    style_add_short(out, rate);
    text_add_string(out, "/s  ");
    if (work->workers > 1 || work->open > 1)
        text_add(out, "%u worker%s  %llu job%s  ", work->workers, work->workers == 1 ? "" : "s",
                 (unsigned long long)work->open, work->open == 1 ? "" : "s");
    write_clock(out, seconds);
    write_rest(out, stats, seconds, rate, max_time);
}

static void show(Progress *progress, const char *line)
{
    Text out = {0};
    text_add(&out, progress->terminal ? "\r%s\033[K" : "sennit: %s\n", line);
    if (text_write_all(progress->fd, out.data, out.length))
        progress->shown = progress->terminal;
    text_release(&out);
}

/* Is a line due? Then the time of the next one is set. */
static bool is_due(Progress *progress, double seconds)
{
    if (progress->silent || seconds < progress->next)
        return false;
    progress->next = seconds + (progress->terminal ? REFRESH : INTERVAL);
    return true;
}

void progress_show(Progress *progress, double seconds, const char *format, ...)
{
    Text line = {0};
    va_list args;
    if (!is_due(progress, seconds))
        return;
    va_start(args, format);
    text_add_list(&line, format, args);
    va_end(args);
    text_add_string(&line, "  ");
    write_clock(&line, seconds);
    show(progress, line.data);
    text_release(&line);
}

void progress_update(Progress *progress, const ExploreStats *stats, const ProgressWork *work, uint32_t bugs,
                     double seconds, double max_time)
{
    if (!is_due(progress, seconds))
        return;
    if (seconds - progress->rate_time >= 1 || progress->rate <= 0) {
        progress->rate = (double)(stats->executions - progress->rate_count) / (seconds - progress->rate_time);
        progress->rate_time = seconds;
        progress->rate_count = stats->executions;
    }
    Text line = {0};
    progress_write_line(&line, stats, work, bugs, seconds, progress->rate, max_time);
    if (work->branches)
        text_add(&line, "  cov %u %%", (unsigned)((uint64_t)work->branches_taken * 100 / work->branches));
    show(progress, line.data);
    text_release(&line);
}

void progress_say(Progress *progress, const char *sentence)
{
    if (!progress->silent && progress->terminal)
        show(progress, sentence);
}

void progress_close(Progress *progress)
{
    if (progress->shown)
        text_write_all(progress->fd, "\r\033[K", 4);
    progress->shown = false;
}
