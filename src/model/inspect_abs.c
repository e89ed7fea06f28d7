/* inspect_abs.c - from a replayed execution of a model to what reports show of its bug */
#include "app/inspect.h"
#include "base/mem.h"
#include "model/model_internal.h"

typedef struct Inspection {
    Program *program;
    const Execution *ex;
    const Finding *finding;
    BugView *view;
} Inspection;

static uint32_t thread_of(const Inspection *in, AgentId agent)
{
    char path[256], name[256];
    in->program->ops->agent_path(in->program, agent, path, sizeof path);
    in->program->ops->agent_name(in->program, agent, name, sizeof name);
    return bugview_add_thread(in->view, path, name);
}

static void mark_steps(Inspection *in)
{
    Trace *trace = in->view->trace;
    bool *preempts = mem_alloc(trace->step_count + 1);
    for (uint32_t i = 0; i < trace->step_count; i++) {
        preempts[i] = (in->ex->events[i].flags & EVENT_PREEMPTS) != 0;
        trace->preemptions += preempts[i];
    }
    in->view->preempts = preempts;
}

static void add_party(Inspection *in, uint32_t nth)
{
    const Finding *finding = in->finding;
    PartyView *party = &in->view->parties[in->view->party_count++];
    party->thread = thread_of(in, finding->agents[nth]);
    party->owner = VIEW_NOBODY;
    if (nth < finding->site_count)
        party->place = trace_place(in->view->trace, in->program, finding->sites[nth]);
    party->action = "is";
    party->position = finding->position;
}

BugView *inspect_abs(Program *program, const Execution *ex, const Finding *finding, const RunInfo *info)
{
    BugView *view = mem_alloc(sizeof *view);
    Inspection in = {.program = program, .ex = ex, .finding = finding, .view = view};
    view->trace = trace_create();
    runinfo_describe(info, view->trace);
    trace_add_steps(view->trace, program, ex, finding->position);
    for (AgentId agent = 0; agent < ex->agent_count; agent++)
        if (ex->agents[agent].steps > 0)
            thread_of(&in, agent);
    for (uint32_t i = 0; i < finding->agent_count; i++)
        add_party(&in, i);
    mark_steps(&in);
    return view;
}
