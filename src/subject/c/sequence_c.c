/* sequence_c.c - see sequence_c.h
 *
 * A row is a macro-step: a message is received, and the actor's code runs up to its next receive. Steps
 * within it (branches, atomics) are not shown, but the messages they send are.
 */
#include "subject/c/sequence_c.h"

#include <string.h>

#include "base/vec.h"
#include "rt/abi/ops.h"
#include "rt/actors/actor_fault.h"
#include "rt/actors/actor_mail.h"
#include "rt/program/program_c.h"

typedef struct ActorDrawing {
    Program *program;
    const Execution *ex;
    Arena *arena;
    VEC(AgentId) parties;              /* by lifeline */
    VEC(const char *) lifelines;
    VEC(SequenceStep) steps;
    VEC(SequenceCall) calls;
} ActorDrawing;

static const char *keep(ActorDrawing *drawing, const char *text)
{
    size_t size = strlen(text) + 1;
    return memcpy(arena_alloc(drawing->arena, size), text, size);
}

static const char *name_of(ActorDrawing *drawing, AgentId agent)
{
    char name[512];
    if (!actor_mail_text(drawing->ex, agent, name, sizeof name))
        drawing->program->ops->agent_name(drawing->program, agent, name, sizeof name);
    return keep(drawing, name);
}

static bool mail_of(const ActorDrawing *drawing, AgentId agent, Mail *mail)
{
    return actor_mail_of(drawing->ex, agent, mail);
}

static uint32_t lifeline_of(ActorDrawing *drawing, AgentId agent)
{
    Mail mail;
    AgentId party = mail_of(drawing, agent, &mail) ? mail.receiver : agent;
    for (uint32_t i = 0; i < drawing->parties.count; i++)
        if (drawing->parties.items[i] == party)
            return i;
    VEC_PUSH(&drawing->parties, party);
    VEC_PUSH(&drawing->lifelines, name_of(drawing, party));
    return drawing->parties.count - 1;
}

static SequenceStep *add_step(ActorDrawing *drawing, uint32_t lifeline, const char *task)
{
    VEC_PUSH(&drawing->steps, ((SequenceStep){.lifeline = lifeline,
                                              .task = task,
                                              .file = "",
                                              .fate = FATE_OMITTED,
                                              .changes = "",
                                              .first_call = drawing->calls.count}));
    return &drawing->steps.items[drawing->steps.count - 1];
}

/* What the agent created in its step; UINT32_MAX: before its first step. */
static void add_calls(ActorDrawing *drawing, AgentId creator, uint32_t index)
{
    for (AgentId agent = 0; agent < drawing->ex->agent_count; agent++) {
        const Agent *made = &drawing->ex->agents[agent];
        Mail mail;
        if (made->creator != creator || made->creator_step != index)
            continue;
        bool message = mail_of(drawing, agent, &mail);
        if (message && mail.timer)
            continue;
        VEC_PUSH(&drawing->calls,
                 ((SequenceCall){.lifeline = lifeline_of(drawing, agent),
                                 .task = message ? name_of(drawing, agent) : NULL}));
        drawing->steps.items[drawing->steps.count - 1].call_count++;
    }
}

/* The text of a row, or NULL if the event does not need a row. */
static const char *row_text(ActorDrawing *drawing, const Event *event)
{
    char text[512];
    switch (event->op) {
    case OP_ACTOR_RECEIVE:
        snprintf(text, sizeof text, "<- %s", name_of(drawing, event->agent));
        return keep(drawing, text);
    case OP_ACTOR_TIMEOUT: return "time-out";
    case OP_ACTOR_START: return "starts";
    case OP_ACTOR_READY:
    case OP_ACTOR_SEND:
    case OP_ACTOR_GO: return NULL;
    case OP_ACTOR_FAULT: return NULL;
    case OP_ACTOR_LINK: return drawing->ex->accesses[event->first_access].after ? "cut off" : NULL;
    case OP_BRANCH: return NULL;
    default:
        drawing->program->ops->step_text(drawing->program, event->op, &drawing->ex->accesses[event->first_access],
                                         event->access_count, text, sizeof text);
        return keep(drawing, text);
    }
}

static void draw_event(ActorDrawing *drawing, const Event *event)
{
    uint32_t lifeline = lifeline_of(drawing, event->agent);
    const char *text = row_text(drawing, event);
    bool continues = drawing->steps.count && drawing->steps.items[drawing->steps.count - 1].lifeline == lifeline;
    uint32_t sent = drawing->calls.count;
    if (text || !continues)
        add_step(drawing, lifeline, text ? text : "continues");
    SequenceStep *step = &drawing->steps.items[drawing->steps.count - 1];
    add_calls(drawing, event->agent, event->index);
    if (!text && !continues && sent == drawing->calls.count)
        drawing->steps.count--;
    else
        step->fate = FATE_OMITTED;
}

static bool has_messages(const ActorDrawing *drawing)
{
    Mail mail;
    for (AgentId agent = 0; agent < drawing->ex->agent_count; agent++)
        if (mail_of(drawing, agent, &mail))
            return true;
    return false;
}

Sequence *sequence_of_actors(Program *program, const Execution *ex, uint32_t length, uint32_t repeated, Arena *arena)
{
    enum { MOST_STEPS = 400 };
    ActorDrawing drawing = {.program = program, .ex = ex, .arena = arena};
    bool looping = false, marked = false;
    if (length > MOST_STEPS || !has_messages(&drawing))
        return NULL;
    add_step(&drawing, lifeline_of(&drawing, 0), "begins");
    add_calls(&drawing, 0, UINT32_MAX);
    for (uint32_t i = 0; i < length; i++) {
        uint32_t steps = drawing.steps.count;
        draw_event(&drawing, &ex->events[i]);
        looping |= repeated && i + repeated >= length;
        if (looping && !marked && drawing.steps.count > steps)
            marked = drawing.steps.items[steps].loops = true;
    }
    Sequence *sequence = arena_alloc(arena, sizeof *sequence);
    *sequence = (Sequence){.lifeline_count = drawing.lifelines.count,
                           .step_count = drawing.steps.count,
                           .call_count = drawing.calls.count};
#define KEEP(array)                                                                                                    \
    (drawing.array.count ? memcpy(arena_alloc(arena, drawing.array.count * sizeof *drawing.array.items),               \
                                  drawing.array.items, drawing.array.count * sizeof *drawing.array.items)              \
                         : NULL)
    sequence->lifelines = KEEP(lifelines);
    sequence->steps = KEEP(steps);
    sequence->calls = KEEP(calls);
#undef KEEP
    VEC_FREE(&drawing.parties);
    VEC_FREE(&drawing.lifelines);
    VEC_FREE(&drawing.steps);
    VEC_FREE(&drawing.calls);
    return sequence;
}
