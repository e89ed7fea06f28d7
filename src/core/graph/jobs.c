/* jobs.c - see jobs.h */
#include "core/graph/jobs.h"

#include <string.h>

/* The first choice of a weak event when the events before `e` have been run: how many writes come behind the one that
 * it reads, or behind itself. */
static uint32_t newer_writes(const Graph *graph, uint32_t e)
{
    const GraphEvent *event = &graph->events.items[e];
    uint32_t place = event->kind == GRAPH_WRITE ? event->place : graph_place(graph, event->source), newer = 0;
    for (uint32_t p = place + 1; p <= graph_writes(graph, event->location); p++)
        newer += graph_write_at(graph, event->location, p) < e;
    return newer;
}

/* Writes the choices of an event and returns their number. */
static uint32_t plan_choices(const Graph *graph, uint32_t e, Literal *into)
{
    const GraphEvent *event = &graph->events.items[e];
    const Choice *choices = NULL;
    uint32_t count = graph_choices(graph, event->position, &choices), first = 0;
    if (graph_is_weak(event))
        into[first++] = (Literal){.taken = newer_writes(graph, e)};
    if (event->fails)
        into[first++] = (Literal){.taken = 1};
    for (; first < count && first < event->planned; first++)
        into[first] = (Literal){.condition = choices[first].condition, .taken = choices[first].taken};
    return first;
}

static size_t job_size(const GraphJob *job)
{
    return sizeof *job + job->count * sizeof *job->steps + job->choice_count * sizeof *job->choices +
           job->held_count * sizeof *job->held +
           (job->overtaken_count + job->waiting_count) * sizeof *job->overtaken +
           job->touch_count * sizeof *job->touches;
}

/* A job with room for what is counted in `sizes`. Its parts follow it; those with the larger alignment come first. */
static GraphJob *make_job(void *memory, const GraphJob *sizes)
{
    GraphJob *job = memory;
    *job = *sizes;
    job->touches = (Touch *)(job + 1);
    job->steps = (GraphStep *)(job->touches + job->touch_count);
    job->choices = (Literal *)(job->steps + job->count);
    job->held = (HeldAgent *)(job->choices + job->choice_count);
    job->overtaken = (Overtaken *)(job->held + job->held_count);
    return job;
}

static uint32_t count_frozen(const Graph *graph)
{
    uint32_t sum = 0;
    for (uint32_t e = 0; e < graph->events.count; e++)
        sum += graph->events.items[e].frozen;
    return sum;
}

static uint32_t count_choices(const Graph *graph)
{
    uint32_t sum = 0;
    for (uint32_t e = 0; e < graph->events.count; e++) {
        const Choice *choices;
        sum += graph_choices(graph, graph->events.items[e].position, &choices) + 1;
    }
    return sum;
}

static void add_overtaken(GraphJob *job, const Overtaken *from, uint32_t count, const Touch *touches, uint32_t *used)
{
    for (uint32_t i = 0; i < count; i++) {
        Overtaken copy = from[i];
        copy.first_touch = *used;
        for (uint32_t k = 0; k < copy.touch_count; k++)
            job->touches[(*used)++] = touches[from[i].first_touch + k];
        *job->overtaken++ = copy;
    }
}

static uint32_t count_touches(const Overtaken *overtaken, uint32_t count)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += overtaken[i].touch_count;
    return sum;
}

static void copy_overtaken(GraphJob *job, const Graph *graph, const GraphExtra *extra)
{
    uint32_t used = 0;
    add_overtaken(job, graph->overtaken.items, graph->overtaken.count, graph->touches.items, &used);
    add_overtaken(job, extra->waiting, extra->waiting_count, extra->touches, &used);
    job->overtaken -= job->overtaken_count + job->waiting_count;
}

GraphJob *graphjob_create(Region *region, const Graph *graph, const GraphExtra *extra)
{
    static const GraphExtra none = {0};
    extra = extra ? extra : &none;
    GraphJob sizes = {.count = graph->events.count,
                      .choice_count = count_choices(graph) + extra->choice_count,
                      .held_count = count_frozen(graph),
                      .overtaken_count = graph->overtaken.count,
                      .waiting_count = extra->waiting_count,
                      .touch_count = count_touches(graph->overtaken.items, graph->overtaken.count) +
                                     count_touches(extra->waiting, extra->waiting_count)};
    GraphJob *job = make_job(region_alloc(region, job_size(&sizes)), &sizes);
    uint32_t used = 0, held = 0;
    for (uint32_t e = 0; e < job->count; e++) {
        const GraphEvent *event = &graph->events.items[e];
        uint32_t planned = event->frozen ? 0 : plan_choices(graph, e, &job->choices[used]);
        for (uint32_t c = 0; e + 1 == job->count && c < extra->choice_count; c++)
            job->choices[used + planned++] = extra->choices[c];
        job->steps[e] = (GraphStep){.agent = event->agent,
                                    .rank = event->rank,
                                    .choice_count = (uint16_t)planned,
                                    .taken = event->taken,
                                    .frozen = event->frozen,
                                    .source = event->source,
                                    .overtook = event->overtook};
        if (event->frozen)
            job->held[held++] = (HeldAgent){event->agent, event->index};
        used += planned;
    }
    copy_overtaken(job, graph, extra);
    return job;
}

void graphjob_destroy(Region *region, GraphJob *job) { region_free(region, job, job_size(job)); }

GraphJob *graphjob_with_touches(Region *region, const GraphJob *job, const Touches *touches, const uint32_t *counts)
{
    GraphJob sizes = *job;
    sizes.touch_count = touches->count;
    GraphJob *copy = make_job(region_alloc(region, job_size(&sizes)), &sizes);
    copy->unresolved = false;
    if (touches->count)
        memcpy(copy->touches, touches->items, touches->count * sizeof *touches->items);
    memcpy(copy->steps, job->steps, job_size(job) - sizeof *job - job->touch_count * sizeof *job->touches);
    for (uint32_t i = 0, used = 0; i < job->overtaken_count + job->waiting_count; used += counts[i++]) {
        copy->overtaken[i].first_touch = used;
        copy->overtaken[i].touch_count = counts[i];
    }
    return copy;
}

/* ---- In the common tree --------------------------------------------------------- */

void graphjob_put(Jobs *jobs, Job *node, const GraphJob *job)
{
    size_t size = job_size(job);
    GraphJob *copy = make_job(jobs_make_body(jobs, node, size), job);
    copy->next = NULL;
    memcpy(copy + 1, job + 1, size - sizeof *job);
}

GraphJob *graphjob_of(const Job *node) { return job_body(node); }

static void write_step(const GraphStep *step, const Literal *choices, Program *program, Text *text)
{
    text_add(text, " %u%s", step->rank, step->taken ? "t" : "");
    if (step->frozen)
        text_add(text, "f%u", step->source);
    text_add_string(text, "/");
    step_write(program, step->agent, choices, step->choice_count, text);
}

static void write_overtaken(const Overtaken *overtaken, char mark, Program *program, Text *text)
{
    text_add(text, " %c%u/", mark, overtaken->rank);
    step_write(program, overtaken->agent, NULL, 0, text);
}

static void write_graph(const Job *node, Program *program, Text *text)
{
    const GraphJob *job = graphjob_of(node);
    const Literal *choices = job ? job->choices : NULL;
    if (!job)
        return;
    text_add_string(text, job->revisited ? " r" : " g");
    for (uint32_t i = 0; i < job->count; i++) {
        write_step(&job->steps[i], choices, program, text);
        choices += job->steps[i].choice_count;
        if (job->steps[i].overtook != GRAPH_NONE)
            write_overtaken(&job->overtaken[job->steps[i].overtook], '>', program, text);
    }
    for (uint32_t i = 0; i < job->waiting_count; i++)
        write_overtaken(&job->overtaken[job->overtaken_count + i], '<', program, text);
}

/* What is read of a job. */
typedef struct GraphText {
    bool revisited;
    VEC(GraphStep) steps;
    StepChoices choices;
    VEC(Overtaken) overtaken, waiting;
} GraphText;

static bool read_step(GraphText *into, Program *program, StepReader *reader)
{
    GraphStep step = {.overtook = GRAPH_NONE};
    if (!step_read_number(reader, &step.rank))
        return false;
    step.taken = step_read_char(reader, 't');
    step.frozen = step_read_char(reader, 'f');
    if ((step.frozen && !step_read_number(reader, &step.source)) || !step_read_char(reader, '/') ||
        !step_read_agent(reader, program, &step.agent) ||
        !step_read_choices(reader, &into->choices, &step.choice_count))
        return false;
    VEC_PUSH(&into->steps, step);
    return true;
}

static bool read_overtaken(Program *program, StepReader *reader, Overtaken *overtaken)
{
    *overtaken = (Overtaken){0};
    return step_read_number(reader, &overtaken->rank) && step_read_char(reader, '/') &&
           step_read_agent(reader, program, &overtaken->agent);
}

/* A step, or what is said of the last one, or a step that must wait. */
static bool read_part(GraphText *into, Program *program, StepReader *reader)
{
    Overtaken overtaken;
    bool overtook = step_read_char(reader, '>'), waits = !overtook && step_read_char(reader, '<');
    if (!overtook && !waits)
        return read_step(into, program, reader);
    if (!read_overtaken(program, reader, &overtaken) || (overtook && into->steps.count == 0))
        return false;
    if (overtook) {
        into->steps.items[into->steps.count - 1].overtook = into->overtaken.count;
        VEC_PUSH(&into->overtaken, overtaken);
    } else {
        VEC_PUSH(&into->waiting, overtaken);
    }
    return true;
}

/* How many of the agent's steps come before a rank. */
static uint32_t steps_before(const GraphJob *job, AgentId agent, uint32_t rank)
{
    uint32_t steps = 0;
    for (uint32_t i = 0; i < job->count; i++)
        steps += job->steps[i].agent == agent && job->steps[i].rank < rank;
    return steps;
}

/* Agents wait where their frozen steps are. */
static void hold_frozen(GraphJob *job)
{
    uint32_t held = 0;
    for (uint32_t i = 0; i < job->count; i++) {
        uint32_t index = 0;
        for (uint32_t k = 0; k < i; k++)
            index += job->steps[k].agent == job->steps[i].agent;
        if (job->steps[i].frozen)
            job->held[held++] = (HeldAgent){job->steps[i].agent, index};
    }
}

static void put_read(Jobs *jobs, Job *node, const GraphText *text)
{
    uint32_t frozen = 0, bound = text->overtaken.count + text->waiting.count;
    for (uint32_t i = 0; i < text->steps.count; i++)
        frozen += text->steps.items[i].frozen;
    GraphJob sizes = {.count = text->steps.count, .choice_count = text->choices.count, .held_count = frozen,
                      .revisited = text->revisited, .unresolved = bound > 0,
                      .overtaken_count = text->overtaken.count, .waiting_count = text->waiting.count};
    GraphJob *job = make_job(jobs_make_body(jobs, node, job_size(&sizes)), &sizes);
    memcpy(job->steps, text->steps.items, text->steps.count * sizeof *job->steps);
    for (uint32_t c = 0; c < text->choices.count; c++) {
        job->choices[c] = text->choices.items[c];
        job->unresolved |= text->choices.items[c].condition == CONDITION_UNKNOWN;
    }
    for (uint32_t i = 0; i < bound; i++) {
        bool waits = i >= text->overtaken.count;
        job->overtaken[i] = waits ? text->waiting.items[i - text->overtaken.count] : text->overtaken.items[i];
        job->overtaken[i].index = steps_before(job, job->overtaken[i].agent, job->overtaken[i].rank);
    }
    hold_frozen(job);
}

static bool read_graph(Jobs *jobs, Job *node, Program *program, StepReader *reader)
{
    GraphText text = {0};
    if (!step_read_char(reader, ' '))
        return true;
    text.revisited = step_read_char(reader, 'r');
    bool good = text.revisited || step_read_char(reader, 'g');
    while (good && step_read_char(reader, ' '))
        good = read_part(&text, program, reader);
    if (good && text.steps.count)
        put_read(jobs, node, &text);
    VEC_FREE(&text.steps);
    VEC_FREE(&text.choices);
    VEC_FREE(&text.overtaken);
    VEC_FREE(&text.waiting);
    return good;
}

const JobForm jobs_of_graphs = {.write = write_graph, .read = read_graph, .whole = true};

/* ---- Plans ---------------------------------------------------------------------- */

void graphjob_plan(const GraphJob *job, Execution *ex)
{
    uint32_t used = 0, length = 0;
    for (uint32_t i = 0; i < job->count; i++) {
        const GraphStep *step = &job->steps[i];
        if (step->frozen)
            continue;
        ex->plan[length++] = (PlanStep){.agent = step->agent, .choice_count = step->choice_count, .first_choice = used};
        used += step->choice_count;
    }
    memcpy(ex->plan_choices, job->choices, used * sizeof *job->choices);
    ex->plan_length = length;
    ex->held = job->held;
    ex->held_count = job->held_count;
}

void graph_plan(const Graph *graph, Execution *ex)
{
    uint32_t used = 0, length = 0;
    for (uint32_t e = 0; e < graph->events.count; e++) {
        if (graph->events.items[e].frozen)
            continue;
        uint32_t planned = plan_choices(graph, e, &ex->plan_choices[used]);
        ex->plan[length++] = (PlanStep){
            .agent = graph->events.items[e].agent, .choice_count = (uint16_t)planned, .first_choice = used};
        used += planned;
    }
    ex->plan_length = length;
}
