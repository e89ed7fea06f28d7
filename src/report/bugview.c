/* bugview.c - see bugview.h */
#include "report/bugview.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

uint32_t bugview_add_thread(BugView *view, const char *path, const char *name)
{
    for (uint32_t i = 0; i < view->thread_count; i++)
        if (strcmp(view->threads[i].path, path) == 0)
            return i;
    view->threads = mem_resize(view->threads, (view->thread_count + 1) * sizeof *view->threads);
    view->threads[view->thread_count] = (ThreadView){trace_keep(view->trace, path), trace_keep(view->trace, name)};
    return view->thread_count++;
}

void bugview_add_agents(BugView *view, Program *program, const Execution *ex)
{
    char path[128], name[128];
    for (AgentId agent = 0; agent < ex->agent_count; agent++) {
        if (ex->agents[agent].steps == 0)
            continue;
        program->ops->agent_path(program, agent, path, sizeof path);
        program->ops->agent_name(program, agent, name, sizeof name);
        bugview_add_thread(view, path, name);
    }
}

static bool knows_earlier(const BugView *view, const EarlierBug *bug)
{
    for (uint32_t i = 0; i < view->earlier_count; i++)
        if (strcmp(view->earlier[i].kind, bug->kind) == 0 && strcmp(view->earlier[i].id, bug->id) == 0)
            return true;
    return false;
}

void bugview_add_earlier(BugView *view, Program *program, const Execution *ex, const Finding *finding)
{
    for (uint32_t i = 0; i < ex->finding_count && view->earlier_count < VIEW_EARLIER; i++) {
        const Finding *other = &ex->findings[i];
        EarlierBug bug = {.kind = bug_kind_name(other->kind)};
        identity_write(identity_of(program, other), IDENTITY_DIGITS, bug.id);
        if (other->position < finding->position && !finding_same_bug(other, finding) && !knows_earlier(view, &bug))
            view->earlier[view->earlier_count++] = bug;
    }
}

BugView *bugview_of_trace(Trace *trace, const char *agent)
{
    BugView *view = mem_alloc(sizeof *view);
    view->trace = trace;
    for (uint32_t i = 0; i < trace->step_count; i++) {
        Text name = {0};
        text_add(&name, "%s %s", agent, trace->steps[i].agent);
        bugview_add_thread(view, trace->steps[i].agent, name.data);
        text_release(&name);
    }
    return view;
}

void bugview_destroy(BugView *view)
{
    if (!view)
        return;
    trace_destroy(view->trace);
    free(view->threads);
    free((bool *)view->marked);
    free((bool *)view->preempts);
    if (view->arena)
        arena_release(view->arena);
    free(view->arena);
    free(view);
}
