/* oracle.c - the engine against brute force on random models
 *
 *     oracle FIRST LAST [LIMIT]      models with seeds FIRST..LAST-1
 *     oracle --large FIRST LAST      larger ones, where source sets stand in for brute force
 *     oracle --bounds FIRST LAST     threads that stop after a few steps; few preemptions
 *
 * For each model: the optimal reduction must run exactly one execution per class and none
 * cut off; source sets and plain enumeration must reach the same classes; all must reach
 * the same final states.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "classes.h"
#include "core/explore.h"
#include "core/tree/jobs_wire.h"

typedef struct Recorder {
    ModelLog log;
    ClassMap classes;
    uint64_t executions, repeated;
    bool broken;
} Recorder;

static void record(ModelLog *log, const ModelState *state, const Execution *ex)
{
    Recorder *recorder = (Recorder *)log;
    static Names names;
    names.count = 0;
    names.class = 0;
    for (uint32_t i = 0; i < ex->event_count; i++)
        if (!names_add(&names, ex, &ex->events[i]))
            recorder->broken = true;
    uint64_t hash = state_hash(state), seen = hash;
    recorder->executions++;
    if (!classmap_add(&recorder->classes, names.class, &seen)) {
        recorder->repeated++;
        recorder->broken = recorder->broken || seen != hash;
    }
}

typedef struct Totals {
    uint64_t programs, with_inputs, too_big, classes, optimal, probes, shared, source, redundant, naive, naive_programs, mismatches;
} Totals;

static const char *compare(Region *region, Model *model, Recorder *recorder, const ClassMap *truth, Reduction reduction,
                           uint64_t limit, ExploreStats *stats)
{
    ExploreOptions options = {.reduction = reduction, .max_preemptions = -1, .keep_going = true, .max_executions = limit};
    Explore *explore = explore_create(region, &model->program, &options);
    classmap_reset(&recorder->classes);
    recorder->executions = recorder->repeated = 0;
    recorder->broken = false;
    /* Slices: every model is also searched by "another process" now and then. */
    ExploreResult result;
    do
        result = explore_run(explore, NULL, 1 + recorder->executions % 17);
    while (result == EXPLORE_PAUSED);
    *stats = *explore_stats(explore);
    explore_destroy(explore);
    if (result == EXPLORE_DIVERGED)
        return "diverged";
    if (recorder->broken)
        return "one class, two states";
    if (result == EXPLORE_BUDGET)
        return "too many executions";
    if (!classmap_equal(&recorder->classes, truth))
        return "classes missing or wrong";
    if (reduction == REDUCTION_OPTIMAL && recorder->repeated)
        return "a class was repeated";
    if (reduction == REDUCTION_OPTIMAL && stats->redundant)
        return "an execution was cut off";
    return NULL;
}

enum { MAX_WORKERS = 5 };

/* Several workers share one search; whose turn it is, and for how long, is random. */
static const char *compare_shared(Region *region, Model *model, Recorder *recorder, const ClassMap *truth, uint32_t workers,
                                  uint64_t seed, uint64_t *executions)
{
    ExploreOptions options = {.max_preemptions = -1, .keep_going = true};
    options.jobs = explore_create_jobs(region, &options);
    Explore *worker[MAX_WORKERS];
    ExploreResult result[MAX_WORKERS];
    Rng rng = {.state = seed};
    uint32_t active = workers;
    const char *problem = NULL;
    for (uint32_t i = 0; i < workers; i++) {
        worker[i] = explore_create(region, &model->program, &options);
        result[i] = EXPLORE_PAUSED;
    }
    classmap_reset(&recorder->classes);
    recorder->executions = recorder->repeated = 0;
    recorder->broken = false;
    while (active > 0 && !problem) {
        uint32_t i = rng_below(&rng, workers);
        if (result[i] == EXPLORE_DONE)
            continue;
        result[i] = explore_run(worker[i], NULL, 1 + rng_below(&rng, 4));
        active -= result[i] == EXPLORE_DONE;
        if (result[i] == EXPLORE_DIVERGED)
            problem = "diverged";
        else if (recorder->executions > truth->count + 5)
            problem = "too many executions";
    }
    for (uint32_t i = 0; i < workers; i++)
        explore_destroy(worker[i]);
    jobs_destroy(options.jobs);
    *executions += recorder->executions;
    if (!problem && recorder->broken)
        problem = "one class, two states";
    if (!problem && !classmap_equal(&recorder->classes, truth))
        problem = "classes missing or wrong";
    if (!problem && recorder->repeated)
        problem = "a class was repeated";
    return problem;
}

/* The search as text, and on from there in new memory. */
static const char *write_down(Region *region, Model *model, ExploreOptions *options, Explore **explore)
{
    Text text = {0};
    Error error;
    bool good = explore_suspend(*explore);
    explore_destroy(*explore);
    jobs_write(options->jobs, &model->program, &text);
    jobs_destroy(options->jobs);
    options->jobs = explore_create_jobs(region, options);
    good = good && jobs_read(options->jobs, &model->program, text.data, text.length, &error);
    *explore = explore_create(region, &model->program, options);
    text_release(&text);
    return good ? NULL : "cannot be written and read";
}

/* One worker that is interrupted again and again. */
static const char *compare_interrupted(Region *region, Model *model, Recorder *recorder, const ClassMap *truth, uint64_t seed)
{
    ExploreOptions options = {.max_preemptions = -1, .keep_going = true};
    options.jobs = explore_create_jobs(region, &options);
    Explore *explore = explore_create(region, &model->program, &options);
    Rng rng = {.state = seed};
    const char *problem = NULL;
    classmap_reset(&recorder->classes);
    recorder->executions = recorder->repeated = 0;
    recorder->broken = false;
    ExploreResult result;
    while ((result = explore_run(explore, NULL, 1 + rng_below(&rng, 6))) == EXPLORE_PAUSED && !problem) {
        if (recorder->executions > truth->count + 5)
            problem = "too many executions";
        else if (rng_below(&rng, 3) == 0)
            problem = write_down(region, model, &options, &explore);
    }
    explore_destroy(explore);
    jobs_destroy(options.jobs);
    if (!problem && result != EXPLORE_DONE)
        problem = result == EXPLORE_LOST ? "lost" : "diverged";
    if (!problem && recorder->broken)
        problem = "one class, two states";
    if (!problem && !classmap_equal(&recorder->classes, truth))
        problem = "classes missing or wrong";
    if (!problem && recorder->repeated)
        problem = "a class was repeated";
    return problem;
}

/* With few preemptions some classes are missing, and none is invented. */
static const char *compare_preemptions(Region *region, Model *model, Recorder *recorder, const ClassMap *truth, int most)
{
    ExploreOptions options = {.max_preemptions = most, .keep_going = true, .max_executions = 3000};
    Explore *explore = explore_create(region, &model->program, &options);
    classmap_reset(&recorder->classes);
    recorder->broken = false;
    ExploreResult result = explore_run(explore, NULL, 0);
    explore_destroy(explore);
    if (result == EXPLORE_DIVERGED || recorder->broken)
        return "diverged, or one class has two states";
    return truth->count && !classmap_includes(truth, &recorder->classes) ? "a class without bounds does not exist" : NULL;
}

static bool bounded;

static void check_model(Region *region, Model *model, Recorder *recorder, Execution *scratch, ClassMap *truth,
                        uint64_t seed, uint32_t limit, Totals *totals)
{
    bool sound;
    ExploreStats stats;
    if (!brute_classes(&model->code, scratch, limit, truth, &sound)) {
        totals->too_big++;
        return;
    }
    totals->programs++;
    totals->with_inputs += model_asks(&model->code);
    totals->classes += truth->count;
    const char *problem = sound ? NULL : "dependence relation is wrong", *which = "brute force";
    if (!problem) {
        which = "optimal";
        problem = compare(region, model, recorder, truth, REDUCTION_OPTIMAL, truth->count + 5, &stats);
        totals->optimal += stats.executions;
        totals->probes += stats.probes;
    }
    if (!problem && bounded) {
        which = "preemptions";
        problem = compare_preemptions(region, model, recorder, truth, (int)(seed % 3));
    }
    if (!problem && seed % 4 == 1) {
        which = "shared";
        problem = compare_shared(region, model, recorder, truth, 2 + (uint32_t)(seed / 4 % (MAX_WORKERS - 1)), seed, &totals->shared);
    }
    if (!problem && seed % 4 == 3) {
        which = "interrupted";
        problem = compare_interrupted(region, model, recorder, truth, seed);
    }
    if (!problem && seed % 3 == 0) {
        which = "source";
        problem = compare(region, model, recorder, truth, REDUCTION_SOURCE, 100000, &stats);
        totals->source += stats.executions;
        totals->redundant += stats.redundant;
    }
    if (!problem && seed % 3 == 1) {
        which = "persistent";
        problem = compare(region, model, recorder, truth, REDUCTION_PERSISTENT, 100000, &stats);
    }
    if (!problem && seed % 10 == 0 && truth->count < 60) {
        which = "none";
        problem = compare(region, model, recorder, truth, REDUCTION_NONE, 5000, &stats);
        if (problem && strcmp(problem, "too many executions") == 0)
            problem = NULL;
        totals->naive += stats.executions;
        totals->naive_programs++;
    }
    if (problem) {
        totals->mismatches++;
        printf("MISMATCH seed %llu, %s: %s (%u classes, %llu found, %llu repeated)\n", (unsigned long long)seed, which, problem,
               truth->count, (unsigned long long)recorder->classes.count, (unsigned long long)recorder->repeated);
        model_print(&model->code);
    }
}

enum { LARGE_LIMIT = 20000 };

/* Both searches are complete by different arguments: they must see the same classes. */
static void check_large(Region *region, Model *model, Recorder *recorder, ClassMap *truth, uint64_t seed, Totals *totals)
{
    ExploreOptions options = {.reduction = REDUCTION_SOURCE, .max_preemptions = -1, .keep_going = true, .max_executions = LARGE_LIMIT};
    Explore *explore = explore_create(region, &model->program, &options);
    ExploreStats stats = {0};
    classmap_reset(&recorder->classes);
    recorder->broken = false;
    ExploreResult result = explore_run(explore, NULL, 0);
    totals->source += explore_stats(explore)->executions;
    totals->redundant += explore_stats(explore)->redundant;
    explore_destroy(explore);
    if (result == EXPLORE_BUDGET) {
        totals->too_big++;
        return;
    }
    ClassMap swap = *truth;
    *truth = recorder->classes;
    recorder->classes = swap;
    totals->programs++;
    totals->with_inputs += model_asks(&model->code);
    totals->classes += truth->count;
    const char *problem = result == EXPLORE_DONE && !recorder->broken
                              ? compare(region, model, recorder, truth, REDUCTION_OPTIMAL, LARGE_LIMIT + 5, &stats)
                              : "source sets failed";
    totals->optimal += stats.executions;
    if (problem) {
        totals->mismatches++;
        printf("MISMATCH seed %llu, large: %s (%u classes, %llu found)\n", (unsigned long long)seed, problem, truth->count,
               (unsigned long long)recorder->classes.count);
        model_print(&model->code);
    }
}

int main(int argc, char **argv)
{
    bool large = argc > 1 && strcmp(argv[1], "--large") == 0;
    bounded = argc > 1 && strcmp(argv[1], "--bounds") == 0;
    argc -= large || bounded;
    argv += large || bounded;
    if (argc < 3) {
        fprintf(stderr, "usage: oracle [--large | --bounds] FIRST LAST [LIMIT]\n");
        return 2;
    }
    uint64_t first = strtoull(argv[1], NULL, 10), last = strtoull(argv[2], NULL, 10);
    uint32_t limit = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 1500;
    Region *region = region_create(1ull << 32);
    Recorder recorder = {.log = {.finished = record}};
    Model model;
    model_init(&model, &recorder.log);
    Execution *scratch = execution_create(&model.program);
    ClassMap truth = {0};
    Totals totals = {0};
    size_t used = region_used(region);
    for (uint64_t seed = first; seed < last && totals.mismatches < 20; seed++) {
        Rng rng = {.state = seed * 0x2545f4914f6cdd1dull};
        model_generate(&model.code, &rng, large);
        model.code.max_steps = bounded ? 1 + rng_below(&rng, 4) : 0;
        model_choose_ops(&model);
        if (large)
            check_large(region, &model, &recorder, &truth, seed, &totals);
        else
            check_model(region, &model, &recorder, scratch, &truth, seed, limit, &totals);
    }
    printf("%llu programs, %llu with inputs (%llu too big), %llu classes, optimal: %llu executions, %llu probes; shared: %llu; source: %llu executions, "
           "%llu redundant; none: %llu executions of %llu programs\n",
           (unsigned long long)totals.programs, (unsigned long long)totals.with_inputs, (unsigned long long)totals.too_big,
           (unsigned long long)totals.classes, (unsigned long long)totals.optimal, (unsigned long long)totals.probes, (unsigned long long)totals.shared, (unsigned long long)totals.source,
           (unsigned long long)totals.redundant, (unsigned long long)totals.naive, (unsigned long long)totals.naive_programs);
    if (region_used(region) != used) {
        printf("memory: %zu bytes not given back\n", region_used(region) - used);
        totals.mismatches++;
    }
    printf("%llu passed, %llu failed\n", (unsigned long long)(totals.programs - totals.mismatches), (unsigned long long)totals.mismatches);
    return totals.mismatches != 0;
}
