/* progress.h - the progress line of a search
 *
 * On a terminal one line is refreshed; elsewhere a line is written every few seconds.
 */
#ifndef REPORT_PROGRESS_H
#define REPORT_PROGRESS_H

#include "core/explore.h"
#include "report/style.h"

typedef struct Progress {
    int fd;
    bool terminal;
    bool silent;
    bool shown;           /* a line is on the terminal                     */
    double next;          /* when to show the next one, seconds since start */
    double rate_time;     /* since when the rate is measured               */
    uint64_t rate_count;
    double rate;
} Progress;

/* Beside its counts: workers, jobs and coverage of a search, now. */
typedef struct ProgressWork {
    uint32_t workers;
    uint64_t open;           /* jobs that are waiting or being explored           */
    uint32_t branches;       /* outcomes of branches of the program; 0: not known */
    uint32_t branches_taken;
} ProgressWork;

Progress progress_open(int fd, bool silent);

/* Shows the line if it is due. */
void progress_update(Progress *progress, const ExploreStats *stats, const ProgressWork *work, uint32_t bugs,
                     double seconds, double max_time);

/* Shows a sentence on a terminal, after the search ("confirming the bugs found"). */
void progress_say(Progress *progress, const char *sentence);

/* Shows a line of the caller if it is due. */
void progress_show(Progress *progress, double seconds, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Removes the line from the terminal. */
void progress_close(Progress *progress);

/* "310k (+-40%)", or "310k (90k..1.1M)" if little is known. */
void progress_write_estimate(Text *out, const Estimate *estimate, uint64_t explored);

/* The line itself. */
void progress_write_line(Text *out, const ExploreStats *stats, const ProgressWork *work, uint32_t bugs, double seconds,
                         double rate, double max_time);

#endif
