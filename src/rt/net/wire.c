/* wire.c - see wire.h */
#include "rt/net/wire.h"

#include <errno.h>

#include "rt/detect/race_clock.h"
#include "rt/kernel/node.h"
#include "rt/kernel/transient.h"
#include "rt/net/partition.h"
#include "rt/sync/lifetime.h"

/* One direction. */
typedef struct Wire {
    Socket *to;
    Socket *listener;   /* that `to` waits at; NULL: it is the side that connects */
    bool answered;      /* that the end is closed */
    bool broken;        /* what was sent has timed out: only answers arrive any more */
    unsigned from_node, to_node;
    const SennitSite *site;
} Wire;

bool wire_is_late(void)
{
    return rt.options.delivery == DELIVERY_LATE || (rt.options.delivery == DELIVERY_AUTO && node_count());
}

void wire_lay(Socket *socket, Socket *listener)
{
    Socket *ends[] = {socket, socket->peer};
    for (unsigned i = 0; i < 2; i++) {
        ends[i]->late = true;
        ends[i]->out = flow_create_way(ends[i]->out);
    }
    socket->peer->waits_at = listener;
}

/* ---- Arrivals ------------------------------------------------------------------------------ */

/* The connection arrives where it is to be accepted, unless the socket that listened is closed. */
static void arrive_connection(Wire *wire)
{
    LiveAccesses touches = {0};
    Socket *listener = wire->listener;
    SocketFlow *queue = listener->in;
    sennit_rt_site = wire->site;
    step_begin(OP_SOCKET_ARRIVE, 0);
    touch(&touches, socket_resource(listener, SOCKET_FILE), MODE_READ, &listener->file);
    touch(&touches, flow_resource(queue, FLOW_TAIL), MODE_WRITE, &queue->tail);
    step_opaque();
    step_wait();
    touches_begin(&touches);
    if (listener->file & FILE_CLOSED) {
        socket_refuse(wire->to, &touches);
    } else {
        Segment *segment = flow_put(queue, &touches, SEGMENT_BYTES);
        segment->content = wire->to;
        race_release(segment->resource);
    }
    touches_end(&touches);
    step_done();
}

/* Bytes for an end that does not take any: the other one is told, once. */
static void refuse_bytes(Wire *wire, LiveAccesses *touches)
{
    Socket *to = wire->to;
    if (wire->answered)
        return;
    wire->answered = true;
    touch(touches, flow_resource(to->out, FLOW_TAIL), MODE_WRITE, &to->out->tail);
    race_release(flow_put(to->out, touches, SEGMENT_END | SEGMENT_RESET | SEGMENT_ANSWER)->resource);
    if (!(to->marks & MARK_CLOSED) && !(to->error & ERROR_DEAD))
        socket_break(to, touches);
}

/* The link is cut for so long that the sender gives up. The other end hears nothing of that. */
static void time_out(Wire *wire, LiveAccesses *touches)
{
    Socket *from = wire->to->peer;
    wire->broken = true;
    step_event()->op = OP_CUT_OFF;
    touch(touches, socket_resource(from, SOCKET_MARKS), MODE_READ, &from->marks);
    touch(touches, socket_resource(from, SOCKET_ERROR), MODE_WRITE, &from->error);
    if (from->error & ERROR_DEAD || from->marks & MARK_CLOSED)
        return;
    from->error = ERROR_DEAD | ERROR_UNTOLD | ETIMEDOUT;
    race_release(socket_resource(from, SOCKET_ERROR));
    touch(touches, flow_resource(from->in, FLOW_TAIL), MODE_WRITE, &from->in->tail);
    race_release(flow_put(from->in, touches, SEGMENT_END | SEGMENT_RESET)->resource);
}

static void put(Socket *to, LiveAccesses *touches, const Segment *from)
{
    Segment *segment = flow_put(to->in, touches, from->value);
    segment->bytes = from->bytes;
    race_release(segment->resource);
}

/* What becomes of it at an end that may have been closed. */
static void arrive_segment(Wire *wire, LiveAccesses *touches, const Segment *segment)
{
    enum { BOTH = MARK_READS_NOT | MARK_WRITES_NOT };
    Socket *to = wire->to;
    bool closed = to->marks & MARK_CLOSED;
    if (to->error & ERROR_DEAD && !(to->error & ERROR_UNTOLD))
        return;
    if (to->error & ERROR_DEAD) {
        if (segment->value & SEGMENT_BYTES)
            refuse_bytes(wire, touches);
    } else if (segment->value & SEGMENT_BYTES && (closed || (to->marks & BOTH) == BOTH)) {
        refuse_bytes(wire, touches);
    } else if (segment->value & SEGMENT_RESET && !closed) {
        socket_break(to, touches);
    } else if (!closed) {
        put(to, touches, segment);
        if (segment->value & SEGMENT_END) {
            touch(touches, socket_resource(to, SOCKET_HEARD), MODE_WRITE, &to->heard);
            to->heard |= MARK_WRITES_NOT;
            race_release(socket_resource(to, SOCKET_HEARD));
        }
    }
}

static void arrive(Wire *wire)
{
    LiveAccesses touches = {0};
    Socket *to = wire->to;
    SocketFlow *way = to->in->written;
    Segment *segment = way->first;
    sennit_rt_site = wire->site;
    step_begin(OP_SOCKET_ARRIVE, 0);
    touch_guard(&touches, segment->resource, MODE_READ, &segment->value, -1, REL_NE, 0);
    touch(&touches, socket_resource(to, SOCKET_MARKS), MODE_READ, &to->marks);
    touch(&touches, socket_resource(to, SOCKET_ERROR), MODE_READ, &to->error);
    touch(&touches, flow_resource(to->in, FLOW_TAIL), MODE_WRITE, &to->in->tail);
    partition_touch(&touches, wire->from_node, wire->to_node);
    step_opaque();
    step_wait();
    touches_begin(&touches);
    race_acquire(segment->resource);
    flow_drop(way);
    bool lost = wire->broken && !(segment->value & SEGMENT_ANSWER);
    if (lost)
        step_event()->op = OP_CUT_OFF;
    else if (partition_cuts(wire->from_node, wire->to_node))
        time_out(wire, &touches);
    else
        arrive_segment(wire, &touches, segment);
    touches_end(&touches);
    step_done();
}

/* The thread that a direction is; what it waits for may never come. */
static void *wire(void *argument)
{
    Wire *self = argument;
    rt.self->travels = true;
    if (self->listener)
        arrive_connection(self);
    for (;;)
        arrive(self);
    return NULL;
}

void wire_start(Socket *socket)
{
    Socket *ends[] = {socket->peer, socket};
    unsigned nodes[] = {node_self(), node_self()};
    address_node(&socket->remote, &nodes[1]);
    sennit_rt_noise = 1; /* it makes agents, which no step of this thread shows */
    for (unsigned i = 0; i < 2; i++) {
        Wire *made = transient_alloc(sizeof *made);
        *made = (Wire){.to = ends[i], .listener = ends[i]->waits_at, .site = sennit_rt_site,
                        .from_node = nodes[i], .to_node = nodes[1 - i]};
        lifetime_create_own(wire, made);
    }
}
