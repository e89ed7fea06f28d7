/* actor_state.c - see actor_state.h */
#include "rt/actors/actor_state.h"

#include "core/program.h"
#include "rt/actors/actor_fault.h"
#include "rt/actors/actor_mail.h"
#include "rt/actors/durable.h"
#include "rt/actors/link.h"
#include "rt/kernel/frame.h"
#include "rt/kernel/part.h"
#include "rt/kernel/thread.h"

/* ---- Messages ----------------------------------------------------------------------------- */

/* How many messages that are on their way come before it in this order. */
static uint32_t rank(const Message *message, bool same_receiver, bool same_sender)
{
    uint32_t before = 0;
    for (uint32_t i = 0; i < message->number; i++) {
        const Message *other = message->all[i];
        if ((!same_receiver || other->receiver == message->receiver) &&
            (!same_sender || other->sender == message->sender) && actor_mail_is_live(other))
            before++;
    }
    return before;
}

/* In causal order: a name of each message that is on its way. */
static uint64_t causal_name(const Message *message)
{
    return (uint64_t)actor_pid(message->sender) << 32 | rank(message, false, true);
}

/* The messages of the set that are on their way; in any order. */
static void add_set(Fingerprint *print, const MessageSet *set)
{
    Fingerprint sum = {0, 0};
    uint32_t count = actor_mail_count();
    for (uint32_t i = 0; i < count && i / 64 < set->count; i++) {
        const Message *message = actor_mail_nth(i);
        if (!(set->words[i / 64] >> i % 64 & 1) || !actor_mail_is_live(message))
            continue;
        Fingerprint one = {0, 0};
        fingerprint_add(&one, causal_name(message));
        fingerprint_join(&sum, fingerprint_seal(one));
    }
    fingerprint_add(print, sum.low);
    fingerprint_add(print, sum.high);
}

static void add_order(Fingerprint *print, const Message *message)
{
    if (!part_counts(PART_ORDER) || message->only || message->timer)
        return;
    switch (rt.options.channels) {
    case CHANNELS_BAG: return; /* those that come first are equal */
    case CHANNELS_FIFO: fingerprint_add(print, rank(message, true, true)); return;
    case CHANNELS_MAILBOX: fingerprint_add(print, rank(message, true, false)); return;
    default:
        fingerprint_add(print, causal_name(message));
        add_set(print, &message->before);
        add_set(print, &message->past);
    }
}

static Fingerprint print_message(const Message *message)
{
    Fingerprint print = {3, 0};
    fingerprint_add(&print, actor_pid(message->receiver));
    part_add(&print, PART_SENDER, message->from);
    part_add(&print, PART_TAG, (uint64_t)message->tag);
    fingerprint_add(&print, (uint64_t)(message->only != NULL) << 1 | message->timer);
    if (part_counts(PART_BYTES))
        fingerprint_add_bytes(&print, message->bytes, message->size);
    add_order(&print, message);
    return fingerprint_seal(print);
}

uint64_t actor_state_alias(const Message *message)
{
    bool strong = thread_get(message->receiver)->actor->strong;
    return (print_message(message).low & ~ALIAS_STRONG) | (strong ? ALIAS_STRONG : 0);
}

static void add_messages(Fingerprint *state)
{
    uint32_t count = actor_mail_count();
    for (uint32_t i = 0; i < count; i++) {
        const Message *message = actor_mail_nth(i);
        if (actor_mail_is_live(message) && part_counts(message->only || message->timer ? PART_TIMERS : PART_MAIL))
            fingerprint_join(state, print_message(message));
    }
}

/* ---- Actors --------------------------------------------------------------------------------- */

void actor_state_add_frame(Fingerprint *print, const Thread *thread, const CallFrame *frame, int error)
{
    part_add(print, PART_ERROR, (uint64_t)error);
    part_add(print, PART_CALL, frame->words[0]);
    part_add(print, PART_CALL, frame->words[1]);
    fingerprint_add(print, frame->base);
    if (frame->base > FRAME_NOTHING && part_counts(PART_STACK)) {
        const void *base = (const void *)(uintptr_t)frame->base;
        fingerprint_add_bytes(print, base, thread_stack_depth(thread, base));
    }
}

static bool waits(const Actor *actor) { return actor->is_actor && actor->stand > STAND_ENDED; }

static void add_stand(Fingerprint *print, const Actor *actor)
{
    part_add(print, PART_STAND, actor->stand > STAND_ANY ? STAND_ANY + 1 : (uint64_t)actor->stand);
    if (actor->stand > STAND_ANY && part_counts(PART_STAND))
        actor_mail_add_stand(print, actor->stand);
}

/* What only matters when the execution ends, or main looks. */
static void add_waited(Fingerprint *print, const Actor *actor)
{
    bool fixed = actor->waited <= STAND_ANY;
    fingerprint_add(print, fixed ? (uint64_t)actor->waited : STAND_ANY + 1 + (uint64_t)(actor->waited == actor->stand));
    fingerprint_add(print, actor->waited_step == rt.ex->agents[actor->running].steps);
}

/* What its future depends on. */
static void add_future(Fingerprint *print, const Actor *actor)
{
    const Thread *thread = thread_get(actor->agent), *running = thread_get(actor->running);
    if (part_counts(PART_KNOWN) && rt.options.channels == CHANNELS_CAUSAL)
        add_set(print, &actor->known);
    part_add(print, PART_TIMEOUTS, (uint64_t)actor->timeouts << 1 | actor->past_bound);
    part_add(print, PART_DAEMON, actor->daemon);
    fingerprint_add(print, actor->strong);
    part_add(print, PART_RESTART, address_of(actor->restart));
    part_add(print, PART_RESTART, address_of(actor->restart_argument));
    part_add(print, PART_LAST,
             actor->last ? (uint64_t)actor->last->size << 32 | (uint32_t)actor->last->tag : 1ull << 63);
    if (part_counts(PART_DURABLE))
        durable_add_state(print, actor);
    if (actor->stand == STAND_NEW && actor->is_actor) {
        fingerprint_add(print, address_of(actor->body));
        fingerprint_add(print, address_of(actor->argument));
    }
    if (waits(actor))
        actor_state_add_frame(print, thread, &actor->frame, actor->saved_errno);
    else if (actor->stand == STAND_BUSY)
        part_add(print, PART_ENDS, (uint64_t)running->state << 8 | running->stopped);
}

static Fingerprint print_actor(const Actor *actor)
{
    Fingerprint print = {4, actor->is_actor};
    fingerprint_add(&print, actor_pid(actor->agent));
    fingerprint_add(&print, thread_get(actor->agent)->seated);
    add_stand(&print, actor);
    if (part_counts(PART_ENDS))
        add_waited(&print, actor);
    if (actor->stand != STAND_ENDED)
        add_future(&print, actor);
    return fingerprint_seal(print);
}

void actor_state_add(Fingerprint *state)
{
    Fingerprint rest = {5, 0};
    actor_add_state(&rest);
    if (part_counts(PART_SPENT))
        actor_fault_add_state(&rest);
    if (part_counts(PART_LINKS))
        link_add_state(&rest);
    fingerprint_join(state, fingerprint_seal(rest));
    for (const Actor *actor = actor_first(); actor; actor = actor->next)
        fingerprint_join(state, print_actor(actor));
    add_messages(state);
}
