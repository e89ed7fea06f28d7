/* stack.c - see stack.h */
#include "core/graph/stack.h"

#include <string.h>

static void free_list(Region *region, GraphJob **list)
{
    for (GraphJob *job; (job = *list);) {
        *list = job->next;
        graphjob_destroy(region, job);
    }
}

/* ---- Depth first ------------------------------------------------------------ */

static GraphLevel *add_level(GraphState *state)
{
    if (state->depth == state->room) {
        uint32_t room = state->room ? 2 * state->room : 16;
        GraphLevel *levels = region_alloc(state->region, room * sizeof *levels);
        if (state->depth)
            memcpy(levels, state->levels, state->depth * sizeof *levels);
        if (state->room)
            region_free(state->region, state->levels, state->room * sizeof *levels);
        state->levels = levels;
        state->room = room;
    }
    GraphLevel *level = &state->levels[state->depth++];
    *level = (GraphLevel){0};
    return level;
}

/* The graph of the first level belongs to the common tree, or is the settled one. */
static void drop_current(GraphState *state)
{
    GraphLevel *level = &state->levels[state->depth - 1];
    if (level->current && state->depth > 1)
        graphjob_destroy(state->region, level->current);
    level->current = NULL;
}

void stack_begin(GraphState *state, const ExploreStats *stats)
{
    stack_clear(state);
    GraphLevel *level = add_level(state);
    level->before = *stats;
    level->current = state->current = state->settled ? state->settled : graphjob_of(state->hand.job);
}

void stack_push(GraphState *state)
{
    if (!state->pending)
        return;
    add_level(state)->pending = state->pending;
    state->pending = NULL;
}

bool stack_next(GraphState *state, const ExploreStats *stats)
{
    for (; state->depth > 1; state->depth--) {
        GraphLevel *level = &state->levels[state->depth - 1];
        if (level->current) {
            drop_current(state);
            level->explored++;
        }
        if (level->pending) {
            level->current = state->current = level->pending;
            level->pending = level->pending->next;
            level->before = *stats;
            return true;
        }
    }
    return false;
}

void stack_drop_pending(GraphState *state) { free_list(state->region, &state->pending); }

void stack_clear(GraphState *state)
{
    stack_drop_pending(state);
    for (; state->depth > 0; state->depth--) {
        free_list(state->region, &state->levels[state->depth - 1].pending);
        drop_current(state);
    }
    state->current = NULL;
}

/* ---- Sharing ------------------------------------------------------------------ */

/* Nodes for a level below `parent`; returns that of its current graph. */
static Job *add_nodes(GraphState *state, GraphLevel *level, Job *parent)
{
    for (uint32_t i = 0; i < level->explored; i++)
        jobs_add_explored(state->jobs, parent);
    Job *current = level->current ? jobs_add_explored(state->jobs, parent) : NULL;
    for (const GraphJob *job = level->pending; job; job = job->next)
        graphjob_put(state->jobs, jobs_add_job(state->jobs, parent), job);
    free_list(state->region, &level->pending);
    return current;
}

/* The level becomes the first one; its graph is that of the job in hand. */
static void cut_levels(GraphState *state, uint32_t first)
{
    GraphLevel *levels = state->levels;
    for (uint32_t i = 1; i <= first; i++)
        graphjob_destroy(state->region, levels[i].current);
    state->depth -= first;
    memmove(levels, &levels[first], state->depth * sizeof *levels);
    levels[0].explored = 0;
    levels[0].current = graphjob_of(state->hand.job);
    if (state->depth == 1)
        state->current = levels[0].current;
}

void stack_give(GraphState *state)
{
    uint32_t end = 1;
    while (end < state->depth && !state->levels[end].pending)
        end++;
    if (end == state->depth)
        return;
    *jobhand_before_next(&state->hand) = state->levels[end].before;
    Job *node = jobs_begin_giving(state->jobs, &state->hand);
    for (uint32_t i = 1; i <= end; i++)
        node = add_nodes(state, &state->levels[i], node);
    graphjob_put(state->jobs, node, state->levels[end].current);
    jobs_end_giving(state->jobs, &state->hand, node);
    cut_levels(state, end);
}

void stack_give_all(GraphState *state)
{
    Job *node = jobs_begin_giving(state->jobs, &state->hand);
    for (uint32_t i = 1; i < state->depth; i++)
        node = add_nodes(state, &state->levels[i], node);
    jobs_end_giving(state->jobs, &state->hand, NULL);
    stack_clear(state);
}

double stack_progress(const GraphState *state)
{
    double done = 0, share = 1;
    for (uint32_t i = 1; i < state->depth; i++) {
        const GraphLevel *level = &state->levels[i];
        uint32_t graphs = level->explored + (level->current != NULL);
        for (const GraphJob *job = level->pending; job; job = job->next)
            graphs++;
        share /= graphs;
        done += share * level->explored;
    }
    return state->depth > 0 && state->levels[state->depth - 1].current ? done + share : done;
}
