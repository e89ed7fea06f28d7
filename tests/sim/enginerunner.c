/* enginerunner.c - see enginerunner.h; app/tasks/task_serve.c does the same with processes */
#include "enginerunner.h"

#include "core/stats.h"

static int extend(JobsLink *link, uint64_t domain, uint32_t known, const char *entries, Text *news)
{
    return simrunner_extend(&((EngineLink *)link)->runner->sim, domain, known, entries, news);
}

static void open_engine(SimRunner *sim)
{
    EngineRunner *self = (EngineRunner *)sim;
    self->region = region_create((size_t)1 << 32);
    ExploreOptions options = self->options;
    options.jobs = self->jobs = explore_create_jobs(self->region, &options);
    self->link = (EngineLink){.link = {.extend = extend}, .runner = self};
    jobs_connect(self->jobs, &self->link.link);
    for (uint32_t i = 0; i < self->explorers; i++)
        self->explore[i] = explore_create(self->region, self->program, &options);
    self->before = (ExploreStats){0};
    self->held.count = 0;
}

static void close_engine(SimRunner *sim)
{
    EngineRunner *self = (EngineRunner *)sim;
    for (uint32_t i = 0; i < self->explorers; i++)
        explore_destroy(self->explore[i]);
    jobs_destroy(self->jobs);
    region_destroy(self->region);
    if (self->forgot)
        self->forgot(self);
}

static ExploreStats sum_stats(const EngineRunner *self)
{
    ExploreStats sum = {0};
    for (uint32_t i = 0; i < self->explorers; i++)
        stats_add(&sum, explore_stats(self->explore[i]));
    return sum;
}

/* Explorers take turns until the time is over or nothing is left. False: the store took it away. */
static bool explore_jobs(EngineRunner *self, const SliceLimits *limits)
{
    uint64_t start = sum_stats(self).executions;
    for (bool more = limits->executions > 0; more;) {
        ExploreStats before = sum_stats(self), after;
        uint64_t left = limits->executions - (before.executions - start), batch = self->batch < left ? self->batch : left;
        ExploreResult result = explore_run(self->explore[rng_below(&self->rng, self->explorers)], self->observer, batch);
        after = sum_stats(self);
        double cost = (double)(after.executions - before.executions) * self->seconds +
                      (double)(after.probes - before.probes) * self->probe_seconds;
        if (result == EXPLORE_DIVERGED)
            self->problem = "diverged";
        if (result == EXPLORE_LOST || result == EXPLORE_DIVERGED || self->sim.cancelled)
            return false;
        more = simrunner_continue(&self->sim, cost / self->explorers, limits->seconds) && result != EXPLORE_DONE &&
                after.executions - start < limits->executions;
    }
    return !self->sim.cancelled;
}

static bool suspend(EngineRunner *self)
{
    bool good = true;
    for (uint32_t i = 0; i < self->explorers && good; i++)
        good = explore_suspend(self->explore[i]);
    return good;
}

static bool explore_slice(SimRunner *sim, const Text *slice, Text *result)
{
    EngineRunner *self = (EngineRunner *)sim;
    SliceLimits limits;
    Error error;
    if (!slice_read(slice, self->jobs, self->program, &self->held, &limits, &error)) {
        self->problem = "a slice cannot be read";
        return false;
    }
    if (!explore_jobs(self, &limits) || !suspend(self)) {
        text_add_string(result, "ending lost\n");
        return !sim->cancelled;
    }
    ExploreStats now = sum_stats(self), since = stats_since(&now, &self->before);
    self->before = now;
    slice_write(&self->held, self->jobs, self->program, result);
    text_add_string(result, "stats");
    stats_write(&since, result);
    text_add(result, "\ncpu 0\nbytes %zu\nending fine\n", jobs_bytes(self->jobs));
    return true;
}

void enginerunner_init(EngineRunner *self, World *world, Program *program, double seconds, uint32_t explorers, uint64_t seed)
{
    static const SimWork work = {.open = open_engine, .close = close_engine, .explore = explore_slice};
    *self = (EngineRunner){.program = program, .seconds = seconds, .probe_seconds = seconds, .explorers = explorers,
                           .rng = {.state = seed}, .batch = 1,
                           .options = {.max_preemptions = -1, .keep_going = true}};
    simrunner_init(&self->sim, world, &work);
}

void enginerunner_release(EngineRunner *self)
{
    VEC_FREE(&self->held);
    simrunner_release(&self->sim);
}
