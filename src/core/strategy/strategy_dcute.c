/* strategy_dcute.c - the classic search of distributed programs by delay flags
 *
 * For comparison with published tables only: it may repeat classes and may miss some.
 * A state is an ordered list of actors with mail, each with an ordered list of queues. The first message of the first
 * queue of the first actor is received first. Other queues of the same actor are always tried; later actors only if
 * the decision was flagged: some message sent to the actor after it, into a queue that was empty there, is concurrent.
 * Paper: Sen, Agha, "Automated systematic testing of open distributed programs", FASE 2006.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/vec.h"
#include "core/strategy.h"
#include "core/strategy/decisions.h"

/* ---- Types ------------------------------------------------------------ */

typedef struct Queue {
    uint64_t name;
    VEC(AgentId) messages;
} Queue;

typedef struct Box {      /* the mail of an actor */
    uint32_t actor;
    VEC(Queue) queues;    /* none is empty        */
} Box;

typedef struct Dcute {
    Picker picker;
    Search *search;
    Decisions *decisions;
    VEC(Box) boxes;       /* of the current execution; none is empty   */
    uint32_t seen;        /* events that are reflected in them         */
    bool began;           /* so are messages sent before any event     */
    VEC(Mail) mails;      /* by agent; known[agent] says whether it is a message */
    VEC(uint8_t) known;
} Dcute;

enum { UNKNOWN, NO_MAIL, IS_MAIL };

/* ---- Mail ----------------------------------------------------------------- */

/* The message that an agent stands for in this execution, or NULL. */
static const Mail *mail_of(Dcute *dcute, AgentId agent)
{
    Program *program = dcute->search->program;
    while (dcute->known.count <= agent) {
        VEC_PUSH(&dcute->known, UNKNOWN);
        VEC_PUSH(&dcute->mails, (Mail){0});
    }
    if (dcute->known.items[agent] == UNKNOWN) {
        bool is_mail = program->ops->mail && program->ops->mail(program, agent, &dcute->mails.items[agent]);
        dcute->known.items[agent] = is_mail ? IS_MAIL : NO_MAIL;
    }
    return dcute->known.items[agent] == IS_MAIL ? &dcute->mails.items[agent] : NULL;
}

static Box *find_box(Dcute *dcute, uint32_t actor)
{
    for (uint32_t b = 0; b < dcute->boxes.count; b++)
        if (dcute->boxes.items[b].actor == actor)
            return &dcute->boxes.items[b];
    return NULL;
}

static Queue *find_queue(Box *box, uint64_t name)
{
    for (uint32_t q = 0; q < box->queues.count; q++)
        if (box->queues.items[q].name == name)
            return &box->queues.items[q];
    return NULL;
}

static void post(Dcute *dcute, AgentId agent, const Mail *mail)
{
    Box *box = find_box(dcute, mail->receiver);
    if (!box) {
        VEC_PUSH(&dcute->boxes, (Box){.actor = mail->receiver});
        box = &dcute->boxes.items[dcute->boxes.count - 1];
    }
    Queue *queue = find_queue(box, mail->queue);
    if (!queue) {
        VEC_PUSH(&box->queues, (Queue){.name = mail->queue});
        queue = &box->queues.items[box->queues.count - 1];
    }
    VEC_PUSH(&queue->messages, agent);
}

static void remove_queue(Box *box, Queue *queue)
{
    VEC_FREE(&queue->messages);
    uint32_t at = (uint32_t)(queue - box->queues.items);
    memmove(queue, queue + 1, (box->queues.count - at - 1) * sizeof *queue);
    box->queues.count--;
}

static void remove_box(Dcute *dcute, Box *box)
{
    VEC_FREE(&box->queues);
    uint32_t at = (uint32_t)(box - dcute->boxes.items);
    memmove(box, box + 1, (dcute->boxes.count - at - 1) * sizeof *box);
    dcute->boxes.count--;
}

/* Removes a message from its queue. */
static void collect(Dcute *dcute, AgentId agent, const Mail *mail)
{
    Box *box = find_box(dcute, mail->receiver);
    Queue *queue = box ? find_queue(box, mail->queue) : NULL;
    uint32_t kept = 0;
    for (uint32_t m = 0; queue && m < queue->messages.count; m++)
        if (queue->messages.items[m] != agent)
            queue->messages.items[kept++] = queue->messages.items[m];
    if (!queue)
        return;
    queue->messages.count = kept;
    if (kept == 0)
        remove_queue(box, queue);
    if (box->queues.count == 0)
        remove_box(dcute, box);
}

static void forget_mail(Dcute *dcute)
{
    while (dcute->boxes.count > 0) {
        Box *box = &dcute->boxes.items[dcute->boxes.count - 1];
        while (box->queues.count > 0)
            remove_queue(box, &box->queues.items[box->queues.count - 1]);
        remove_box(dcute, box);
    }
    dcute->seen = 0;
    dcute->began = false;
    dcute->known.count = dcute->mails.count = 0;
}

/* ---- Replaying events -------------------------------------------------------- */

typedef VEC(AgentId) AgentList;

/* The messages sent by an event, or (NULL) before the first step of their sender, in the order of sending. */
static void sent_by(Dcute *dcute, const Event *event, AgentList *sent)
{
    const Execution *ex = dcute->search->ex;
    sent->count = 0;
    for (AgentId agent = 0; agent < ex->agent_count; agent++) {
        const Agent *created = &ex->agents[agent];
        bool by_it = event ? created->creator == event->agent && created->creator_step == event->index
                           : created->creator_step == UINT32_MAX;
        if (!by_it || !mail_of(dcute, agent))
            continue;
        VEC_PUSH(sent, agent);
        for (uint32_t i = sent->count - 1; i > 0; i--) {
            AgentId *pair = &sent->items[i - 1];
            if (mail_of(dcute, pair[0])->order < mail_of(dcute, pair[1])->order)
                break;
            AgentId swap = pair[0];
            pair[0] = pair[1];
            pair[1] = swap;
        }
    }
}

static void post_sent(Dcute *dcute, const Event *event)
{
    AgentList sent = {0};
    sent_by(dcute, event, &sent);
    for (uint32_t i = 0; i < sent.count; i++)
        post(dcute, sent.items[i], mail_of(dcute, sent.items[i]));
    VEC_FREE(&sent);
}

/* Brings the boxes up to date with the events. */
static void see_events(Dcute *dcute, uint32_t end)
{
    const Execution *ex = dcute->search->ex;
    if (!dcute->began)
        post_sent(dcute, NULL);
    dcute->began = true;
    for (; dcute->seen < end; dcute->seen++) {
        const Event *event = &ex->events[dcute->seen];
        const Mail *mail = event->index == 0 ? mail_of(dcute, event->agent) : NULL;
        if (mail)
            collect(dcute, event->agent, mail);
        post_sent(dcute, event);
    }
}

/* ---- While an execution runs ------------------------------------------------- */

/* An enabled agent other than a pending message: it runs before any message is delivered. */
static AgentId busy_agent(Dcute *dcute, Execution *ex, AgentId current)
{
    Program *program = dcute->search->program;
    if (current != AGENT_NONE && program->ops->enabled(program, current))
        return current;
    for (AgentId agent = 0; agent < ex->agent_count; agent++)
        if (program->ops->enabled(program, agent) && (ex->agents[agent].steps > 0 || !mail_of(dcute, agent)))
            return agent;
    return AGENT_NONE;
}

typedef VEC(Alternative) Candidates;

/* The first messages of all queues, in order; only those that can be received. */
static void list_candidates(Dcute *dcute, Candidates *candidates)
{
    Program *program = dcute->search->program;
    for (uint32_t b = 0; b < dcute->boxes.count; b++) {
        const Box *box = &dcute->boxes.items[b];
        for (uint32_t q = 0; q < box->queues.count; q++) {
            AgentId first = box->queues.items[q].messages.items[0];
            if (program->ops->enabled(program, first))
                VEC_PUSH(candidates, ((Alternative){.value = first, .group = box->actor}));
        }
    }
}

static AgentId pick_mail(Picker *picker, Execution *ex, AgentId current)
{
    Dcute *dcute = (Dcute *)picker;
    Candidates candidates = {0};
    AgentId busy = busy_agent(dcute, ex, current);
    if (busy != AGENT_NONE) {
        decisions_add_step(dcute->decisions, ex, (Alternative){.value = busy});
        return busy;
    }
    see_events(dcute, ex->event_count);
    list_candidates(dcute, &candidates);
    AgentId taken = candidates.count ? candidates.items[0].value : AGENT_NONE;
    if (taken != AGENT_NONE)
        decisions_add_step(dcute->decisions, ex, candidates.items[0]);
    for (uint32_t i = candidates.count; i-- > 1;)
        decisions_add_alternative(dcute->decisions, candidates.items[i]);
    VEC_FREE(&candidates);
    return taken;
}

static uint32_t choose_first(Picker *picker, Execution *ex, uint32_t options)
{
    decisions_add_choice(((Dcute *)picker)->decisions, ex, options);
    return 0;
}

static void note_branch(Picker *picker, Execution *ex, uint32_t condition, uint32_t taken)
{
    decisions_add_branch(((Dcute *)picker)->decisions, ex, condition, taken);
}

static void restart(Picker *picker)
{
    Dcute *dcute = (Dcute *)picker;
    forget_mail(dcute);
    decisions_restart(dcute->decisions);
}

/* ---- Delay flags ---------------------------------------------------------------- */

/* The reception of a message, with the mail its receiver had. */
typedef struct Taken {
    Decision *decision;
    uint32_t actor;
    uint32_t first_queue;       /* into Delays.queues: those with mail for the actor there */
    uint32_t queue_count;
    uint32_t *clock;            /* of the actor, before the reception                      */
} Taken;

typedef struct Delays {
    Dcute *dcute;
    uint32_t actors;
    uint32_t *actor_clocks;     /* rows of `actors` numbers */
    uint32_t *message_clocks;   /* by agent                 */
    VEC(Taken) taken;
    VEC(uint64_t) queues;
} Delays;

static uint32_t *row(const Delays *delays, uint32_t *clocks, uint32_t n) { return clocks + (size_t)n * delays->actors; }

static bool is_below(const Delays *delays, const uint32_t *a, const uint32_t *b)
{
    for (uint32_t i = 0; i < delays->actors; i++)
        if (a[i] > b[i])
            return false;
    return true;
}

static bool had_queue(const Delays *delays, const Taken *taken, uint64_t queue)
{
    for (uint32_t q = 0; q < taken->queue_count; q++)
        if (delays->queues.items[taken->first_queue + q] == queue)
            return true;
    return false;
}

/* Flags the receptions at which the message could have been present. */
static void flag_choices(Delays *delays, const Mail *mail, const uint32_t *clock)
{
    for (uint32_t i = 0; i < delays->taken.count; i++) {
        const Taken *taken = &delays->taken.items[i];
        if (taken->actor == mail->receiver && !had_queue(delays, taken, mail->queue) &&
            !is_below(delays, clock, taken->clock) && !is_below(delays, taken->clock, clock))
            taken->decision->flagged = true;
    }
}

static void take_message(Delays *delays, AgentId agent, const Mail *mail, Decision *decision)
{
    uint32_t *clock = row(delays, delays->actor_clocks, mail->receiver);
    const uint32_t *message = row(delays, delays->message_clocks, agent);
    const Box *box = find_box(delays->dcute, mail->receiver);
    Taken taken = {.decision = decision, .actor = mail->receiver, .first_queue = delays->queues.count,
                   .clock = mem_alloc(delays->actors * sizeof *clock)};
    memcpy(taken.clock, clock, delays->actors * sizeof *clock);
    for (uint32_t q = 0; box && q < box->queues.count; q++, taken.queue_count++)
        VEC_PUSH(&delays->queues, box->queues.items[q].name);
    VEC_PUSH(&delays->taken, taken);
    for (uint32_t i = 0; i < delays->actors; i++)
        if (message[i] > clock[i])
            clock[i] = message[i];
}

static void send_message(Delays *delays, AgentId agent, const Mail *mail)
{
    uint32_t *clock = row(delays, delays->actor_clocks, mail->sender);
    flag_choices(delays, mail, clock);
    clock[mail->sender]++;
    memcpy(row(delays, delays->message_clocks, agent), clock, delays->actors * sizeof *clock);
}

static void send_messages(Delays *delays, const Event *event)
{
    AgentList sent = {0};
    sent_by(delays->dcute, event, &sent);
    for (uint32_t m = 0; m < sent.count; m++)
        send_message(delays, sent.items[m], mail_of(delays->dcute, sent.items[m]));
    VEC_FREE(&sent);
}

static void follow_events(Delays *delays)
{
    Dcute *dcute = delays->dcute;
    const Execution *ex = dcute->search->ex;
    Decision *decision = dcute->decisions->items;
    for (uint32_t actor = 0; actor < delays->actors; actor++)
        row(delays, delays->actor_clocks, actor)[actor] = 1; /* its beginning is its first event */
    send_messages(delays, NULL);
    for (uint32_t i = 0; i < ex->event_count; i++, decision++) {
        const Event *event = &ex->events[i];
        while (decision->is_choice)
            decision++;
        see_events(dcute, i);
        const Mail *mail = event->index == 0 ? mail_of(dcute, event->agent) : NULL;
        if (mail)
            take_message(delays, event->agent, mail, decision);
        send_messages(delays, event);
    }
}

static uint32_t count_actors(Dcute *dcute)
{
    uint32_t actors = 1;
    for (AgentId agent = 0; agent < dcute->search->ex->agent_count; agent++) {
        const Mail *mail = mail_of(dcute, agent);
        if (mail && mail->receiver >= actors)
            actors = mail->receiver + 1;
        if (mail && mail->sender >= actors)
            actors = mail->sender + 1;
    }
    return actors;
}

static void dcute_learn(Search *search)
{
    Dcute *dcute = search->local;
    decisions_end(dcute->decisions, search->ex);
    forget_mail(dcute);
    Delays delays = {.dcute = dcute, .actors = count_actors(dcute)};
    delays.actor_clocks = mem_alloc((size_t)delays.actors * delays.actors * sizeof(uint32_t));
    delays.message_clocks = mem_alloc((size_t)search->ex->agent_count * delays.actors * sizeof(uint32_t));
    follow_events(&delays);
    for (uint32_t i = 0; i < delays.taken.count; i++)
        free(delays.taken.items[i].clock);
    VEC_FREE(&delays.taken);
    VEC_FREE(&delays.queues);
    free(delays.actor_clocks);
    free(delays.message_clocks);
}

/* ---- Between executions ---------------------------------------------------------- */

/* Another queue of the same actor always; a later actor only if the decision is flagged. */
static bool may_advance(Search *search, Decisions *decisions)
{
    Decision *decision = decisions_top(decisions);
    if (decisions_left(decisions) == 0)
        return false;
    if (decision->is_choice || decisions->alternatives[decisions->alternative_count - 1].group == decision->taken.group)
        return true;
    bool flagged = decision->flagged;
    decision->flagged = false;
    search->stats->bound_delays += flagged ? 0 : decisions_left(decisions);
    return flagged;
}

static bool next_alternative(Search *search, Decisions *decisions)
{
    while (decisions_top(decisions) && !may_advance(search, decisions))
        decisions_drop(decisions);
    if (!decisions_top(decisions))
        return false;
    decisions_advance(decisions);
    return true;
}

static Next dcute_next(Search *search)
{
    Dcute *dcute = search->local;
    Decisions *decisions = dcute->decisions;
    search->ex->picker = &dcute->picker;
    forget_mail(dcute);
    bool more = !decisions->started || next_alternative(search, decisions);
    while (more && !decisions_plan(decisions, search->ex)) {
        if (!search_may_continue(search))
            return NEXT_STOPPED;
        more = next_alternative(search, decisions);
    }
    if (!more)
        return NEXT_NONE;
    decisions->started = true;
    return NEXT_PLANNED;
}

/* ---- Lifecycle ----------------------------------------------------------------------- */

static void *dcute_create(Region *region, const ExploreOptions *options)
{
    (void)options;
    return decisions_create(region);
}

static void dcute_destroy(void *state) { decisions_destroy(state); }

static void dcute_attach(Search *search)
{
    Dcute *dcute = mem_alloc(sizeof *dcute);
    dcute->picker = (Picker){.pick = pick_mail, .choose = choose_first, .branched = note_branch,
                               .restarted = restart};
    dcute->search = search;
    dcute->decisions = search->state;
    search->local = dcute;
}

static void dcute_detach(Search *search)
{
    Dcute *dcute = search->local;
    forget_mail(dcute);
    VEC_FREE(&dcute->boxes);
    VEC_FREE(&dcute->mails);
    VEC_FREE(&dcute->known);
    free(dcute);
}

const StrategyOps strategy_dcute = {
    .create = dcute_create,
    .destroy = dcute_destroy,
    .attach = dcute_attach,
    .detach = dcute_detach,
    .next = dcute_next,
    .learn = dcute_learn,
};
