/* actor_mail.c - messages: their order, and when they can be received
 *
 * Channel orders are one mechanism: a message has the set of earlier messages to the same
 * receiver that come first. It can be received if the receiver wants it and wants none of
 * those that it has not received yet. (ACT-3)
 */
#include "rt/actors/actor_mail.h"

#include <stdarg.h>
#include <string.h>

#include "rt/actors/actor_fault.h"
#include "rt/actors/actor_name.h"
#include "rt/actors/fault_rule.h"
#include "rt/actors/link.h"
#include "rt/detect/bug.h"
#include "rt/detect/names.h"
#include "rt/detect/race.h"
#include "rt/detect/race_clock.h"
#include "rt/inputs/concretise.h"
#include "rt/inputs/shadow_memory.h"
#include "rt/inputs/tracking.h"
#include "rt/kernel/frame.h"
#include "rt/kernel/scheduler.h"
#include "rt/kernel/step.h"
#include "rt/kernel/thread.h"
#include "rt/kernel/transient.h"
#include "rt/sync/plain.h"

/* A message that main sent before the actors started. */
typedef struct HeldMail HeldMail;
struct HeldMail {
    HeldMail *next;
    Actor *receiver;
    const SennitSite *site;
    uint64_t queue;
    size_t size;
    int tag;
    unsigned char bytes[];
};

/* The beginning of the notes, if there is a message or an actor waits for one. */
typedef struct Table {
    uint32_t count;
    Message *all[RT_MAX_AGENTS]; /* by number */
} Table;

static struct {
    HeldMail *held, **held_end;
    Table *table;
    uint32_t symmetric;  /* messages that come after an equal one */
} mail;

void actor_mail_reset(void)
{
    mail.table = NULL;
    mail.symmetric = 0;
    mail.held = NULL;
    mail.held_end = &mail.held;
}

static void *notes_take(size_t size)
{
    size_t rounded = (size + 15) & ~(size_t)15;
    if (UNLIKELY(rt.ex->notes_size + rounded > EXECUTION_MAX_NOTES))
        thread_cut(CUT_MESSAGES);
    void *block = rt.ex->notes + rt.ex->notes_size;
    rt.ex->notes_size += rounded;
    return block;
}

static void *notes_alloc(size_t size) { return memset(notes_take(size), 0, size); }

/* The table of messages; the value of a stand is its distance from it. */
static Message **all_messages(void)
{
    if (!mail.table) {
        mail.table = notes_take(sizeof *mail.table);
        mail.table->count = 0;
    }
    return mail.table->all;
}

void actor_copy(void *to, const void *from, size_t size)
{
    memcpy(to, from, size);
    if (tracking.on && shadow_memory_used())
        shadow_memory_copy(address_of(to), address_of(from), size);
}

static bool has_shadow(const unsigned char *bytes, size_t size)
{
    for (size_t i = 0; tracking.on && shadow_memory_used() && i < size; i++)
        if (shadow_memory_get(address_of(bytes + i), bytes + i, 8))
            return true;
    return false;
}

/* ---- Sets ------------------------------------------------------------------------- */

static void set_reserve(MessageSet *set, uint32_t count)
{
    if (count > set->room) {
        uint64_t *words = transient_alloc(2 * count * sizeof *words);
        for (uint32_t i = 0; i < set->count; i++)
            words[i] = set->words[i];
        set->words = words;
        set->room = 2 * count;
    }
    for (; set->count < count; set->count++)
        set->words[set->count] = 0;
}

static void set_add(MessageSet *set, uint32_t number)
{
    set_reserve(set, number / 64 + 1);
    set->words[number / 64] |= 1ull << number % 64;
}

static void set_remove(MessageSet *set, uint32_t number) { set->words[number / 64] &= ~(1ull << number % 64); }

static bool set_has(const MessageSet *set, uint32_t number)
{
    return number / 64 < set->count && set->words[number / 64] >> number % 64 & 1;
}

static void set_join(MessageSet *set, const MessageSet *other)
{
    set_reserve(set, other->count);
    for (uint32_t i = 0; i < other->count; i++)
        set->words[i] |= other->words[i];
}

/* The intersection (`b` NULL: `a`), in the notes. */
static MessageSet set_note(const MessageSet *a, const MessageSet *b)
{
    uint32_t count = b && b->count < a->count ? b->count : a->count;
    MessageSet set = {.words = count ? notes_alloc(count * sizeof *set.words) : NULL, .count = count, .room = count};
    for (uint32_t i = 0; i < count; i++)
        set.words[i] = a->words[i] & (b ? b->words[i] : UINT64_MAX);
    return set;
}

/* ---- Guards ------------------------------------------------------------------------- */

/* The program's predicate runs without a thread: it is not part of any step. */
static bool suits(const Stand *stand, const Message *message)
{
    Thread *self = rt.self;
    const SennitSite *site = sennit_rt_site;
    rt.self = NULL;
    sennit_rt_site = (const SennitSite *)(uintptr_t)message->site;
    if (UNLIKELY(message->symbolic)) /* the answer may differ for other inputs, which is not explored */
        concretise_note("message read by a predicate");
    bool result = stand->match.suits(message->bytes, message->size, stand->match.argument) != 0;
    rt.self = self;
    sennit_rt_site = site;
    return result;
}

static bool wants(const Stand *stand, const Message *message)
{
    if (!stand->selective)
        return true;
    if (stand->match.from && stand->match.from != message->from)
        return false;
    if (stand->match.tag != SENNIT_ANY_TAG && stand->match.tag != message->tag)
        return false;
    return !stand->match.suits || suits(stand, message);
}

static bool wants_earlier(const Stand *stand, const Message *message)
{
    for (uint32_t i = 0; i < message->before.count; i++) {
        uint64_t delivered = i < stand->delivered.count ? stand->delivered.words[i] : 0;
        for (uint64_t bits = message->before.words[i] & ~delivered; bits; bits &= bits - 1)
            if (wants(stand, message->all[i * 64 + (uint32_t)__builtin_ctzll(bits)]))
                return true;
    }
    return false;
}

bool actor_guard_holds(uint64_t guard, int64_t value)
{
    const Message *message = (const Message *)(uintptr_t)guard;
    const Stand *stand = (const Stand *)((const char *)message->all + value);
    if (value <= STAND_ENDED)
        return false;
    if (value == STAND_ANY)
        return !message->only && !message->timer;
    if (message->only)
        return message->only == stand;
    if (message->timer)
        return set_has(&stand->timers, message->number) && wants(stand, message);
    return wants(stand, message) && !wants_earlier(stand, message);
}

/* Do some messages have to come before others? */
static bool ordered(void)
{
    return rt.options.channels != CHANNELS_BAG || rt.options.symmetry || fault_rule_allows(FAULT_DUPLICATE);
}

int64_t actor_make_stand(Actor *actor, const sennit_match *match, bool timed, bool timers)
{
    bool selective = match->from || match->tag != SENNIT_ANY_TAG || match->suits;
    if (!selective && !timed && !timers && !ordered())
        return STAND_ANY;
    Message **base = all_messages();
    Stand *stand = notes_alloc(sizeof *stand);
    stand->match = *match;
    stand->selective = selective;
    if (match->suits && match->argument_size) {
        void *copy = notes_alloc(match->argument_size);
        stand->match.argument = memcpy(copy, match->argument, match->argument_size);
    }
    if (ordered())
        stand->delivered = set_note(&actor->received, NULL);
    if (timers)
        stand->timers = set_note(&actor->timers, NULL);
    return (char *)stand - (char *)base;
}

/* ---- Making ---------------------------------------------------------------------------- */

/* The agent of the sender's next message. */
static AgentId number_message(const Actor *sender)
{
    AgentId agent = thread_number_child(thread_get(sender->agent));
    if (agent == AGENT_NONE)
        thread_cut(CUT_AGENTS);
    return agent;
}

/* Numbers the message, which becomes a child of the running thread's actor. */
static Message *make_message(Actor *sender, Actor *receiver, size_t size)
{
    AgentId agent = number_message(sender);
    Message **all = all_messages();
    Message *message = notes_take(sizeof *message + size);
    memset(message, 0, sizeof *message);
    message->agent = agent;
    message->sender = sender->agent;
    message->from = actor_pid(sender->agent);
    message->receiver = receiver->agent;
    message->size = (uint32_t)size;
    message->site = site_name(sennit_rt_site);
    message->all = all;
    message->bytes = (unsigned char *)(message + 1);
    message->number = mail.table->count++;
    message->all[message->number] = message;
    return message;
}

/* From now on the message waits to be received. */
static void launch(Message *message, Actor *receiver, OpKind op)
{
    Thread *thread = thread_register(message->agent, rt.self->id);
    Access guard = {.resource = resource_make(RES_ACTOR, receiver->agent), .mode = MODE_WRITE, .lanes = LANES_ALL,
                    .role = ROLE_GUARD, .relation = REL_PROGRAM, .mask = UINT64_MAX,
                    .operand = (int64_t)(uintptr_t)message};
    rt.shared->agents[message->agent].start = 0;
    thread->message = message;
    thread->actor = receiver;
    thread->strand = receiver->agent;
    thread->seat = thread_get(receiver->agent)->seat;
    thread->borrows = &receiver->context;
    if (rt.options.verbose)
        actor_name_message(message, rt.shared->agents[message->agent].name, sizeof rt.shared->agents[0].name);
    race_log_release(resource_make(RES_ACTOR, message->agent));
    scheduler_make_pending(thread, op, message->site, &guard, 1, &receiver->stand);
}

static bool alike(const Message *a, const Message *b)
{
    return a->sender == b->sender && a->receiver == b->receiver && a->tag == b->tag && a->size == b->size && !a->only &&
           !a->timer && !a->symbolic && !b->symbolic && memcmp(a->bytes, b->bytes, a->size) == 0;
}

/* Of equal messages the first one is received first. (ACT-9) */
static void order_after_equals(Message *message)
{
    MessageSet before = {0};
    for (uint32_t i = 0; i < message->number; i++)
        if (alike(message->all[i], message))
            set_add(&before, i);
    if (!before.count)
        return;
    message->before = set_note(&before, NULL);
    mail.symmetric++;
}

/* Which messages come first, and what the sender knows from now on. */
static void order(Message *message, Actor *sender, Actor *receiver)
{
    switch (rt.options.channels) {
    case CHANNELS_BAG:
        if (rt.options.symmetry)
            order_after_equals(message);
        return;
    case CHANNELS_FIFO:
        message->before = set_note(&receiver->addressed, &sender->sent);
        set_add(&sender->sent, message->number);
        break;
    case CHANNELS_CAUSAL:
        message->before = set_note(&receiver->addressed, &sender->known);
        message->past = set_note(&sender->known, NULL);
        set_add(&sender->known, message->number);
        break;
    case CHANNELS_MAILBOX: message->before = set_note(&receiver->addressed, NULL); break;
    }
    set_add(&receiver->addressed, message->number);
}

/* In a mailbox the receiver observes the order of sends: each is a step. */
static void enter_mailbox(Actor *receiver)
{
    step_begin(OP_ACTOR_SEND, resource_make(RES_MAILBOX, receiver->agent));
    step_wait();
    step_value(0, receiver->mailbox, receiver->mailbox + 1);
    receiver->mailbox++;
}

static Message *send_once(Actor *sender, Actor *receiver, const Message *like, const void *bytes)
{
    if (rt.options.channels == CHANNELS_MAILBOX)
        enter_mailbox(receiver);
    Message *message = make_message(sender, receiver, like->size);
    actor_copy(message->bytes, bytes, like->size);
    message->symbolic = has_shadow(message->bytes, like->size);
    message->tag = like->tag;
    message->queue = like->queue;
    order(message, sender, receiver);
    launch(message, receiver, OP_ACTOR_RECEIVE);
    return message;
}

/* The copies are equal, so the first one is received first. */
static void send_again(Actor *sender, Actor *receiver, const Message *first)
{
    Message *copy = send_once(sender, receiver, first, first->bytes);
    if (rt.options.channels == CHANNELS_BAG && !copy->before.count) {
        MessageSet before = {0};
        set_add(&before, first->number);
        copy->before = set_note(&before, NULL);
    }
}

/* What main sends to actors that have not started arrives while they run: in a mailbox, where
 * the order of arrival matters, it need not come before everything else. */
static void hold_back(Actor *receiver, const Message *like, const void *bytes)
{
    HeldMail *held = transient_alloc(sizeof *held + like->size);
    *held = (HeldMail){
        .receiver = receiver, .tag = like->tag, .queue = like->queue, .size = like->size, .site = sennit_rt_site};
    actor_copy(held->bytes, bytes, like->size);
    *mail.held_end = held;
    mail.held_end = &held->next;
}

static bool holds_back(const Actor *sender)
{
    return rt.options.channels == CHANNELS_MAILBOX && !sender->is_actor && actor_held();
}

void actor_send_held(Actor *sender)
{
    const SennitSite *site = sennit_rt_site;
    while (mail.held) {
        HeldMail *held = mail.held;
        mail.held = held->next;
        if (!mail.held)
            mail.held_end = &mail.held;
        sennit_rt_site = held->site;
        actor_send(sender, held->receiver, held->tag, held->queue, held->bytes, held->size);
    }
    sennit_rt_site = site;
}

void actor_send(Actor *sender, Actor *receiver, int tag, uint64_t queue, const void *bytes, size_t size)
{
    Message like = {.size = (uint32_t)size, .tag = tag, .queue = queue};
    actor_note_activity();
    plain_use(bytes, size);
    if (holds_back(sender)) {
        hold_back(receiver, &like, bytes);
        return;
    }
    actor_crash_point(sender);
    if (queue == UINT64_MAX)
        like.queue = sender->plain_sends++;
    if (!link_carries(sender, receiver) || actor_fault(FAULT_LOSE, sender, receiver, tag))
        return;
    const Message *message = send_once(sender, receiver, &like, bytes);
    if (actor_fault(FAULT_DUPLICATE, sender, receiver, tag))
        send_again(sender, receiver, message);
}

/* How many copies of a message arrive. */
static unsigned decide_copies(Actor *sender, Actor *receiver, int tag)
{
    if (!link_carries(sender, receiver) || actor_fault(FAULT_LOSE, sender, receiver, tag))
        return 0;
    return 1 + actor_fault(FAULT_DUPLICATE, sender, receiver, tag);
}

/* Whoever receives one message of a broadcast knows of all: they were sent at once. */
static void know_all(const Actor *sender, uint32_t first)
{
    for (uint32_t i = first; i < mail.table->count; i++)
        mail.table->all[i]->past = set_note(&sender->known, NULL);
}

void actor_broadcast(Actor *sender, Actor *const *receivers, unsigned count, int tag, const void *bytes, size_t size)
{
    Message like = {.size = (uint32_t)size, .tag = tag};
    unsigned char *copies = transient_alloc(count);
    if (holds_back(sender)) {
        for (unsigned i = 0; i < count; i++)
            actor_send(sender, receivers[i], tag, UINT64_MAX, bytes, size);
        return;
    }
    actor_note_activity();
    plain_use(bytes, size);
    actor_crash_point(sender);
    for (unsigned i = 0; i < count; i++) { /* faults are steps, between which nothing may be on its way */
        copies[i] = (unsigned char)decide_copies(sender, receivers[i], tag);
        frame_add(copies[i]);
    }
    uint32_t first = mail.table ? mail.table->count : 0;
    for (unsigned i = 0; i < count; i++) {
        like.queue = sender->plain_sends++;
        const Message *message = copies[i] ? send_once(sender, receivers[i], &like, bytes) : NULL;
        if (copies[i] > 1)
            send_again(sender, receivers[i], message);
    }
    if (rt.options.channels == CHANNELS_CAUSAL && mail.table)
        know_all(sender, first);
}

void actor_add_timer(Actor *actor, int64_t stand)
{
    Message *message = make_message(actor, actor, 0);
    message->only = (const Stand *)((const char *)message->all + stand);
    launch(message, actor, OP_ACTOR_TIMEOUT);
}

bool actor_has_timer(const Actor *actor)
{
    uint64_t bits = 0;
    for (uint32_t i = 0; i < actor->timers.count; i++)
        bits |= actor->timers.words[i];
    return bits != 0;
}

void actor_cancel_timers(Actor *actor) { actor->timers = (MessageSet){0}; }

void actor_cancel_timer(Actor *actor, int tag)
{
    for (uint32_t i = 0; i < actor->timers.count; i++)
        for (uint64_t bits = actor->timers.words[i]; bits; bits &= bits - 1) {
            uint32_t number = i * 64 + (uint32_t)__builtin_ctzll(bits);
            if (mail.table->all[number]->tag == tag)
                set_remove(&actor->timers, number);
        }
}

void actor_start_timer(Actor *actor, int tag, int64_t deadline)
{
    actor_cancel_timer(actor, tag);
    Message *message = make_message(actor, actor, 0);
    message->tag = tag;
    message->timer = true;
    message->deadline = deadline;
    set_add(&actor->timers, message->number);
    launch(message, actor, OP_ACTOR_RECEIVE);
}

void actor_leave_out_timer(const Actor *actor) { number_message(actor); }

void actor_take(Actor *actor, const Message *message)
{
    if (message->timer) {
        set_remove(&actor->timers, message->number);
        return;
    }
    if (!ordered())
        return;
    set_add(&actor->received, message->number);
    if (rt.options.channels == CHANNELS_CAUSAL) {
        set_join(&actor->known, &message->past);
        set_add(&actor->known, message->number);
    }
}

void actor_inherit(Actor *actor, const Actor *creator)
{
    set_join(&actor->known, &creator->known);
}

/* ---- Queries ------------------------------------------------------------------------------ */

static bool describe(const Message *message, Mail *result)
{
    if (!message)
        return false;
    *result = (Mail){.sender = message->sender, .receiver = message->receiver, .queue = message->queue,
                     .order = message->number, .timer = message->only || message->timer};
    return true;
}

bool actor_mail(AgentId agent, Mail *result)
{
    const Thread *thread = agent < rt.ex->agent_count ? thread_get(agent) : NULL;
    return describe(thread && thread->state != THREAD_ABSENT ? thread->message : NULL, result);
}

uint64_t actor_mail_symmetric(void) { return rt.shared->symmetric; }
void actor_mail_add_symmetric(uint64_t count) { __atomic_fetch_add(&rt.shared->symmetric, count, __ATOMIC_RELAXED); }

/* NULL if the agent is no message. */
static const Message *message_of(const Execution *ex, AgentId agent)
{
    const Table *table = ex->notes_size ? (const Table *)(const void *)ex->notes : NULL;
    for (uint32_t i = 0; table && i < table->count; i++)
        if (table->all[i]->agent == agent)
            return table->all[i];
    return NULL;
}

bool actor_mail_of(const Execution *ex, AgentId agent, Mail *result) { return describe(message_of(ex, agent), result); }

bool actor_mail_text(const Execution *ex, AgentId agent, char *text, size_t size)
{
    const Message *message = message_of(ex, agent);
    if (message)
        actor_name_message(message, text, size);
    return message != NULL;
}

void actor_count_symmetric(void)
{
    if (mail.symmetric)
        actor_mail_add_symmetric(mail.symmetric);
}

/* ---- As a part of the state ---------------------------------------------------------------- */

uint32_t actor_mail_count(void) { return mail.table ? mail.table->count : 0; }
const Message *actor_mail_nth(uint32_t number) { return mail.table->all[number]; }

bool actor_mail_is_live(const Message *message)
{
    const Thread *thread = thread_get(message->agent);
    const Actor *receiver = thread->actor;
    if (thread->state != THREAD_PENDING || !actor_is_idle(thread->pending.op) || receiver->stand == STAND_ENDED)
        return false;
    if (message->only)
        return receiver->stand == (const char *)message->only - (const char *)message->all;
    return !message->timer || set_has(&receiver->timers, message->number);
}

void actor_mail_add_stand(Fingerprint *print, int64_t value)
{
    const Stand *stand = (const Stand *)((const char *)mail.table->all + value);
    const sennit_match *match = &stand->match;
    bool timers = false;
    for (uint32_t i = 0; i < stand->timers.count; i++)
        timers |= stand->timers.words[i] != 0;
    fingerprint_add(print, (uint64_t)stand->selective << 1 | timers);
    fingerprint_add(print, (uint64_t)match->from << 32 | (uint32_t)match->tag);
    fingerprint_add(print, address_of(match->suits));
    if (match->suits && match->argument_size)
        fingerprint_add_bytes(print, match->argument, match->argument_size);
}

void actor_mail_add_held(Fingerprint *print)
{
    for (const HeldMail *held = mail.held; held; held = held->next) {
        fingerprint_add(print, (uint64_t)actor_pid(held->receiver->agent) << 32 | (uint32_t)held->tag);
        fingerprint_add_bytes(print, held->bytes, held->size);
    }
}

/* ---- For reports ------------------------------------------------------------------------- */

/* Appends to a text of `used` bytes; answers its new length. */
static size_t append(char *text, size_t size, size_t used, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static size_t append(char *text, size_t size, size_t used, const char *format, ...)
{
    va_list args;
    if (used >= size)
        return used;
    va_start(args, format);
    used += (size_t)vsnprintf(text + used, size - used, format, args);
    va_end(args);
    return used;
}

void actor_name_wanted(const Actor *actor, char *text, size_t size)
{
    size_t used = append(text, size, 0, "a message");
    if (actor->stand <= STAND_ANY)
        return;
    const Stand *stand = (const Stand *)((const char *)mail.table->all + actor->stand);
    char who[48];
    if (stand->match.tag != SENNIT_ANY_TAG)
        used = append(text, size, used, " with tag %d", stand->match.tag);
    if (stand->match.from) {
        name_seat(stand->match.from - 1, who, sizeof who);
        used = append(text, size, used, " from %s", who);
    }
    if (stand->match.suits)
        append(text, size, used, " that satisfies its predicate");
}

void actor_name_undelivered(const Actor *actor, char *text, size_t size)
{
    enum { SHOWN = 3 };
    uint32_t count = 0;
    size_t used = 0;
    for (uint32_t i = 0; mail.table && i < mail.table->count; i++) {
        const Message *message = mail.table->all[i];
        char what[64];
        if (message->receiver != actor->agent || message->only || message->timer ||
            thread_get(message->agent)->state != THREAD_PENDING)
            continue;
        actor_name_message(message, what, sizeof what);
        if (count < SHOWN)
            used = append(text, size, used, "%s%s", count ? ", " : "; undelivered: ", what);
        count++;
    }
    if (count > SHOWN)
        append(text, size, used, " and %u more", count - SHOWN);
}
