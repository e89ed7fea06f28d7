/* continuation.c - see continuation.h */
#include "core/dpor/continuation.h"

#include "core/explore.h"
#include "core/hb.h"
#include "core/tree/jobs_steps.h"

/* One search behind a prefix. */
typedef struct ContinuationSearch {
    ExploreObserver observer; /* first: callbacks get the search from it */
    const Execution *begun;
    uint32_t length;
    ContinuationBudget *budget;
    Schedule *passing;
    bool elsewhere;           /* an execution left the prefix; a search by jobs is done with it then */
    bool late;
    bool cut;
} ContinuationSearch;

/* ---- Executions ---------------------------------------------------------------------- */

static bool same_step(const Execution *a, const Execution *b, uint32_t position)
{
    const Event *x = &a->events[position], *y = &b->events[position];
    if (x->agent != y->agent || x->choice_count != y->choice_count)
        return false;
    for (uint32_t i = 0; i < x->choice_count; i++)
        if (a->choices[x->first_choice + i].taken != b->choices[y->first_choice + i].taken)
            return false;
    return true;
}

static bool begins_alike(const ContinuationSearch *search, const Execution *ex)
{
    for (uint32_t i = 0; i < search->length; i++)
        if (i >= ex->event_count || !same_step(search->begun, ex, i))
            return false;
    return true;
}

static bool on_ended(ExploreObserver *self, const Execution *ex)
{
    ContinuationSearch *search = (ContinuationSearch *)self;
    search->budget->used++;
    search->elsewhere = !begins_alike(search, ex);
    if (search->elsewhere)
        return false;
    bool ends = ex->end == END_COMPLETE && !ex->assumed_away;
    if (execution_is_cut(ex) || ex->end == END_CUT)
        search->cut = true;
    else if (ends && ex->finding_count == 0)
        search->passing = schedule_take(NULL, ex, ex->event_count);
    search->late = search->budget->may_continue && !search->budget->may_continue();
    return !search->passing && !search->late;
}

/* ---- The search -------------------------------------------------------------------------- */

/* The only job is what lies behind the prefix. */
static Jobs *make_jobs(Region *region, const ContinuationSearch *search, const ExploreOptions *options)
{
    Jobs *jobs = explore_create_jobs(region, options);
    JobHand hand = {0};
    Hb hb;
    bool finished;
    if (search->length == 0)
        return jobs;
    hb_init(&hb, search->begun);
    hb_extend(&hb);
    WakeupTree *nothing = wakeup_create(region);
    jobs_take(jobs, &hand, &finished);
    jobs_give(jobs, &hand, nothing, &hb, search->length);
    jobs_put_back(jobs, &hand);
    hb_release(&hb);
    return jobs;
}

Continuation continuation_search(const Execution *begun, uint32_t length, ContinuationBudget *budget,
                                 Schedule **passing)
{
    ContinuationSearch search = {
        .observer = {.ended = on_ended}, .begun = begun, .length = length, .budget = budget};
    Region *shared = region_create((size_t)1 << 32), *own = region_create((size_t)1 << 32);
    ExploreOptions options = {.max_preemptions = -1, .max_executions = budget->executions,
                              .max_agent_steps = begun->max_agent_steps, .keep_going = true,
                              .memory = begun->program->memory};
    if (options.memory == MEMORY_SC) {
        options.jobs = make_jobs(shared, &search, &options);
    } else { /* graphs have no prefixes */
        options.reduction = REDUCTION_NONE;
        options.begun = begun;
        options.begun_length = length;
    }
    Explore *explore = explore_create(own, begun->program, &options);
    ExploreResult result = explore_run(explore, &search.observer, 0);
    bool done = result == EXPLORE_DONE || (search.elsewhere && options.jobs); /* else it should not have left it */
    explore_destroy(explore);
    if (options.jobs)
        jobs_destroy(options.jobs);
    region_destroy(own);
    region_destroy(shared);
    if (search.passing)
        *passing = search.passing;
    return search.passing ? CONTINUATION_PASSES : done && !search.cut ? CONTINUATION_FAILS : CONTINUATION_UNKNOWN;
}
