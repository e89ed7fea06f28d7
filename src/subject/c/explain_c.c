/* explain_c.c - see explain_c.h */
#include "subject/c/explain_c.h"

#include "core/graph/cause.h"
#include "subject/c/weak_words.h"

enum { MOST_STEPS = 10000, MOST_STALE = 3, MOST_ADVICE = 8 };

typedef struct Explanation {
    WeakWords words;
    GraphRecord record;
    BugView *view;
} Explanation;

/* ---- Words ------------------------------------------------------------------- */

static const GraphEvent *event_at(const Explanation *in, uint32_t e) { return &in->record.graph.events.items[e]; }
static uint64_t site_at(const Explanation *in, uint32_t e) { return in->words.ex->events[e].site; }
static const Access *access_at(const Explanation *in, uint32_t e) { return weakwords_access(&in->words, e); }

/* "relaxed store of ready (mp.c:9)" */
static void add_operation(const Explanation *in, uint32_t e, bool order, Text *out)
{
    if (order)
        text_add(out, "%s ", weakwords_order(event_at(in, e)->order));
    weakwords_add_operation(&in->words, e, out);
}

/* ---- What a step missed ------------------------------------------------------ */

/* "1, which writer (0.1) stored in step 2 (mp.c:9)."; if the value does not tell it apart, "the 1 that writer ...". */
static void add_missed(const Explanation *in, uint32_t missed, bool same, Text *out)
{
    text_add_string(out, same ? "the " : "");
    weakwords_add_value(&in->words, missed, access_at(in, missed)->after, out);
    text_add_string(out, same ? " that " : ", which ");
    weakwords_add_agent(&in->words, missed, out);
    text_add(out, " stored in step %u (", missed + 1);
    weakwords_add_place(&in->words, missed, out);
    text_add_string(out, ").");
}

static void add_read(const Explanation *in, uint32_t e, uint32_t missed, Text *out)
{
    const GraphEvent *event = event_at(in, e);
    text_add(out, "Step %u is stale: ", e + 1);
    weakwords_add_agent(&in->words, e, out);
    text_add_string(out, " reads ");
    weakwords_add_object(&in->words, e, out);
    text_add_string(out, " = ");
    weakwords_add_value(&in->words, e, access_at(in, e)->before, out);
    if (event->source == GRAPH_INITIAL) {
        text_add_string(out, ", its initial value");
    } else {
        text_add(out, ", stored in step %u (", event->source + 1);
        weakwords_add_place(&in->words, event->source, out);
        text_add_string(out, ")");
    }
    text_add_string(out, ", and not ");
    add_missed(in, missed, access_at(in, e)->before == access_at(in, missed)->after, out);
}

static void add_write(const Explanation *in, uint32_t e, uint32_t missed, Text *out)
{
    text_add(out, "Step %u comes too late: ", e + 1);
    weakwords_add_object(&in->words, e, out);
    text_add_string(out, " stays ");
    add_missed(in, missed, false, out);
}

/* ---- Why ----------------------------------------------------------------------- */

/* What to strengthen, each operation once. */
typedef struct Advice {
    struct {
        uint32_t event;
        bool releases, acquires; /* what it lacks */
    } items[MOST_ADVICE];
    uint32_t count;
} Advice;

static void advise(const Explanation *in, Advice *advice, uint32_t e, bool releases)
{
    uint32_t i = 0;
    while (i < advice->count && site_at(in, advice->items[i].event) != site_at(in, e))
        i++;
    if (i == MOST_ADVICE)
        return;
    if (i == advice->count) {
        advice->items[i].event = e;
        advice->count++;
    }
    advice->items[i].releases |= releases;
    advice->items[i].acquires |= !releases;
}

static const char *separator(uint32_t i, uint32_t count) { return i == 0 ? "" : i + 1 == count ? " and " : ", "; }

/* The order to use: an update keeps what it has. */
static const char *order_of(const Explanation *in, const Advice *advice, uint32_t i)
{
    const GraphEvent *event = event_at(in, advice->items[i].event);
    bool update = event->kind == GRAPH_UPDATE;
    bool releases = advice->items[i].releases || (update && event->order == ORDER_RELEASE);
    bool acquires = advice->items[i].acquires || (update && event->order == ORDER_ACQUIRE);
    return releases && acquires ? "acq_rel" : releases ? "release" : "acquire";
}

static void add_advice(const Explanation *in, const Advice *advice, Text *out)
{
    text_add_string(out, ": use ");
    for (uint32_t i = 0; i < advice->count; i++) {
        text_add(out, "%smemory_order_%s for the ", separator(i, advice->count), order_of(in, advice, i));
        add_operation(in, advice->items[i].event, false, out);
    }
    text_add_string(out, ".");
}

/* The links that read, from the nth on, of a chain of updates: one release sequence. Returns the number behind it. */
static uint32_t end_of_chain(const Cause *cause, uint32_t nth)
{
    while (nth + 1 < cause->path.count && cause->path.items[nth + 1].kind == LINK_READS)
        nth++;
    return nth + 1;
}

/* A path of program order and reads: the reads that do not synchronise. `agent` and `index` say where it begins. */
static void find_weak_reads(const Explanation *in, const Cause *cause, AgentId agent, uint32_t index, Advice *advice)
{
    uint32_t end;
    for (uint32_t i = 0; i < cause->path.count; i = end) {
        const CauseLink *link = &cause->path.items[i];
        end = i + 1;
        if (link->kind == LINK_PROGRAM)
            continue;
        end = link->kind == LINK_READS ? end_of_chain(cause, i) : end;
        const CauseLink *last = &cause->path.items[end - 1];
        uint32_t to = end < cause->path.count && last[1].kind == LINK_PROGRAM ? last[1].to : last->to;
        if (link->kind == LINK_READS && !cause_is_released(&in->record, last, agent, index))
            advise(in, advice, link->from, true);
        if (link->kind == LINK_READS && !cause_is_acquired(&in->record, last, to))
            advise(in, advice, last->to, false);
        agent = event_at(in, last->to)->agent;
        index = event_at(in, last->to)->index;
    }
}

/* "neither the relaxed store of ready (mp.c:9) nor the relaxed load of ready (mp.c:10) orders other accesses" */
static void add_weak_reads(const Explanation *in, const Advice *advice, Text *out)
{
    text_add_string(out, advice->count > 1 ? "neither the " : "the ");
    for (uint32_t i = 0; i < advice->count; i++) {
        text_add_string(out, i ? " nor the " : "");
        add_operation(in, advice->items[i].event, true, out);
    }
    if (advice->count > 1)
        text_add_string(out, " orders other accesses");
    else if (advice->items[0].releases && advice->items[0].acquires)
        text_add_string(out, " does not order other accesses");
    else
        text_add(out, " does not order accesses %s it", advice->items[0].acquires ? "behind" : "before");
    add_advice(in, advice, out);
}

/* Any other path: accesses of one thread that are not kept in order. */
static void add_weak_order(const Explanation *in, const Cause *cause, Text *out)
{
    uint32_t pairs = 0;
    for (uint32_t i = 0; i < cause->path.count; i++) {
        const CauseLink *link = &cause->path.items[i];
        bool weak = link->kind == LINK_PROGRAM && event_at(in, link->from)->agent == event_at(in, link->to)->agent &&
                    graph_is_weak(event_at(in, link->from)) && graph_is_weak(event_at(in, link->to));
        if (!weak || cause_is_strong(&in->record, link->from, link->to))
            continue;
        text_add_string(out, pairs++ ? ", nor the " : "nothing orders the ");
        add_operation(in, link->from, true, out);
        text_add_string(out, " before the ");
        add_operation(in, link->to, true, out);
    }
    static const char *const advice[] = {
        "the accesses between are not ordered.",
        ": put atomic_thread_fence(memory_order_seq_cst) between them, or make them, and the accesses of other threads "
        "to these objects, memory_order_seq_cst.",
        ": put atomic_thread_fence(memory_order_seq_cst) between the two of each pair, or make all of these accesses "
        "memory_order_seq_cst."};
    text_add_string(out, advice[pairs < 2 ? pairs : 2]);
}

static void add_reason(const Explanation *in, uint32_t e, Text *out)
{
    Cause cause;
    Advice advice = {0};
    if (!cause_of_stale(&in->record, e, &cause)) {
        text_add_string(out, " Nothing orders the two.");
        cause_release(&cause);
        return;
    }
    const GraphEvent *first = event_at(in, cause.path.items[0].from);
    text_add_string(out, " This is allowed, since ");
    if (cause.is_causal)
        find_weak_reads(in, &cause, first->agent, first->index, &advice);
    if (advice.count)
        add_weak_reads(in, &advice, out);
    else
        add_weak_order(in, &cause, out);
    cause_release(&cause);
}

/* ---- All of it ------------------------------------------------------------------- */

static void keep(Explanation *in, const Text *paragraph)
{
    BugView *view = in->view;
    if (view->explanation_count < VIEW_PARAGRAPHS)
        view->explanation[view->explanation_count++] = trace_keep(view->trace, paragraph->data);
}

static void explain_stale(Explanation *in)
{
    uint32_t shown = 0;
    for (uint32_t e = 0; e < in->record.graph.events.count && shown < MOST_STALE; e++) {
        uint32_t missed = graphrecord_missed(&in->record, e);
        Text paragraph = {0};
        if (missed == GRAPH_NONE)
            continue;
        if (event_at(in, e)->kind == GRAPH_READ)
            add_read(in, e, missed, &paragraph);
        else
            add_write(in, e, missed, &paragraph);
        add_reason(in, e, &paragraph);
        keep(in, &paragraph);
        text_release(&paragraph);
        shown++;
    }
}

/* The one access came before the other, by what one thread read of the other. The later one may free the memory. */
static void explain_race(Explanation *in, const Finding *finding)
{
    Cause cause = {0};
    Advice advice = {0};
    Text paragraph = {0};
    bool races = finding->kind == BUG_DATA_RACE || finding->kind == BUG_USE_AFTER_FREE;
    if (!races || finding->agent_count < 2 || finding->steps[1] == 0)
        return;
    AgentId first = finding->agents[1];
    uint32_t index = finding->steps[1] - 1;
    if (cause_of_race(&in->record, first, index, finding->agents[0], &cause))
        find_weak_reads(in, &cause, first, index, &advice);
    if (advice.count) {
        text_add_string(&paragraph, "Nothing orders the two accesses: ");
        add_weak_reads(in, &advice, &paragraph);
        keep(in, &paragraph);
    }
    text_release(&paragraph);
    cause_release(&cause);
}

void explain_c(Program *program, const Execution *ex, const Finding *finding, BugView *view)
{
    Explanation in = {.words = {program, ex}, .view = view};
    uint32_t length = finding->position < ex->event_count ? finding->position : ex->event_count;
    if (ex->memory == MEMORY_SC || length > MOST_STEPS)
        return;
    graphrecord_init(&in.record, ex, length);
    explain_stale(&in);
    explain_race(&in, finding);
    view->is_weak = !graphrecord_is_sequential(&in.record);
    graphrecord_release(&in.record);
}
