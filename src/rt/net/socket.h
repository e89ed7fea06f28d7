/* socket.h - sockets inside the process: Unix and TCP streams
 *
 * Nothing of the system is used. A connection is two flows (flow.h) and two ends, which are made when a thread
 * connects; accept gives the second one its descriptor. Of an end there are three values, each a resource: what its
 * own thread does with the descriptor (`file`), what the other end learns (`marks`), and an error that waits to be told
 * (`error`). So flags of a descriptor do not concern the other end. (docs/design/dependence.md)
 *
 * What an operation announces follows from the history of its thread. What it cannot know from there (other threads may
 * use the same socket) it finds out inside the step, and starts again if it has to wait after all.
 */
#ifndef RT_NET_SOCKET_H
#define RT_NET_SOCKET_H

#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>

#include "rt/io/pipe_poll.h"
#include "rt/net/address.h"
#include "rt/net/flow.h"

/* The value `file`: marks, the state, and how often options were set. */
#define FILE_CLOSED ((int64_t)1)
#define FILE_NO_WAIT ((int64_t)2)
#define FILE_TOLD ((int64_t)4) /* a connection whose connect has returned 0 */
#define FILE_OPTIONS ((int64_t)1 << 16)
#define FILE_EDGE ((int64_t)1 << 48) /* an edge (EPOLLET) that nothing else may show */

typedef enum SocketState { SOCKET_FRESH, SOCKET_LISTENING, SOCKET_CONNECTED, SOCKET_FAILED } SocketState;

/* The value `marks`; of `heard`, what has arrived of those of the other end. */
enum { MARK_READS_NOT = 1, MARK_WRITES_NOT = 2, MARK_CLOSED = 4 };

/* The value `error`: an errno, whether the connection is dead, and whether it timed out: the other end was not told. */
#define ERROR_NUMBER ((int64_t)0xffff)
#define ERROR_DEAD ((int64_t)1 << 16)
#define ERROR_UNTOLD ((int64_t)1 << 17)

typedef enum SocketPart { SOCKET_FILE, SOCKET_MARKS, SOCKET_ERROR, SOCKET_HEARD } SocketPart;

enum { SOCKET_OPTIONS = 12 };

typedef struct SocketOption {
    int level, name, value;
} SocketOption;

typedef struct SocketPort SocketPort;
/* An end. */
struct Socket {
    uint64_t name;
    int family;
    bool tcp;
    bool datagrams;             /* of UDP, see datagram.h */
    bool late;                  /* what is sent arrives later (wire.h) */
    int64_t file, marks, error, heard;
    SocketFlow *in, *out;       /* of a connection: what it reads, and what it writes to; `in` of a listening socket:
                                   connections; of UDP: what has arrived */
    Socket *peer;
    Socket *waits_at;           /* late: the one that listened when it was made */
    SocketPort *port;           /* it is bound to */
    SocketAddress local, remote;
    bool resets;          /* SO_LINGER of 0 seconds */
    int64_t read_time, write_time; /* SO_RCVTIMEO, SO_SNDTIMEO in nanoseconds; 0: none */
    SocketOption options[SOCKET_OPTIONS];
};

static inline SocketState socket_state(const Socket *socket) { return (SocketState)(socket->file >> 8 & 7); }
void socket_set_state(Socket *socket, SocketState state);
uint64_t socket_resource(const Socket *socket, SocketPart part);

/* A new socket without a descriptor; `name` is unique, and a function of the history of the thread. */
Socket *socket_create(uint64_t name, int family, bool tcp);
/* Two ends, not yet connected; of which one is told at once what the other sends and does. */
void socket_join(Socket *a, Socket *b, uint64_t name);
/* Gives it a descriptor of the running thread. */
int socket_open(Socket *socket);
/* The name for a new socket of this end. */
uint64_t socket_new_name(const PipeEnd *end);

/* Bytes to be read or written, in several places. */
typedef struct Places {
    const struct iovec *parts;
    int count;
} Places;

size_t places_size(const Places *places);

/* As recvmsg and sendmsg without names and control data: the result, or -1 and errno. */
ssize_t socket_read(Socket *socket, const Places *to, int flags);
/* As a file: for no bytes it does not wait, whatever there is to read. */
ssize_t socket_read_file(Socket *socket, const Places *to);
ssize_t socket_write(Socket *socket, const Places *from, int flags);
int socket_shutdown(Socket *socket, int how);
/* Before it is used: with --reset its connection may break here, if it is one of TCP. */
void socket_reset_point(Socket *socket);
int socket_close(Socket *socket);
int socket_set_no_wait(Socket *socket, bool no_wait);
int socket_get_no_wait(Socket *socket);
/* How many bytes a read would get (FIONREAD). */
int socket_unread(Socket *socket);

/* What this end knows of the marks of the other one. */
const int64_t *socket_heard(const Socket *socket);
uint64_t socket_heard_resource(const Socket *socket);
/* Inside a step that accesses the tail of what it writes: its end, or that the connection is broken. */
void socket_end_flow(Socket *socket, LiveAccesses *touches, bool reset);
/* Inside a step that accesses what is needed for it: the other end dies. */
void socket_reset_peer(Socket *socket, LiveAccesses *touches);
/* Inside a step that writes the tail of what it reads: this end dies, as what arrives says. */
void socket_break(Socket *socket, LiveAccesses *touches);
/* Inside a step that writes the tail of what it writes: a connection that waits for accept is reset. */
void socket_refuse(Socket *waiting, LiveAccesses *touches);
/* Tells the error that waits, once; 0: none. Inside a step that accesses it. */
int socket_take_error(Socket *socket);

/* Readiness, as in pipe_poll.h. */
void socket_watch(Socket *socket, LiveAccesses *touches, short events, bool waits, const SocketView *seen);
/* The same for edges: whether something has happened since `last`; which is what has happened now. */
void socket_watch_edge(Socket *socket, LiveAccesses *touches, short events, bool waits, const SocketEdge *last);
/* Beside socket_watch: what socket_edge needs. */
void socket_note_edge(Socket *socket, LiveAccesses *touches, short events);
SocketEdge socket_edge(const Socket *socket);
bool socket_edge_is_new(const Socket *socket, short events, const SocketEdge *last);
short socket_ready(Socket *socket, LiveAccesses *touches, short events, SocketView *seen);

#endif
