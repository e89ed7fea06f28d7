/* connect.c - see connect.h */
#include "rt/net/connect.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "rt/detect/bug.h"
#include "rt/detect/race_clock.h"
#include "rt/detect/unseen.h"
#include "rt/io/api_file.h"
#include "rt/io/crash_point.h"
#include "rt/kernel/node.h"
#include "rt/libc/api_libc.h"
#include "rt/net/datagram.h"
#include "rt/net/partition.h"
#include "rt/net/port.h"
#include "rt/net/wire.h"
#include "rt/signal/interrupt.h"
#include "rt/sync/cancel.h"
#include "rt/sync/sync.h"

static int fail(int error)
{
    errno = error;
    return -1;
}

static int finish(LiveAccesses *touches, int error)
{
    touches_end(touches);
    step_done();
    return error ? fail(error) : 0;
}

/* An error of the arguments; that the descriptor is closed is told first. */
static int fail_if_open(Socket *socket, int error) { return socket_get_no_wait(socket) < 0 ? -1 : fail(error); }

/* ---- Addresses ----------------------------------------------------------------------------- */

enum { EPHEMERAL_FIRST = 32768, EPHEMERAL_COUNT = 28232 };

uint16_t socket_choose_port(const Socket *socket)
{
    return (uint16_t)(EPHEMERAL_FIRST + socket->name * 2654435761u % EPHEMERAL_COUNT);
}

static bool reuses(const Socket *socket)
{
    for (int i = 0; i < SOCKET_OPTIONS; i++)
        if (socket->options[i].level == SOL_SOCKET && socket->options[i].name == SO_REUSEADDR)
            return socket->options[i].value;
    return false;
}

static void begin(Socket *socket, LiveAccesses *touches, OpKind op)
{
    step_begin(op, 0);
    touch(touches, socket_resource(socket, SOCKET_FILE), MODE_WRITE, &socket->file);
}

static void start(LiveAccesses *touches)
{
    step_opaque();
    step_wait();
    touches_begin(touches);
}

/* ---- bind and listen ----------------------------------------------------------------------- */

/* Has it a name, or is it too late for one? */
static bool is_named(const Socket *socket)
{
    if (socket->family == AF_UNIX)
        return socket->local.length > sizeof socket->local.any.sa_family;
    return socket->port || socket->peer || socket_state(socket) != SOCKET_FRESH;
}

static int bind_port(Socket *socket, const SocketAddress *address)
{
    LiveAccesses touches = {0};
    SocketPort *port = port_find(address, socket);
    begin(socket, &touches, OP_SOCKET_BIND);
    port_touch(port, &touches, MODE_WRITE);
    start(&touches);
    int error = socket->file & FILE_CLOSED ? EBADF
                : is_named(socket)         ? EINVAL
                                           : port_join(port, &touches, socket, address, reuses(socket));
    if (!error) {
        socket->port = port;
        socket->local = *address;
        socket->file += FILE_OPTIONS;
    }
    return finish(&touches, error);
}

/* A Unix socket with a name in the file system is a file there. */
static bool make_name(const SocketAddress *address)
{
    int descriptor = file_open(AT_FDCWD, address->local.sun_path, O_WRONLY | O_CREAT | O_EXCL, 0777);
    if (descriptor < 0 && errno == EEXIST)
        errno = EADDRINUSE;
    return descriptor >= 0 && sennit_rt_close(descriptor) == 0;
}

static int bind_name(Socket *socket, const SocketAddress *address)
{
    if (!make_name(address))
        return -1;
    int result = bind_port(socket, address), error = errno;
    if (result)
        sennit_rt_unlink(address->local.sun_path);
    errno = error;
    return result;
}

int socket_bind(Socket *socket, const struct sockaddr *from, socklen_t length)
{
    SocketAddress address;
    if (socket->family == AF_UNIX && length == sizeof from->sa_family)
        report_not_modelled("bind to a name of the system's choice");
    int error = address_read(socket->family, from, length, &address);
    if (error)
        return fail_if_open(socket, error);
    if (socket->family == AF_UNIX)
        return address_is_abstract(&address) ? bind_port(socket, &address) : bind_name(socket, &address);
    if (!address_is_here(&address))
        return fail_if_open(socket, EADDRNOTAVAIL);
    if (address_port(&address) == 0)
        address_set_port(&address, socket_choose_port(socket));
    return bind_port(socket, &address);
}

int socket_listen(Socket *socket)
{
    LiveAccesses touches = {0};
    SocketAddress any = address_none(socket->family);
    if (socket->datagrams)
        return fail_if_open(socket, EOPNOTSUPP);
    if (socket->family != AF_UNIX && !socket->port && socket_state(socket) == SOCKET_FRESH &&
        !(socket->file & FILE_CLOSED) && socket_bind(socket, &any.any, any.length) != 0)
        return -1;
    begin(socket, &touches, OP_SOCKET_LISTEN);
    if (socket->port)
        port_touch(socket->port, &touches, MODE_WRITE);
    start(&touches);
    SocketState state = socket_state(socket);
    if (socket->file & FILE_CLOSED)
        return finish(&touches, EBADF);
    if (state == SOCKET_LISTENING)
        return finish(&touches, 0);
    if (state != SOCKET_FRESH || !socket->port)
        return finish(&touches, EINVAL);
    int error = port_listen(socket->port, socket);
    if (!error) {
        socket_set_state(socket, SOCKET_LISTENING);
        socket->in = flow_create(socket->name << 1);
    }
    return finish(&touches, error);
}

/* ---- connect ------------------------------------------------------------------------------- */

/* A socket that was not bound gets a port of its own. */
static void choose_name(Socket *socket, LiveAccesses *touches, const SocketAddress *to)
{
    uint16_t number = socket_choose_port(socket);
    socket->local = *to;
    if (!address_is_here(to)) {
        socket->local = address_none(to->any.sa_family);
        address_make_source(&socket->local, to);
    }
    address_set_port(&socket->local, number);
    socket->port = port_find(&socket->local, socket);
    port_touch(socket->port, touches, MODE_ACCUMULATE);
    port_note_own(socket->port, socket, reuses(socket));
}

/* Inside the step: the two ends, of which the second one waits to be accepted, or is on its way there. */
static void make_connection(Socket *socket, Socket *listener, LiveAccesses *touches, SocketAddress to)
{
    Socket *accepted = socket_create(socket->name | 1, listener->family, socket->tcp);
    SocketFlow *queue = listener->in;
    if (socket->family != AF_UNIX) {
        address_make_definite(&to);
        if (!socket->port)
            choose_name(socket, touches, &to);
        address_make_source(&socket->local, &to);
    }
    socket->remote = socket->family == AF_UNIX ? listener->local : to;
    accepted->local = address_shown_to(listener->family, socket->remote);
    accepted->remote = address_shown_to(listener->family, socket->local);
    socket_join(socket, accepted, socket->name << 1);
    accepted->resets = listener->resets;
    accepted->read_time = listener->read_time;
    accepted->write_time = listener->write_time;
    if (socket->tcp && wire_is_late()) {
        wire_lay(socket, listener);
        return;
    }
    touch(touches, flow_resource(queue, FLOW_TAIL), MODE_WRITE, &queue->tail);
    Segment *segment = flow_put(queue, touches, SEGMENT_BYTES);
    segment->content = accepted;
    race_release(segment->resource);
}

/* What was begun before: the answer, or 0 to begin. */
static int answer_earlier(Socket *socket)
{
    if (socket->file & FILE_CLOSED)
        return EBADF;
    switch (socket_state(socket)) {
    case SOCKET_LISTENING: return socket->tcp ? EISCONN : EINVAL;
    case SOCKET_CONNECTED: {
        bool told = socket->file & FILE_TOLD;
        socket->file |= FILE_TOLD;
        if (!told && socket->tcp && socket->error & ERROR_DEAD)
            return socket->error & ERROR_NUMBER ? socket_take_error(socket) : ECONNABORTED;
        return told ? EISCONN : EALREADY;
    }
    case SOCKET_FAILED: {
        int error = socket_take_error(socket);
        socket_set_state(socket, SOCKET_FRESH);
        socket->error = socket->marks = 0;
        return error ? error : ECONNABORTED;
    }
    default: return 0;
    }
}

/* One that does not wait is told later. */
static int fail_to_connect(Socket *socket, int error)
{
    if (!socket->tcp || !(socket->file & FILE_NO_WAIT))
        return error;
    socket->file += FILE_EDGE; /* also the second time */
    socket_set_state(socket, SOCKET_FAILED);
    socket->error = ERROR_DEAD | error;
    return EINPROGRESS;
}

/* 0 or an error. */
static int connect_now(Socket *socket, SocketPort *port, LiveAccesses *touches, const SocketAddress *to)
{
    bool no_wait = socket->tcp && socket->file & FILE_NO_WAIT;
    Socket *listener = port_listener(port, to);
    if (!listener && socket->tcp && socket->port && address_matches(&socket->local, to))
        report_not_modelled("a socket that connects to its own address");
    if (!listener)
        return fail_to_connect(socket, ECONNREFUSED);
    if (socket->marks || listener->marks)
        report_not_modelled("a socket that was shut down before it was connected");
    make_connection(socket, listener, touches, *to);
    if (socket->tcp && (no_wait || !socket->late)) /* a network may let something else arrive first */
        unseen_note(UNSEEN_DELAY, socket->late ? "connecting by TCP" : "TCP", sennit_rt_site);
    port_note_connection(port, socket->peer);
    if (!no_wait)
        socket->file |= FILE_TOLD;
    return no_wait ? EINPROGRESS : 0;
}

static int connect_port(Socket *socket, const SocketAddress *to)
{
    LiveAccesses touches = {0};
    SocketPort *port = port_find(to, socket);
    begin(socket, &touches, OP_SOCKET_CONNECT);
    touch(&touches, socket_resource(socket, SOCKET_ERROR), MODE_WRITE, &socket->error);
    touch(&touches, socket_resource(socket, SOCKET_MARKS), MODE_READ, &socket->marks);
    step_switch(port_touch(port, &touches, MODE_READ), REL_SGE, PORT_LISTENING, MODE_ACCUMULATE, MODE_READ);
    unsigned node = node_self();
    address_node(to, &node);
    partition_touch(&touches, node_self(), node);
    start(&touches);
    bool listened = port_is_listened(port), connected = socket->out != NULL;
    if (listened)
        step_find(port_resource(port))->mode = MODE_ACCUMULATE;
    bool refused = !socket->tcp && !(socket->file & FILE_CLOSED) && !port_listener(port, to);
    int error = refused ? ECONNREFUSED : answer_earlier(socket);
    if (!error && partition_cuts(node_self(), node))
        error = fail_to_connect(socket, ETIMEDOUT);
    else if (!error)
        error = connect_now(socket, port, &touches, to);
    int result = finish(&touches, error == EALREADY ? 0 : error);
    if (socket->late && !connected) { /* this call has made it */
        int answer = errno;
        wire_start(socket);
        errno = answer;
    }
    return result;
}

int socket_connect(Socket *socket, const struct sockaddr *from, socklen_t length)
{
    SocketAddress to;
    crash_point();
    plain_use(from, sizeof from->sa_family);
    if (from->sa_family == AF_UNSPEC)
        report_not_modelled("connect that dissolves a connection (AF_UNSPEC)");
    int error = address_read(socket->family, from, length, &to);
    if (error)
        return fail_if_open(socket, error);
    if (socket->family == AF_UNIX && !address_is_abstract(&to) &&
        sennit_rt_access(to.local.sun_path, F_OK) != 0)
        return -1;
    unsigned node;
    if (socket->family != AF_UNIX && !address_node(&to, &node))
        return fail_if_open(socket, ENETUNREACH);
    if (socket->datagrams)
        return datagram_connect(socket, &to);
    return connect_port(socket, &to);
}

/* ---- accept -------------------------------------------------------------------------------- */

static void announce_accept(Socket *socket, LiveAccesses *touches, bool waits)
{
    step_begin(OP_SOCKET_ACCEPT, 0);
    step_opaque();
    if (waits)
        touch_guard(touches, socket_resource(socket, SOCKET_FILE), MODE_READ, &socket->file,
                    FILE_CLOSED | FILE_NO_WAIT, REL_NE, 0);
    else
        touch(touches, socket_resource(socket, SOCKET_FILE), MODE_READ, &socket->file);
    if (!socket->in)
        return;
    FlowView *view = flow_view(socket->in);
    Access *head = touch(touches, flow_resource(socket->in, FLOW_HEAD), MODE_WRITE, &socket->in->head);
    if (waits)
        step_guard(head, &socket->in->head, REL_NE, view->head);
    Access *first = touch(touches, view->first->resource, MODE_READ, &view->first->value);
    if (waits) {
        step_guard(first, &view->first->value, REL_NE, 0);
        step_guard_any();
    }
}

enum { ACCEPT_AGAIN = -1 };

/* The end that was waiting, or NULL and an error; ACCEPT_AGAIN: to be repeated. */
static Socket *accept_now(Socket *socket, LiveAccesses *touches, bool waits, int *error)
{
    *error = 0;
    if (socket->file & FILE_CLOSED || socket_state(socket) != SOCKET_LISTENING) {
        *error = socket->file & FILE_CLOSED ? EBADF : EINVAL;
        return NULL;
    }
    Segment *first = socket->in->first;
    if (flow_view(socket->in)->first != first)
        touch(touches, first->resource, MODE_READ, &first->value);
    if (first->value) {
        race_acquire(first->resource);
        flow_drop(socket->in);
    } else {
        *error = socket->file & FILE_NO_WAIT || !waits ? EAGAIN : ACCEPT_AGAIN;
    }
    flow_see_head(socket->in);
    return first->value ? first->content : NULL;
}

static Socket *accept_step(Socket *socket, bool waits, int *error)
{
    LiveAccesses touches = {0};
    bool listening = socket->in != NULL && !socket->out;
    announce_accept(socket, &touches, waits && listening);
    unsigned announced = touches.count;
    cancel_watch(waits && listening ? CANCEL_ENABLES : CANCEL_READ);
    interrupt_allow(socket->read_time ? INTERRUPT_FAILS : INTERRUPT_RESTARTS);
    step_wait();
    if (interrupt_happened()) {
        *error = EINTR;
        return NULL;
    }
    touches_begin(&touches);
    if (cancel_pending(announced)) {
        step_done();
        cancel_act();
    }
    Socket *accepted = accept_now(socket, &touches, waits, error);
    touches_end(&touches);
    step_done();
    return accepted;
}

/* SO_RCVTIMEO holds here, too. */
Socket *socket_accept(Socket *socket)
{
    int error;
    Socket *accepted;
    if (socket->datagrams) {
        errno = EOPNOTSUPP;
        return NULL;
    }
    crash_point();
    bool past_bound = socket->read_time && !sync_may_time_out();
    if (past_bound)
        sync_wait_past_bound(true);
    do {
        accepted = accept_step(socket, !socket->read_time || past_bound, &error);
    } while (error == ACCEPT_AGAIN);
    if (past_bound)
        sync_wait_past_bound(false);
    if (error == EAGAIN && socket->read_time && !(socket->file & FILE_NO_WAIT))
        sync_time_out_after(socket->read_time);
    if (error)
        errno = error;
    return accepted;
}
