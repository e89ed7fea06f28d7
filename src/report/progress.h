/* progress.h - the line that tells how far a search got
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
    bool shown;           /* a line stands on the terminal                 */
    double next;          /* when to show the next one, seconds since start */
    double rate_time;     /* the rate is measured since then               */
    uint64_t rate_count;
    double rate;
    uint32_t branches;    /* of the program, both ways; 0: not known       */
    uint32_t branches_taken;
} Progress;

/* Who is at work, if several are. */
typedef struct ProgressWork {
    uint32_t workers;
    uint64_t open;        /* jobs that are not over */
} ProgressWork;

Progress progress_open(int fd, bool silent);

/* Shows the line if it is time to. */
void progress_update(Progress *progress, const ExploreStats *stats, const ProgressWork *work, uint32_t bugs,
                     double seconds, double max_time);

/* Says what is being done instead of searching ("confirming 2 bugs"). */
void progress_say(Progress *progress, const char *sentence);

/* Shows a line of the caller's own if it is time to. */
void progress_tell(Progress *progress, double seconds, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Takes the line off the terminal. */
void progress_close(Progress *progress);

/* "310k (+-40%)", or "310k (90k..1.1M)" if little is known. */
void progress_write_estimate(Text *out, const Estimate *estimate);

/* The line itself. */
void progress_write_line(Text *out, const ExploreStats *stats, const ProgressWork *work, uint32_t bugs, double seconds,
                         double rate, double max_time);

#endif
