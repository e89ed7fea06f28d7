/* pipe_poll.h - what poll, select and epoll share: waiting until a descriptor is ready */
#ifndef RT_IO_PIPE_POLL_H
#define RT_IO_PIPE_POLL_H

#include "rt/io/pipe.h"

typedef struct PollEntry {
    PipeEnd *end;   /* NULL: the entry is ignored           */
    short events;   /* requested, and those always reported */
} PollEntry;

/* The events of the entry that are there now; POLLNVAL if its descriptor is closed. */
short poll_ready(const PollEntry *entry);
/* Adds its accesses to the operation being announced; with `waits`, as guards of which one suffices. */
void poll_watch(const PollEntry *entry, bool waits);
/* How many accesses that are. */
unsigned poll_width(const PollEntry *entry);
/* Inside the step: fills in the values of its accesses from the nth on; answers the next one. The steps that made the
 * end ready happen before. */
unsigned poll_see(const PollEntry *entry, unsigned nth);

#endif
