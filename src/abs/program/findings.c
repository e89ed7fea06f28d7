/* findings.c - which ends of tasks are bugs, and their texts */
#include <stdio.h>
#include <string.h>

#include "abs/program/program_internal.h"
#include "abs/run/guard.h"
#include "abs/run/references.h"
#include "abs/run/waitgraph.h"
#include "base/map.h"

/* ---- Helpers ------------------------------------------------------------------------ */

static void add_agent(Finding *finding, AgentId agent)
{
    if (finding->agent_count < FINDING_AGENTS)
        finding->agents[finding->agent_count++] = agent;
}

static void add_site(Finding *finding, uint64_t site)
{
    for (uint32_t i = 0; i < finding->site_count; i++)
        if (finding->sites[i] == site)
            return;
    if (finding->site_count < FINDING_SITES)
        finding->sites[finding->site_count++] = site;
}

enum { MOST_SHOWN = 40 }; /* characters of a value in the head of a report */

static void set_text(Finding *finding, Text *text)
{
    snprintf(finding->text, sizeof finding->text, "%s", text_borrow(text));
    text_release(text);
}

/* "register of DBimp_1" */
static void add_task_text(AbsProgram *self, const Task *task, Text *text)
{
    if (!task->object) {
        text_add_string(text, "the main block");
        return;
    }
    text_add(text, "%s of ", task->code->kind == CODE_INIT ? "the init block" : task->code->name);
    describe_object(self, task->object, text);
}

static uint32_t line_of(AbsProgram *self, uint64_t site)
{
    Place place;
    return describe_place(&self->program, site, &place) ? place.line : 0;
}

/* ---- Variants ------------------------------------------------------------------------ */

static bool is_wait(const Instr *instr)
{
    return instr->op == INSTR_GET || instr->op == INSTR_SYNC || instr->op == INSTR_AWAIT;
}

/* Has the line of this wait or assertion another one? Reports name places by their lines. */
static bool shares_line(const AbsProgram *self, uint64_t site, bool waits)
{
    const Code *code = self->image->codes.items[(site >> 32) - 1];
    const Sources *sources = &self->model->sources;
    uint32_t line = source_place(sources, (SrcPos)site).line;
    for (uint32_t i = 0; i < code->count; i++) {
        bool same_kind = waits ? is_wait(&code->instrs[i]) : code->instrs[i].op == INSTR_ASSERT;
        if (same_kind && code->places[i] != (SrcPos)site && source_place(sources, code->places[i]).line == line)
            return true;
    }
    return false;
}

static void set_variant(const AbsProgram *self, Finding *finding)
{
    for (uint32_t i = 0; i < finding->site_count; i++)
        if (shares_line(self, finding->sites[i], finding->kind != BUG_ASSERTION))
            finding->variant +=
                map_mix(0x1172, source_place(&self->model->sources, (SrcPos)finding->sites[i]).column);
}

/* Where the object of the task was created, and what the task is. */
static uint64_t hash_role(const AbsProgram *self, const Task *task)
{
    const ModelObject *object = &self->machine->objects[task->object];
    const Code *code = object->creation;
    uint64_t creation = code ? machine_site(code, code->instrs + object->creation_at) : 0;
    return map_mix(map_mix(creation, task->code->number), task->state == TASK_NEW ? 0 : task->site);
}

/* ---- Deadlocks ------------------------------------------------------------------------- */

/* "DB_1.register (line 27) waits for Worker_1.ping": only tasks that wait by themselves are listed; these block the
 * others. */
static void add_link_text(AbsProgram *self, const Task *task, Text *text)
{
    char name[128];
    AgentId wanted = task->wanted;
    describe_agent(&self->program, task->id, name, sizeof name);
    text_add(text, "%s%s (line %u) waits for ", text->length ? "; " : "", name, line_of(self, task->site));
    for (uint32_t i = 0; task->state == TASK_AWAIT && i < task->guard->future_count; i++) {
        wanted = value_number(task->frame->registers[task->guard->futures[i]]);
        if (!task_is_over(&self->machine->tasks[wanted]))
            break;
    }
    describe_agent(&self->program, wanted, name, sizeof name);
    text_add_string(text, name);
}

static bool waits_itself(const Task *task)
{
    return task->state == TASK_GET || (task->state == TASK_AWAIT && task->guard->future_count > 0);
}

/* A search finds the same deadlock many times; only the first finding gets a text. */
static bool is_new(AbsProgram *self, const Finding *finding)
{
    uint64_t key = finding->kind + 1;
    bool added;
    for (uint32_t i = 0; i < finding->site_count; i++)
        key += map_mix(0x517e, finding->sites[i]); /* an unordered set */
    key = map_mix(key, finding->variant);
    map_insert(&self->described, key >> 1, &added);
    return added || self->machine->options.keep_values;
}

void findings_add_deadlock(AbsProgram *self, Execution *ex, const AgentId *tasks, uint32_t count)
{
    Finding *finding = execution_add_finding(ex, BUG_DEADLOCK);
    Text text = {0};
    for (uint32_t i = 0; i < count; i++) {
        const Task *task = &self->machine->tasks[tasks[i]];
        add_agent(finding, task->id);
        if (waits_itself(task))
            add_site(finding, task->site);
    }
    set_variant(self, finding);
    for (uint32_t i = 0; self->options.by_objects && i < count; i++)
        finding->variant += hash_role(self, &self->machine->tasks[tasks[i]]);
    bool news = is_new(self, finding);
    for (uint32_t i = 0; news && i < count; i++)
        if (waits_itself(&self->machine->tasks[tasks[i]]))
            add_link_text(self, &self->machine->tasks[tasks[i]], &text);
    set_text(finding, &text);
}

/* ---- Exceptions -------------------------------------------------------------------------- */

/* The task in which the exception was thrown first; if an object is dead, the one that it died of. Each is before the
 * next in time. */
static const Task *find_origin(const Machine *machine, const Task *task)
{
    while (task->failure_from != AGENT_NONE && machine->tasks[task->failure_from].failed)
        task = &machine->tasks[task->failure_from];
    return task;
}

/* The finding of this execution about an exception that the task threw; NULL: none yet. */
static Finding *find_cause(const Execution *ex, const Task *origin)
{
    for (uint32_t i = 0; i < ex->finding_count; i++)
        if (ex->findings[i].kind == BUG_EXCEPTION && ex->findings[i].agents[0] == origin->id)
            return &ex->findings[i];
    return NULL;
}

static void report_exception(AbsProgram *self, Execution *ex, const Task *task, BugKind kind)
{
    const Task *origin = find_origin(self->machine, task);
    Finding *finding = kind == BUG_EXCEPTION ? find_cause(ex, origin) : NULL;
    Text text = {0};
    if (finding) { /* one more effect */
        add_agent(finding, task->id);
        return;
    }
    finding = execution_add_finding(ex, kind);
    add_agent(finding, origin->id);
    if (task != origin)
        add_agent(finding, task->id);
    add_site(finding, origin->site);
    if (kind == BUG_EXCEPTION) {
        value_print(&self->machine->context, origin->result, &text);
        text_add_string(&text, " in ");
    }
    add_task_text(self, origin, &text);
    if (kind == BUG_ASSERTION) {
        set_variant(self, finding);
        text_add_string(&text, " fails an assertion");
    }
    set_text(finding, &text);
}

static bool is_assertion(const Machine *machine, const Task *task)
{
    return task->result == machine->image->assertion_failed;
}

static void report_failed_init(AbsProgram *self, Execution *ex, const Task *task)
{
    Finding *finding = execution_add_finding(ex, BUG_EXCEPTION);
    Text text = {0};
    add_agent(finding, task->id);
    add_site(finding, self->machine->init_site);
    text_add_string(&text, "an exception in the init block of an object that ");
    add_task_text(self, task, &text);
    text_add_string(&text, " creates");
    set_text(finding, &text);
    self->machine->init_failed = false;
}

/* ---- When ---------------------------------------------------------------------------------- */

void findings_after_step(AbsProgram *self, Execution *ex, AgentId agent)
{
    const Task *task = &self->machine->tasks[agent];
    if (ex->cuts[CUT_ROOM])
        return; /* a replay, in which other executions need no room, might continue elsewhere */
    task_cycles_after_step(self, ex, agent);
    if (task->state == TASK_DONE && task->failed && is_assertion(self->machine, task) &&
             task->failure_from == AGENT_NONE)
        report_exception(self, ex, task, BUG_ASSERTION);
    if (self->machine->init_failed)
        report_failed_init(self, ex, task);
}

/* " (free = False)": the fields that its condition reads, if there is room for their values. */
static void add_guard_fields(AbsProgram *self, const Task *task, Text *text)
{
    const ModelObject *object = &self->machine->objects[task->frame->object];
    uint32_t shown = 0;
    for (uint32_t i = 0; i < task->guard->input_count; i++) {
        const struct GuardInput *input = &task->guard->inputs[i];
        Text value = {0};
        if (input->kind == INPUT_FIELD)
            program_abs_print_field(self, task->frame->object, input->number, &value);
        if (input->kind == INPUT_FIELD && value.length <= MOST_SHOWN)
            text_add(text, "%s%s = %s", shown++ ? ", " : " (",
                     object->class->decl->fields.items[input->number]->name.text, text_borrow(&value));
        text_release(&value);
    }
    text_add_string(text, shown ? ")" : "");
}

static void report_stuck(AbsProgram *self, Execution *ex, const Task *task)
{
    Finding *finding = execution_add_finding(ex, BUG_STUCK);
    Text text = {0};
    add_agent(finding, task->id);
    add_site(finding, task->site);
    set_variant(self, finding);
    add_task_text(self, task, &text);
    text_add(&text, " waits forever: the condition of 'await' in line %u stays false", line_of(self, task->site));
    add_guard_fields(self, task, &text);
    set_text(finding, &text);
}

/* Does it wait only for its condition: futures resolved, cog free? */
static bool is_stuck(Machine *machine, Task *task)
{
    if (task->state != TASK_AWAIT || !task->guard->condition || waitgraph_holder(machine, task) != AGENT_NONE)
        return false;
    for (uint32_t i = 0; i < task->guard->future_count; i++)
        if (!task_is_over(&machine->tasks[value_number(task->frame->registers[task->guard->futures[i]])]))
            return false;
    return true;
}

/* Its deployment component gives out nothing any more. */
static void report_starved(AbsProgram *self, Execution *ex, const Task *task)
{
    Finding *finding = execution_add_finding(ex, BUG_STUCK);
    Text text = {0};
    add_agent(finding, task->id);
    add_site(finding, task->site);
    add_task_text(self, task, &text);
    text_add(&text, " waits forever: its deployment component has no resources for line %u", line_of(self, task->site));
    set_text(finding, &text);
}

/* Nothing is enabled any more, so nothing changes what its loop reads. */
static void report_endless(AbsProgram *self, Execution *ex, const Task *task)
{
    Finding *finding = execution_add_finding(ex, BUG_LIVELOCK);
    Text text = {0};
    add_agent(finding, task->id);
    add_site(finding, task->site);
    add_task_text(self, task, &text);
    text_add(&text, " runs forever: nothing changes any more that its loop around line %u reads",
             line_of(self, task->site));
    set_text(finding, &text);
}

/* If a limit cut the execution, a task that it stopped might have changed the condition, or read the result. */
void findings_at_end(AbsProgram *self, Execution *ex)
{
    Machine *machine = self->machine;
    if (ex->cuts[CUT_ROOM])
        return;
    task_cycles_at_end(self, ex);
    for (AgentId agent = 0; agent < machine->task_count; agent++) {
        Task *task = &machine->tasks[agent];
        bool unhandled = task->state == TASK_DONE && task->failed && !task->seen && !task->handled &&
                         !is_assertion(machine, find_origin(machine, task));
        if (unhandled && (!execution_is_cut(ex) || !references_hold_future(machine, task->id)))
            report_exception(self, ex, task, BUG_EXCEPTION);
        else if (!execution_is_cut(ex) && is_stuck(machine, task))
            report_stuck(self, ex, task);
        else if (!execution_is_cut(ex) && task->state == TASK_DELAY && task->amount != VALUE_NONE)
            report_starved(self, ex, task);
        else if (!execution_is_cut(ex) && task->state == TASK_READY && task->idle &&
                 waitgraph_holder(machine, task) == AGENT_NONE)
            report_endless(self, ex, task);
    }
}
