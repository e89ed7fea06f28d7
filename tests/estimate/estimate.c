/* estimate.c - do estimates hold? Stated intervals against the true sizes of synthetic trees
 *
 *     estimate TREES
 *
 * Each tree is searched depth first by one worker, and by many through a job store in virtual
 * time. The estimate is looked at when certain parts of the search are over. "Four times in five"
 * must be true over all of them, and not much less at any of these moments. The share that has
 * finished is compared with exact numbers where branches become known late.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/estimate.h"
#include "dist/memory/store_memory.h"
#include "dist/worker.h"
#include "netstore.h"
#include "treerunner.h"

enum { MOMENTS = 7, NOTES = 2000, WORKERS = 16, HEAVY_FROM = 2 };
static const double moments[MOMENTS] = {0.003, 0.01, 0.03, 0.1, 0.3, 0.6, 0.9};
static const double STATED = 0.8, WORST = 0.7;

typedef struct Score {
    const char *name;
    uint32_t from; /* the first moment that is judged */
    uint32_t tried[MOMENTS], held[MOMENTS];
    double width[MOMENTS]; /* sum of logarithms of high / low */
    double error[MOMENTS]; /* of |estimate / truth|           */
} Score;

static void judge(Score *score, uint32_t moment, Estimate estimate, double truth)
{
    if (estimate.total <= 0)
        return;
    score->tried[moment]++;
    score->held[moment] += estimate.low <= truth && truth <= estimate.high;
    score->width[moment] += log(estimate.high / estimate.low);
    score->error[moment] += fabs(log(estimate.total / truth));
}

static TreeShape random_shape(Rng *rng, SimNode *root)
{
    static const double skews[] = {0, 0.5, 1, 2, 3};
    double digits = 4 + 4 * (double)rng_below(rng, 1000) / 1000;
    *root = (SimNode){.name = rng_next(rng) | 1, .leaves = (uint64_t)pow(10, digits)};
    return (TreeShape){.children = 2 + rng_below(rng, TREE_CHILDREN - 1), .skew = skews[rng_below(rng, 5)]};
}

/* ---- One worker, depth first ------------------------------------------------------------- */

/* The share of the tree that the first `done` leaves are, every child counted alike. */
static double share_of(const TreeShape *shape, SimNode node, uint64_t done)
{
    double share = 0, part = 1;
    while (done > 0 && done < node.leaves) {
        SimNode children[TREE_CHILDREN];
        uint32_t count = tree_children(shape, node, children), i = 0;
        part /= count;
        for (; done >= children[i].leaves; done -= children[i++].leaves)
            share += part;
        node = children[i];
    }
    return done ? share + part : share;
}

static void search_alone(const TreeShape *shape, SimNode root, Score *score)
{
    Estimator estimator = {0};
    double truth = (double)root.leaves;
    uint32_t moment = 0;
    for (uint32_t i = 1; i < NOTES; i++) {
        uint64_t done = (uint64_t)(truth * i / (double)NOTES);
        double share = share_of(shape, root, done);
        estimator_note(&estimator, done, share);
        for (; moment < MOMENTS && (double)done >= moments[moment] * truth; moment++)
            judge(score, moment, estimator_read(&estimator, done, share), truth);
    }
}

/* Most children on the way down are tiny, and nearly all leaves lie below the last one: when the tiny ones have finished,
 * so has most of the tree by its shares, but little of the search (messages of a leader election). */
static void search_heavy(const TreeShape *shape, SimNode root, Rng *rng, Score *score)
{
    Estimator estimator = {0};
    double heavy = pow(2 + rng_below(rng, 3), -(double)(1 + rng_below(rng, 5))); /* its share */
    double tiny = (double)root.leaves * 0.001 * (1 + rng_below(rng, 10)), truth = (double)root.leaves + tiny;
    uint32_t moment = 0;
    for (uint32_t i = 1; i < NOTES; i++) {
        double done = truth * i / NOTES;
        double share = done < tiny ? (1 - heavy) * done / tiny
                                   : 1 - heavy + heavy * share_of(shape, root, (uint64_t)(done - tiny));
        estimator_note(&estimator, (uint64_t)done, share);
        for (; moment < MOMENTS && done >= moments[moment] * truth; moment++)
            judge(score, moment, estimator_read(&estimator, (uint64_t)done, share), truth);
    }
}

/* ---- Many workers --------------------------------------------------------------------------- */

typedef struct Machine {
    TreeRunner runner;
    NetStore *store;
    WorkerSettings settings;
} Machine;

static volatile int never;

static void work(void *argument)
{
    Machine *machine = argument;
    Error error;
    machine->store->store.ops->join(&machine->store->store, &error);
    worker_run(&machine->store->store, &machine->runner.sim.runner, &machine->settings, &never, &error);
}

static void watch(Store *follower, World *world, double truth, double seconds, Score *score)
{
    StoreReport report = {.state = {.open = 1}};
    Error error;
    uint32_t moment = 0;
    for (double time = 0; report.state.open > 0; time += seconds) {
        world_run(world, time);
        follower->ops->report(follower, &report, NULL, NULL, &error);
        for (; moment < MOMENTS && (double)report.stats.executions >= moments[moment] * truth; moment++)
            judge(score, moment, report.estimate, truth);
    }
    world_run(world, 1e9);
}

static void search_together(const TreeShape *shape, SimNode root, Score *score)
{
    static Machine machines[WORKERS];
    World *world = world_create();
    Network network = {.world = world, .latency = 250e-6, .service = 130e-6};
    MemoryServer *server = memoryserver_create(world_now, world);
    Store *follower = store_open_memory(server, "coordinator");
    double execution = 200.0 / (double)root.leaves; /* some seconds for each worker, whatever the size */
    Error error;
    bool attached;
    follower->ops->init(follower, "estimate", NULL, NULL, 0, &attached, &error);
    for (uint32_t i = 0; i < WORKERS; i++) {
        char name[16];
        snprintf(name, sizeof name, "w%u", i);
        machines[i] = (Machine){.settings = {.jobs = 1, .lease = 20, .keep_going = true, .seed = i}};
        machines[i].store = netstore_create(&network, store_open_memory(server, name));
        treerunner_init(&machines[i].runner, world, shape, root, execution, execution);
        world_spawn(world, work, &machines[i]);
    }
    watch(follower, world, (double)root.leaves, 0.02, score);
    for (uint32_t i = 0; i < WORKERS; i++) {
        machines[i].store->store.ops->close(&machines[i].store->store);
        treerunner_release(&machines[i].runner);
    }
    follower->ops->close(follower);
    memoryserver_destroy(server);
    world_destroy(world);
}

/* ---- What is inserted later ---------------------------------------------------------------- */

static bool progress_is(Store *store, double expected, const char *what)
{
    StoreReport report;
    Error error;
    store->ops->report(store, &report, NULL, NULL, &error);
    bool good = fabs(report.progress - expected) < 1e-12;
    if (!good)
        printf("%s: %.4f is finished, not %.4f\n", what, report.progress, expected);
    return good;
}

static StoreJob commit(Store *store, StoreJob job, const char *entries, uint32_t keep)
{
    StoreCommit commit = {.lease = 20, .stats = {.executions = 10}};
    StoreReturn back = {.job = job, .fate = entries ? STORE_SPLIT : STORE_OVER, .keep = keep};
    StoreJobs kept = {0};
    StoreState state;
    Error error;
    if (entries)
        text_add_string(&back.entries, entries);
    VEC_PUSH(&commit.returns, back);
    store->ops->commit(store, &commit, &kept, &state, &error);
    StoreJob first = kept.count ? kept.items[0] : (StoreJob){0};
    storecommit_release(&commit);
    VEC_FREE(&kept);
    return first;
}

/* Races add branches above jobs that have been explored in part or in full: these had too large a share then. By hand:
 * the same numbers as if all branches had been known from the beginning. */
static bool insert_later(void)
{
    World *world = world_create();
    MemoryServer *server = memoryserver_create(world_now, world);
    Store *store = store_open_memory(server, "worker");
    StoreJobs jobs = {0};
    StoreState state;
    Error error;
    Text news = {0};
    bool attached;
    store->ops->init(store, "insertions", NULL, NULL, 0, &attached, &error);
    store->ops->join(store, &error);
    store->ops->take(store, 1, 20, &jobs, &state, &error);
    bool good = progress_is(store, 0, "nothing");
    /* entry 1 below the root has two children: 2 has finished, 3 is open */
    StoreJob job = commit(store, jobs.items[0], "0 d\n1 d\n1 o\n", 1);
    good = progress_is(store, 0.5, "one of two") && good;
    store->ops->extend(store, 0, 3, "0 o\n", &news, &error); /* a sibling of 1 */
    good = progress_is(store, 0.25, "a branch at the top") && good;
    StoreJob below = commit(store, job, "0 d\n0 o\n", 1); /* half of 3 */
    good = progress_is(store, 0.375, "half of a quarter") && good;
    store->ops->extend(store, 0, 4, "1 o\n0 o\n", &news, &error); /* a sibling of 2 and 3, and one more of 1 */
    good = progress_is(store, 1.0 / 9 + 1.0 / 18, "branches above a part") && good;
    commit(store, below, NULL, 0);
    good = progress_is(store, 2.0 / 9, "a part is over") && good;
    text_release(&news);
    VEC_FREE(&jobs);
    store->ops->close(store);
    memoryserver_destroy(server);
    world_destroy(world);
    return good;
}

/* ---- Figures ------------------------------------------------------------------------------------ */

static bool report(const Score *score)
{
    uint32_t tried = 0, held = 0;
    bool good = true;
    for (uint32_t i = 0; i < MOMENTS; i++) {
        double rate = score->tried[i] ? (double)score->held[i] / score->tried[i] : 1;
        printf("%-8s %5.1f %% over: %4u estimates, true size inside %.3f, off by a factor %.2f, high/low %.1f\n", score->name,
               moments[i] * 100, score->tried[i], rate, exp(score->error[i] / score->tried[i]), exp(score->width[i] / score->tried[i]));
        if (i < score->from)
            continue;
        tried += score->tried[i];
        held += score->held[i];
        good = good && rate >= WORST;
    }
    printf("%-8s all: %.3f\n", score->name, (double)held / tried);
    return good && (double)held / tried >= STATED;
}

int main(int argc, char **argv)
{
    uint32_t trees = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 300;
    Score alone = {.name = "one"}, together = {.name = "many"}, heavy = {.name = "heavy", .from = HEAVY_FROM};
    Rng rng = {.state = 42}, other = {.state = 43};
    for (uint32_t i = 0; i < trees; i++) {
        SimNode root;
        TreeShape shape = random_shape(&rng, &root);
        search_alone(&shape, root, &alone);
        search_heavy(&shape, root, &other, &heavy);
        if (i % 4 == 0)
            search_together(&shape, root, &together);
    }
    bool good = insert_later();
    good = report(&alone) && good;
    good = report(&heavy) && good;
    return report(&together) && good ? 0 : 1;
}
