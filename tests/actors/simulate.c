/* simulate.c - every order of an actor program, by brute force
 *
 * Shares nothing with the runtime but the tables. All steps that are possible are tried in
 * all orders; prefixes that tell the same story are followed once, and must be in the same
 * state.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "script.h"

enum { BAG, FIFO, CAUSAL, MAILBOX };
enum { UNBORN, NEW, WAITING, BUSY, ENDED };
enum { LOSE, DUPLICATE, CRASH };
enum { MOST_MESSAGES = 64, MOST_PREFIXES = 6000, SLOTS = 1 << 14, TAPE = 64 };

typedef struct Mail {
    uint8_t sender, nth, to, tag, value;
    bool delivered;
    uint64_t first; /* messages that come before it, if they are wanted */
    uint64_t past;  /* messages its sender knew of                      */
} Mail;

typedef struct Party {
    uint8_t status, pc, last, sends, timeouts;
    bool daemon, twice;   /* twice: it still has to send the copy (mailbox) */
    uint8_t stage;        /* of the send at pc, see send_stage              */
    uint32_t kept;        /* what it knows after a crash                    */
    uint8_t restart;      /* act, 0: none                                   */
    uint8_t timers;       /* bits: those with these tags run                */
    uint8_t chances[3];
    uint64_t sent, known;
} Party;

typedef struct State {
    Party party[MOST_PARTIES];
    Mail mail[MOST_MESSAGES];
    unsigned mails;
    unsigned used[3][MOST_RULES + 1];
    bool cut[MOST_PARTIES][MOST_PARTIES];
    uint8_t changes[MOST_PARTIES][MOST_PARTIES]; /* of each link */
    Story story;
} State;

/* Decisions of one step, tried one after the other. */
typedef struct Tape {
    uint8_t taken[TAPE], options[TAPE];
    unsigned used, length;
} Tape;

static struct {
    const Script *script;
    Way *ways;
    uint32_t count, room, prefixes;
    bool too_many;
    uint64_t names[SLOTS], states[SLOTS];
    bool filled[SLOTS];
    Tape tape;
} sim;

static unsigned decide(unsigned options)
{
    Tape *tape = &sim.tape;
    if (tape->used == TAPE)
        abort();
    if (tape->used == tape->length)
        tape->taken[tape->length++] = 0;
    tape->options[tape->used] = (uint8_t)options;
    return tape->taken[tape->used++];
}

static bool next_tape(void)
{
    Tape *tape = &sim.tape;
    while (tape->length && tape->taken[tape->length - 1] + 1u >= tape->options[tape->length - 1])
        tape->length--;
    if (!tape->length)
        return false;
    tape->taken[tape->length - 1]++;
    tape->used = 0;
    return true;
}

static void tell(State *s, unsigned p, unsigned what, uint64_t detail)
{
    s->story.acts[p] = script_mix(s->story.acts[p], what << 16 | detail);
}

static void learn(State *s, unsigned p, uint32_t value) { s->story.known[p] = script_learn(s->story.known[p], value); }

/* Does the rule decide about a fault of a message from p or, `to` 0, of party p? */
static bool rule_fits(const Rule *rule, unsigned p, unsigned to, unsigned tag, unsigned kind)
{
    bool named = rule->main ? p == 0 : rule->from == p;
    if (rule->fault != kind || !(named || (!rule->main && rule->from == 0)))
        return false;
    if (to == 0)
        return true;
    if ((rule->to && rule->to != to) || (rule->tag != ANY_TAG && rule->tag != tag))
        return false;
    if (p == 0)
        return rule->main;
    return p != to || (rule->from == p && rule->to == p);
}

/* Which budget counts: 0 that of the script, n that of rule n - 1; and how large it is. */
static unsigned group_of(unsigned p, unsigned to, unsigned tag, unsigned kind, unsigned *budget)
{
    const Script *script = sim.script;
    for (unsigned i = 0; i < script->rules; i++)
        if (rule_fits(&script->rule[i], p, to, tag, kind)) {
            *budget = script->rule[i].most;
            return i + 1;
        }
    *budget = kind == LOSE ? script->lose : kind == DUPLICATE ? script->duplicate : script->crash;
    if (to != 0 && (p == 0 || p == to))
        *budget = 0;
    return 0;
}

static bool fault(State *s, unsigned p, unsigned to, unsigned tag, unsigned kind)
{
    unsigned budget, group = group_of(p, to, tag, kind, &budget);
    if (!budget)
        return false;
    unsigned nth = s->party[p].chances[kind]++;
    bool happens = decide(s->used[kind][group] < budget ? 2 : 1);
    if (happens) {
        s->used[kind][group]++;
        s->story.faults[p] = script_mix(s->story.faults[p], TOLD_FAULT << 16 | kind << 8 | nth);
    }
    return happens;
}

/* ---- Messages ------------------------------------------------------------------------ */

static uint64_t addressed_to(const State *s, unsigned to)
{
    uint64_t set = 0;
    for (unsigned m = 0; m < s->mails; m++)
        if (s->mail[m].to == to)
            set |= 1ull << m;
    return set;
}

static void post(State *s, unsigned p, const Mail *like, bool copy)
{
    if (s->mails == MOST_MESSAGES)
        abort();
    Party *party = &s->party[p];
    unsigned number = s->mails++;
    Mail *mail = &s->mail[number];
    *mail = *like;
    uint64_t to_same = addressed_to(s, mail->to) & ~(1ull << number);
    switch (sim.script->channels) {
    case BAG: mail->first = copy ? 1ull << (number - 1) : 0; break;
    case FIFO: mail->first = to_same & party->sent; break;
    case CAUSAL: mail->first = to_same & party->known; break;
    case MAILBOX: mail->first = to_same; break;
    }
    mail->past = party->known;
    party->sent |= 1ull << number;
    party->known |= 1ull << number;
    if (sim.script->channels == MAILBOX)
        s->story.mailbox[mail->to] = script_mix(s->story.mailbox[mail->to], p + 1);
}

static bool wanted(const State *s, unsigned p, const Mail *mail)
{
    const Act *act = &sim.script->acts[p][s->party[p].pc];
    switch ((ActKind)act->kind) {
    case ACT_RECEIVE:
    case ACT_TRY: return true;
    case ACT_RECEIVE_FROM: return mail->sender == act->a;
    case ACT_RECEIVE_TAG: return mail->tag == act->a;
    case ACT_RECEIVE_IF: return mail->value % 2 == act->a;
    default: abort();
    }
}

static bool deliverable(const State *s, unsigned m)
{
    const Mail *mail = &s->mail[m];
    if (mail->delivered || s->party[mail->to].status != WAITING || !wanted(s, mail->to, mail))
        return false;
    for (unsigned k = 0; k < s->mails; k++)
        if (mail->first >> k & 1 && !s->mail[k].delivered && wanted(s, mail->to, &s->mail[k]))
            return false;
    return true;
}

/* ---- Running a party up to its next receive or its next step of another kind ------------- */

static void end(State *s, unsigned p) { s->party[p].status = ENDED; }

/* Answers whether the party crashed (then it may have gone back to its restart act). */
static bool crash_point(State *s, unsigned p)
{
    Party *party = &s->party[p];
    if (p == 0 || !fault(s, p, 0, 0, CRASH))
        return false;
    party->stage = party->timers = 0;
    if (party->restart) {
        party->pc = party->restart;
        if (sim.script->memory != MEMORY_KEPT)
            s->story.known[p] = party->kept;
    }
    else
        end(s, p);
    return true;
}

static void spawn(State *s, unsigned p, unsigned child)
{
    s->party[child].status = NEW;
    s->party[child].known = s->party[p].known;
}

/* Everything about a send up to the point where it enters the network. False: nothing is sent. */
static bool prepare_send(State *s, unsigned p, const Act *act, Mail *mail)
{
    Party *party = &s->party[p];
    unsigned to = act->kind == ACT_SEND ? act->a : party->last;
    *mail = (Mail){.sender = (uint8_t)p, .nth = party->sends, .to = (uint8_t)to, .tag = act->kind == ACT_SEND ? act->b : 1,
                   .value = (uint8_t)script_value(s->story.known[p], party->pc)};
    return to != 0;
}

/* Where a send stands: before anything, after the crash that it may be, and when nothing can keep it from the network. */
enum { SEND_NEW, SEND_ALIVE, SEND_SURE };

static void change_link(State *s, unsigned p, unsigned a, unsigned b, bool cut)
{
    s->cut[a][b] = s->cut[b][a] = cut;
    s->changes[b][a] = ++s->changes[a][b];
    s->story.links[p] = script_mix(s->story.links[p], 100u + s->changes[a][b]);
}

static void end_send(Party *party)
{
    party->stage = SEND_NEW;
    party->twice = false;
    party->sends++;
    party->pc++;
}

/* Goes on with act pc. `entered`: the party is inside the step that act pc waited for. */
static void run(State *s, unsigned p, bool entered)
{
    Party *party = &s->party[p];
    const Script *script = sim.script;
    party->status = BUSY;
    while (party->status == BUSY) {
        if (party->pc >= script->count[p]) {
            end(s, p);
            return;
        }
        const Act *act = &script->acts[p][party->pc];
        Mail mail;
        switch ((ActKind)act->kind) {
        case ACT_SEND:
        case ACT_REPLY:
            if (!prepare_send(s, p, act, &mail)) {
                party->pc++;
                break;
            }
            if (party->stage == SEND_NEW) {
                if (crash_point(s, p))
                    break;
                party->stage = SEND_ALIVE;
            }
            if (party->stage == SEND_ALIVE) {
                bool linked = script->linked[p][mail.to];
                if (linked && !entered)
                    return; /* waits for its turn */
                entered = entered && !linked;
                if (linked)
                    s->story.links[p] = script_mix(s->story.links[p], s->changes[p][mail.to]);
                if (s->cut[p][mail.to] || fault(s, p, mail.to, mail.tag, LOSE)) {
                    end_send(party);
                    break;
                }
                party->stage = SEND_SURE;
            }
            if (script->channels == MAILBOX && !entered)
                return; /* waits for its turn */
            entered = false;
            post(s, p, &mail, party->twice);
            if (!party->twice && fault(s, p, mail.to, mail.tag, DUPLICATE)) {
                party->twice = true;
                break;
            }
            end_send(party);
            break;
        case ACT_SPAWN:
            spawn(s, p, act->a);
            party->pc++;
            break;
        case ACT_RECEIVE:
        case ACT_RECEIVE_FROM:
        case ACT_RECEIVE_TAG:
        case ACT_RECEIVE_IF:
        case ACT_TRY:
            if (!crash_point(s, p))
                party->status = WAITING;
            break;
        case ACT_CHOOSE: {
            unsigned taken = decide(act->a);
            tell(s, p, TOLD_CHOSE, taken);
            learn(s, p, taken);
            party->pc++;
            break;
        }
        case ACT_SKIP:
            party->pc = (uint8_t)(party->pc + 1 + (s->story.known[p] & 1 ? act->a : 0));
            break;
        case ACT_SHARED:
            if (!entered)
                return;
            entered = false;
            tell(s, p, TOLD_SHARED, 0);
            s->story.shared = script_mix(s->story.shared, p + 1);
            learn(s, p, s->story.value);
            s->story.value = script_learn(s->story.value, p);
            party->pc++;
            break;
        case ACT_DAEMON:
            party->daemon = true;
            party->pc++;
            break;
        case ACT_EXIT: end(s, p); break;
        case ACT_SYNC:
            if (crash_point(s, p))
                break;
            if (script->memory == MEMORY_DURABLE)
                party->kept = s->story.known[p];
            party->pc++;
            break;
        case ACT_TIMER:
            party->timers |= (uint8_t)(1u << act->a);
            party->pc++;
            break;
        case ACT_CANCEL:
            party->timers &= (uint8_t)~(1u << act->a);
            party->pc++;
            break;
        case ACT_CUT:
        case ACT_HEAL:
            if (!entered)
                return;
            entered = false;
            change_link(s, p, act->a, act->b, act->kind == ACT_CUT);
            party->pc++;
            break;
        case ACT_RESTART:
            party->restart = act->a;
            party->kept = s->story.known[p];
            party->pc++;
            break;
        }
    }
}

static void deliver(State *s, unsigned m)
{
    Mail *mail = &s->mail[m];
    Party *party = &s->party[mail->to];
    mail->delivered = true;
    party->known |= mail->past | 1ull << m;
    party->last = mail->sender;
    tell(s, mail->to, TOLD_RECEIVED, (uint64_t)mail->sender << 8 | mail->nth);
    learn(s, mail->to, mail->value);
    party->pc++;
    run(s, mail->to, false);
}

static void time_out(State *s, unsigned p)
{
    tell(s, p, TOLD_TIMEOUT, 0);
    learn(s, p, 77);
    s->party[p].timeouts++;
    s->party[p].pc++;
    run(s, p, false);
}

static void ring(State *s, unsigned p, unsigned tag)
{
    tell(s, p, TOLD_TIMER, tag);
    learn(s, p, 55 + tag);
    s->party[p].timers &= (uint8_t)~(1u << tag);
    s->party[p].timeouts++;
    s->party[p].pc++;
    run(s, p, false);
}

/* May the timer run out? Its message has no value, so no predicate holds. */
static bool can_ring(const State *s, unsigned p, unsigned tag)
{
    const Party *party = &s->party[p];
    const Mail mail = {.sender = (uint8_t)p, .tag = (uint8_t)tag};
    return party->status == WAITING && party->timers >> tag & 1 && party->timeouts < sim.script->timeouts &&
           sim.script->acts[p][party->pc].kind != ACT_RECEIVE_IF && wanted(s, p, &mail);
}

/* ---- All orders ---------------------------------------------------------------------------- */

static void explore(const State *s);

/* Step `which` of a state; numbered: parties, then time-outs, then timers with tag 0, with tag 1, then messages. */
enum { FIRST_TIMER = 2 * MOST_PARTIES, FIRST_MESSAGE = 4 * MOST_PARTIES };

static void take(State *s, unsigned which)
{
    if (which < MOST_PARTIES)
        run(s, which, s->party[which].status == BUSY);
    else if (which < 2 * MOST_PARTIES)
        time_out(s, which - MOST_PARTIES);
    else if (which < FIRST_MESSAGE)
        ring(s, which % MOST_PARTIES, which >= 3 * MOST_PARTIES);
    else
        deliver(s, which - FIRST_MESSAGE);
}

static bool possible(const State *s, unsigned which)
{
    if (which < MOST_PARTIES)
        return s->party[which].status == NEW || s->party[which].status == BUSY;
    if (which < 2 * MOST_PARTIES) {
        const Party *party = &s->party[which - MOST_PARTIES];
        return party->status == WAITING && sim.script->acts[which - MOST_PARTIES][party->pc].kind == ACT_TRY &&
               party->timeouts < sim.script->timeouts;
    }
    if (which < FIRST_MESSAGE)
        return can_ring(s, which % MOST_PARTIES, which >= 3 * MOST_PARTIES);
    return deliverable(s, which - FIRST_MESSAGE);
}

static void add_way(const State *s)
{
    State last = *s;
    bool bounded = false; /* some party might time out once more: who knows what would happen then */
    for (unsigned p = 1; p < MOST_PARTIES; p++) {
        const Party *party = &s->party[p];
        bounded |= party->status == WAITING && sim.script->acts[p][party->pc].kind == ACT_TRY;
        bounded |= party->status == WAITING && party->timers && party->timeouts >= sim.script->timeouts;
        last.story.ended[p] = party->status == ENDED;
        last.story.deadlock |= party->status == WAITING && !party->daemon;
    }
    last.story.deadlock &= !bounded;
    if (sim.count == sim.room) {
        sim.too_many = true;
        return;
    }
    sim.ways[sim.count++] = (Way){story_name(&last.story), story_state(&last.story)};
}

/* Everything that decides the future. */
static uint64_t state_of(const State *s)
{
    uint64_t hash = story_state(&s->story);
    for (unsigned p = 0; p < MOST_PARTIES; p++) {
        const Party *party = &s->party[p];
        hash = script_mix(hash, (uint64_t)party->status << 32 | (uint64_t)party->pc << 24 | (uint64_t)party->last << 16 |
                                    (uint64_t)party->sends << 8 | party->timeouts);
        hash = script_mix(hash, (uint64_t)party->daemon << 2 | (uint64_t)party->twice << 1);
        hash = script_mix(hash, (uint64_t)party->kept << 16 | (uint64_t)party->timers << 8 | party->stage);
    }
    return hash;
}

/* Was this prefix followed already? The story alone does not tell what has begun. */
static bool seen(const State *s)
{
    uint64_t name = story_name(&s->story), state = state_of(s);
    for (unsigned p = 0; p < MOST_PARTIES; p++)
        name = script_mix(name, (uint64_t)s->party[p].stage << 16 | (uint64_t)s->party[p].status << 8 | s->party[p].pc);
    unsigned place = (unsigned)name % SLOTS;
    for (; sim.filled[place]; place = (place + 1) % SLOTS)
        if (sim.names[place] == name) {
            if (sim.states[place] != state) {
                fflush(stdout);
                script_print(sim.script);
                fprintf(stderr, "the simulator is wrong: one story, two states\n");
                abort();
            }
            return true;
        }
    sim.filled[place] = true;
    sim.names[place] = name;
    sim.states[place] = state;
    sim.too_many |= ++sim.prefixes > MOST_PREFIXES;
    return false;
}

static void explore(const State *s)
{
    bool some = false;
    if (sim.too_many || seen(s))
        return;
    for (unsigned which = 0; which < FIRST_MESSAGE + s->mails; which++) {
        if (!possible(s, which))
            continue;
        some = true;
        Tape saved = sim.tape;
        sim.tape.length = sim.tape.used = 0;
        do {
            State next = *s;
            take(&next, which);
            Tape mine = sim.tape;
            explore(&next);
            sim.tape = mine;
        } while (next_tape());
        sim.tape = saved;
    }
    if (!some)
        add_way(s);
}

static int by_name(const void *a, const void *b)
{
    const Way *x = a, *y = b;
    return x->name < y->name ? -1 : x->name > y->name;
}

uint32_t simulate(const Script *script, Way *ways, uint32_t room)
{
    State first;
    memset(&first, 0, sizeof first);
    memset(&sim, 0, sizeof sim);
    sim.script = script;
    sim.ways = ways;
    sim.room = room;
    first.party[0].status = NEW;
    for (unsigned p = 0; p < MOST_PARTIES; p++)
        first.story.known[p] = p * 11 + 5;
    explore(&first);
    qsort(ways, sim.count, sizeof *ways, by_name);
    return sim.too_many ? UINT32_MAX : sim.count;
}
