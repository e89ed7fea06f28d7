/* workers.c - the search by execution graphs with several workers, interrupted and killed
 *
 * Whose turn it is, and for how long, is random. Now and then the whole search is written to text and read into new
 * memory; or a worker is "killed", and another one repeats its job from the beginning. The counts must be those of one
 * worker, and the graphs those of brute force: each once, unless the job that led to it was repeated.
 */
#include "core/stats.h"
#include "core/tree/jobs_wire.h"
#include "weak.h"

enum { WORKERS_MAX = 4 };

typedef struct Crew {
    ExploreObserver observer;
    Toy *toy;
    Brute *brute;
    Region *region;
    ExploreOptions options;
    Explore *workers[WORKERS_MAX];
    uint32_t count;
    ExploreStats before; /* of earlier workers */
    const char *problem;
    bool kills;
    Rng rng;
} Crew;

static void forget_seen(Brute *brute)
{
    for (uint32_t i = 0; i < brute->found.count; i++)
        brute->found.items[i].seen = false;
}

static bool record(ExploreObserver *observer, const Execution *ex)
{
    Crew *crew = (Crew *)observer;
    WeakGraph graph;
    if (ex->end == END_ABANDONED)
        return true;
    Found *found = weakgraph_of_execution(&crew->toy->code, ex, &graph)
                       ? brute_find(crew->brute, weakgraph_name(&crew->toy->code, &graph))
                       : NULL;
    if (!found)
        crew->problem = "a graph that is not wanted";
    else if (found->seen && !crew->kills)
        crew->problem = "a graph twice";
    else
        found->seen = true;
    return true;
}

static void start_workers(Crew *crew)
{
    for (uint32_t i = 0; i < crew->count; i++)
        crew->workers[i] = explore_create(crew->region, &crew->toy->program, &crew->options);
}

static ExploreStats sum(const Crew *crew)
{
    ExploreStats stats = crew->before;
    for (uint32_t i = 0; i < crew->count; i++)
        stats_add(&stats, explore_stats(crew->workers[i]));
    return stats;
}

static void stop_workers(Crew *crew)
{
    for (uint32_t i = 0; i < crew->count; i++)
        explore_destroy(crew->workers[i]);
    jobs_destroy(crew->options.jobs);
}

/* The search as text, and on from there in new memory. */
static bool write_down(Crew *crew)
{
    Text text = {0};
    Error error;
    for (uint32_t i = 0; i < crew->count; i++)
        if (!explore_suspend(crew->workers[i]))
            return false;
    crew->before = sum(crew);
    jobs_write(crew->options.jobs, &crew->toy->program, &text);
    stop_workers(crew);
    crew->options.jobs = explore_create_jobs(crew->region, &crew->options);
    bool good = jobs_read(crew->options.jobs, &crew->toy->program, text.data, text.length, &error);
    start_workers(crew);
    text_release(&text);
    return good;
}

/* One turn; false if the search has ended. */
static bool take_turn(Crew *crew)
{
    uint32_t i = rng_below(&crew->rng, crew->count);
    ExploreResult result = explore_run(crew->workers[i], &crew->observer, 1 + rng_below(&crew->rng, 4));
    if (result == EXPLORE_DONE)
        return false;
    if (result != EXPLORE_PAUSED && result != EXPLORE_WAITING)
        crew->problem = result == EXPLORE_LOST ? "lost" : "diverged";
    else if (crew->kills && rng_below(&crew->rng, 8) == 0 && !explore_restart(crew->workers[i], crew->region))
        crew->problem = "cannot be restarted";
    else if (rng_below(&crew->rng, 12) == 0 && !write_down(crew))
        crew->problem = "cannot be written and read";
    return !crew->problem;
}

static const char *judge(const Crew *crew, const ExploreStats *alone)
{
    ExploreStats stats = sum(crew);
    if (crew->problem)
        return crew->problem;
    for (uint32_t i = 0; i < crew->brute->found.count; i++)
        if (!crew->brute->found.items[i].seen)
            return "a graph is missing";
    return stats.executions == alone->executions && stats.redundant == alone->redundant &&
                   stats.blocked == alone->blocked && stats.steps == alone->steps
               ? NULL
               : "other counts than one worker has";
}

const char *workers_compare(Toy *toy, Brute *brute, const ExploreOptions *options, const ExploreStats *alone,
                            uint64_t seed)
{
    static Region *region; /* restarted workers leave memory behind */
    if (!region)
        region = region_create(1ull << 34);
    Crew crew = {.observer = {.ended = record}, .toy = toy, .brute = brute, .region = region, .options = *options,
                 .kills = seed % 2, .count = 1 + (uint32_t)(seed / 2 % WORKERS_MAX), .rng = {.state = seed}};
    crew.options.jobs = explore_create_jobs(region, options);
    start_workers(&crew);
    forget_seen(brute);
    while (take_turn(&crew))
        ;
    const char *problem = judge(&crew, alone);
    stop_workers(&crew);
    return problem;
}
