/* inspect_c.c - describes the bug of a replayed execution of a C program */
#include "subject/c/subject_c.h"

#include <string.h>

#include "base/mem.h"
#include "rt/abi/ops.h"
#include "rt/actors/actor_mail.h"
#include "rt/detect/held.h"
#include "rt/detect/stack.h"
#include "rt/kernel/resource.h"
#include "rt/program/program_c.h"
#include "subject/c/explain_c.h"
#include "subject/c/sequence_c.h"
#include "subject/c/symbolize.h"

/* ---- Types ---------------------------------------------------------------------- */

typedef struct CInspection {
    Program *program;
    const Execution *ex;
    const Finding *finding;
    const char *binary;
    Trace *trace;
    BugView *view;
    uint64_t resources[64];  /* of the bug: steps that access them are shown */
    uint32_t resource_count;
} CInspection;

/* ---- Threads ----------------------------------------------------------------------- */

static uint32_t thread_of(CInspection *in, AgentId agent)
{
    char path[128], name[128];
    Mail mail;
    in->program->ops->agent_path(in->program, agent, path, sizeof path);
    AgentId named = actor_mail_of(in->ex, agent, &mail) ? mail.receiver : agent;
    in->program->ops->agent_name(in->program, named, name, sizeof name);
    return bugview_add_thread(in->view, path, name);
}

static bool takes_part(const CInspection *in, AgentId agent)
{
    for (uint32_t i = 0; i < in->finding->agent_count; i++)
        if (in->finding->agents[i] == agent)
            return true;
    return in->ex->agents[agent].steps > 0;
}

/* Columns in the order of creation: parents left of children, older left of younger. */
static void list_threads(CInspection *in)
{
    for (AgentId agent = 0; agent < in->ex->agent_count; agent++)
        if (takes_part(in, agent))
            thread_of(in, agent);
}

/* ---- Resources -------------------------------------------------------------------------- */

static void add_resource(CInspection *in, uint64_t resource)
{
    if (in->resource_count < sizeof in->resources / sizeof in->resources[0])
        in->resources[in->resource_count++] = resource;
}

static const char *resource_name(CInspection *in, uint64_t resource, uint8_t lanes)
{
    char name[256];
    in->program->ops->resource_name(in->program, resource, lanes, name, sizeof name);
    return trace_keep(in->trace, name);
}

static bool touches_bug(const CInspection *in, const Event *event)
{
    for (uint32_t i = 0; i < event->access_count; i++)
        for (uint32_t k = 0; k < in->resource_count; k++)
            if (in->ex->accesses[event->first_access + i].resource == in->resources[k])
                return true;
    return false;
}

/* ---- Calls and locks ------------------------------------------------------------------------ */

static bool is_same_line(const TracePlace *frame, const TracePlace *place)
{
    return place->function && strcmp(frame->function, place->function) == 0 && frame->line == place->line;
}

static void add_calls(CInspection *in, PartyView *party, uint32_t nth)
{
    StackFrame frames[VIEW_FRAMES + 8]; /* the innermost ones are the runtime's */
    uint32_t most = sizeof frames / sizeof frames[0];
    uint32_t number = (uint32_t)(in->finding - in->ex->findings);
    uint32_t count = party->waits_for ? stack_of_wait(in->finding->agents[nth], frames, most)
                                      : stack_of_finding(number, nth, frames, most);
    party->frame_count = symbolize_frames(in->trace, in->binary, frames, count, party->frames, VIEW_FRAMES);
    if (party->frame_count && is_same_line(&party->frames[0], &party->place)) /* not a caller, but the place itself */
        memmove(party->frames, party->frames + 1, --party->frame_count * sizeof party->frames[0]);
}

static void add_locks(CInspection *in, PartyView *party, uint32_t position, AgentId agent)
{
    HeldLock locks[VIEW_LOCKS];
    uint32_t count = held_locks(in->ex, position, agent, locks, VIEW_LOCKS);
    party->locks_known = true;
    for (uint32_t i = 0; i < count; i++) {
        party->locks[party->lock_count++] = (LockView){
            .name = resource_name(in, locks[i].resource, LANES_ALL),
            .taken = trace_place(in->trace, in->program, locks[i].site),
        };
        add_resource(in, locks[i].resource);
    }
}

/* ---- Waiting -------------------------------------------------------------------------------- */

static const Blocked *find_blocked(const Execution *ex, AgentId agent)
{
    for (uint32_t i = 0; i < ex->blocked_count; i++)
        if (ex->blocked[i].agent == agent)
            return &ex->blocked[i];
    return NULL;
}

static void add_owner(CInspection *in, PartyView *party, const Blocked *blocked, uint64_t resource)
{
    HeldLock locks[VIEW_LOCKS];
    uint32_t position = in->finding->position;
    AgentId owner = held_waits_for(in->ex, position, &in->ex->accesses[blocked->first_access], blocked->access_count);
    if (owner == AGENT_NONE || blocked->op == OP_JOIN)
        return;
    party->owner = (int32_t)thread_of(in, owner);
    uint32_t count = held_locks(in->ex, position, owner, locks, VIEW_LOCKS);
    for (uint32_t i = 0; i < count; i++)
        if (locks[i].resource == resource)
            party->owner_place = trace_place(in->trace, in->program, locks[i].site);
}

/* The condition variable or futex at which the thread waits to be woken, 0 if there is none. */
static uint64_t condition_of(const CInspection *in, const Blocked *blocked)
{
    bool futex = blocked->op == OP_FUTEX_RETURN;
    if (!futex && blocked->op != OP_COND_WAKE)
        return 0;
    for (uint32_t i = in->finding->position; i-- > 0;) {
        const Event *event = &in->ex->events[i];
        if (event->agent != blocked->agent || event->op != (futex ? OP_FUTEX_WAIT : OP_COND_WAIT))
            continue;
        for (uint32_t k = 0; k < event->access_count; k++)
            if (in->ex->accesses[event->first_access + k].resource >> 56 == (futex ? RES_FUTEX : RES_COND))
                return in->ex->accesses[event->first_access + k].resource;
    }
    return 0;
}

static void describe_wait(CInspection *in, PartyView *party, const Blocked *blocked)
{
    const Access *guard = held_back_by(in->ex, blocked, in->finding);
    party->place = trace_place(in->trace, in->program, blocked->site);
    if (!guard)
        return;
    uint64_t condition = condition_of(in, blocked);
    Text action = {0};
    party->waits_for = blocked->op == OP_FUTEX_RETURN ? "a wake-up" : resource_name(in, guard->resource, guard->lanes);
    text_add(&action, "waits for %s", party->waits_for);
    if (condition) {
        bool woken = blocked->op == OP_COND_WAKE && guard->resource >> 56 != RES_WAKE;
        text_add(&action, "%s on %s", woken ? ", to return from waiting" : "",
                 resource_name(in, condition, LANES_ALL));
        add_resource(in, condition);
    }
    party->action = trace_keep(in->trace, action.data);
    text_release(&action);
    add_resource(in, guard->resource);
    add_owner(in, party, blocked, guard->resource);
}

/* ---- Parties ---------------------------------------------------------------------------------- */

/* What the acting thread does if it does not wait. */
static const char *action_of(BugKind kind)
{
    switch (kind) {
    case BUG_ASSERTION: return "fails the assertion";
    case BUG_CRASH: return "crashes";
    case BUG_HEAP_BOUNDS: return "exceeds the bounds of a heap block";
    case BUG_BOUNDS: return "exceeds the bounds of a variable";
    case BUG_USE_AFTER_FREE: return "uses freed memory";
    case BUG_USE_AFTER_RETURN: return "uses a variable that no longer exists";
    case BUG_DOUBLE_FREE: return "frees memory twice";
    case BUG_INVALID_FREE: return "frees a pointer that is not to a heap block";
    case BUG_LEAK: return "allocated memory that is never freed";
    case BUG_LOCK_MISUSE: return "misuses a primitive";
    case BUG_LIVELOCK: return "makes no progress";
    case BUG_OVERFLOW: return "has a signed overflow";
    case BUG_DIVISION: return "divides by zero";
    case BUG_EXIT_CODE: return "terminates the program";
    case BUG_EXCEPTION: return "throws";
    case BUG_LIVENESS: return "asked for something that never happens";
    case BUG_MESSAGE_MISUSE: return "misuses messages";
    case BUG_DEADLOCK: return "waits for a message";
    default: return "is";
    }
}

static bool is_about_waiting(BugKind kind)
{
    return kind == BUG_DEADLOCK || kind == BUG_LIVELOCK || kind == BUG_STUCK;
}

/* "write" -> "writes x", "atomic read" -> "atomically reads x" */
static const char *describe_access(CInspection *in, const char *verb)
{
    uint64_t address = in->finding->address;
    const char *atomic = strncmp(verb, "atomic ", 7) == 0 ? "atomically " : "";
    uint64_t resource = resource_make(RES_MEMORY, address >> 3);
    Text action = {0};
    text_add(&action, "%s%ss %s", atomic, *atomic ? verb + 7 : verb,
             resource_name(in, resource, (uint8_t)(1u << (address & 7))));
    const char *kept = trace_keep(in->trace, action.data);
    text_release(&action);
    add_resource(in, resource);
    return kept;
}

/* The number of events up to the one with which the agent had taken so many steps; up to its creation if none. */
static uint32_t position_after(const Execution *ex, AgentId agent, uint32_t taken)
{
    for (const Agent *child; taken == 0 && (child = &ex->agents[agent])->creator != AGENT_NONE; agent = child->creator)
        taken = child->creator_step + 1;
    for (uint32_t i = 0; taken > 0 && i < ex->event_count; i++)
        if (ex->events[i].agent == agent && ex->events[i].index + 1 == taken)
            return i + 1;
    return 0;
}

/* The number of events of the execution before the action of the party. */
static uint32_t position_of(const CInspection *in, uint32_t nth)
{
    const Finding *finding = in->finding;
    if (finding->steps[nth] == 0)
        return finding->position;
    uint32_t position = position_after(in->ex, finding->agents[nth], finding->steps[nth] - 1);
    return position < finding->position ? position : finding->position;
}

/* The other half of a misuse was a step of its own: "earlier, step 3: destroy lock". */
static const char *describe_step(CInspection *in, uint32_t nth)
{
    const Finding *finding = in->finding;
    for (uint32_t i = finding->position; nth < finding->site_count && i-- > 0;) {
        const Event *event = &in->ex->events[i];
        if (event->agent != finding->agents[nth] || event->site != finding->sites[nth] || event->op == OP_EXIT)
            continue;
        Text action = {0};
        text_add(&action, "earlier, step %u: %s", i + 1, in->trace->steps[i].text);
        const char *kept = trace_keep(in->trace, action.data);
        text_release(&action);
        return kept;
    }
    return "takes part";
}

static const char *describe_part(CInspection *in, uint32_t nth)
{
    const Finding *finding = in->finding;
    if (finding->verbs[nth])
        return describe_access(in, finding->verbs[nth]);
    if (nth > 0 && (finding->kind == BUG_USE_AFTER_FREE || finding->kind == BUG_DOUBLE_FREE))
        return "freed it";
    return nth == 0 ? action_of(finding->kind) : describe_step(in, nth);
}

/* "waits for heap block main#2 (allocated at a.c:7)" -> "waits for main#2" */
static const char *shorten(CInspection *in, const char *action)
{
    static const char prefix[] = "heap block ";
    Text brief = {0};
    const char *block = strstr(action, prefix), *origin = strstr(action, " (allocated at ");
    if (!block || !origin)
        return NULL;
    text_add_bytes(&brief, action, (size_t)(block - action));
    text_add_bytes(&brief, block + sizeof prefix - 1, (size_t)(origin - block) - sizeof prefix + 1);
    const char *kept = trace_keep(in->trace, brief.data);
    text_release(&brief);
    return kept;
}

static void add_party(CInspection *in, uint32_t nth)
{
    const Finding *finding = in->finding;
    AgentId agent = finding->agents[nth];
    PartyView *party = &in->view->parties[in->view->party_count++];
    const Blocked *blocked = is_about_waiting(finding->kind) ? find_blocked(in->ex, agent) : NULL;
    party->thread = thread_of(in, agent);
    party->owner = VIEW_NO_THREAD;
    if (nth < finding->site_count)
        party->place = trace_place(in->trace, in->program, finding->sites[nth]);
    if (blocked)
        describe_wait(in, party, blocked);
    if (!party->action)
        party->action = describe_part(in, nth);
    party->brief = shorten(in, party->action);
    uint32_t position = position_of(in, nth);
    bool acts = nth == 0 || party->waits_for || finding->verbs[nth];
    party->position = acts ? position : VIEW_NOWHERE;
    add_calls(in, party, nth);
    if (acts)
        add_locks(in, party, position, agent);
}

/* ---- Steps --------------------------------------------------------------------------------------- */

static void mark_steps(CInspection *in)
{
    uint32_t count = in->trace->step_count;
    bool *marked = mem_alloc(count), *preempts = mem_alloc(count);
    for (uint32_t i = 0; i < count; i++) {
        marked[i] = touches_bug(in, &in->ex->events[i]);
        preempts[i] = (in->ex->events[i].flags & EVENT_PREEMPTS) != 0;
        in->trace->preemptions += preempts[i];
    }
    in->view->marked = marked;
    in->view->preempts = preempts;
}

BugView *inspect_c(Program *program, const Execution *ex, const Finding *finding, const RunInfo *info)
{
    BugView *view = mem_alloc(sizeof *view);
    CInspection in = {.program = program, .ex = ex, .finding = finding, .binary = info->program, .view = view};
    view->trace = in.trace = trace_create();
    runinfo_describe(info, in.trace);
    trace_add_steps(in.trace, program, ex, finding->position);
    list_threads(&in);
    for (uint32_t i = 0; i < finding->agent_count; i++)
        add_party(&in, i);
    mark_steps(&in);
    explain_c(program, ex, finding, view);
    view->arena = mem_alloc(sizeof *view->arena);
    view->sequence = sequence_of_actors(program, ex, finding->position, finding->repeated, view->arena);
    view->loop = finding->repeated;
    view->actors = view->sequence != NULL;
    return view;
}
