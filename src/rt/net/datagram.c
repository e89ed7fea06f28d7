/* datagram.c - see datagram.h */
#include "rt/net/datagram.h"

#include <errno.h>

#include "rt/actors/actor_fault.h"
#include "rt/actors/fault_rule.h"
#include "rt/detect/bug.h"
#include "rt/detect/race_clock.h"
#include "rt/detect/unseen.h"
#include "rt/io/crash_point.h"
#include "rt/kernel/node.h"
#include "rt/kernel/transient.h"
#include "rt/libc/api_libc.h"
#include "rt/net/connect.h"
#include "rt/net/exchange.h"
#include "rt/net/partition.h"
#include "rt/net/port.h"
#include "rt/signal/interrupt.h"
#include "rt/sync/cancel.h"
#include "rt/sync/lifetime.h"

enum { LARGEST_V4 = 65507, LARGEST_V6 = 65527, LARGEST = 65535, MOST_WAITING = 256 };

/* Where a call sends to. */
typedef struct Destination {
    SocketAddress address;
    bool given;
    int error;        /* what is wrong with it */
} Destination;


typedef struct Datagram {
    Socket *from;
    SocketAddress source, to;
    unsigned char *bytes;
    size_t size;
    bool twice;       /* it arrives twice */
    const SennitSite *site;
} Datagram;

static int fail(int error)
{
    errno = error;
    return -1;
}

/* ---- Arriving ------------------------------------------------------------------------------ */

/* No socket is bound there: a sender that is connected is told so. */
static void refuse(const Datagram *datagram, LiveAccesses *touches)
{
    Socket *from = datagram->from;
    touch(touches, socket_resource(from, SOCKET_FILE), MODE_READ, &from->file);
    if (from->file & FILE_CLOSED || socket_state(from) != SOCKET_CONNECTED ||
        !address_matches(&from->remote, &datagram->to))
        return;
    touch(touches, socket_resource(from, SOCKET_ERROR), MODE_WRITE, &from->error);
    from->error = ECONNREFUSED;
    race_release(socket_resource(from, SOCKET_ERROR));
}

/* The kernel drops datagrams when too many wait; how many that are is not modelled. */
static void require_room(SocketFlow *queue, LiveAccesses *touches)
{
    if (flow_segments(queue->tail) < MOST_WAITING)
        return;
    touch(touches, flow_resource(queue, FLOW_HEAD), MODE_READ, &queue->head);
    if (flow_segments(queue->tail) - flow_segments(queue->head) >= MOST_WAITING)
        report_not_modelled("more than 256 datagrams that wait in a socket");
}

/* Inside a step: to the socket that is bound to its address now. */
static void deliver(const Datagram *datagram, LiveAccesses *touches)
{
    SocketPort *port = port_find(&datagram->to, datagram->from);
    if (!step_find(port_resource(port)))
        port_touch(port, touches, MODE_READ);
    Socket *receiver = port_receiver(port, &datagram->to, &datagram->source);
    if (!receiver) {
        refuse(datagram, touches);
        return;
    }
    touch(touches, flow_resource(receiver->in, FLOW_TAIL), MODE_WRITE, &receiver->in->tail);
    require_room(receiver->in, touches);
    Segment *segment = flow_put(receiver->in, touches, SEGMENT_BYTES | (int64_t)datagram->size);
    segment->bytes = datagram->bytes;
    segment->content = (void *)(uintptr_t)datagram;
    race_release(segment->resource);
}

static void arrive(const Datagram *datagram)
{
    LiveAccesses touches = {0};
    sennit_rt_site = datagram->site;
    step_begin(OP_DATAGRAM_ARRIVE, 0);
    unsigned node = node_self();
    address_node(&datagram->to, &node);
    port_touch(port_find(&datagram->to, datagram->from), &touches, MODE_READ);
    partition_touch(&touches, node_self(), node);
    step_opaque();
    step_wait();
    touches_begin(&touches);
    if (partition_cuts(node_self(), node))
        step_event()->op = OP_CUT_OFF;
    else
        deliver(datagram, &touches);
    touches_end(&touches);
    step_done();
}

/* The thread that a datagram is. */
static void *datagram(void *argument)
{
    const Datagram *self = argument;
    rt.self->travels = true;
    arrive(self);
    if (self->twice)
        arrive(self);
    return NULL;
}

/* ---- Sending ------------------------------------------------------------------------------- */

/* Inside a step: a socket that was not bound gets a port of its own. */
static void bind_if_fresh(Socket *socket, LiveAccesses *touches)
{
    if (socket->port)
        return;
    address_set_port(&socket->local, socket_choose_port(socket));
    socket->port = port_find(&socket->local, socket);
    port_touch(socket->port, touches, MODE_WRITE);
    port_note_own(socket->port, socket, false);
    socket->file += FILE_OPTIONS;
}

/* The address that it is sent to; 0 or an error. */
static int find_destination(const Socket *socket, const Destination *destination, SocketAddress *to)
{
    if (destination->error)
        return destination->error;
    if (!destination->given && socket_state(socket) != SOCKET_CONNECTED)
        return EDESTADDRREQ;
    *to = destination->given ? destination->address : socket->remote;
    if (address_port(to) == 0)
        return EINVAL;
    unsigned node;
    if (!address_node(to, &node))
        return ENETUNREACH;
    address_make_definite(to);
    return 0;
}

static Datagram *make_datagram(Socket *socket, const Exchange *exchange, const SocketAddress *to)
{
    Datagram *made = transient_alloc(sizeof *made);
    *made = (Datagram){.from = socket, .source = socket->local, .to = *to, .size = exchange->size,
                       .site = sennit_rt_site, .bytes = transient_alloc(exchange->size + 1)};
    exchange_copy(exchange, made->bytes, NULL, exchange->size);
    address_make_source(&made->source, to);
    return made;
}

/* 0 or an error. */
static int send_now(Socket *socket, LiveAccesses *touches, const Exchange *exchange, const Destination *destination,
                    Datagram **made)
{
    SocketAddress to;
    if (socket->file & FILE_CLOSED)
        return EBADF;
    bind_if_fresh(socket, touches);
    int error = exchange->size > LARGEST ? EMSGSIZE : find_destination(socket, destination, &to);
    if (error)
        return error;
    if (exchange->size > (to.any.sa_family == AF_INET ? LARGEST_V4 : LARGEST_V6))
        return EMSGSIZE;
    error = socket_take_error(socket);
    if (error) {
        race_acquire(socket_resource(socket, SOCKET_ERROR));
        return error;
    }
    if (socket->marks & MARK_WRITES_NOT)
        return EPIPE;
    *made = make_datagram(socket, exchange, &to);
    if (rt.options.channels == CHANNELS_MAILBOX)
        deliver(*made, touches);
    return 0;
}

static int send_step(Socket *socket, const Exchange *exchange, const Destination *to, Datagram **made)
{
    LiveAccesses touches = {0};
    step_begin(OP_DATAGRAM_SEND, 0);
    touch(&touches, socket_resource(socket, SOCKET_FILE), MODE_READ, &socket->file);
    touch(&touches, socket_resource(socket, SOCKET_ERROR), MODE_READ, &socket->error);
    touch(&touches, socket_resource(socket, SOCKET_MARKS), MODE_READ, &socket->marks);
    unsigned announced = touches.count;
    cancel_watch(CANCEL_READ);
    step_opaque();
    step_wait();
    touches_begin(&touches);
    exchange_act_if_cancelled(announced);
    int error = send_now(socket, &touches, exchange, to, made);
    touches_end(&touches);
    step_done();
    return error;
}

static void require_channels(void)
{
    if (rt.options.channels != CHANNELS_BAG && rt.options.channels != CHANNELS_MAILBOX)
        report_not_modelled("datagrams with --channels=fifo or causal");
    if (rt.options.channels == CHANNELS_MAILBOX && fault_rule_possible())
        report_not_modelled("lost and duplicated datagrams with --channels=mailbox");
}

/* What a network does to datagrams and this search does not. */
static void note_unseen(void)
{
    if (rt.options.channels == CHANNELS_MAILBOX)
        unseen_note(UNSEEN_DELAY, "UDP", sennit_rt_site);
    if (!fault_rule_allows_node(FAULT_LOSE) || !fault_rule_allows_node(FAULT_DUPLICATE))
        unseen_note(UNSEEN_LOSS, "datagrams of UDP", sennit_rt_site);
}

ssize_t datagram_send(Socket *socket, const Places *from, int flags, const struct sockaddr *to, socklen_t length)
{
    const Exchange exchange = {.places = from, .size = places_size(from), .flags = flags};
    Destination destination = {.given = to != NULL};
    Datagram *made = NULL;
    require_channels();
    crash_point();
    sennit_rt_noise = 1; /* it makes an agent, which no step of this thread shows */
    for (int i = 0; i < from->count; i++)
        plain_use(from->parts[i].iov_base, from->parts[i].iov_len);
    if (to)
        destination.error = address_read(socket->family, to, length, &destination.address);
    int error = send_step(socket, &exchange, &destination, &made);
    if (error)
        return fail(error);
    note_unseen();
    if (rt.options.channels == CHANNELS_MAILBOX || actor_fault(FAULT_LOSE, actor_self(), NULL, 0))
        return (ssize_t)exchange.size;
    made->twice = actor_fault(FAULT_DUPLICATE, actor_self(), NULL, 0);
    lifetime_create_own(datagram, made);
    return (ssize_t)exchange.size;
}

/* ---- Receiving ----------------------------------------------------------------------------- */

/* A value that ends the waiting if it is another one than before. */
static void watch(LiveAccesses *touches, uint64_t resource, const int64_t *value, bool waits, int64_t seen)
{
    if (waits)
        touch_guard(touches, resource, MODE_READ, value, -1, REL_NE, seen);
    else
        touch(touches, resource, MODE_READ, value);
}

static void announce_receive(Socket *socket, LiveAccesses *touches, bool waits)
{
    SocketFlow *queue = socket->in;
    const FlowView *view = flow_view(queue);
    step_begin(OP_PIPE_READ, 0);
    step_opaque();
    if (waits)
        touch_guard(touches, socket_resource(socket, SOCKET_FILE), MODE_READ, &socket->file,
                    FILE_CLOSED | FILE_NO_WAIT, REL_NE, 0);
    else
        touch(touches, socket_resource(socket, SOCKET_FILE), MODE_READ, &socket->file);
    watch(touches, socket_resource(socket, SOCKET_ERROR), &socket->error, waits, 0);
    if (waits)
        touch_guard(touches, socket_resource(socket, SOCKET_MARKS), MODE_READ, &socket->marks, MARK_READS_NOT, REL_NE,
                    0);
    else
        touch(touches, socket_resource(socket, SOCKET_MARKS), MODE_READ, &socket->marks);
    Access *head = touch(touches, flow_resource(queue, FLOW_HEAD), MODE_WRITE, &queue->head);
    if (waits)
        step_guard(head, &queue->head, REL_NE, view->head);
    watch(touches, view->first->resource, &view->first->value, waits, 0);
    if (waits)
        step_guard_any();
}

static ssize_t take(Socket *socket, Exchange *exchange, DatagramSource *source)
{
    const Segment *first = socket->in->first;
    const Datagram *taken = first->content;
    size_t count = taken->size < exchange->size ? taken->size : exchange->size;
    exchange_copy(exchange, NULL, taken->bytes, count);
    race_acquire(first->resource);
    *source = (DatagramSource){address_shown_to(socket->family, taken->source), count < taken->size};
    if (!(exchange->flags & MSG_PEEK))
        flow_drop(socket->in);
    return (ssize_t)(exchange->flags & MSG_TRUNC ? taken->size : count);
}

/* An error that waits is told before what has arrived. */
static ssize_t receive_now(Socket *socket, LiveAccesses *touches, Exchange *exchange, DatagramSource *source)
{
    if (socket->file & FILE_CLOSED)
        return fail(EBADF);
    int error = socket_take_error(socket);
    if (error) {
        race_acquire(socket_resource(socket, SOCKET_ERROR));
        return fail(error);
    }
    Segment *first = socket->in->first;
    if (flow_view(socket->in)->first != first)
        touch(touches, first->resource, MODE_READ, &first->value);
    bool waits = exchange->waits && !(socket->file & FILE_NO_WAIT);
    ssize_t result = first->value                                 ? take(socket, exchange, source)
                     : waits && socket->marks & MARK_READS_NOT ? 0
                     : waits                                      ? AGAIN
                                                                  : fail(EAGAIN);
    flow_see_head(socket->in);
    return result;
}

static ssize_t receive_step(Socket *socket, Exchange *exchange, DatagramSource *source)
{
    LiveAccesses touches = {0};
    announce_receive(socket, &touches, exchange->waits);
    unsigned announced = touches.count;
    cancel_watch(exchange->waits ? CANCEL_ENABLES : CANCEL_READ);
    interrupt_allow(socket->read_time ? INTERRUPT_FAILS : INTERRUPT_RESTARTS);
    step_wait();
    if (interrupt_happened())
        return fail(EINTR);
    touches_begin(&touches);
    exchange_act_if_cancelled(announced);
    ssize_t result = receive_now(socket, &touches, exchange, source);
    touches_end(&touches);
    step_done();
    return result;
}

ssize_t datagram_receive(Socket *socket, const Places *to, int flags, DatagramSource *source)
{
    Exchange exchange = {.places = to, .size = places_size(to), .flags = flags};
    DatagramSource unused;
    ssize_t result;
    if (!source)
        source = &unused;
    *source = (DatagramSource){0};
    crash_point();
    exchange_begin(&exchange, socket->read_time);
    do {
        result = receive_step(socket, &exchange, source);
    } while (result == AGAIN);
    return exchange_end(socket, &exchange, socket->read_time, result);
}

int datagram_unread(Socket *socket)
{
    LiveAccesses touches = {0};
    SocketFlow *queue = socket->in;
    step_begin(OP_PIPE_POLL, 0);
    touch(&touches, flow_resource(queue, FLOW_HEAD), MODE_READ, &queue->head);
    touch(&touches, flow_view(queue)->first->resource, MODE_READ, &flow_view(queue)->first->value);
    step_opaque();
    step_wait();
    touches_begin(&touches);
    if (flow_view(queue)->first != queue->first)
        touch(&touches, queue->first->resource, MODE_READ, &queue->first->value);
    int64_t count = queue->first->value & SEGMENT_SIZE;
    flow_see_head(queue);
    touches_end(&touches);
    step_done();
    return (int)count;
}

/* ---- Connecting ---------------------------------------------------------------------------- */

/* From now on it gets only what comes from there. */
int datagram_connect(Socket *socket, const SocketAddress *to)
{
    LiveAccesses touches = {0};
    if (address_port(to) == 0)
        report_not_modelled("connect of a datagram socket to port 0");
    step_begin(OP_SOCKET_CONNECT, 0);
    touch(&touches, socket_resource(socket, SOCKET_FILE), MODE_WRITE, &socket->file);
    if (socket->port)
        port_touch(socket->port, &touches, MODE_WRITE);
    step_opaque();
    step_wait();
    touches_begin(&touches);
    bool closed = socket->file & FILE_CLOSED;
    if (!closed) {
        bind_if_fresh(socket, &touches);
        if (!step_find(port_resource(socket->port)))
            port_touch(socket->port, &touches, MODE_WRITE);
        socket->remote = *to;
        address_make_definite(&socket->remote);
        address_make_source(&socket->local, &socket->remote);
        port_rename(socket->port, socket);
        socket_set_state(socket, SOCKET_CONNECTED);
        socket->file += FILE_OPTIONS;
    }
    touches_end(&touches);
    step_done();
    return closed ? fail(EBADF) : 0;
}
