/* wire.c - see wire.h */
#include "rt/net/wire.h"

#include "rt/detect/race_clock.h"
#include "rt/kernel/node.h"
#include "rt/kernel/transient.h"
#include "rt/sync/lifetime.h"

/* One direction. */
typedef struct Wire {
    Socket *to;
    Socket *listener;   /* that `to` waits at; NULL: it is the side that connects */
    bool answered;      /* that the end is closed */
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
    socket_end_flow(to, touches, true);
    if (!(to->marks & MARK_CLOSED))
        socket_break(to, touches);
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
    if (to->error & ERROR_DEAD)
        return;
    if (segment->value & SEGMENT_BYTES && (closed || (to->marks & BOTH) == BOTH)) {
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
    step_opaque();
    step_wait();
    touches_begin(&touches);
    race_acquire(segment->resource);
    flow_drop(way);
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
    sennit_rt_noise = 1; /* it makes agents, which no step of this thread shows */
    for (unsigned i = 0; i < 2; i++) {
        Wire *made = transient_alloc(sizeof *made);
        *made = (Wire){.to = ends[i], .listener = ends[i]->waits_at, .site = sennit_rt_site};
        lifetime_create_own(wire, made);
    }
}
