/* oracle.c - actors under the engine against brute force
 *
 * Usage: actor_oracle [--verbose | --symmetry | --bounds | --states [--without PART]] FROM TO
 *
 * Each seed is a small actor program (script.h) with a channel order and budgets for faults.
 * The runtime runs it under the engine, without reduction and with each of them; every
 * execution is named by its class. Brute force (simulate.c) says which classes there are.
 *   - `optimal` must find exactly these classes with the same final states, each once;
 *   - now and then so must `source`, and `none` (which may find them often).
 * With --states the search recognises states instead: the final states must be the same. What parties know is then
 * hidden in globals, on the heap, on stacks, in registers or in errno while they wait. Without one of its parts (part.h)
 * the state is too small: some final states must be missed, or the exit code says that the part is not needed.
 * With --bounds it is also explored with small random bounds (facts.h): what parties see, what main sees when nothing
 * happens any more, and deadlocks must be found without bounds too.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "core/explore.h"
#include "facts.h"
#include "rt/abi/hooks.h"
#include "rt/actors/actor_fault.h"
#include "rt/actors/fault_rule.h"
#include "rt/kernel/frame.h"
#include "rt/kernel/part.h"
#include "rt/kernel/step.h"
#include "rt/libc/api.h"
#include "rt/memory/memory.h"
#include "rt/program/program_c.h"
#include "script.h"

enum { MOST_WAYS = 3000 };

/* ---- The program under test -------------------------------------------------------------- */

typedef struct Payload {
    uint8_t sender, nth, value;
} Payload;

typedef struct Runner {
    unsigned pc, last, sends;
    unsigned restart;
    uint32_t seen;
    uint32_t *block;  /* of the heap, with what it knows while it waits */
} Runner;

static Script script;
static Story story;
static Runner runners[MOST_PARTIES];
static sennit_pid pids[MOST_PARTIES];

/* The memory of the program; the rest tells what happened. */
#define STATE(object, label)                                                                                        \
    static const SennitGlobal global_##label __attribute__((section("sennit_globals"), used, aligned(8))) = {                    \
        &object, sizeof object, #label, NULL, NULL, 0}
STATE(runners, runners);
STATE(pids, pids);
STATE(story.known, known);
STATE(story.value, value);

static bool states;        /* are recognised                    */
static unsigned hideouts;  /* where parties hide what they know */

static void tell(unsigned p, unsigned what, uint64_t detail)
{
    story.acts[p] = script_mix(story.acts[p], what << 16 | detail);
    facts_note(script_mix(story.acts[p], p));
}

static void learn(unsigned p, uint32_t value) { story.known[p] = script_learn(story.known[p], value); }

static int parity(const void *message, size_t size, const void *argument)
{
    return size && ((const Payload *)message)->value % 2 == *(const uint8_t *)argument;
}

/* ---- Hiding what a party knows while it waits ---- */

typedef enum Hideout { HIDE_NOWHERE, HIDE_ERRNO, HIDE_HEAP, HIDE_STACK, HIDE_REGISTER, HIDEOUTS } Hideout;

static Hideout hideout_of(unsigned p)
{
    return states && p && hideouts ? (Hideout)((hideouts + p) % HIDEOUTS) : HIDE_NOWHERE;
}

static uint32_t hidden[MOST_PARTIES]; /* what they know, for those that wait to the end */

static uint32_t hide(unsigned p)
{
    uint32_t known = hidden[p] = story.known[p];
    Hideout where = hideout_of(p);
    if (where == HIDE_NOWHERE)
        return 0;
    if (where == HIDE_HEAP && !runners[p].block)
        runners[p].block = memory_allocate(sizeof *runners[p].block, 16);
    if (where == HIDE_HEAP)
        *runners[p].block = known;
    if (where == HIDE_ERRNO)
        errno = (int)known;
    story.known[p] = 0;
    return where == HIDE_STACK || where == HIDE_REGISTER ? known : 0;
}

static void reveal(unsigned p, uint32_t kept)
{
    Hideout where = hideout_of(p);
    if (where == HIDE_HEAP) {
        kept = *runners[p].block;
        *runners[p].block = 0;
    } else if (where == HIDE_ERRNO) {
        kept = (uint32_t)errno;
        errno = 0;
    }
    if (where != HIDE_NOWHERE)
        story.known[p] = kept;
}

/* While the party waits in CALL it knows what is on its stack only, or in a register. */
#define WAIT(p, CALL)                                  \
    do {                                               \
        if (hideout_of(p) == HIDE_STACK) {             \
            volatile uint32_t kept = hide(p);          \
            CALL;                                      \
            reveal(p, kept);                           \
        } else {                                       \
            uint32_t kept = hide(p);                   \
            __asm__ volatile("" : "+r"(kept));         \
            CALL;                                      \
            reveal(p, kept);                           \
        }                                              \
    } while (0)

static bool symmetry;      /* equal messages are not told apart */
static uint64_t left_out;  /* executions that it saved          */

static void send(unsigned p, unsigned to, int tag)
{
    if (to == 0)
        return;
    Payload payload = {(uint8_t)p, symmetry || states ? 0 : (uint8_t)runners[p].sends, (uint8_t)script_value(story.known[p], runners[p].pc)};
    WAIT(p, sennit_rt_sennit_send_tag(pids[to], tag, &payload, sizeof payload));
    runners[p].sends += !states;
}

static void receive(unsigned p, const Act *act)
{
    Payload payload = {0};
    bool received;
    sennit_match match = {.tag = SENNIT_ANY_TAG, .milliseconds = SENNIT_FOR_EVER};
    if (act->kind == ACT_RECEIVE_FROM)
        match.from = act->a ? pids[act->a] : 1;
    if (act->kind == ACT_RECEIVE_TAG)
        match.tag = act->a;
    if (act->kind == ACT_RECEIVE_IF)
        match = (sennit_match){.tag = SENNIT_ANY_TAG, .milliseconds = SENNIT_FOR_EVER, .suits = parity, .argument = &act->a, .argument_size = 1};
    if (act->kind == ACT_TRY)
        match.milliseconds = 0;
    WAIT(p, received = sennit_rt_sennit_receive_match(&match, &payload, sizeof payload) != 0);
    if (received && sennit_rt_sennit_message_size() == 0) {
        unsigned tag = (unsigned)sennit_rt_sennit_message_tag();
        tell(p, TOLD_TIMER, tag);
        learn(p, 55 + tag);
    } else if (received) {
        runners[p].last = payload.sender;
        tell(p, TOLD_RECEIVED, (uint64_t)payload.sender << 8 | payload.nth);
        learn(p, payload.value);
    } else {
        tell(p, TOLD_TIMEOUT, 0);
        learn(p, 77);
    }
}

static __attribute__((noinline)) void step_on_shared(unsigned p)
{
    FRAME_ENTER(FRAME_CALLS, p);
    step_begin(OP_ATOMIC_RMW, resource_make(RES_OTHER, 7));
    step_wait();
    tell(p, TOLD_SHARED, 0);
    story.shared = script_mix(story.shared, p + 1);
    runners[p].seen = story.value;
    step_value(0, story.value, script_learn(story.value, p));
    story.value = script_learn(story.value, p);
}

static void use_shared(unsigned p)
{
    WAIT(p, step_on_shared(p));
    learn(p, runners[p].seen);
    runners[p].seen = 0;
}

static void play(void *argument);

/* Programs see the value of a pid, so it is a fact. */
static void spawn(unsigned child)
{
    pids[child] = sennit_rt_sennit_spawn("party", play, (void *)(uintptr_t)child);
    facts_note(script_mix(script_mix(TOLD_SPAWNED, child), pids[child]));
}

static void act(unsigned p, const Act *now)
{
    Runner *runner = &runners[p];
    switch ((ActKind)now->kind) {
    case ACT_SEND: send(p, now->a, now->b); break;
    case ACT_REPLY: send(p, runner->last, 1); break;
    case ACT_SPAWN: spawn(now->a); break;
    case ACT_RECEIVE:
    case ACT_RECEIVE_FROM:
    case ACT_RECEIVE_TAG:
    case ACT_RECEIVE_IF:
    case ACT_TRY: receive(p, now); break;
    case ACT_CHOOSE: {
        unsigned taken;
        WAIT(p, taken = sennit_rt_sennit_choose(now->a));
        tell(p, TOLD_CHOSE, taken);
        learn(p, taken);
        break;
    }
    case ACT_SKIP: runner->pc += story.known[p] & 1 ? now->a : 0; break;
    case ACT_SHARED: use_shared(p); break;
    case ACT_DAEMON: sennit_rt_sennit_daemon(); break;
    case ACT_EXIT: sennit_rt_sennit_exit(); break;
    case ACT_RESTART: runner->restart = now->a; break;
    case ACT_SYNC: sennit_rt_sennit_sync(); break;
    case ACT_TIMER: sennit_rt_sennit_timer(now->a, 10); break;
    case ACT_CANCEL: sennit_rt_sennit_timer_cancel(now->a); break;
    case ACT_CUT: WAIT(p, sennit_rt_sennit_cut(pids[now->a], pids[now->b])); break;
    case ACT_HEAL: WAIT(p, sennit_rt_sennit_heal(pids[now->a], pids[now->b])); break;
    }
    runner->pc++;
}

static void play_on(void *argument)
{
    unsigned p = (unsigned)(uintptr_t)argument;
    while (runners[p].pc < script.count[p])
        act(p, &script.acts[p][runners[p].pc]);
}

static void play_again(void *argument)
{
    unsigned p = (unsigned)(uintptr_t)argument;
    runners[p].pc = runners[p].restart;
    play_on(argument);
}

static void allow_restart(unsigned p, void *argument)
{
    sennit_rt_sennit_restart(play_again, argument);
    if (script.memory == MEMORY_DURABLE)
        sennit_rt_sennit_durable(&story.known[p], sizeof story.known[p]);
    else if (script.memory == MEMORY_VOLATILE)
        sennit_rt_sennit_volatile(&story.known[p], sizeof story.known[p]);
}

/* Whether it restarts is decided by the script; the runtime is told where the script says so. */
static void play(void *argument)
{
    unsigned p = (unsigned)(uintptr_t)argument;
    for (uint32_t iterations = 1; runners[p].pc < script.count[p]; iterations++) {
        sennit_rt_loop_iteration(iterations, NULL);
        const Act *now = &script.acts[p][runners[p].pc];
        act(p, now);
        if (now->kind == ACT_RESTART)
            allow_restart(p, argument);
    }
}

static void state_rule(const Rule *rule)
{
    sennit_pid from = rule->main ? sennit_rt_sennit_self() : rule->from ? pids[rule->from] : 0;
    sennit_pid to = rule->to ? pids[rule->to] : 0;
    int tag = rule->tag == ANY_TAG ? SENNIT_ANY_TAG : rule->tag;
    if (rule->fault == FAULT_LOSE)
        sennit_rt_sennit_lose(from, to, tag, rule->most);
    else if (rule->fault == FAULT_DUPLICATE)
        sennit_rt_sennit_duplicate(from, to, tag, rule->most);
    else
        sennit_rt_sennit_crash(from, rule->most);
}

/* Main spawns first. */
static void play_main(void)
{
    while (runners[0].pc < script.count[0] && script.acts[0][runners[0].pc].kind == ACT_SPAWN)
        act(0, &script.acts[0][runners[0].pc]);
    for (unsigned i = 0; i < script.rules; i++)
        state_rule(&script.rule[i]);
    for (unsigned a = 1; a < MOST_PARTIES; a++)
        for (unsigned b = a + 1; b < MOST_PARTIES; b++)
            if (script.linked[a][b])
                sennit_rt_sennit_link(pids[a], pids[b]);
    play_on(NULL);
}

static bool second_phase; /* main wakes up all parties again, after the end that the simulator knows */

static void run_to_end(void)
{
    sennit_rt_sennit_run();
    facts_note(script_mix(story_state(&story), story_name(&story)));
}

/* Who is there is settled first: after the first message they spawn others, in no order with main. */
static void play_more(void)
{
    bool there[MOST_PARTIES];
    for (unsigned p = 1; p < script.parties; p++)
        there[p] = pids[p] != 0;
    for (unsigned p = 1; p < script.parties; p++)
        if (there[p])
            send(0, p, (int)(p % 2));
    sennit_rt_sched_yield();
    sennit_rt_sennit_choose(2);
    run_to_end();
}

int sennit_user_main(int argc, char **argv, char **envp)
{
    (void)argc;
    (void)argv;
    (void)envp;
    memset(&story, 0, sizeof story);
    memset(runners, 0, sizeof runners);
    for (unsigned p = 0; p < MOST_PARTIES; p++)
        story.known[p] = p * 11 + 5;
    play_main();
    run_to_end();
    if (second_phase)
        play_more();
    return 0;
}

/* ---- What an execution was ------------------------------------------------------------------- */

static Program *inner;
static ProgramOps ops;
static Program watched = {.ops = &ops};
static Way *found;
static uint32_t found_count;

static unsigned party_of(AgentId agent)
{
    const Actor *actor = thread_get(agent)->actor;
    for (unsigned p = 1; p < script.parties; p++)
        if (actor && pids[p] == actor_pid(actor->agent))
            return p;
    return 0;
}

static unsigned receiver_of(uint64_t resource)
{
    for (unsigned p = 1; p < script.parties; p++)
        if (pids[p] == actor_pid((AgentId)resource))
            return p;
    return 0;
}

/* How often each link was changed, by its resource. */
typedef struct LinkChanges {
    uint64_t resources[MOST_PARTIES * MOST_PARTIES];
    unsigned changes[MOST_PARTIES * MOST_PARTIES], count;
} LinkChanges;

static unsigned *changes_of(LinkChanges *links, uint64_t resource)
{
    unsigned i = 0;
    while (i < links->count && links->resources[i] != resource)
        i++;
    links->count += i == links->count;
    links->resources[i] = resource;
    return &links->changes[i];
}

/* What happened that no party can see. */
static void look_at_events(const Execution *ex)
{
    unsigned chances[MOST_PARTIES][FAULT_KINDS] = {{0}};
    LinkChanges links = {.count = 0};
    for (uint32_t i = 0; i < ex->event_count; i++) {
        const Event *event = &ex->events[i];
        unsigned p = party_of(event->agent);
        if (event->op == OP_ACTOR_SEND) {
            unsigned to = receiver_of(ex->accesses[event->first_access].resource);
            story.mailbox[to] = script_mix(story.mailbox[to], p + 1);
        }
        if (event->op == OP_ACTOR_LINK || event->op == OP_ACTOR_CUT || event->op == OP_ACTOR_HEAL) {
            unsigned *changes = changes_of(&links, ex->accesses[event->first_access].resource);
            uint64_t detail = event->op == OP_ACTOR_LINK ? *changes : 100u + ++*changes;
            story.links[p] = script_mix(story.links[p], detail);
        }
        const Choice *choice = &ex->choices[event->first_choice];
        if (!event->choice_count || !fault_is_condition(choice->condition))
            continue;
        unsigned kind = fault_of(choice->condition), nth = chances[p][kind]++;
        if (choice->taken)
            story.faults[p] = script_mix(story.faults[p], TOLD_FAULT << 16 | kind << 8 | nth);
    }
}

static void note_way(Execution *ex)
{
    look_at_events(ex);
    for (unsigned p = 1; p < script.parties; p++)
        if (hideout_of(p) && pids[p] && actor_find(pids[p]) && actor_find(pids[p])->stand > STAND_ENDED)
            story.known[p] = hidden[p];
    for (unsigned p = 1; p < script.parties; p++)
        story.ended[p] = pids[p] && actor_find(pids[p]) && actor_find(pids[p])->stand == STAND_ENDED;
    for (uint32_t i = 0; i < ex->finding_count; i++)
        story.deadlock |= ex->findings[i].kind == BUG_DEADLOCK;
    if (found_count < MOST_WAYS * 40)
        found[found_count] = (Way){story_name(&story), story_state(&story)};
    found_count++;
}

static void run_and_look(Program *self, Execution *ex)
{
    (void)self;
    memset(pids, 0, sizeof pids);
    facts_begin();
    inner->ops->run(inner, ex);
    facts_end(ex, true);
    if (ex->end == END_COMPLETE)
        note_way(ex);
}

/* ---- Final states ------------------------------------------------------------------------------- */

static int by_state(const void *a, const void *b)
{
    const Way *x = a, *y = b;
    return x->state < y->state ? -1 : x->state > y->state;
}

/* Each state once. */
static uint32_t keep_states(Way *ways, uint32_t count)
{
    uint32_t kept = 0;
    qsort(ways, count, sizeof *ways, by_state);
    for (uint32_t i = 0; i < count; i++)
        if (!kept || ways[kept - 1].state != ways[i].state)
            ways[kept++] = ways[i];
    return kept;
}

/* With --symmetry: the same final states, by fewer executions. */
static bool same_states(Way *ways, uint32_t count, uint64_t executions)
{
    uint32_t classes = count;
    count = keep_states(ways, count);
    found_count = keep_states(found, found_count);
    if (executions > classes || found_count != count)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (ways[i].state != found[i].state)
            return false;
    left_out += classes - executions;
    return true;
}

/* With --states: every final state, and no other. */
static bool reached_states(Way *ways, uint32_t count)
{
    count = keep_states(ways, count);
    found_count = keep_states(found, found_count);
    bool same = found_count == count;
    for (uint32_t i = 0; i < count && same; i++)
        same = ways[i].state == found[i].state;
    return same;
}

/* ---- Comparing ------------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
    const Way *x = a, *y = b;
    return x->name < y->name ? -1 : x->name > y->name;
}

static uint32_t drop_repetitions(Way *ways, uint32_t count, bool *consistent)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (kept && ways[kept - 1].name == ways[i].name)
            *consistent &= ways[kept - 1].state == ways[i].state;
        else
            ways[kept++] = ways[i];
    }
    return kept;
}

static uint64_t states_met;

static bool explore_with(Region *region, Reduction reduction, Way *ways, uint32_t count, const char **why)
{
    ExploreOptions options = {.strategy = STRATEGY_EXHAUSTIVE, .reduction = reduction, .max_preemptions = -1,
                              .max_executions = MOST_WAYS * 30, .keep_going = true};
    static char text[160];
    found_count = 0;
    rt.options.macro_steps = reduction == REDUCTION_NONE;
    Explore *explore = explore_create(region, &watched, &options);
    ExploreObserver observer = {0};
    ExploreResult result = explore_run(explore, &observer, 0);
    states_met += explore_stats(explore)->states;
    uint64_t executions = explore_stats(explore)->executions, redundant = explore_stats(explore)->redundant;
    explore_destroy(explore);
    *why = text;
    if (result == EXPLORE_BUDGET)
        return true;
    if (result != EXPLORE_DONE) {
        snprintf(text, sizeof text, "result %d", (int)result);
        return false;
    }
    bool consistent = true;
    if (found_count > MOST_WAYS * 40)
        return true;
    if (states) {
        uint32_t classes = count, ends = found_count;
        snprintf(text, sizeof text, "%u ends, other final states than %u classes", ends, classes);
        return reached_states(ways, count);
    }
    if (symmetry) {
        snprintf(text, sizeof text, "%llu executions, other final states than %u classes", (unsigned long long)executions, count);
        return same_states(ways, count, executions) && redundant == 0;
    }
    qsort(found, found_count, sizeof *found, by_name);
    uint32_t different = drop_repetitions(found, found_count, &consistent);
    snprintf(text, sizeof text, "%u classes instead of %u, %llu executions, %llu redundant%s", different, count,
             (unsigned long long)executions, (unsigned long long)redundant, consistent ? "" : ", a class with two states");
    if (different != count || !consistent)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (ways[i].name != found[i].name || ways[i].state != found[i].state) {
            snprintf(text, sizeof text, "other %s", ways[i].name != found[i].name ? "classes" : "final states");
            return false;
        }
    return reduction != REDUCTION_OPTIMAL || (executions == count && redundant == 0);
}

typedef struct Total {
    uint64_t compared, too_large, classes, wrong;
} Total;

static void try_seed(uint64_t seed, Region *region, Way *ways, bool verbose, Total *total)
{
    static const struct { Reduction reduction; const char *name; unsigned every, most; } searches[] = {
        {REDUCTION_OPTIMAL, "optimal", 1, MOST_WAYS}, {REDUCTION_SOURCE, "source", 10, 500}, {REDUCTION_NONE, "none", 10, 10}, {REDUCTION_STATES, "states", 1, MOST_WAYS}};
    script_value_bits = symmetry || (states && seed % 2) ? seed % 2 : 7;
    script_known_bits = states && seed % 4 ? 8u << seed % 3 | 7 : UINT32_MAX;
    script_generate(&script, seed);
    hideouts = script.crash || script.rules ? 0 : 1 + (unsigned)(seed % HIDEOUTS);
    fault_rule_init(region);
    uint32_t count = simulate(&script, ways, MOST_WAYS);
    bool consistent = true;
    if (verbose)
        printf("seed %llu: %d classes\n", (unsigned long long)seed, (int)count), script_print(&script);
    if (count == UINT32_MAX) {
        total->too_large++;
        return;
    }
    count = drop_repetitions(ways, count, &consistent);
    rt.options.symmetry = symmetry;
    rt.options.channels = script.channels;
    rt.options.max_lost = script.lose;
    rt.options.max_duplicated = script.duplicate;
    rt.options.max_crashed = script.crash;
    rt.options.max_timeouts = script.timeouts;
    for (unsigned i = 0; i < sizeof searches / sizeof searches[0]; i++) {
        const char *why;
        if (states != (searches[i].reduction == REDUCTION_STATES))
            continue;
        if (seed % searches[i].every || (symmetry && i > 0) || count > searches[i].most || explore_with(region, searches[i].reduction, ways, count, &why))
            continue;
        total->wrong++;
        printf("MISMATCH seed %llu, %s: %s\n", (unsigned long long)seed, searches[i].name, why);
        script_print(&script);
        break;
    }
    total->compared++;
    total->classes += count;
}

/* ---- With bounds --------------------------------------------------------------------------------- */

static uint64_t random_state;

static unsigned draw(unsigned below)
{
    random_state = random_state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(random_state >> 33) % below;
}

/* False if it is too large. */
static bool note_facts(Region *region, Reduction reduction, const Bounds *bounds, Facts *facts)
{
    ExploreOptions options = {.reduction = reduction, .max_executions = MOST_WAYS, .keep_going = true};
    bounds_set(bounds, &options);
    rt.options.macro_steps = reduction == REDUCTION_NONE;
    found_count = 0;
    facts_note_in(facts);
    Explore *explore = explore_create(region, &watched, &options);
    ExploreObserver observer = {0};
    ExploreResult result = explore_run(explore, &observer, 0);
    explore_destroy(explore);
    facts_note_in(NULL);
    if (result != EXPLORE_DONE && result != EXPLORE_BUDGET)
        printf("result %d\n", (int)result);
    return result == EXPLORE_DONE;
}

static void try_bounds(uint64_t seed, Region *region, Total *total)
{
    static Facts *without, *with;
    if (!with)
        with = facts_create(), without = facts_create();
    script_generate(&script, seed);
    fault_rule_init(region);
    second_phase = seed % 3 == 0;
    rt.options.channels = script.channels;
    rt.options.max_lost = script.lose;
    rt.options.max_duplicated = script.duplicate;
    rt.options.max_crashed = script.crash;
    random_state = seed * 0x9e3779b97f4a7c15ull + 4711;
    Bounds none = bounds_none(), bounds = bounds_draw(draw);
    if (!note_facts(region, REDUCTION_OPTIMAL, &none, without) ||
        !note_facts(region, seed % 5 ? REDUCTION_OPTIMAL : REDUCTION_SOURCE, &bounds, with)) {
        total->too_large++;
        return;
    }
    uint64_t invented = facts_invented(with, without), missed = facts_missed(with, without, &bounds);
    total->compared++;
    total->classes += facts_count(with);
    if (!invented && !missed)
        return;
    total->wrong++;
    printf("MISMATCH seed %llu, %s ", (unsigned long long)seed,
           invented ? "a bound makes something happen:" : "a bound hides what does not meet it:");
    bounds_print(&bounds);
    printf("\n");
    facts_print(invented ? with : without, invented ? invented : missed);
    script_print(&script);
}

static bool open_program(Region *region)
{
    Error error = {0};
    static char *none[] = {NULL}; /* restored before each execution */
    RtOptions options = {.argv = none, .envp = none, .max_lost = 1, .fault_rules = true, .states = states};
    inner = program_c_create(region, &options, &error);
    if (!inner)
        return false;
    ops = *inner->ops;
    ops.run = run_and_look;
    return true;
}

/* The part of this name; PART_COUNT if there is none. */
static StatePart find_part(const char *name)
{
    static const char *const names[] = {
#define PART(NAME, name) #name,
        PARTS(PART)
#undef PART
    };
    StatePart part = 0;
    while (part < PART_COUNT && strcmp(names[part], name) != 0)
        part++;
    return part;
}

int main(int argc, char **argv)
{
    bool verbose = argc > 1 && strcmp(argv[1], "--verbose") == 0;
    symmetry = argc > 1 && strcmp(argv[1], "--symmetry") == 0;
    bool bounded = argc > 1 && strcmp(argv[1], "--bounds") == 0;
    states = argc > 1 && strcmp(argv[1], "--states") == 0;
    bool less = states && argc > 3 && strcmp(argv[2], "--without") == 0;
    StatePart part = less ? find_part(argv[3]) : PART_COUNT;
    int first = 1 + (verbose || symmetry || bounded || states) + 2 * less;
    Region *region = region_create((size_t)1 << 32);
    if (argc - first != 2 || !region || (less && part == PART_COUNT) || !open_program(region)) {
        fprintf(stderr, "usage: actor_oracle [--verbose | --symmetry | --bounds | --states [--without PART]] FROM TO\n");
        return 2;
    }
    rt.options.state_without = less ? 1ull << part : 0;
    Way *ways = mem_alloc(MOST_WAYS * sizeof *ways);
    Total total = {0};
    found = mem_alloc(MOST_WAYS * 40 * sizeof *found);
    for (uint64_t seed = strtoull(argv[first], NULL, 10); seed < strtoull(argv[first + 1], NULL, 10); seed++)
        if (bounded)
            try_bounds(seed, region, &total);
        else
            try_seed(seed, region, ways, verbose, &total);
    printf("%llu programs compared, %llu too large, %llu %s, %llu mismatches\n", (unsigned long long)total.compared,
           (unsigned long long)total.too_large, (unsigned long long)total.classes, bounded ? "facts" : "classes",
           (unsigned long long)total.wrong);
    if (states)
        printf("%llu states\n", (unsigned long long)states_met);
    if (symmetry)
        printf("%llu executions left out\n", (unsigned long long)left_out);
    return total.wrong > 0;
}
