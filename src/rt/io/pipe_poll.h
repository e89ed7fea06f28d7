/* pipe_poll.h - what poll, select and epoll share: waiting until a descriptor is ready */
#ifndef RT_IO_PIPE_POLL_H
#define RT_IO_PIPE_POLL_H

#include "rt/io/pipe.h"
#include "rt/kernel/touches.h"

/* What an earlier look of the same call saw of a socket (rt/net/socket.h): it waits for something else. */
typedef struct SocketView {
    int64_t marks, peer_marks, error;
} SocketView;

/* What has happened to a socket so far: an edge (EPOLLET) is that something else has. */
typedef struct SocketEdge {
    int64_t file, all_of_file, tail, marks, peer_marks, error;
} SocketEdge;

typedef struct PollEntry {
    PipeEnd *end;   /* NULL: the entry is ignored           */
    short events;   /* requested, and those always reported; 0: only whether its descriptor is closed */
    bool notes;     /* what has happened is noted if it is ready (EPOLLET); of sockets */
    bool edges;     /* it is ready only if something has happened since `last` */
    SocketView seen;
    SocketEdge last;
} PollEntry;

/* Adds its accesses to the operation being announced; with `waits`, as guards of which one suffices. */
void poll_watch(const PollEntry *entry, LiveAccesses *touches, bool waits);
/* Inside the step: the events of the entry that are there now; POLLNVAL if its descriptor is closed. The steps that
 * made the end ready happen before. There may be none although the thread has waited. */
short poll_look(PollEntry *entry, LiveAccesses *touches);

#endif
