/* api_actor.c - the functions of include/sennit/actor.h: check their arguments, call actor.c and actor_mail.c */
#include <string.h>

#include "rt/actors/actor.h"
#include "rt/actors/actor_mail.h"
#include "rt/detect/bug.h"
#include "rt/kernel/frame.h"
#include "rt/kernel/thread.h"
#include "rt/kernel/transient.h"
#include "rt/libc/api.h"
#include "rt/sync/plain.h"
#include "rt/sync/vtime.h"

#define MILLISECOND 1000000ll

/* ---- Checks ------------------------------------------------------------------------- */

static void require_inside(const char *what)
{
    if (!thread_inside())
        report_not_modelled(what);
}

Actor *actor_require(const char *what)
{
    require_inside(what);
    Actor *self = actor_self();
    if (!self->is_actor)
        report_bug(BUG_MESSAGE_MISUSE, "%s outside an actor", what);
    return self;
}

/* Larger sizes are probably negative numbers. */
static void require_size(size_t size, const char *what)
{
    if (size > INT32_MAX)
        report_bug(BUG_MESSAGE_MISUSE, "%s of %zd bytes", what, (ssize_t)size);
}

static Actor *require_receiver(sennit_pid to)
{
    Actor *receiver = actor_find(to);
    if (!receiver || !receiver->is_actor)
        report_bug(
            BUG_MESSAGE_MISUSE,
            receiver ? "a message to %u, which is not an actor" : "a message to %u, but no actor has this pid", to);
    return receiver;
}

/* ---- Actors -------------------------------------------------------------------------- */

sennit_pid sennit_rt_sennit_spawn(const char *name, void (*body)(void *argument), void *argument)
{
    require_inside("sennit_spawn before main");
    if (!body)
        report_bug(BUG_MESSAGE_MISUSE, "sennit_spawn without a body");
    return actor_spawn(name, body, argument);
}

sennit_pid sennit_rt_sennit_self(void)
{
    require_inside("sennit_self before main");
    return actor_pid(actor_self()->agent);
}

void sennit_rt_sennit_exit(void)
{
    actor_require("sennit_exit");
    actor_end();
}

void sennit_rt_sennit_daemon(void)
{
    actor_require("sennit_daemon")->daemon = true;
}

void sennit_rt_sennit_restart(void (*body)(void *argument), void *argument)
{
    Actor *self = actor_require("sennit_restart");
    self->restart = body;
    self->restart_argument = argument;
}

int sennit_rt_sennit_run(void)
{
    require_inside("sennit_run before main");
    FRAME_ENTER(FRAME_RUN, 0);
    if (actor_self()->is_actor)
        report_bug(BUG_MESSAGE_MISUSE, "sennit_run in an actor");
    return actor_run();
}

/* ---- Sending -------------------------------------------------------------------------- */

static ALWAYS_INLINE void send(sennit_pid to, int tag, uint64_t queue, const void *message, size_t size)
{
    FRAME_ENTER(FRAME_SEND, to, (uint64_t)tag, queue, address_of(message), size);
    require_inside("sending before main");
    require_size(size, "a message");
    actor_send(actor_self(), require_receiver(to), tag, queue, message, size);
}

void sennit_rt_sennit_send(sennit_pid to, const void *message, size_t size)
{
    send(to, 0, UINT64_MAX, message, size);
}

void sennit_rt_sennit_send_tag(sennit_pid to, int tag, const void *message, size_t size)
{
    send(to, tag, UINT64_MAX, message, size);
}

void sennit_rt_sennit_send_on(sennit_pid to, unsigned queue, const void *message, size_t size)
{
    send(to, 0, queue, message, size);
}

void sennit_rt_sennit_broadcast(const sennit_pid *to, unsigned count, int tag, const void *message, size_t size)
{
    FRAME_ENTER(FRAME_BROADCAST, address_of(to), count, (uint64_t)tag, address_of(message), size);
    require_inside("sending before main");
    require_size(size, "a message");
    Actor **receivers = transient_alloc(count * sizeof *receivers);
    plain_use(to, count * sizeof *to);
    for (unsigned i = 0; i < count; i++)
        receivers[i] = require_receiver(to[i]);
    actor_broadcast(actor_self(), receivers, count, tag, message, size);
}

/* ---- Receiving -------------------------------------------------------------------------- */

static sennit_pid take(Actor *self, const Message *message, int patience, void *buffer, size_t size)
{
    if (message->only) {
        self->timeouts++;
        vtime_pass(patience * MILLISECOND);
        self->last = NULL;
        return 0;
    }
    if (message->timer) {
        self->timeouts++;
        vtime_pass(message->deadline - vtime_peek());
    }
    actor_take(self, message);
    if (message->size > size)
        report_bug(BUG_MESSAGE_MISUSE, "a message of %u bytes for a buffer of %zu", message->size, size);
    if (message->size) {
        plain_overwrite(buffer, message->size);
        actor_copy(buffer, message->bytes, message->size);
    }
    return message->from;
}

sennit_pid sennit_rt_sennit_receive_match(const sennit_match *match, void *buffer, size_t size)
{
    FRAME_ENTER(FRAME_RECEIVE, match->from, (uint64_t)match->tag, address_of(match->suits), address_of(match->argument),
                match->argument_size, (uint64_t)match->milliseconds, address_of(buffer), size);
    Actor *self = actor_require("a receive");
    require_size(size, "a buffer");
    actor_crash_point(self);
    bool within = self->timeouts < rt.options.max_timeouts;
    bool timed = match->milliseconds >= 0, timers = actor_has_timer(self);
    int64_t stand = actor_make_stand(self, match, timed && within, timers && within);
    self->past_bound = (timed || timers) && !within;
    if (self->past_bound)
        execution_cut(rt.ex, CUT_TIMEOUTS);
    if (timed && within)
        actor_add_timer(self, stand);
    else if (timed)
        actor_leave_out_timer(self);
    return take(self, actor_wait(self, stand), match->milliseconds, buffer, size);
}

static const sennit_match anything = {.tag = SENNIT_ANY_TAG, .milliseconds = SENNIT_FOR_EVER};

sennit_pid sennit_rt_sennit_receive(void *buffer, size_t size)
{
    return sennit_rt_sennit_receive_match(&anything, buffer, size);
}

sennit_pid sennit_rt_sennit_receive_from(sennit_pid from, void *buffer, size_t size)
{
    sennit_match match = anything;
    match.from = from;
    return sennit_rt_sennit_receive_match(&match, buffer, size);
}

sennit_pid sennit_rt_sennit_receive_tag(int tag, void *buffer, size_t size)
{
    sennit_match match = anything;
    match.tag = tag;
    return sennit_rt_sennit_receive_match(&match, buffer, size);
}

sennit_pid sennit_rt_sennit_receive_if(sennit_predicate *suits, const void *argument, size_t argument_size,
                                       void *buffer, size_t size)
{
    sennit_match match = anything;
    match.suits = suits;
    match.argument = argument;
    match.argument_size = argument_size;
    return sennit_rt_sennit_receive_match(&match, buffer, size);
}

sennit_pid sennit_rt_sennit_try_receive(void *buffer, size_t size)
{
    return sennit_rt_sennit_receive_timed(0, buffer, size);
}

sennit_pid sennit_rt_sennit_receive_timed(unsigned milliseconds, void *buffer, size_t size)
{
    sennit_match match = anything;
    match.milliseconds = milliseconds > INT32_MAX ? INT32_MAX : (int)milliseconds;
    return sennit_rt_sennit_receive_match(&match, buffer, size);
}

static const Message *last_message(const char *what)
{
    const Actor *self = actor_require(what);
    if (!self->last)
        report_bug(BUG_MESSAGE_MISUSE, "%s before a message was received", what);
    return self->last;
}

size_t sennit_rt_sennit_message_size(void)
{
    return last_message("sennit_message_size")->size;
}

int sennit_rt_sennit_message_tag(void)
{
    return last_message("sennit_message_tag")->tag;
}

/* ---- Timers --------------------------------------------------------------------------- */

void sennit_rt_sennit_timer(int tag, unsigned milliseconds)
{
    Actor *self = actor_require("sennit_timer");
    actor_start_timer(self, tag, vtime_peek() + milliseconds * MILLISECOND);
}

void sennit_rt_sennit_timer_cancel(int tag) { actor_cancel_timer(actor_require("sennit_timer_cancel"), tag); }

/* ---- Handlers --------------------------------------------------------------------------- */

void sennit_rt_sennit_serve(const sennit_handler *handlers, void *state, size_t size)
{
    Actor *self = actor_require("sennit_serve");
    require_size(size, "a buffer");
    for (;;) {
        void *buffer = transient_alloc(size);
        sennit_pid from = sennit_rt_sennit_receive_match(&anything, buffer, size);
        const sennit_handler *handler = handlers;
        while (handler->handle && handler->tag != self->last->tag)
            handler++;
        if (!handler->handle)
            report_bug(BUG_MESSAGE_MISUSE, "a message with tag %d, for which there is no handler", self->last->tag);
        handler->handle(from, buffer, self->last->size, state);
    }
}

/* ---- Fairness, of threads too (include/sennit/monitor.h) ----------------------------------- */

void sennit_rt_sennit_strong(void)
{
    if (!thread_inside())
        report_not_modelled("sennit_strong before main");
    Actor *actor = rt.self->actor;
    if (actor && actor->is_actor)
        actor->strong = true;
    else
        rt.self->strong_step = rt.agents[rt.self->id].steps;
}
