/* strategy_persistent.c - depth-first search with persistent sets computed by the program, and sleep sets
 *
 * In each state only the agents of a persistent set are tried (ProgramOps.sufficient), and of those only the ones that
 * are awake: a step that was tried in a state sleeps behind its later siblings until a step that conflicts with it
 * (Godefroid). No race is ever reversed, so nothing has to be known of what lies behind a state. That is why an
 * execution may end at once where a bound of the program is met (END_CUT), which race reversal could not allow: all
 * executions behind that state meet it too.
 * The path is local to the process: programs that compute persistent sets do not kill it.
 */
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "core/label.h"
#include "core/strategy.h"
#include "core/strategy/decisions.h"

typedef VEC(Label *) Labels;

/* A state on the path. */
typedef struct Node {
    Labels tried;      /* outcomes of the steps taken here, owned                            */
    Labels asleep;     /* outcomes that sleep here; owned by nodes above                     */
    VEC(AgentId) deep; /* agents all of whose outcomes sleep here                            */
} Node;

typedef struct Persistent {
    Picker picker;
    Search *search;
    Decisions *decisions;
    VEC(Node) nodes;   /* one per step of the plan and of the current execution; unused ones
                          keep their memory                                                  */
    uint32_t depth;    /* nodes in use                                                       */
    uint32_t noted;    /* steps of the execution that are noted in their nodes               */
    VEC(AgentId) agents;
} Persistent;

typedef struct PersistentState {
    Region *region;
    Persistent *local;
} PersistentState;

/* ---- Lifecycle ------------------------------------------------------------------------ */

static AgentId pick_awake(Picker *picker, Execution *ex, AgentId current);
static uint32_t choose_first(Picker *picker, Execution *ex, uint32_t options);
static void note_branch(Picker *picker, Execution *ex, uint32_t condition, uint32_t taken);

static void *persistent_create(Region *region, const ExploreOptions *options)
{
    (void)options;
    PersistentState *state = region_alloc(region, sizeof *state);
    *state = (PersistentState){.region = region, .local = mem_alloc(sizeof(Persistent))};
    state->local->picker = (Picker){.pick = pick_awake, .choose = choose_first, .branched = note_branch};
    state->local->decisions = decisions_create(region);
    return state;
}

static void clear_node(Node *node)
{
    for (uint32_t i = 0; i < node->tried.count; i++)
        free(node->tried.items[i]);
    node->tried.count = node->asleep.count = node->deep.count = 0;
}

static void persistent_destroy(void *memory)
{
    PersistentState *state = memory;
    Persistent *self = state->local;
    for (uint32_t i = 0; i < self->depth; i++)
        clear_node(&self->nodes.items[i]);
    for (uint32_t i = 0; i < self->nodes.count; i++) {
        VEC_FREE(&self->nodes.items[i].tried);
        VEC_FREE(&self->nodes.items[i].asleep);
        VEC_FREE(&self->nodes.items[i].deep);
    }
    VEC_FREE(&self->nodes);
    VEC_FREE(&self->agents);
    decisions_destroy(self->decisions);
    free(self);
    region_free(state->region, state, sizeof *state);
}

static void persistent_attach(Search *search)
{
    Persistent *self = ((PersistentState *)search->state)->local;
    self->search = search;
    search->local = self;
}

static void persistent_detach(Search *search) { search->local = NULL; }

/* ---- Steps -------------------------------------------------------------------------------- */

static Label *take_label(const Execution *ex, const Event *event)
{
    size_t touches = event->access_count * sizeof(Touch), choices = event->choice_count * sizeof(Literal);
    Label *label = mem_alloc(sizeof *label + touches + choices);
    Touch *touch = (Touch *)(label + 1);
    Literal *choice = (Literal *)(touch + event->access_count);
    *label = (Label){.agent = event->agent, .index = event->index, .touches = touch, .choices = choice,
                     .touch_count = event->access_count, .choice_count = event->choice_count};
    for (uint32_t i = 0; i < event->access_count; i++) {
        const Access *access = &ex->accesses[event->first_access + i];
        touch[i] = (Touch){.resource = access->resource, .lanes = access->lanes, .mode = access->mode};
        label->filter |= label_filter_bit(access->resource);
    }
    for (uint32_t i = 0; i < event->choice_count; i++) {
        const Choice *taken = &ex->choices[event->first_choice + i];
        choice[i] = (Literal){.condition = taken->condition, .taken = taken->taken};
    }
    return label;
}

/* The label of the newest step taken at a node. */
static const Label *newest(const Node *node) { return node->tried.items[node->tried.count - 1]; }

static bool has_agent(const Node *node, AgentId agent)
{
    for (uint32_t i = 0; i < node->deep.count; i++)
        if (node->deep.items[i] == agent)
            return true;
    return false;
}

/* ---- Sleep ---------------------------------------------------------------------------------- */

static Node *add_node(Persistent *self)
{
    if (self->depth == self->nodes.count)
        VEC_PUSH(&self->nodes, (Node){0});
    return &self->nodes.items[self->depth++];
}

/* An outcome sleeps until a conflicting step; an agent as long as all of its outcomes do. */
static void put_to_sleep(Node *node, const Node *above, const Labels *labels, bool tried)
{
    const Label *step = newest(above);
    for (uint32_t i = 0; i < labels->count; i++) {
        Label *label = labels->items[i];
        if (label->agent == step->agent)
            continue;
        bool all = tried || has_agent(above, label->agent);
        for (uint32_t k = 0; k < labels->count && all; k++)
            all = labels->items[k]->agent != label->agent || !label_conflict(labels->items[k], step);
        if (all && !has_agent(node, label->agent))
            VEC_PUSH(&node->deep, label->agent);
        if (!label_conflict(label, step))
            VEC_PUSH(&node->asleep, label);
    }
}

static bool sleeps(const Node *node, const Label *step)
{
    for (uint32_t i = 0; i < node->asleep.count; i++)
        if (label_same_outcome(node->asleep.items[i], step))
            return true;
    return false;
}

/* Adds the node behind the newest one, or the first. */
static Node *open_node(Persistent *self)
{
    Node *node = add_node(self);
    if (self->depth > 1) {
        const Node *above = node - 1;
        put_to_sleep(node, above, &above->asleep, false);
        put_to_sleep(node, above, &above->tried, true);
    }
    return node;
}

/* Notes the outcomes of the newest steps. False if one of them sleeps. */
static bool note_steps(Persistent *self, const Execution *ex)
{
    while (self->noted < ex->event_count) {
        Node *node = self->noted < self->depth ? &self->nodes.items[self->noted] : open_node(self);
        VEC_PUSH(&node->tried, take_label(ex, &ex->events[self->noted++]));
        if (sleeps(node, newest(node)))
            return false;
    }
    return true;
}

/* ---- While an execution runs -------------------------------------------------------------- */

static uint32_t list_enabled(Persistent *self, const Execution *ex)
{
    Program *program = self->search->program;
    uint32_t count = 0;
    VEC_RESERVE(&self->agents, ex->agent_count);
    if (program->ops->sufficient)
        count = program->ops->sufficient(program, self->agents.items);
    for (AgentId agent = 0; agent < ex->agent_count && !program->ops->sufficient; agent++)
        if (program->ops->enabled(program, agent))
            self->agents.items[count++] = agent;
    return count;
}

static AgentId pick_awake(Picker *picker, Execution *ex, AgentId current)
{
    Persistent *self = (Persistent *)picker;
    Decision *decision = NULL;
    (void)current;
    if (!note_steps(self, ex))
        return AGENT_NONE;
    const Node *node = open_node(self);
    uint32_t count = list_enabled(self, ex);
    for (uint32_t i = 0; i < count; i++) {
        AgentId agent = self->agents.items[i];
        if (has_agent(node, agent))
            continue;
        if (decision)
            decisions_add_alternative(self->decisions, (Alternative){.value = agent});
        else
            decision = decisions_add_step(self->decisions, ex, (Alternative){.value = agent});
    }
    return decision ? decision->taken.value : AGENT_NONE;
}

static uint32_t choose_first(Picker *picker, Execution *ex, uint32_t options)
{
    decisions_add_choice(((Persistent *)picker)->decisions, ex, options);
    return 0;
}

static void note_branch(Picker *picker, Execution *ex, uint32_t condition, uint32_t taken)
{
    decisions_add_branch(((Persistent *)picker)->decisions, ex, condition, taken);
}

/* ---- Between executions ---------------------------------------------------------------------- */

/* Takes the next alternative of the newest decision that has one; the nodes behind it are dropped. */
static bool next_alternative(Persistent *self)
{
    Decisions *decisions = self->decisions;
    while (decisions_top(decisions) && decisions_left(decisions) == 0)
        decisions_drop(decisions);
    while (self->depth > decisions->steps)
        clear_node(&self->nodes.items[--self->depth]);
    if (!decisions_top(decisions))
        return false;
    decisions_advance(decisions);
    return true;
}

static Next persistent_next(Search *search)
{
    Persistent *self = search->local;
    Decisions *decisions = self->decisions;
    search->ex->picker = &self->picker;
    bool more = !decisions->started || next_alternative(self);
    while (more && !decisions_plan(decisions, search->ex)) {
        if (!search_may_continue(search))
            return NEXT_STOPPED;
        more = next_alternative(self);
    }
    if (!more)
        return NEXT_NONE;
    decisions->started = true;
    self->noted = search->ex->plan_length ? search->ex->plan_length - 1 : 0;
    return NEXT_PLANNED;
}

/* The last step has been noted only if the picker was called for the next one. */
static void persistent_learn(Search *search)
{
    Persistent *self = search->local;
    const Execution *ex = search->ex;
    decisions_end(self->decisions, ex);
    if (ex->end != END_ABANDONED)
        note_steps(self, ex);
}

const StrategyOps strategy_persistent = {
    .create = persistent_create,
    .destroy = persistent_destroy,
    .attach = persistent_attach,
    .detach = persistent_detach,
    .next = persistent_next,
    .learn = persistent_learn,
};
