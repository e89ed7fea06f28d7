/* inspect_abs.c - from a replayed execution of a model to the report of its bug */
#include <stdlib.h>
#include <string.h>

#include "abs/run/waitgraph.h"
#include "base/mem.h"
#include "subject/abs/causes.h"
#include "subject/abs/execution_view.h"
#include "subject/abs/model_internal.h"
#include "subject/abs/sequence_abs.h"
#include "subject/abs/stuck.h"

enum { MOST_STEPS = 5000 }; /* longer executions are shown as a plain list of steps */

typedef struct ModelInspection {
    AbsProgram *abs;
    Program *program;
    const Machine *machine;
    const Execution *ex;
    const Finding *finding;
    Arena *arena;
    BugView *view;
} ModelInspection;

static uint32_t thread_of(const ModelInspection *in, AgentId agent)
{
    char path[256];
    Text name = {0};
    in->program->ops->agent_path(in->program, agent, path, sizeof path);
    program_abs_task_words(in->abs, agent, &name);
    uint32_t number = bugview_add_thread(in->view, path, text_borrow(&name));
    text_release(&name);
    return number;
}

/* ---- Parties of the bug --------------------------------------------------------- */

static void add_cog_name(const ModelInspection *in, const Task *task, Text *text)
{
    program_abs_object_name(in->abs, task->cog, text);
}

static const char *keep(const ModelInspection *in, Text *text)
{
    const char *kept = trace_keep(in->view->trace, text_borrow(text));
    text_release(text);
    return kept;
}

/* "blocks DB_1, waiting for Worker_1.ping" */
static const char *describe_wait(const ModelInspection *in, const Task *task)
{
    Text text = {0};
    AgentId holder = waitgraph_holder(in->machine, task);
    const char *awaited = sequence_awaited(in->abs, task, in->arena);
    if (task->state == TASK_GET) {
        text_add_string(&text, "blocks ");
        add_cog_name(in, task, &text);
        text_add(&text, ", waiting for %s", awaited);
    } else if (task->state == TASK_AWAIT && awaited && (holder == AGENT_NONE || in->finding->kind == BUG_STUCK)) {
        text_add(&text, "waits for %s", awaited);
        if (in->finding->kind == BUG_STUCK)
            stuck_describe(in->abs, task, &text);
    } else if (holder != AGENT_NONE) {
        text_add_string(&text, task->state == TASK_NEW ? "cannot begin, because " : "cannot continue, because ");
        add_cog_name(in, task, &text);
        text_add_string(&text, " is blocked by ");
        program_abs_task_words(in->abs, holder, &text);
    } else {
        text_add_string(&text, "waits");
    }
    return keep(in, &text);
}

static const char *describe_assertion(const ModelInspection *in, const Task *task)
{
    Text text = {0};
    text_add_string(&text, "fails the assertion");
    program_abs_print_asserted(in->abs, task, &text);
    return keep(in, &text);
}

static const char *describe_part(const ModelInspection *in, const Task *task, uint32_t nth)
{
    switch (in->finding->kind) {
    case BUG_DEADLOCK:
    case BUG_STUCK: return describe_wait(in, task);
    case BUG_ASSERTION: return nth ? "gets the exception" : describe_assertion(in, task);
    case BUG_EXCEPTION: return nth ? "gets the exception" : "throws";
    case BUG_LIVELOCK: return "repeats a step that changes nothing";
    default: return "is";
    }
}

/* The part of a deadlock that the task waits for, directly; AGENT_NONE if it is not known. */
static AgentId awaited_part(const ModelInspection *in, const Task *task)
{
    AgentId found = AGENT_NONE;
    uint8_t *one = mem_alloc(in->machine->task_count);
    for (uint32_t i = 0; i < in->finding->agent_count && found == AGENT_NONE; i++) {
        AgentId other = in->finding->agents[i];
        one[other] = true;
        if (waitgraph_waits_for(in->machine, task, one))
            found = other;
        one[other] = false;
    }
    free(one);
    return found;
}

/* The edge of the wait-for graph: the name of a task that is to return, or of the object that it is to leave. */
static void note_wait(ModelInspection *in, PartyView *party, const Task *task)
{
    AgentId other = awaited_part(in, task);
    Text text = {0};
    if (other == AGENT_NONE)
        return;
    if (task->state != TASK_GET && waitgraph_holder(in->machine, task) == other)
        add_cog_name(in, task, &text);
    else
        program_abs_task_words(in->abs, other, &text);
    party->awaits = keep(in, &text);
    party->awaited = thread_of(in, other);
}

static void add_party(ModelInspection *in, uint32_t nth)
{
    const Finding *finding = in->finding;
    const Task *task = &in->machine->tasks[finding->agents[nth]];
    bool waits = finding->kind == BUG_DEADLOCK || finding->kind == BUG_STUCK;
    PartyView *party = &in->view->parties[in->view->party_count++];
    party->thread = thread_of(in, finding->agents[nth]);
    party->owner = VIEW_NO_THREAD;
    party->place = trace_place(in->view->trace, in->program,
                               waits || nth >= finding->site_count ? task->site : finding->sites[nth]);
    party->action = describe_part(in, task, nth);
    party->position = finding->position;
}

/* The stack of synchronous calls of the task inside the object. */
static void add_calls(ModelInspection *in, PartyView *party, AgentId agent)
{
    const Task *task = &in->machine->tasks[agent];
    for (const Frame *frame = task->frame ? task->frame->caller : NULL;
         frame && task->state != TASK_DONE && party->frame_count < VIEW_FRAMES; frame = frame->caller)
        party->frames[party->frame_count++] =
            trace_place(in->view->trace, in->program, machine_site(frame->code, frame->pc));
}

/* What else went wrong in the execution: a task may wait forever because of that. */
static void add_causes(ModelInspection *in)
{
    Text text = {0};
    for (uint32_t i = 0; i < in->ex->finding_count; i++) {
        const Finding *other = &in->ex->findings[i];
        if (other->kind == BUG_STUCK || other->kind == BUG_LIVELOCK)
            continue;
        text_add(&text, "%s%s: %s", text.length ? "; " : "Perhaps a consequence. In the same execution: ",
                 bug_kind_name(other->kind), other->text);
    }
    if (text.length)
        in->view->explanation[in->view->explanation_count++] = keep(in, &text);
}

/* ---- Steps ---------------------------------------------------------------------------------- */

static void mark_steps(ModelInspection *in)
{
    Trace *trace = in->view->trace;
    bool *preempts = mem_alloc(trace->step_count + 1);
    for (uint32_t i = 0; i < trace->step_count; i++) {
        preempts[i] = (in->ex->events[i].flags & EVENT_PREEMPTS) != 0;
        trace->preemptions += preempts[i];
    }
    in->view->preempts = preempts;
}

BugView *inspect_abs(Program *program, const Execution *ex, const Finding *finding, const RunInfo *info)
{
    BugView *view = mem_alloc(sizeof *view);
    AbsProgram *abs = (AbsProgram *)program;
    view->arena = mem_alloc(sizeof *view->arena);
    ModelInspection in = {.abs = abs, .program = program, .machine = program_abs_machine(abs), .ex = ex,
                     .finding = finding, .arena = view->arena, .view = view};
    view->trace = trace_create();
    runinfo_describe(info, view->trace);
    trace_add_steps(view->trace, program, ex, finding->position);
    for (AgentId agent = 0; agent < ex->agent_count; agent++)
        if (ex->agents[agent].steps > 0)
            thread_of(&in, agent);
    for (uint32_t i = 0; i < finding->agent_count; i++) {
        add_party(&in, i);
        add_calls(&in, &view->parties[i], finding->agents[i]);
    }
    for (uint32_t i = 0; i < finding->agent_count && finding->kind == BUG_DEADLOCK; i++)
        note_wait(&in, &view->parties[i], &in.machine->tasks[finding->agents[i]]);
    mark_steps(&in);
    const char *path = execution_path(program, ex, finding->position, view->arena);
    view->path = *path ? path : NULL;
    if (finding->kind == BUG_STUCK || finding->kind == BUG_LIVELOCK)
        add_causes(&in);
    if (finding->position <= MOST_STEPS) {
        Sequence *sequence = sequence_of_execution(abs, ex, finding->position, view->arena);
        if (finding->kind == BUG_DEADLOCK)
            sequence_mark_tasks(abs, sequence, finding->agents, finding->agent_count);
        causes_mark(abs, ex, finding, sequence);
        view->sequence = sequence;
    }
    view->diagram = info->options.diagram;
    view->whole = info->options.show == SHOW_ALL || info->options.verbose;
    const char *printed = program_abs_output(abs);
    view->output = printed;
    view->output_size = strlen(printed);
    return view;
}

/* ---- Executions without a bug ---------------------------------------------------------------- */

void describe_end_abs(Program *program, const Execution *ex, Trace *trace)
{
    Arena arena = {0};
    execution_view_describe(execution_view_take((AbsProgram *)program, ex, &arena), trace);
    arena_release(&arena);
}

const Sequence *sequence_abs(Program *program, const Execution *ex, Arena *arena)
{
    return execution_view_take((AbsProgram *)program, ex, arena)->sequence;
}

bool show_end_abs(Program *program, const Execution *ex, const Trace *trace, const RunInfo *info, const Style *style,
                  Text *out)
{
    Arena arena = {0};
    ExecutionView *view = execution_view_take((AbsProgram *)program, ex, &arena);
    bool same = strcmp(view->id, trace->id) == 0;
    if (same && info->options.json) {
        Json json = {.text = out, .first = true};
        json_open_object(&json, NULL);
        json_add_string(&json, "id", view->id);
        execution_view_write_json(view, (AbsProgram *)program, &json);
        json_close_object(&json);
        text_add_string(out, "\n");
    } else if (same) {
        text_add(out, "final state %s: %s\n", view->id, view->outcome);
        ExecutionDetail steps = style->verbose ? DETAIL_EVENTS : DETAIL_STEPS;
        execution_view_write(view, style, info->options.diagram ? DETAIL_DIAGRAM : steps, out);
    }
    arena_release(&arena);
    return same;
}
