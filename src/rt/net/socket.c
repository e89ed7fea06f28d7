/* socket.c - see socket.h; here: making, closing, flags */
#include "rt/net/socket.h"

#include <errno.h>

#include "rt/actors/actor_fault.h"
#include "rt/detect/bug.h"
#include "rt/detect/race_clock.h"
#include "rt/kernel/transient.h"
#include "rt/net/port.h"

static int fail(int error)
{
    errno = error;
    return -1;
}

/* ---- Making ------------------------------------------------------------------------- */

void socket_set_state(Socket *socket, SocketState state)
{
    socket->file = (socket->file & ~((int64_t)7 << 8)) | (int64_t)state << 8;
}

uint64_t socket_resource(const Socket *socket, SocketPart part)
{
    return resource_make(RES_SOCKET, socket->name << 4 | (uint64_t)part);
}

uint64_t socket_new_name(const PipeEnd *end) { return end->name << 1; }

Socket *socket_create(uint64_t name, int family, bool tcp)
{
    Socket *socket = transient_alloc(sizeof *socket);
    *socket = (Socket){.name = name, .family = family, .tcp = tcp, .local = address_none(family)};
    return socket;
}

void socket_join(Socket *a, Socket *b, uint64_t name)
{
    a->peer = b;
    b->peer = a;
    a->out = b->in = flow_create(name);
    b->out = a->in = flow_create(name + 1);
    socket_set_state(a, SOCKET_CONNECTED);
    socket_set_state(b, SOCKET_CONNECTED);
}

int socket_open(Socket *socket)
{
    PipeEnd *end = pipe_add_end();
    end->socket = true;
    end->net = socket;
    return end->descriptor;
}

/* ---- Errors ------------------------------------------------------------------------- */

int socket_take_error(Socket *socket)
{
    int error = (int)(socket->error & ERROR_NUMBER);
    socket->error &= ~ERROR_NUMBER;
    return error;
}

const int64_t *socket_heard(const Socket *socket) { return socket->late ? &socket->heard : &socket->peer->marks; }

uint64_t socket_heard_resource(const Socket *socket)
{
    return socket->late ? socket_resource(socket, SOCKET_HEARD) : socket_resource(socket->peer, SOCKET_MARKS);
}

/* Of TCP it is another error if the other end has said before that it ends. */
static void die(Socket *socket, LiveAccesses *touches)
{
    touch(touches, socket_resource(socket, SOCKET_ERROR), MODE_WRITE, &socket->error);
    if (!(socket->error & ERROR_DEAD))
        socket->error = ERROR_DEAD | (socket->tcp && *socket_heard(socket) & MARK_WRITES_NOT ? EPIPE : ECONNRESET);
    race_release(socket_resource(socket, SOCKET_ERROR));
}

/* What is sent later says so itself. */
void socket_reset_peer(Socket *socket, LiveAccesses *touches)
{
    if (!socket->late)
        die(socket->peer, touches);
}

/* An end that was told the end of what it reads knows that already. */
void socket_break(Socket *socket, LiveAccesses *touches)
{
    touch(touches, socket_heard_resource(socket), MODE_READ, socket_heard(socket));
    die(socket, touches);
    if (!(*socket_heard(socket) & MARK_WRITES_NOT))
        race_release(flow_put(socket->in, touches, SEGMENT_END | SEGMENT_RESET)->resource);
}

/* ---- Closing ------------------------------------------------------------------------ */

void socket_end_flow(Socket *socket, LiveAccesses *touches, bool reset)
{
    Segment *end = flow_put(socket->out, touches, SEGMENT_END | (reset ? SEGMENT_RESET : 0));
    race_release(end->resource);
}

/* Bytes that were not read tell the other end that they are lost. */
static void close_connection(Socket *socket, LiveAccesses *touches)
{
    Segment *first = socket->in->first;
    touch_lanes(touches, touch(touches, first->resource, MODE_READ, &first->value), SEGMENT_LANES_BYTES);
    bool reset = first->value & SEGMENT_BYTES || (socket->tcp && socket->resets);
    if (reset)
        socket_reset_peer(socket, touches);
    socket_end_flow(socket, touches, reset);
    socket->marks |= MARK_CLOSED | MARK_READS_NOT | MARK_WRITES_NOT;
    race_release(socket_resource(socket, SOCKET_MARKS));
}

void socket_refuse(Socket *waiting, LiveAccesses *touches)
{
    touch(touches, socket_resource(waiting, SOCKET_MARKS), MODE_WRITE, &waiting->marks);
    touch(touches, flow_resource(waiting->out, FLOW_TAIL), MODE_WRITE, &waiting->out->tail);
    socket_reset_peer(waiting, touches);
    socket_end_flow(waiting, touches, true);
    waiting->marks |= MARK_CLOSED | MARK_READS_NOT | MARK_WRITES_NOT;
    race_release(socket_resource(waiting, SOCKET_MARKS));
}

/* Connections that were not accepted are reset. */
static void close_listening(Socket *socket, LiveAccesses *touches)
{
    for (Segment *each = socket->in->first; each != socket->in->last; each = each->next)
        if (each->content)
            socket_refuse(each->content, touches);
}

static void begin_close(Socket *socket, LiveAccesses *touches)
{
    step_begin(OP_PIPE_CLOSE, 0);
    touch(touches, socket_resource(socket, SOCKET_FILE), MODE_WRITE, &socket->file);
    if (socket->port)
        port_touch(socket->port, touches, MODE_WRITE);
    if (socket->out) {
        touch(touches, socket_resource(socket, SOCKET_MARKS), MODE_WRITE, &socket->marks);
        touch(touches, flow_resource(socket->out, FLOW_TAIL), MODE_WRITE, &socket->out->tail);
    }
    if (socket->in && !socket->datagrams)
        touch(touches, flow_resource(socket->in, FLOW_HEAD), MODE_READ, &socket->in->head);
    if (socket->in && !socket->out && !socket->datagrams)
        touch(touches, flow_resource(socket->in, FLOW_TAIL), MODE_READ, &socket->in->tail);
    step_opaque();
    step_wait();
    touches_begin(touches);
}

int socket_close(Socket *socket)
{
    LiveAccesses touches = {0};
    begin_close(socket, &touches);
    bool closed = socket->file & FILE_CLOSED;
    socket->file |= FILE_CLOSED;
    if (!closed && socket->out)
        close_connection(socket, &touches);
    else if (!closed && socket->in && !socket->datagrams)
        close_listening(socket, &touches);
    if (!closed && socket->port)
        port_leave(socket->port, socket);
    race_release(socket_resource(socket, SOCKET_FILE));
    touches_end(&touches);
    step_done();
    return closed ? fail(EBADF) : 0;
}

/* ---- Breaking ----------------------------------------------------------------------- */

/* It can still read what has arrived. */
static void tell_broken(Socket *socket, LiveAccesses *touches)
{
    SocketFlow *in = socket->in;
    if (!(socket->error & ERROR_DEAD))
        socket->error = ERROR_DEAD | ECONNRESET;
    race_release(socket_resource(socket, SOCKET_ERROR));
    race_release(flow_put(in, touches, SEGMENT_END | SEGMENT_RESET)->resource);
}

/* The network breaks the connection: both ends are told, of a late one the other end later. */
static void reset(Socket *socket)
{
    Socket *ends[] = {socket, socket->peer};
    unsigned told = socket->late ? 1 : 2;
    LiveAccesses touches = {0};
    step_begin(OP_SOCKET_RESET, 0);
    touch(&touches, socket_resource(socket, SOCKET_FILE), MODE_READ, &socket->file);
    for (unsigned i = 0; i < told; i++) {
        touch(&touches, socket_resource(ends[i], SOCKET_ERROR), MODE_WRITE, &ends[i]->error);
        touch(&touches, socket_resource(ends[i], SOCKET_MARKS), MODE_READ, &ends[i]->marks);
        touch(&touches, flow_resource(ends[i]->in, FLOW_TAIL), MODE_WRITE, &ends[i]->in->tail);
    }
    if (socket->late)
        touch(&touches, flow_resource(socket->out, FLOW_TAIL), MODE_WRITE, &socket->out->tail);
    step_opaque();
    step_wait();
    touches_begin(&touches);
    bool over = socket->error & ERROR_DEAD;
    for (unsigned i = 0; i < told; i++)
        over |= (ends[i]->marks & MARK_CLOSED) != 0;
    for (unsigned i = 0; i < told && !over; i++)
        tell_broken(ends[i], &touches);
    if (socket->late && !over)
        socket_end_flow(socket, &touches, true);
    touches_end(&touches);
    step_done();
}

void socket_reset_point(Socket *socket)
{
    if (LIKELY(!rt.options.max_reset && !rt.node) || !socket->tcp || !socket->out)
        return;
    if (actor_fault(FAULT_RESET, actor_self(), NULL, 0))
        reset(socket);
}

/* ---- Half of it --------------------------------------------------------------------- */

/* Have both ends of a TCP connection said that they end? */
static bool is_over(Socket *socket, LiveAccesses *touches)
{
    if (!(socket->marks & MARK_WRITES_NOT))
        return false;
    touch(touches, socket_heard_resource(socket), MODE_READ, socket_heard(socket));
    return *socket_heard(socket) & MARK_WRITES_NOT;
}

/* 0 or an error. */
static int shutdown_now(Socket *socket, LiveAccesses *touches, int how)
{
    if (socket->file & FILE_CLOSED)
        return EBADF;
    if (socket_state(socket) == SOCKET_LISTENING)
        report_not_modelled("shutdown of a listening socket");
    if (socket->datagrams) { /* also if it answers an error */
        socket->marks |= (how != SHUT_WR ? MARK_READS_NOT : 0) | (how != SHUT_RD ? MARK_WRITES_NOT : 0);
        race_release(socket_resource(socket, SOCKET_MARKS));
        return socket_state(socket) == SOCKET_CONNECTED ? 0 : ENOTCONN;
    }
    bool over = socket->tcp && (!socket->out || socket->error & ERROR_DEAD || is_over(socket, touches));
    bool ended = socket->marks & MARK_WRITES_NOT;
    int64_t before = socket->marks;
    socket->marks |= (how != SHUT_WR ? MARK_READS_NOT : 0) | (how != SHUT_RD ? MARK_WRITES_NOT : 0);
    race_release(socket_resource(socket, SOCKET_MARKS));
    if (socket->marks == before)
        socket->file += FILE_EDGE;
    if (socket->out)
        socket->file |= FILE_TOLD;
    if (how != SHUT_RD && !ended && socket->out)
        socket_end_flow(socket, touches, false);
    return over ? ENOTCONN : 0;
}

int socket_shutdown(Socket *socket, int how)
{
    LiveAccesses touches = {0};
    if (how < SHUT_RD || how > SHUT_RDWR)
        return fail(EINVAL);
    step_begin(OP_PIPE_SHUTDOWN, 0);
    touch(&touches, socket_resource(socket, SOCKET_FILE), MODE_READ, &socket->file);
    touch(&touches, socket_resource(socket, SOCKET_MARKS), MODE_WRITE, &socket->marks);
    touch(&touches, socket_resource(socket, SOCKET_ERROR), MODE_READ, &socket->error);
    if (socket->out)
        touch(&touches, flow_resource(socket->out, FLOW_TAIL), how == SHUT_RD ? MODE_READ : MODE_WRITE,
              &socket->out->tail);
    step_opaque();
    step_wait();
    touches_begin(&touches);
    int error = shutdown_now(socket, &touches, how);
    touches_end(&touches);
    step_done();
    return error ? fail(error) : 0;
}

/* ---- Flags -------------------------------------------------------------------------- */

int socket_set_no_wait(Socket *socket, bool no_wait)
{
    LiveAccesses touches = {0};
    step_begin(OP_PIPE_FLAGS, 0);
    touch(&touches, socket_resource(socket, SOCKET_FILE), MODE_WRITE, &socket->file);
    step_wait();
    touches_begin(&touches);
    bool closed = socket->file & FILE_CLOSED;
    if (!closed)
        socket->file = no_wait ? socket->file | FILE_NO_WAIT : socket->file & ~FILE_NO_WAIT;
    touches_end(&touches);
    step_done();
    return closed ? fail(EBADF) : 0;
}

int socket_get_no_wait(Socket *socket)
{
    LiveAccesses touches = {0};
    step_begin(OP_PIPE_FLAGS, 0);
    touch(&touches, socket_resource(socket, SOCKET_FILE), MODE_READ, &socket->file);
    step_wait();
    touches_begin(&touches);
    bool no_wait = socket->file & FILE_NO_WAIT, closed = socket->file & FILE_CLOSED;
    step_done();
    return closed ? fail(EBADF) : no_wait;
}
