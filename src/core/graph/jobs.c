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

static size_t job_size(uint32_t steps, uint32_t choices, uint32_t held)
{
    return sizeof(GraphJob) + steps * sizeof(GraphStep) + choices * sizeof(Literal) + held * sizeof(HeldAgent);
}

/* A job in memory of this size, with room for so many steps and choices; behind them come the agents held. */
static GraphJob *make_job(void *memory, uint32_t steps, uint32_t choices)
{
    GraphJob *job = memory;
    *job = (GraphJob){.count = steps, .choice_count = choices, .steps = (GraphStep *)(job + 1)};
    job->choices = (Literal *)(job->steps + steps);
    job->held = (HeldAgent *)(job->choices + choices);
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

GraphJob *graphjob_create(Region *region, const Graph *graph)
{
    uint32_t count = graph->events.count, room = count_choices(graph), frozen = count_frozen(graph), used = 0;
    GraphJob *job = make_job(region_alloc(region, job_size(count, room, frozen)), count, room);
    for (uint32_t e = 0; e < count; e++) {
        const GraphEvent *event = &graph->events.items[e];
        uint32_t planned = event->frozen ? 0 : plan_choices(graph, e, &job->choices[used]);
        job->steps[e] = (GraphStep){.agent = event->agent,
                                    .rank = event->rank,
                                    .choice_count = (uint16_t)planned,
                                    .taken = event->taken,
                                    .frozen = event->frozen,
                                    .source = event->source};
        if (event->frozen)
            job->held[job->held_count++] = (HeldAgent){event->agent, event->index};
        used += planned;
    }
    return job;
}

void graphjob_destroy(Region *region, GraphJob *job)
{
    region_free(region, job, job_size(job->count, job->choice_count, job->held_count));
}

/* ---- In the common tree --------------------------------------------------------- */

void graphjob_put(Jobs *jobs, Job *node, const GraphJob *job)
{
    size_t size = job_size(job->count, job->choice_count, job->held_count);
    GraphJob *copy = make_job(jobs_make_body(jobs, node, size), job->count, job->choice_count);
    copy->revisited = job->revisited;
    copy->unresolved = job->unresolved;
    copy->held_count = job->held_count;
    memcpy(copy->steps, job->steps, size - sizeof *job);
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
    }
}

typedef VEC(GraphStep) GraphSteps;

static bool read_step(Program *program, StepReader *reader, GraphSteps *steps, StepChoices *choices)
{
    GraphStep step = {0};
    if (!step_read_number(reader, &step.rank))
        return false;
    step.taken = step_read_char(reader, 't');
    step.frozen = step_read_char(reader, 'f');
    if ((step.frozen && !step_read_number(reader, &step.source)) || !step_read_char(reader, '/') ||
        !step_read_agent(reader, program, &step.agent) || !step_read_choices(reader, choices, &step.choice_count))
        return false;
    VEC_PUSH(steps, step);
    return true;
}

/* Agents wait where their frozen steps are. */
static void hold_frozen(GraphJob *job)
{
    for (uint32_t i = 0; i < job->count; i++) {
        uint32_t index = 0;
        for (uint32_t k = 0; k < i; k++)
            index += job->steps[k].agent == job->steps[i].agent;
        if (job->steps[i].frozen)
            job->held[job->held_count++] = (HeldAgent){job->steps[i].agent, index};
    }
}

static void put_read(Jobs *jobs, Job *node, bool revisited, const GraphSteps *steps, const StepChoices *choices)
{
    uint32_t frozen = 0;
    for (uint32_t i = 0; i < steps->count; i++)
        frozen += steps->items[i].frozen;
    size_t size = job_size(steps->count, choices->count, frozen);
    GraphJob *job = make_job(jobs_make_body(jobs, node, size), steps->count, choices->count);
    job->revisited = revisited;
    memcpy(job->steps, steps->items, steps->count * sizeof *job->steps);
    for (uint32_t c = 0; c < choices->count; c++) {
        job->choices[c] = choices->items[c];
        job->unresolved |= choices->items[c].condition == CONDITION_UNKNOWN;
    }
    hold_frozen(job);
}

static bool read_graph(Jobs *jobs, Job *node, Program *program, StepReader *reader)
{
    GraphSteps steps = {0};
    StepChoices choices = {0};
    if (!step_read_char(reader, ' '))
        return true;
    bool revisited = step_read_char(reader, 'r'), good = revisited || step_read_char(reader, 'g');
    while (good && step_read_char(reader, ' '))
        good = read_step(program, reader, &steps, &choices);
    if (good && steps.count)
        put_read(jobs, node, revisited, &steps, &choices);
    VEC_FREE(&steps);
    VEC_FREE(&choices);
    return good;
}

static void forget_groups(void *common) { groups_destroy(common); }

const JobForm jobs_of_graphs = {.write = write_graph, .read = read_graph, .forget = forget_groups, .whole = true};

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
