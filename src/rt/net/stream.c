/* stream.c - reading from and writing to sockets, see socket.h */
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "rt/actors/actor_fault.h"
#include "rt/actors/fault_rule.h"
#include "rt/detect/bug.h"
#include "rt/detect/race_clock.h"
#include "rt/detect/unseen.h"
#include "rt/io/crash_point.h"
#include "rt/kernel/transient.h"
#include "rt/libc/api_libc.h"
#include "rt/net/datagram.h"
#include "rt/net/exchange.h"
#include "rt/signal/interrupt.h"
#include "rt/signal/signals.h"
#include "rt/sync/cancel.h"

#define SIGNAL_RESOURCE signals_resource(SIGPIPE)

static int fail(int error)
{
    errno = error;
    return -1;
}

static bool is_connection(const Socket *socket) { return socket->out != NULL; }

/* ---- Reading ------------------------------------------------------------------------------- */

/* How many bytes there are to take, up to the size. */
static size_t available(const Socket *socket, LiveAccesses *touches, const Exchange *exchange)
{
    Segment *segment = socket->in->first;
    size_t count = segment->value & SEGMENT_BYTES ? (size_t)((segment->value & SEGMENT_SIZE) - socket->in->into) : 0;
    while (count && count < exchange->size) {
        segment = flow_after(segment);
        touch(touches, segment->resource, MODE_READ, &segment->value);
        if (!(segment->value & SEGMENT_BYTES))
            break;
        count += (size_t)(segment->value & SEGMENT_SIZE);
    }
    return count < exchange->size ? count : exchange->size;
}

/* With --short: fewer bytes than there are, at least one. Of many only the first and the last few numbers are tried. */
static void shorten(const Socket *socket, LiveAccesses *touches, Exchange *exchange)
{
    enum { FEW_NUMBERS = 8 };
    size_t count = available(socket, touches, exchange);
    if (count < 2)
        return;
    if (count > 2 * FEW_NUMBERS + 1)
        unseen_note(UNSEEN_SHORT, "TCP", sennit_rt_site);
    size_t options = count - 1 < 2 * FEW_NUMBERS ? count - 1 : 2 * FEW_NUMBERS, taken = step_choose((uint32_t)options);
    exchange->size = taken < FEW_NUMBERS ? taken + 1 : count - options + taken;
    exchange->short_one = false;
}

/* Takes what is there, up to the size; looks at the first segment that it does not get. */
static size_t take(Socket *socket, LiveAccesses *touches, Exchange *exchange)
{
    SocketFlow *flow = socket->in;
    Segment *segment = flow->first;
    int64_t into = flow->into;
    size_t before = exchange->done;
    bool peek = exchange->flags & MSG_PEEK;
    while (segment->value & SEGMENT_BYTES && exchange->done < exchange->size) {
        size_t left = (size_t)((segment->value & SEGMENT_SIZE) - into), want = exchange->size - exchange->done;
        size_t count = want < left ? want : left;
        exchange_copy(exchange, NULL, segment->bytes + into, count);
        race_acquire(segment->resource);
        exchange->done += count;
        into += (int64_t)count;
        if (!peek) {
            flow->into = into;
            flow->head += (int64_t)count;
            flow->written->taken += (int64_t)count;
        }
        if (count < left || exchange->done == exchange->size) {
            if (count == left && !peek)
                flow_drop(flow);
            break;
        }
        if (!peek)
            flow_drop(flow);
        segment = flow_after(segment);
        into = 0;
        touch(touches, segment->resource, MODE_READ, &segment->value);
    }
    return exchange->done - before;
}

/* There are no bytes: the end, an error, or nothing yet. */
static ssize_t read_nothing(Socket *socket, LiveAccesses *touches, const Exchange *exchange)
{
    const Segment *first = socket->in->first;
    bool ended = first->value & SEGMENT_END, told = socket->tcp && first->value == SEGMENT_END;
    if (ended)
        race_acquire(first->resource);
    bool later = socket->tcp && exchange->done; /* bytes were read: the next call tells the error */
    if (!told && socket->error & ERROR_NUMBER) {
        if (later)
            return 0;
        race_acquire(socket_resource(socket, SOCKET_ERROR));
        return fail(socket_take_error(socket));
    }
    (void)touches;
    if (ended || socket->marks & MARK_READS_NOT)
        return 0;
    return socket->file & FILE_NO_WAIT || !exchange->waits ? fail(EAGAIN) : AGAIN;
}

static ssize_t read_unconnected(Socket *socket)
{
    int error = socket_take_error(socket);
    if (error)
        return fail(error);
    bool listening = socket_state(socket) == SOCKET_LISTENING;
    if (socket_state(socket) == SOCKET_FAILED || (socket->tcp && !listening && socket->marks & MARK_READS_NOT))
        return 0;
    return fail(socket->tcp ? ENOTCONN : EINVAL);
}

static ssize_t read_now(Socket *socket, LiveAccesses *touches, Exchange *exchange)
{
    if (socket->file & FILE_CLOSED)
        return fail(EBADF);
    if (!is_connection(socket))
        return read_unconnected(socket);
    const Segment *known = flow_view(socket->in)->first;
    if (socket->in->first != known)
        touch(touches, socket->in->first->resource, MODE_READ, &socket->in->first->value);
    if (exchange->short_one)
        shorten(socket, touches, exchange);
    size_t count = take(socket, touches, exchange);
    bool none = exchange->size == 0 && socket->in->first->value & SEGMENT_BYTES; /* there is something to read */
    ssize_t result = count || none ? (ssize_t)count : read_nothing(socket, touches, exchange);
    flow_see_head(socket->in);
    return result;
}

static void announce_read(Socket *socket, LiveAccesses *touches, const Exchange *exchange)
{
    bool waits = exchange->waits && is_connection(socket);
    step_begin(OP_PIPE_READ, 0);
    if (waits)
        touch_guard(touches, socket_resource(socket, SOCKET_FILE), MODE_READ, &socket->file,
                    FILE_CLOSED | FILE_NO_WAIT, REL_NE, 0);
    else
        touch(touches, socket_resource(socket, SOCKET_FILE), MODE_READ, &socket->file);
    touch(touches, socket_resource(socket, SOCKET_ERROR), MODE_READ, &socket->error);
    Access *marks = touch(touches, socket_resource(socket, SOCKET_MARKS), MODE_READ, &socket->marks);
    step_opaque();
    if (!is_connection(socket))
        return;
    if (waits) {
        step_guard(marks, &socket->marks, REL_NE, 0);
        marks->mask = MARK_READS_NOT;
        step_guard_any();
    }
    SocketFlow *flow = socket->in;
    FlowView *view = flow_view(flow);
    Access *head = touch(touches, flow_resource(flow, FLOW_HEAD), MODE_WRITE, &flow->head);
    if (waits)
        step_guard(head, &flow->head, REL_NE, view->head);
    Access *first = touch(touches, view->first->resource, MODE_READ, &view->first->value);
    if (waits)
        step_guard(first, &view->first->value, REL_NE, 0);
    touch(touches, flow_resource(flow->written, FLOW_TAKEN), MODE_WRITE, &flow->written->taken);
}

/* One step. */
static ssize_t read_step(Socket *socket, Exchange *exchange)
{
    LiveAccesses touches = {0};
    announce_read(socket, &touches, exchange);
    unsigned announced = touches.count;
    bool connection = is_connection(socket);
    cancel_watch(exchange->waits && connection ? CANCEL_ENABLES : CANCEL_READ);
    interrupt_allow(socket->read_time ? INTERRUPT_FAILS : INTERRUPT_RESTARTS);
    step_wait();
    if (interrupt_happened())
        return fail(EINTR);
    touches_begin(&touches);
    exchange_act_if_cancelled(announced);
    if (connection != is_connection(socket))
        report_not_modelled("a socket that is connected while another thread uses it");
    ssize_t result = read_now(socket, &touches, exchange);
    touches_end(&touches);
    step_done();
    return result;
}

ssize_t socket_read(Socket *socket, const Places *to, int flags)
{
    Exchange exchange = {.places = to, .size = places_size(to), .flags = flags};
    ssize_t result;
    if (socket->datagrams)
        return datagram_receive(socket, to, flags, NULL);
    crash_point();
    socket_reset_point(socket);
    exchange_begin(&exchange, socket->read_time);
    if (socket->late && exchange.size > 1 && !(flags & (MSG_PEEK | MSG_WAITALL)))
        exchange.short_one = actor_fault(FAULT_SHORT, actor_self(), NULL, 0);
    do {
        result = read_step(socket, &exchange);
    } while (result == AGAIN || (result > 0 && flags & MSG_WAITALL && !(flags & MSG_PEEK) &&
                                 exchange.done < exchange.size));
    if (exchange.done)
        result = (ssize_t)exchange.done;
    return exchange_end(socket, &exchange, socket->read_time, result);
}

/* No bytes: only whether the descriptor is open matters. */
static ssize_t read_none(Socket *socket)
{
    LiveAccesses touches = {0};
    step_begin(OP_PIPE_READ, 0);
    touch(&touches, socket_resource(socket, SOCKET_FILE), MODE_READ, &socket->file);
    step_wait();
    touches_begin(&touches);
    bool closed = socket->file & FILE_CLOSED;
    step_done();
    return closed ? fail(EBADF) : 0;
}

ssize_t socket_read_file(Socket *socket, const Places *to)
{
    return places_size(to) ? socket_read(socket, to, 0) : read_none(socket);
}

int socket_unread(Socket *socket)
{
    LiveAccesses touches = {0};
    int64_t count = 0;
    if (socket->datagrams)
        return datagram_unread(socket);
    step_begin(OP_PIPE_POLL, 0);
    touch(&touches, socket_resource(socket, SOCKET_FILE), MODE_READ, &socket->file);
    if (is_connection(socket)) {
        touch(&touches, flow_resource(socket->in, FLOW_HEAD), MODE_READ, &socket->in->head);
        touch(&touches, flow_resource(socket->in, FLOW_TAIL), MODE_READ, &socket->in->tail);
    }
    step_wait();
    touches_begin(&touches);
    if (is_connection(socket))
        count = flow_bytes(socket->in->tail) - flow_bytes(socket->in->head);
    step_done();
    return (int)count;
}

/* ---- Writing ------------------------------------------------------------------------------- */

static ssize_t write_in_vain(const Exchange *exchange)
{
    bool silent = exchange->done || exchange->flags & MSG_NOSIGNAL; /* the call says how much was written */
    if (!silent && !signals_survives(SIGPIPE) && !signals_blocked(SIGPIPE))
        report_bug(BUG_CRASH, "SIGPIPE: write to a socket whose other end does not read");
    return fail(EPIPE);
}

/* Writes of up to FLOW_WHOLE bytes are not split. */
static int64_t needed(const Exchange *exchange)
{
    size_t left = exchange->size - exchange->done;
    return left <= FLOW_WHOLE ? (int64_t)left : 1;
}

static size_t put(Socket *socket, LiveAccesses *touches, const Exchange *exchange, int64_t room)
{
    size_t left = exchange->size - exchange->done, most = socket->tcp || room < FLOW_PIECE ? (size_t)room : FLOW_PIECE;
    size_t count = left < most ? left : most;
    unsigned char *bytes = transient_alloc(count);
    exchange_copy(exchange, bytes, NULL, count);
    Segment *segment = flow_put(socket->out, touches, SEGMENT_BYTES | (int64_t)count);
    segment->bytes = bytes;
    race_release(segment->resource);
    if (socket->late && count > 1 && !fault_rule_possible_kind(FAULT_SHORT))
        unseen_note(UNSEEN_SHORT, "TCP", sennit_rt_site);
    return count;
}

/* Does the other end answer what it gets with a reset? Then bytes are lost without an error, the first time. */
static bool resets(const Socket *socket)
{
    enum { BOTH = MARK_READS_NOT | MARK_WRITES_NOT };
    return socket->tcp && !socket->late && (socket->peer->marks & MARK_CLOSED || (socket->peer->marks & BOTH) == BOTH);
}

static ssize_t write_to_connection(Socket *socket, LiveAccesses *touches, const Exchange *exchange, bool knows_taken)
{
    SocketFlow *flow = socket->out;
    int error = socket->tcp ? socket_take_error(socket) : 0;
    int64_t room = flow_room(flow, 0);
    if (error && error != EPIPE)
        return fail(error);
    if (error || socket->marks & MARK_WRITES_NOT || (socket->tcp && socket->error & ERROR_DEAD))
        return write_in_vain(exchange);
    if (!socket->tcp && socket->peer->marks & MARK_READS_NOT)
        return write_in_vain(exchange);
    if (exchange->size == 0)
        return 0;
    if (room < needed(exchange)) {
        if (!knows_taken)
            touch(touches, flow_resource(flow, FLOW_TAKEN), MODE_READ, &flow->taken);
        room = flow_room(flow, flow->taken);
        if (socket->late)
            unseen_note(UNSEEN_DELAY, "acknowledgements of TCP", sennit_rt_site);
    }
    if (room < needed(exchange))
        return socket->file & FILE_NO_WAIT || !exchange->waits ? fail(EAGAIN) : AGAIN;
    if (!resets(socket))
        return (ssize_t)put(socket, touches, exchange, room);
    socket->error = ERROR_DEAD | EPIPE;
    if (!(socket->peer->marks & MARK_CLOSED)) {
        socket_reset_peer(socket, touches);
        socket_end_flow(socket, touches, true); /* what it writes later does not hide the error */
    }
    return (ssize_t)(exchange->size - exchange->done);
}

static ssize_t write_now(Socket *socket, LiveAccesses *touches, const Exchange *exchange, bool knows_taken)
{
    if (socket->file & FILE_CLOSED)
        return fail(EBADF);
    if (is_connection(socket)) {
        ssize_t result = write_to_connection(socket, touches, exchange, knows_taken);
        flow_see_tail(socket->out);
        return result;
    }
    if (!socket->tcp)
        return fail(ENOTCONN);
    int error = socket_take_error(socket);
    return error && error != EPIPE ? fail(error) : write_in_vain(exchange);
}

/* A guard is needed if there may be no room. */
static bool may_block(Socket *socket, const Exchange *exchange)
{
    return is_connection(socket) &&
           FLOW_CAPACITY - flow_bytes(flow_view(socket->out)->tail) < needed(exchange);
}

static void guard_write(Socket *socket, LiveAccesses *touches, const Exchange *exchange)
{
    SocketFlow *flow = socket->out;
    int64_t tail = flow_view(flow)->tail;
    touch_guard(touches, socket_resource(socket, SOCKET_FILE), MODE_READ, &socket->file, FILE_CLOSED | FILE_NO_WAIT,
                REL_NE, 0);
    touch_guard(touches, socket_resource(socket, SOCKET_ERROR), MODE_READ, &socket->error, -1, REL_NE, 0);
    touch_guard(touches, socket_resource(socket, SOCKET_MARKS), MODE_READ, &socket->marks, MARK_WRITES_NOT, REL_NE, 0);
    touch_guard(touches, socket_heard_resource(socket), MODE_READ, socket_heard(socket),
                socket->tcp ? MARK_CLOSED : MARK_READS_NOT, REL_NE, 0);
    touch_guard(touches, flow_resource(flow, FLOW_TAIL), MODE_WRITE, &flow->tail, -1, REL_NE, tail);
    touch_guard(touches, flow_resource(flow, FLOW_TAKEN), MODE_READ, &flow->taken, -1, REL_SGE,
                flow_bytes(tail) + needed(exchange) - FLOW_CAPACITY);
    step_guard_any();
}

static void announce_write(Socket *socket, LiveAccesses *touches, const Exchange *exchange, bool blocks)
{
    step_begin(OP_PIPE_WRITE, 0);
    step_opaque();
    if (blocks) {
        guard_write(socket, touches, exchange);
        return;
    }
    touch(touches, socket_resource(socket, SOCKET_FILE), MODE_READ, &socket->file);
    touch(touches, socket_resource(socket, SOCKET_ERROR), MODE_READ, &socket->error);
    if (!is_connection(socket))
        return;
    touch(touches, socket_resource(socket, SOCKET_MARKS), MODE_READ, &socket->marks);
    if (!socket->late)
        touch(touches, socket_heard_resource(socket), MODE_READ, socket_heard(socket));
    touch(touches, flow_resource(socket->out, FLOW_TAIL), MODE_WRITE, &socket->out->tail);
}

static ssize_t write_step(Socket *socket, const Exchange *exchange)
{
    LiveAccesses touches = {0};
    bool blocks = exchange->waits && may_block(socket, exchange), connection = is_connection(socket);
    announce_write(socket, &touches, exchange, blocks);
    unsigned announced = touches.count;
    Access *signal = step_touch(SIGNAL_RESOURCE, MODE_READ);
    (void)signal;
    cancel_watch(blocks ? CANCEL_ENABLES : CANCEL_READ);
    interrupt_allow(socket->write_time ? INTERRUPT_FAILS : INTERRUPT_RESTARTS);
    step_wait();
    if (interrupt_happened())
        return fail(EINTR);
    touches_begin(&touches);
    step_value(announced, signals_value(SIGPIPE), signals_value(SIGPIPE));
    exchange_act_if_cancelled(announced + 1);
    if (connection != is_connection(socket))
        report_not_modelled("a socket that is connected while another thread uses it");
    ssize_t result = write_now(socket, &touches, exchange, blocks);
    touches_end(&touches);
    bool raises = result == -1 && errno == EPIPE && !exchange->done && !(exchange->flags & MSG_NOSIGNAL) &&
                  signals_matter(SIGPIPE);
    step_done();
    return raises ? signals_broken_pipe() : result;
}

/* As the kernel does, a part that was written hides the error of the rest. */
ssize_t socket_write(Socket *socket, const Places *from, int flags)
{
    Exchange exchange = {.places = from, .size = places_size(from), .flags = flags};
    ssize_t result;
    if (socket->datagrams)
        return datagram_send(socket, from, flags, NULL, 0);
    crash_point();
    socket_reset_point(socket);
    for (int i = 0; i < from->count; i++)
        plain_use(from->parts[i].iov_base, from->parts[i].iov_len);
    exchange_begin(&exchange, socket->write_time);
    do {
        result = write_step(socket, &exchange);
        if (result > 0)
            exchange.done += (size_t)result;
    } while (result == AGAIN || (result > 0 && exchange.done < exchange.size));
    if (exchange.done)
        result = (ssize_t)exchange.done;
    return exchange_end(socket, &exchange, socket->write_time, result);
}
