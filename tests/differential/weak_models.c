/* weak_models.c - atomic operations under weak memory against their definition
 *
 * Usage: weak_models [--verbose] FROM TO
 *
 * Each seed is a small random program over loads, stores, updates, exchanges, waits and fences of all orders, accesses
 * to volatile objects as relaxed atomic ones, mutexes, creation and join. It is executed once with random agents and random choices, consistent or not, as nothing here asks
 * for consistency. From the events that it leaves, and from nothing else, the coherence order and happens-before of RC11
 * are computed by their definition. Then
 *   - every weak step has one access, and as many options as there are writes of its location (WEAK-1);
 *   - it got the value of the write that its choice names, its own write has its place, and memory holds the last write
 *     in coherence order (WEAK-2); a wait read a value that ends it (WEAK-3);
 *   - the race detector answers for all pairs of events what happens-before says, and that knows what mutexes and
 *     threads synchronise from the accesses that tell it (WEAK-4, WEAK-5);
 *   - the schedule of the execution, as a plan, leads to the same events.
 */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "core/program.h"
#include "core/schedule.h"
#include "rt/abi/hooks.h"
#include "rt/abi/ops.h"
#include "rt/detect/race_clock.h"
#include "rt/libc/api.h"
#include "rt/program/program_c.h"

enum { MAX_THREADS = 3, MAX_OPS = 7, MAX_EVENTS = 160 };

/* ---- The program of a seed ------------------------------------------------------------------------ */

typedef enum What { WHAT_LOAD, WHAT_STORE, WHAT_ADD, WHAT_XCHG, WHAT_CAS, WHAT_FENCE, WHAT_AWAIT, WHAT_AWAIT_ADD,
                    WHAT_GENERIC_CAS, WHAT_LOCKED, WHAT_VOLATILE_LOAD, WHAT_VOLATILE_STORE, WHAT_COUNT } What;

typedef struct Op {
    What what;
    unsigned location, value;
    uint32_t order, failure;
} Op;

typedef struct Actions {
    unsigned count;
    Op op[MAX_OPS];
} Actions;

static Rng rng;
static unsigned threads;
static Actions actions[MAX_THREADS + 2]; /* of main before and after the threads, then theirs */

/* Two of them in one word. */
static struct {
    uint32_t a;
    uint8_t b, unused[3];
    uint64_t c;
} shared;
static pthread_mutex_t mutex;

static const struct {
    void *address;
    unsigned size;
} locations[] = {{&shared.a, 4}, {&shared.b, 1}, {&shared.c, 8}};

static unsigned draw(unsigned below) { return rng_below(&rng, below); }

static uint32_t draw_order(What what)
{
    static const uint32_t loads[] = {0, 1, 2, 5}, stores[] = {0, 3, 5};
    return what == WHAT_LOAD || what == WHAT_AWAIT ? loads[draw(4)] : what == WHAT_STORE ? stores[draw(3)] : draw(6);
}

static Op draw_op(void)
{
    Op op = {.what = (What)draw(WHAT_COUNT), .location = draw(3) ? 0 : draw(3), .value = draw(3)};
    op.order = draw_order(op.what);
    op.failure = draw_order(WHAT_LOAD);
    return op;
}

static void make_program(uint64_t seed)
{
    rng.state = seed * 0x9e3779b97f4a7c15ull + 7;
    threads = 2 + draw(2);
    for (unsigned t = 0; t < threads + 2; t++) {
        actions[t].count = t < 2 ? draw(3) : 1 + draw(MAX_OPS);
        for (unsigned i = 0; i < actions[t].count; i++) {
            do
                actions[t].op[i] = draw_op();
            while (t == 0 && actions[t].op[i].what >= WHAT_VOLATILE_LOAD); /* no steps before the first thread */
        }
    }
}

/* ---- What an execution did --------------------------------------------------------------------- */

static struct {
    uint64_t result[MAX_EVENTS];             /* what the program got                           */
    uint64_t memory[MAX_EVENTS];             /* what its location held then                    */
    bool ordered[MAX_EVENTS][MAX_EVENTS];    /* [e][f]: f happens before e, says the detector  */
    bool noted[MAX_EVENTS];
    bool open[MAX_EVENTS];                   /* a volatile access: memory shows what it has read or written */
} seen;

static const SennitSite volatile_site = {.is_volatile = 1};

static void note(uint64_t result, unsigned location)
{
    uint32_t e = rt.ex->event_count - 1;
    if (e >= MAX_EVENTS || rt.ex->events[e].agent != rt.self->id)
        return;
    seen.noted[e] = true;
    seen.open[e] = sennit_rt_site == &volatile_site;
    seen.result[e] = result;
    memcpy(&seen.memory[e], locations[location].address, locations[location].size);
    for (uint32_t f = 0; f < e; f++) {
        const Event *event = &rt.ex->events[f];
        seen.ordered[e][f] = race_ordered(event->agent, race_clock_of(event->agent, event->index));
    }
}

static uint64_t generic_cas(void *p, unsigned size, uint64_t value, const Op *op)
{
    uint64_t found = 0, new = value + 1;
    return sennit_rt_atomic_cas_n(size, p, &found, &new, op->order, op->failure, NULL) ? 0 : found;
}

/* A result that is not used is not told. */
static uint64_t add(void *p, uint64_t value, uint32_t size, uint32_t order, bool unused)
{
    uint64_t found = sennit_rt_atomic_rmw(p, SENNIT_RMW_ADD, value, size, order, unused, NULL);
    const Event *event = &rt.ex->events[rt.ex->event_count - 1];
    return unused ? (uint64_t)rt.ex->accesses[event->first_access].before : found;
}

static uint64_t volatile_load(const void *p, uint32_t size)
{
    uint64_t value = 0;
    (size == 1 ? sennit_rt_read1 : size == 4 ? sennit_rt_read4 : sennit_rt_read8)(p, &volatile_site);
    memcpy(&value, p, size);
    return value;
}

static void volatile_store(void *p, uint64_t value, uint32_t size)
{
    (size == 1 ? sennit_rt_write1 : size == 4 ? sennit_rt_write4 : sennit_rt_write8)(p, &volatile_site);
    memcpy(p, &value, size);
}

static void perform(const Op *op)
{
    void *p = locations[op->location].address;
    uint32_t size = locations[op->location].size;
    uint64_t result = 0;
    switch (op->what) {
    case WHAT_LOAD: result = sennit_rt_atomic_load(p, size, op->order, NULL); break;
    case WHAT_STORE: sennit_rt_atomic_store(p, op->value, size, op->order, NULL); break;
    case WHAT_ADD: result = add(p, op->value, size, op->order, op->failure > 1); break;
    case WHAT_XCHG: result = sennit_rt_atomic_rmw(p, SENNIT_RMW_XCHG, op->value, size, op->order, 0, NULL); break;
    case WHAT_CAS:
        result = sennit_rt_atomic_cas(p, op->value, op->value + 1, size, op->order, op->failure, 0, NULL);
        break;
    case WHAT_FENCE: sennit_rt_atomic_fence(op->order, NULL); break;
    case WHAT_AWAIT: result = sennit_rt_atomic_await(p, size, op->order, REL_NE, UINT64_MAX, op->value, NULL); break;
    case WHAT_AWAIT_ADD:
        result = sennit_rt_atomic_await_rmw(p, SENNIT_RMW_ADD, 1, size, op->order, REL_ULE, UINT64_MAX, op->value, NULL);
        break;
    case WHAT_GENERIC_CAS: result = generic_cas(p, size, op->value, op); break;
    case WHAT_VOLATILE_LOAD: result = volatile_load(p, size); break;
    case WHAT_VOLATILE_STORE: volatile_store(p, op->value, size); break;
    default:
        sennit_rt_pthread_mutex_lock(&mutex);
        note(0, 0);
        sennit_rt_pthread_mutex_unlock(&mutex);
    }
    note(result, op->location);
}

static void *run_thread(void *argument)
{
    const Actions *mine = argument;
    for (unsigned i = 0; i < mine->count; i++)
        perform(&mine->op[i]);
    return NULL;
}

int sennit_user_main(int argc, char **argv, char **envp)
{
    pthread_t handles[MAX_THREADS];
    (void)argc;
    (void)argv;
    (void)envp;
    memset(&shared, 0, sizeof shared);
    memset(&mutex, 0, sizeof mutex);
    run_thread(&actions[0]);
    for (unsigned t = 0; t < threads; t++)
        sennit_rt_pthread_create(&handles[t], NULL, run_thread, &actions[2 + t]);
    for (unsigned t = 0; t < threads; t++) {
        sennit_rt_pthread_join(handles[t], NULL);
        note(0, 0);
    }
    run_thread(&actions[1]);
    return 0;
}

/* ---- The graph, from the events ------------------------------------------------------------------- */

typedef struct Graph {
    const Execution *ex;
    uint32_t count;
    int rf[MAX_EVENTS];                  /* event that wrote what the event reads; -1: the initial value */
    bool before[MAX_EVENTS][MAX_EVENTS]; /* [f][e]: f happens before e                                   */
} Graph;

static const Access *weak_access(const Graph *g, uint32_t e)
{
    const Event *event = &g->ex->events[e];
    const Access *access = &g->ex->accesses[event->first_access];
    return event->access_count && access->order != ORDER_STRONG && access->mode != MODE_NONE ? access : NULL;
}

static bool writes(const Graph *g, uint32_t e) { return weak_access(g, e) && weak_access(g, e)->mode == MODE_WRITE; }

static bool reads(const Graph *g, uint32_t e)
{
    return weak_access(g, e) && (weak_access(g, e)->mode == MODE_READ || weak_access(g, e)->order & ORDER_UPDATES);
}

static bool same_location(const Graph *g, uint32_t e, uint32_t f)
{
    const Access *a = weak_access(g, e), *b = weak_access(g, f);
    return a && b && a->resource == b->resource && a->lanes == b->lanes;
}

static uint32_t choice(const Graph *g, uint32_t e) { return g->ex->choices[g->ex->events[e].first_choice].taken; }

/* The writes of the location of e before e, in coherence order, -1 first. Their number. */
static uint32_t coherence(const Graph *g, uint32_t e, int order[MAX_EVENTS + 1])
{
    uint32_t count = 1;
    order[0] = -1;
    for (uint32_t f = 0; f < e; f++) {
        if (!same_location(g, e, f) || !writes(g, f))
            continue;
        uint32_t place = count++ - choice(g, f);
        memmove(&order[place + 1], &order[place], (count - 1 - place) * sizeof *order);
        order[place] = (int)f;
    }
    return count;
}

static uint64_t written(const Graph *g, int e) { return e < 0 ? 0 : (uint64_t)weak_access(g, (uint32_t)e)->after; }

static unsigned order_at(const Graph *g, uint32_t e)
{
    const Access *access = &g->ex->accesses[g->ex->events[e].first_access];
    return access_order(access, access->mode != MODE_READ);
}
static bool acquires(const Graph *g, uint32_t e)
{
    unsigned order = order_at(g, e);
    return order == ORDER_ACQUIRE || order == ORDER_ACQ_REL || order == ORDER_SEQ_CST;
}
static bool releases(const Graph *g, uint32_t e)
{
    unsigned order = order_at(g, e);
    return order == ORDER_RELEASE || order == ORDER_ACQ_REL || order == ORDER_SEQ_CST;
}

static bool is_fence(const Graph *g, uint32_t e) { return g->ex->events[e].op == OP_FENCE; }
static bool same_agent(const Graph *g, uint32_t e, uint32_t f) { return g->ex->events[e].agent == g->ex->events[f].agent; }

/* Everything that synchronises by reading from a member of the release sequence of `head`. */
static void add_receivers(Graph *g, uint32_t sender, uint32_t r)
{
    if (acquires(g, r))
        g->before[sender][r] = true;
    for (uint32_t f = r + 1; f < g->count; f++)
        if (same_agent(g, f, r) && is_fence(g, f) && acquires(g, f))
            g->before[sender][f] = true;
}

static void add_senders(Graph *g, uint32_t head, uint32_t r)
{
    if (releases(g, head))
        add_receivers(g, head, r);
    for (uint32_t f = 0; f < head; f++)
        if (same_agent(g, f, head) && is_fence(g, f) && releases(g, f))
            add_receivers(g, f, r);
}

/* rs = [W];(po_loc)?;[W];(rf;rmw)* */
static void add_synchronises(Graph *g, uint32_t r)
{
    for (int member = g->rf[r]; member >= 0; member = reads(g, (uint32_t)member) ? g->rf[member] : -1)
        for (uint32_t head = 0; head <= (uint32_t)member; head++)
            if (writes(g, head) && same_location(g, head, (uint32_t)member) && same_agent(g, head, (uint32_t)member))
                add_senders(g, head, r);
}

static bool tells(const Graph *g, uint32_t e, Order order, uint64_t *resource, unsigned *nth)
{
    const Event *event = &g->ex->events[e];
    for (; *nth < event->access_count; ++*nth) {
        const Access *access = &g->ex->accesses[event->first_access + *nth];
        if (access->mode == MODE_NONE && access->resource && access->order == order) {
            *resource = access->resource;
            ++*nth;
            return true;
        }
    }
    return false;
}

static void add_strong(Graph *g, uint32_t f, uint32_t e)
{
    uint64_t from, to;
    for (unsigned i = 0; tells(g, f, ORDER_RELEASE, &from, &i);)
        for (unsigned k = 0; tells(g, e, ORDER_ACQUIRE, &to, &k);)
            if (from == to)
                g->before[f][e] = true;
}

static void add_simple(Graph *g, uint32_t f, uint32_t e)
{
    const Agent *agent = &g->ex->agents[g->ex->events[e].agent];
    bool created = agent->creator == g->ex->events[f].agent && agent->creator_step != UINT32_MAX &&
                   g->ex->events[f].index <= agent->creator_step;
    if (same_agent(g, e, f) || created)
        g->before[f][e] = true;
    add_strong(g, f, e);
}

static void close_transitively(Graph *g)
{
    for (uint32_t k = 0; k < g->count; k++)
        for (uint32_t f = 0; f < g->count; f++)
            for (uint32_t e = 0; g->before[f][k] && e < g->count; e++)
                g->before[f][e] |= g->before[k][e];
}

static void build(Graph *g, const Execution *ex)
{
    memset(g, 0, sizeof *g);
    g->ex = ex;
    g->count = ex->event_count;
    for (uint32_t e = 0; e < g->count; e++) {
        int order[MAX_EVENTS + 1];
        g->rf[e] = reads(g, e) ? order[coherence(g, e, order) - 1 - choice(g, e)] : -1;
        for (uint32_t f = 0; f < e; f++)
            add_simple(g, f, e);
    }
    for (uint32_t e = 0; e < g->count; e++)
        if (reads(g, e))
            add_synchronises(g, e);
    close_transitively(g);
}

/* ---- Checks ----------------------------------------------------------------------------------------- */

static uint64_t checked_pairs, checked_stale;

static const char *check_weak(const Graph *g, uint32_t e)
{
    int order[MAX_EVENTS + 1];
    const Event *event = &g->ex->events[e];
    const Access *access = weak_access(g, e);
    uint32_t count = coherence(g, e, order), k = choice(g, e);
    if (reads(g, e) == (event->op == OP_ATOMIC_STORE))
        return "a store reads, or another operation does not";
    for (unsigned i = 1; i < event->access_count; i++)
        if (access[i].order != ORDER_STRONG || access[i].mode != MODE_NONE)
            return "a weak step has more than one access";
    if (event->choice_count != 1)
        return "a weak step has not one choice";
    if (g->ex->choices[event->first_choice].options != count)
        return "the number of options is not that of the writes";
    checked_stale += k > 0;
    uint64_t read = written(g, order[count - 1 - k]);
    uint64_t last = k == 0 && writes(g, e) ? (uint64_t)access->after : written(g, order[count - 1]);
    if ((uint64_t)access->before != read)
        return "a weak step did not find the value of the chosen write";
    if (seen.noted[e] && reads(g, e) && event->op != OP_ATOMIC_CAS && seen.result[e] != read)
        return "the program did not get the value of the chosen write";
    if (seen.noted[e] && seen.memory[e] != (!seen.open[e] ? last : writes(g, e) ? (uint64_t)access->after : read))
        return "memory holds something else";
    if (access->role == ROLE_GUARD && !access_condition_holds(access, (int64_t)read))
        return "a wait is over too early";
    if (access->role == ROLE_SWITCH && writes(g, e) != ((uint64_t)access->operand == read))
        return "an exchange did not write, or should not have";
    return NULL;
}

static const char *check_order(const Graph *g, uint32_t e)
{
    for (uint32_t f = 0; f < e && seen.noted[e]; f++, checked_pairs++)
        if (seen.ordered[e][f] != g->before[f][e])
            return seen.ordered[e][f] ? "the race detector orders what nothing orders"
                                      : "the race detector misses an order";
    return NULL;
}

static const char *check(const Execution *ex, uint32_t *at)
{
    static Graph g;
    const char *wrong = NULL;
    if (ex->end == END_DIVERGED)
        return "the execution diverged";
    build(&g, ex);
    for (*at = 0; *at < g.count && !wrong; ++*at) {
        wrong = weak_access(&g, *at) ? check_weak(&g, *at) : NULL;
        wrong = wrong ? wrong : check_order(&g, *at);
    }
    --*at;
    return wrong;
}

/* ---- Executions --------------------------------------------------------------------------------------- */

/* One of the enabled agents. */
static AgentId pick(Picker *self, Execution *ex, AgentId current)
{
    AgentId agents[RT_MAX_AGENTS];
    unsigned count = 0;
    (void)self;
    (void)current;
    for (AgentId agent = 0; agent < ex->agent_count; agent++)
        if (ex->program->ops->enabled(ex->program, agent))
            agents[count++] = agent;
    return count ? agents[draw(count)] : AGENT_NONE;
}

/* A wait takes only what ends it, which is the engine's duty. */
static uint32_t choose(Picker *self, Execution *ex, uint32_t options)
{
    Graph g = {.ex = ex, .count = ex->event_count};
    const Access *access = &ex->accesses[ex->events[g.count - 1].first_access];
    int order[MAX_EVENTS + 1];
    uint32_t k = draw(2) ? 0 : draw(options);
    (void)self;
    if (g.count >= MAX_EVENTS || access->role != ROLE_GUARD)
        return k;
    uint32_t count = coherence(&g, g.count - 1, order);
    while (!access_condition_holds(access, (int64_t)written(&g, order[count - 1 - k])))
        k = draw(options);
    return k;
}

static bool same_events(const Execution *a, const Execution *b)
{
    return a->event_count == b->event_count && a->access_count == b->access_count && a->choice_count == b->choice_count &&
           memcmp(a->events, b->events, a->event_count * sizeof *a->events) == 0 &&
           memcmp(a->accesses, b->accesses, a->access_count * sizeof *a->accesses) == 0 &&
           memcmp(a->choices, b->choices, a->choice_count * sizeof *a->choices) == 0;
}

static void print_execution(const Execution *ex)
{
    char text[160];
    for (uint32_t e = 0; e < ex->event_count; e++) {
        const Event *event = &ex->events[e];
        ex->program->ops->step_text(ex->program, event->op, &ex->accesses[event->first_access], event->access_count, text,
                                    sizeof text);
        printf("  %2u: agent %u: %s", e, event->agent, text);
        for (unsigned i = 0; i < event->access_count; i++) {
            const Access *a = &ex->accesses[event->first_access + i];
            printf(" [%llx mode %u order %u %lld -> %lld]", (unsigned long long)a->resource, a->mode, a->order,
                   (long long)a->before, (long long)a->after);
        }
        for (unsigned i = 0; i < event->choice_count; i++)
            printf(" %u of %u", ex->choices[event->first_choice + i].taken, ex->choices[event->first_choice + i].options);
        printf("\n");
    }
}

static Picker picker = {.pick = pick, .choose = choose};

static void run(Execution *ex)
{
    memset(&seen, 0, sizeof seen);
    ex->memory = MEMORY_RC11;
    ex->program->ops->run(ex->program, ex);
}

static bool try_seed(Program *program, uint64_t seed, bool verbose)
{
    uint32_t at = 0;
    make_program(seed);
    Execution *ex = execution_create(program), *again = execution_create(program);
    ex->picker = &picker;
    run(ex);
    const char *wrong = ex->event_count > MAX_EVENTS ? NULL : check(ex, &at);
    if (verbose || wrong)
        print_execution(ex);
    Schedule *schedule = schedule_take(NULL, ex, ex->event_count);
    schedule_plan(schedule, again);
    run(again);
    if (!wrong && !same_events(ex, again)) {
        wrong = "the plan leads elsewhere";
        print_execution(again);
    }
    if (wrong)
        printf("seed %llu: event %u: %s\n", (unsigned long long)seed, at, wrong);
    schedule_destroy(NULL, schedule);
    execution_destroy(ex);
    execution_destroy(again);
    return !wrong;
}

int main(int argc, char **argv)
{
    static char *none[] = {NULL};
    RtOptions options = {.argv = none, .envp = none, .volatile_atomic = true};
    Error error = {0};
    bool verbose = argc > 1 && strcmp(argv[1], "--verbose") == 0;
    Program *program = program_c_create(region_create((size_t)1 << 28), &options, &error);
    if (argc < 3 + verbose || !program)
        return 2;
    uint64_t from = strtoull(argv[1 + verbose], NULL, 10), to = strtoull(argv[2 + verbose], NULL, 10), wrong = 0;
    for (uint64_t seed = from; seed < to && wrong < 5; seed++)
        wrong += !try_seed(program, seed, verbose);
    printf("%llu executions, %llu stale choices, %llu pairs of events, %llu wrong\n", (unsigned long long)(to - from),
           (unsigned long long)checked_stale, (unsigned long long)checked_pairs, (unsigned long long)wrong);
    return wrong != 0;
}
