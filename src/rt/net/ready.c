/* ready.c - what sockets are ready for, see socket.h */
#include <poll.h>

#include "rt/detect/bug.h"
#include "rt/detect/race_clock.h"
#include "rt/net/socket.h"

enum { READABLE = POLLIN | POLLRDNORM, WRITABLE = POLLOUT | POLLWRNORM };

/* So many bytes may wait in a flow that still counts as writable. */
enum { FEW = FLOW_CAPACITY / 4 };

static bool is_connection(const Socket *socket) { return socket->out != NULL; }

/* Is the end of what the other one writes told before it has been read up to there? Of TCP, if it is asked for. */
static bool needs_peer(const Socket *socket, short events)
{
    return is_connection(socket) && (!socket->tcp || events & POLLRDHUP || !(events & READABLE));
}

/* A value that matters if it is another one than before. */
static void watch(LiveAccesses *touches, uint64_t resource, const int64_t *value, bool waits, int64_t seen)
{
    if (waits)
        touch_guard(touches, resource, MODE_READ, value, -1, REL_NE, seen);
    else
        touch(touches, resource, MODE_READ, value);
}

static void watch_room(Socket *socket, LiveAccesses *touches, bool waits)
{
    SocketFlow *flow = socket->out;
    int64_t tail = flow_view(flow)->tail;
    watch(touches, flow_resource(flow, FLOW_TAIL), &flow->tail, waits, tail);
    if (flow_bytes(tail) <= FEW && waits)
        /* It is writable, whatever was read. */
        touch_guard(touches, socket_resource(socket, SOCKET_ERROR), MODE_READ, &socket->error, -1, REL_TRUE, 0);
    else if (flow_bytes(tail) > FEW && waits)
        touch_guard(touches, flow_resource(flow, FLOW_TAKEN), MODE_READ, &flow->taken, -1, REL_SGE,
                    flow_bytes(tail) - FEW);
    else if (flow_bytes(tail) > FEW)
        touch(touches, flow_resource(flow, FLOW_TAKEN), MODE_READ, &flow->taken);
}

void socket_watch(Socket *socket, LiveAccesses *touches, short events, bool waits, const SocketView *seen)
{
    step_opaque();
    if (waits)
        touch_guard(touches, socket_resource(socket, SOCKET_FILE), MODE_READ, &socket->file, FILE_CLOSED, REL_NE, 0);
    else
        touch(touches, socket_resource(socket, SOCKET_FILE), MODE_READ, &socket->file);
    if (!events)
        return;
    watch(touches, socket_resource(socket, SOCKET_ERROR), &socket->error, waits, seen->error);
    watch(touches, socket_resource(socket, SOCKET_MARKS), &socket->marks, waits, seen->marks);
    if (!socket->in || (socket->datagrams && events & WRITABLE)) { /* not connected, or writable: ready at once */
        watch(touches, socket_resource(socket, SOCKET_FILE), &socket->file, waits, -1);
        if (!socket->in)
            return;
    }
    if (events & READABLE) {
        FlowView *view = flow_view(socket->in);
        watch(touches, flow_resource(socket->in, FLOW_HEAD), &socket->in->head, waits, view->head);
        watch(touches, view->first->resource, &view->first->value, waits, 0);
    }
    if (needs_peer(socket, events))
        watch(touches, socket_heard_resource(socket), socket_heard(socket), waits, seen->peer_marks);
    if (events & WRITABLE && is_connection(socket))
        watch_room(socket, touches, waits);
}

/* ---- Edges -------------------------------------------------------------------------------- */

/* What of the descriptor can be an edge: that a connection of TCP is made or refused, and FILE_EDGE.
 * Of the other end of TCP only the end of what it writes. */
#define EDGE_OF_FILE (FILE_CLOSED | (int64_t)7 << 8 | -FILE_EDGE)

static int64_t edge_of_file(const Socket *socket)
{
    SocketState state = socket_state(socket);
    bool tells = socket->tcp && (state == SOCKET_CONNECTED || state == SOCKET_FAILED);
    return socket->file & (EDGE_OF_FILE & ~(tells ? 0 : (int64_t)7 << 8));
}

static int64_t edge_of_peer(const Socket *socket) { return socket->tcp ? MARK_WRITES_NOT : -1; }

SocketEdge socket_edge(const Socket *socket)
{
    return (SocketEdge){.file = edge_of_file(socket),
                        .all_of_file = socket->file & EDGE_OF_FILE,
                        .tail = socket->in ? socket->in->tail : 0,
                        .marks = socket->marks,
                        .peer_marks = is_connection(socket) ? *socket_heard(socket) & edge_of_peer(socket) : 0,
                        .error = socket->error};
}

/* That an error was told is none, nor bytes that arrive where none are asked for. */
bool socket_edge_is_new(const Socket *socket, short events, const SocketEdge *last)
{
    SocketEdge now = socket_edge(socket);
    bool arrived = events & READABLE && now.tail != last->tail;
    return arrived || (now.file != last->file && now.file) || now.marks != last->marks ||
           now.peer_marks != last->peer_marks || (now.error != last->error && now.error & ERROR_NUMBER);
}

void socket_note_edge(Socket *socket, LiveAccesses *touches, short events)
{
    if (socket->in && events & READABLE)
        touch(touches, flow_resource(socket->in, FLOW_TAIL), MODE_READ, &socket->in->tail);
    if (is_connection(socket) && !needs_peer(socket, events))
        touch(touches, socket_heard_resource(socket), MODE_READ, socket_heard(socket));
}

static void watch_part(LiveAccesses *touches, uint64_t resource, const int64_t *value, bool waits, int64_t mask,
                       int64_t seen)
{
    if (waits)
        touch_guard(touches, resource, MODE_READ, value, mask, REL_NE, seen);
    else
        touch(touches, resource, MODE_READ, value);
}

/* The values that count, and those that say what it is ready for. */
void socket_watch_edge(Socket *socket, LiveAccesses *touches, short events, bool waits, const SocketEdge *last)
{
    step_opaque();
    watch_part(touches, socket_resource(socket, SOCKET_FILE), &socket->file, waits, EDGE_OF_FILE, last->all_of_file);
    watch(touches, socket_resource(socket, SOCKET_ERROR), &socket->error, waits, last->error);
    watch(touches, socket_resource(socket, SOCKET_MARKS), &socket->marks, waits, last->marks);
    if (socket->in && events & READABLE) {
        watch(touches, flow_resource(socket->in, FLOW_TAIL), &socket->in->tail, waits, last->tail);
        touch(touches, flow_resource(socket->in, FLOW_HEAD), MODE_READ, &socket->in->head);
        touch(touches, flow_view(socket->in)->first->resource, MODE_READ, &flow_view(socket->in)->first->value);
    }
    if (!is_connection(socket))
        return;
    watch_part(touches, socket_heard_resource(socket), socket_heard(socket), waits, edge_of_peer(socket),
               last->peer_marks);
    if (!(events & WRITABLE))
        return;
    if (flow_bytes(flow_view(socket->out)->tail) > FEW)
        report_not_modelled("EPOLLET together with EPOLLOUT, and much that waits to be read");
    touch(touches, flow_resource(socket->out, FLOW_TAIL), MODE_READ, &socket->out->tail);
}

/* ---- Inside the step ------------------------------------------------------------------ */

static bool has_room(Socket *socket, LiveAccesses *touches)
{
    SocketFlow *flow = socket->out;
    bool few = flow_bytes(flow->tail) <= FEW;
    if (!few && flow_bytes(flow_view(flow)->tail) <= FEW)
        touch(touches, flow_resource(flow, FLOW_TAKEN), MODE_READ, &flow->taken);
    flow_see_tail(flow);
    return few || flow_bytes(flow->tail) - flow->taken <= FEW;
}

/* The first segment, as far as it was asked for. */
static int64_t see_first(Socket *socket, LiveAccesses *touches)
{
    Segment *first = socket->in->first;
    if (flow_view(socket->in)->first != first)
        touch(touches, first->resource, MODE_READ, &first->value);
    flow_see_head(socket->in);
    if (first->value)
        race_acquire(first->resource);
    return first->value;
}

static short ready_datagrams(Socket *socket, LiveAccesses *touches, short events)
{
    enum { BOTH = MARK_READS_NOT | MARK_WRITES_NOT };
    short ready = WRITABLE;
    if (socket->marks & MARK_READS_NOT)
        ready |= READABLE | POLLRDHUP;
    if ((socket->marks & BOTH) == BOTH)
        ready |= POLLHUP;
    if (events & READABLE && see_first(socket, touches))
        ready |= READABLE;
    return socket->error & ERROR_NUMBER ? ready | POLLERR : ready;
}

static short ready_unconnected(const Socket *socket)
{
    short ready = POLLHUP | WRITABLE;
    if (socket_state(socket) == SOCKET_FAILED || socket->marks & MARK_READS_NOT)
        ready |= READABLE | POLLRDHUP;
    return socket->error & ERROR_NUMBER ? ready | POLLERR : ready;
}

static short ready_listening(Socket *socket, LiveAccesses *touches, short events)
{
    if (!socket->tcp && socket->marks & MARK_READS_NOT)
        return READABLE | POLLRDHUP | (socket->marks & MARK_WRITES_NOT ? POLLHUP : 0);
    return events & READABLE && see_first(socket, touches) ? READABLE : 0;
}

static short ready_connection(Socket *socket, LiveAccesses *touches, short events)
{
    int64_t first = events & READABLE ? see_first(socket, touches) : 0;
    bool dead = socket->tcp && socket->error & ERROR_DEAD;
    if (!needs_peer(socket, events) && socket->marks & MARK_WRITES_NOT)
        touch(touches, socket_heard_resource(socket), MODE_READ, socket_heard(socket));
    int64_t peer = needs_peer(socket, events) || socket->marks & MARK_WRITES_NOT ? *socket_heard(socket) : 0;
    if (peer)
        race_acquire(socket_heard_resource(socket));
    bool reads_not = socket->marks & MARK_READS_NOT || peer & MARK_WRITES_NOT || first & SEGMENT_END || dead;
    bool writes_not = socket->marks & MARK_WRITES_NOT || dead || (!socket->tcp && peer & MARK_READS_NOT);
    short ready = first & SEGMENT_BYTES || reads_not ? READABLE : 0;
    if (reads_not)
        ready |= POLLRDHUP;
    if (reads_not && writes_not)
        ready |= POLLHUP;
    if (events & WRITABLE && ((socket->tcp && writes_not) || has_room(socket, touches)))
        ready |= WRITABLE;
    return socket->error & ERROR_NUMBER ? ready | POLLERR : ready;
}

short socket_ready(Socket *socket, LiveAccesses *touches, short events, SocketView *seen)
{
    *seen = (SocketView){socket->marks, socket->peer ? *socket_heard(socket) : 0, socket->error};
    if (socket->file & FILE_CLOSED)
        return POLLNVAL;
    if (!events)
        return 0;
    if (socket->error)
        race_acquire(socket_resource(socket, SOCKET_ERROR));
    if (socket->datagrams)
        return ready_datagrams(socket, touches, events) & events;
    if (socket_state(socket) == SOCKET_LISTENING)
        return ready_listening(socket, touches, events) & events;
    short ready = is_connection(socket) ? ready_connection(socket, touches, events) : ready_unconnected(socket);
    return ready & events;
}
