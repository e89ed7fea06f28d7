/* weak.c - the search by execution graphs against brute force, on toy programs
 *
 *     weak_oracle [--programs N] [--seed S] [--memory sc|tso|rc11] [--only KIND]... [--waits any|last]
 *                 [--size N] [--limit N] [--brute] [--all | --forward | --sample N] [--litmus | --no-litmus]
 *                 [--show]
 *
 * First the litmus programs: their numbers of graphs by brute force, and the same graphs by the engine. Then N random
 * programs, one after the other of every kind, under every memory model: the engine must find exactly the graphs of
 * brute force, each once, with one worker and with several (workers.c). A program with a difference is printed after
 * dropping what is not needed for it.
 * --brute leaves the engine out, --litmus the random programs, --show prints the random programs with their numbers.
 * --all checks the toy programs and brute force instead: every interleaving with every choice, of small programs
 * without guarded weak steps, and of these executions the consistent ones. --forward lets the engine do that: every
 * interleaving with every consistent choice. --sample has it sample N executions of each program, one half of them with
 * priorities: all must be wanted graphs, and the graphs that no sample was are counted.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/explore.h"
#include "weak.h"

static const char *const memory_names[] = {"sc", "tso", "rc11"};

typedef struct Options {
    uint64_t programs, seed;
    int memory;     /* -1: all */
    uint32_t kinds; /* a set */
    uint32_t limit, size;
    uint64_t samples;
    bool brute, all, forward, litmus, no_litmus, show, last;
} Options;

/* How the engine is run. */
typedef enum Way { WAY_GRAPHS, WAY_ALL, WAY_FORWARD, WAY_RANDOM, WAY_PCT, WAY_POS } Way;

typedef struct Totals {
    uint64_t programs, checks, too_big, graphs, waiting, executions, redundant, differences, unsampled;
} Totals;

enum { MOST_INTERLEAVINGS = 5000, MOST_DIFFERENCES = 5, SMALL = 6 };

/* ---- The engine -------------------------------------------------------------- */

typedef struct Recorder {
    ExploreObserver observer;
    const Code *code;
    Brute *brute;
    Way way;
    const char *problem;
    WeakGraph graph; /* of the first execution with a problem */
    uint64_t executions;
} Recorder;

static bool note(Recorder *recorder, const char *problem)
{
    recorder->problem = problem;
    return true;
}

static void begin(Recorder *recorder)
{
    recorder->executions = 0;
    recorder->problem = NULL;
    for (uint32_t i = 0; i < recorder->brute->found.count; i++)
        recorder->brute->found.items[i].seen = false;
}

static bool record(ExploreObserver *observer, const Execution *ex)
{
    Recorder *recorder = (Recorder *)observer;
    if (ex->end == END_ABANDONED)
        return true; /* counted by the engine */
    recorder->executions++;
    if (recorder->problem)
        return true; /* the first one is told */
    if (!weakgraph_of_execution(recorder->code, ex, &recorder->graph))
        return note(recorder, "an execution is no graph");
    Found *found = brute_find(recorder->brute, weakgraph_name(recorder->code, &recorder->graph));
    bool consistent = found || weakgraph_is_consistent(recorder->code, &recorder->graph, recorder->brute->memory);
    if (recorder->way == WAY_ALL && !consistent)
        return true;
    if (!found)
        return note(recorder, consistent ? "a graph that is not wanted" : "a graph that is not consistent");
    if (found->seen && recorder->way == WAY_GRAPHS)
        return note(recorder, "a graph twice");
    found->seen = true;
    return true;
}

static bool has_weak_guard(const Code *code)
{
    for (unsigned t = 0; t < code->threads; t++)
        for (unsigned i = 0; i < code->length[t]; i++)
            if (ins_awaits(&code->code[t][i]))
                return true;
    return false;
}

/* How many threads access the resource in a mode that commutes? */
static unsigned count_commuting(const Code *code, unsigned resource)
{
    unsigned threads = 0;
    for (unsigned t = 0; t < code->threads; t++) {
        bool found = false;
        for (unsigned i = 0; i < code->length[t]; i++)
            for (unsigned n = 0; n < code->code[t][i].terms; n++)
                found = found || (code->code[t][i].term[n].resource == resource &&
                                  term_mode(&code->code[t][i], n, true) == MODE_ACCUMULATE);
        threads += found;
    }
    return threads;
}

/* Only what waits for a value may come too early; and a step that waits, if others that commute keep it waiting: changes
 * of a counter by several threads, or steps on different resources. */
static bool may_be_early(const Code *code)
{
    for (unsigned t = 0; t < code->threads; t++)
        for (unsigned i = 0; i < code->length[t]; i++) {
            const Ins *ins = &code->code[t][i];
            bool guarded = ins->kind == INS_STRONG && (ins->sum || ins->term[0].relation != REL_TRUE ||
                                                       (ins->terms > 1 && ins->term[1].relation != REL_TRUE));
            if (guarded && (ins->terms > 1 || count_commuting(code, ins->term[0].resource) > 1))
                return true;
        }
    return has_weak_guard(code);
}

static bool has_weak_steps(const Code *code)
{
    for (unsigned t = 0; t < code->threads; t++)
        for (unsigned i = 0; i < code->length[t]; i++)
            if (ins_is_weak(&code->code[t][i]) || code->code[t][i].kind == INS_FENCE)
                return true;
    return false;
}

/* The sampled executions of a program; 0: all. */
static uint64_t most_executions(const Options *options, Way way)
{
    return way == WAY_GRAPHS ? 0 : way <= WAY_FORWARD ? MOST_INTERLEAVINGS : options->samples / 3;
}

static ExploreOptions engine_options(const Options *options, Way way, MemoryModel memory)
{
    return (ExploreOptions){.strategy = way == WAY_RANDOM ? STRATEGY_RANDOM
                                        : way == WAY_PCT  ? STRATEGY_PCT
                                        : way == WAY_POS  ? STRATEGY_POS
                                                          : STRATEGY_EXHAUSTIVE,
                            .reduction = way == WAY_GRAPHS ? REDUCTION_OPTIMAL : REDUCTION_NONE,
                            .max_preemptions = -1,
                            .pct_depth = 3,
                            .keep_going = true,
                            .max_executions = most_executions(options, way),
                            .memory = way == WAY_ALL ? MEMORY_SC : memory,
                            .graphs = way != WAY_ALL};
}

/* Runs the engine on a program of which brute force knows the graphs. In slices: "another process" continues now and
 * then. */
static ExploreResult explore(Region *region, Toy *toy, const ExploreOptions *options, Recorder *recorder,
                             ExploreStats *stats, Totals *totals)
{
    Explore *explore = explore_create(region, &toy->program, options);
    ExploreResult result;
    do
        result = explore_run(explore, &recorder->observer, 1 + recorder->executions % 7);
    while (result == EXPLORE_PAUSED);
    totals->executions += recorder->executions;
    totals->redundant += explore_stats(explore)->redundant;
    if (explore_stats(explore)->redundant && !recorder->problem && !may_be_early(&toy->code))
        recorder->problem = "redundant executions";
    *stats = *explore_stats(explore);
    explore_destroy(explore);
    return result;
}

static const Found *missing(const Brute *brute)
{
    for (uint32_t i = 0; i < brute->found.count; i++)
        if (!brute->found.items[i].seen)
            return &brute->found.items[i];
    return NULL;
}

/* NULL: the same graphs. */
static const char *compare_all(Region *region, Toy *toy, Brute *brute, const Options *options, Way way,
                               Recorder *recorder, Totals *totals)
{
    ExploreOptions engine = engine_options(options, way, brute->memory);
    *recorder = (Recorder){.observer = {.ended = record}, .code = &toy->code, .brute = brute, .way = way};
    begin(recorder);
    ExploreStats stats;
    ExploreResult result = explore(region, toy, &engine, recorder, &stats, totals);
    if (recorder->problem)
        return recorder->problem;
    if (result == EXPLORE_BUDGET) {
        totals->too_big++;
        return NULL;
    }
    if (result != EXPLORE_DONE)
        return result == EXPLORE_DIVERGED ? "diverged" : "the search did not end";
    const Found *found = missing(brute);
    if (found)
        recorder->graph = found->graph;
    uint64_t seed = stats.steps + brute->memory;
    if (found || way != WAY_GRAPHS || seed % 4)
        return found ? "a graph is missing" : NULL;
    return workers_compare(toy, brute, &engine, &stats, seed / 4);
}

/* Their values are not sampled here. */
static bool has_inputs(const Code *code) { return code->domain[0] > 1 || code->domain[1] > 1; }

/* NULL: wanted graphs only; of a small program all of them. */
static const char *compare_samples(Region *region, Toy *toy, Brute *brute, const Options *options, Recorder *recorder,
                                   Totals *totals)
{
    *recorder = (Recorder){.observer = {.ended = record}, .code = &toy->code, .brute = brute};
    begin(recorder);
    for (recorder->way = WAY_RANDOM; recorder->way <= WAY_POS; recorder->way++) {
        ExploreOptions engine = engine_options(options, recorder->way, brute->memory);
        ExploreStats stats;
        ExploreResult result = explore(region, toy, &engine, recorder, &stats, totals);
        if (!recorder->problem && result != EXPLORE_BUDGET)
            recorder->problem = "the sampling ended";
    }
    const Found *found = has_inputs(&toy->code) ? NULL : missing(brute);
    if (!recorder->problem && found && brute->found.count <= SMALL) {
        recorder->graph = found->graph;
        return "a graph is not sampled";
    }
    for (uint32_t i = 0; i < brute->found.count && found; i++)
        totals->unsampled += !brute->found.items[i].seen;
    return recorder->problem;
}

/* The wakeup trees on a program without weak steps: as many executions as there are graphs. */
static const char *compare_trees(Region *region, Toy *toy, const Brute *brute)
{
    ExploreOptions options = {.max_preemptions = -1, .keep_going = true};
    ExploreObserver observer = {0};
    Explore *trees = explore_create(region, &toy->program, &options);
    ExploreResult result = explore_run(trees, &observer, 0);
    uint64_t executions = explore_stats(trees)->executions;
    explore_destroy(trees);
    if (result != EXPLORE_DONE)
        return "the search by trees did not end";
    return executions == brute->found.count ? NULL : "the trees have another number of executions";
}

static const char *compare(Region *region, Toy *toy, Brute *brute, const Options *options, Recorder *recorder,
                           Totals *totals)
{
    if (options->samples)
        return compare_samples(region, toy, brute, options, recorder, totals);
    Way way = options->all ? WAY_ALL : options->forward ? WAY_FORWARD : WAY_GRAPHS;
    const char *problem = compare_all(region, toy, brute, options, way, recorder, totals);
    bool both = !problem && way == WAY_GRAPHS && brute->memory == MEMORY_SC && !has_weak_steps(&toy->code);
    return both ? compare_trees(region, toy, brute) : problem;
}

/* ---- Differences -------------------------------------------------------------- */

static const char *check(Region *region, Toy *toy, Brute *brute, MemoryModel memory, const Options *options, Recorder *recorder)
{
    Totals ignored = {0};
    return brute_search(brute, &toy->code, memory) ? compare(region, toy, brute, options, recorder, &ignored) : NULL;
}

static void drop(Code *code, unsigned t, unsigned at)
{
    code->length[t]--;
    memmove(&code->code[t][at], &code->code[t][at + 1], (code->length[t] - at) * sizeof code->code[t][0]);
}

/* Drops instructions, weakens orders and simplifies the rest while some difference stays. */
static bool simplify(Region *region, Toy *toy, Brute *brute, MemoryModel memory, const Options *options)
{
    Recorder recorder;
    for (unsigned t = 0; t < toy->code.threads; t++)
        for (unsigned i = 0; i < toy->code.length[t]; i++)
            for (unsigned way = 0; way < 3; way++) {
                Code before = toy->code;
                Ins *ins = &toy->code.code[t][i];
                if (way == 0)
                    drop(&toy->code, t, i);
                else if (way == 1 && ins->kind != INS_FENCE &&
                         (ins->order > ORDER_RELAXED || ins->failed > ORDER_RELAXED))
                    ins->order = ORDER_RELAXED, ins->failed = ins->failed ? ORDER_RELAXED : 0;
                else if (way == 2 && ins->terms > 1)
                    ins->terms = 1;
                else
                    continue;
                if (check(region, toy, brute, memory, options, &recorder))
                    return true;
                toy->code = before;
            }
    return false;
}

static void report(Region *region, Toy *toy, Brute *brute, MemoryModel memory, const Options *options, const char *what)
{
    Recorder recorder;
    while (simplify(region, toy, brute, memory, options))
        ;
    const char *problem = check(region, toy, brute, memory, options, &recorder);
    printf("DIFFERENCE %s, %s: %s (%u graphs wanted, %llu executions)\n", what, memory_names[memory],
           problem ? problem : "not repeatable", brute->found.count, (unsigned long long)recorder.executions);
    code_print(&toy->code);
    weakgraph_print(&toy->code, &recorder.graph);
    fflush(stdout);
}

/* ---- Litmus programs ------------------------------------------------------------- */

static void count(const Brute *brute, int *complete, int *waiting, int *assumed)
{
    *complete = *waiting = *assumed = 0;
    for (uint32_t i = 0; i < brute->found.count; i++) {
        const Found *found = &brute->found.items[i];
        ++*(found->stopped ? assumed : found->waits ? waiting : complete);
    }
}

static void check_litmus(Region *region, Toy *toy, Brute *brute, const Options *options, Totals *totals)
{
    for (uint32_t i = 0; i < litmus_count(); i++) {
        Litmus litmus;
        litmus_get(i, &litmus);
        printf("%-20s", litmus.name);
        for (int m = MEMORY_SC; m <= MEMORY_RC11; m++) {
            int complete, waiting, assumed;
            Recorder recorder;
            toy->code = litmus.code;
            bool whole = brute_search(brute, &toy->code, (MemoryModel)m);
            count(brute, &complete, &waiting, &assumed);
            bool good =
                whole && complete == litmus.complete[m] && waiting == litmus.waiting[m] && assumed == litmus.assumed[m];
            printf("  %s %d %d %d%s", memory_names[m], complete, waiting, assumed, good ? "" : " WRONG");
            totals->differences += !good;
            uint64_t redundant = totals->redundant;
            const char *problem =
                options->brute || options->all ? NULL : compare(region, toy, brute, options, &recorder, totals);
            if (totals->redundant > redundant)
                printf(" (%llu redundant)", (unsigned long long)(totals->redundant - redundant));
            if (problem) {
                totals->differences++;
                printf("\n");
                report(region, toy, brute, (MemoryModel)m, options, litmus.name);
            }
        }
        printf("  (complete, waiting, assumption failed)\n");
    }
}

/* ---- Random programs --------------------------------------------------------------- */

static unsigned kind_count(void)
{
    unsigned count = 0;
    while (generator_kinds[count])
        count++;
    return count;
}

static void check_program(Region *region, Toy *toy, Brute *brute, const Options *options, uint64_t seed, Totals *totals)
{
    Rng rng = {.state = seed * 0x2545f4914f6cdd1dull};
    unsigned kind = (unsigned)(seed % kind_count());
    while (!(options->kinds >> kind & 1))
        kind = (kind + 1) % kind_count();
    Code code;
    generate(&code, &rng, kind, options->size);
    totals->programs++;
    for (int m = MEMORY_SC; m <= MEMORY_RC11; m++) {
        Recorder recorder;
        if (options->memory >= 0 && options->memory != m)
            continue;
        toy->code = code;
        if (!brute_search(brute, &toy->code, (MemoryModel)m)) {
            totals->too_big++;
            continue;
        }
        int complete, waiting, assumed;
        count(brute, &complete, &waiting, &assumed);
        totals->checks++;
        totals->graphs += brute->found.count;
        totals->waiting += (uint64_t)waiting;
        if (options->show) {
            printf("seed %llu, %s, %s: %d complete, %d waiting, %d assumed, %u partial\n", (unsigned long long)seed,
                   generator_kinds[kind], memory_names[m], complete, waiting, assumed, brute->tried);
            code_print(&toy->code);
        }
        if (options->brute || (options->all && has_weak_guard(&code)))
            continue;
        if (compare(region, toy, brute, options, &recorder, totals)) {
            char what[64];
            snprintf(what, sizeof what, "seed %llu, %s", (unsigned long long)seed, generator_kinds[kind]);
            totals->differences++;
            report(region, toy, brute, (MemoryModel)m, options, what);
        }
    }
}

/* ---- Options ------------------------------------------------------------------------- */

static int find(const char *const *names, unsigned count, const char *name)
{
    for (unsigned i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return (int)i;
    fprintf(stderr, "weak_oracle: unknown name '%s'\n", name);
    exit(2);
}

static bool is_flag(const char *text, const char *name, bool *flag)
{
    if (strcmp(text, name) != 0)
        return false;
    return *flag = true;
}

static void parse(int argc, char **argv, Options *options)
{
    for (int i = 1; i < argc; i++) {
        const char *name = argv[i];
        if (is_flag(name, "--brute", &options->brute) || is_flag(name, "--all", &options->all) ||
            is_flag(name, "--forward", &options->forward) ||
            is_flag(name, "--litmus", &options->litmus) || is_flag(name, "--no-litmus", &options->no_litmus) ||
            is_flag(name, "--show", &options->show))
            continue;
        const char *value = i + 1 < argc ? argv[++i] : "";
        if (strcmp(name, "--programs") == 0) {
            options->programs = strtoull(value, NULL, 10);
        } else if (strcmp(name, "--seed") == 0) {
            options->seed = strtoull(value, NULL, 10);
        } else if (strcmp(name, "--sample") == 0) {
            options->samples = strtoull(value, NULL, 10);
        } else if (strcmp(name, "--limit") == 0) {
            options->limit = (uint32_t)strtoul(value, NULL, 10);
        } else if (strcmp(name, "--size") == 0) {
            options->size = (uint32_t)strtoul(value, NULL, 10);
        } else if (strcmp(name, "--memory") == 0) {
            options->memory = find(memory_names, 3, value);
        } else if (strcmp(name, "--only") == 0) {
            options->kinds |= 1u << find(generator_kinds, kind_count(), value);
        } else if (strcmp(name, "--waits") == 0) {
            options->last = find((const char *const[]){"any", "last"}, 2, value) == 1;
        } else {
            fprintf(stderr, "weak_oracle: unknown option '%s'\n", name);
            exit(2);
        }
    }
}

int main(int argc, char **argv)
{
    Options options = {.programs = 20000, .memory = -1, .limit = 4000, .size = 4, .last = true};
    parse(argc, argv, &options);
    if (!options.kinds)
        options.kinds = UINT32_MAX;
    Region *region = region_create(1ull << 32);
    size_t used = region_used(region);
    Toy toy;
    Brute brute;
    Totals totals = {0};
    toy_init(&toy);
    brute_init(&brute, options.limit);
    brute.last = options.last;
    if (!options.no_litmus)
        check_litmus(region, &toy, &brute, &options, &totals);
    for (uint64_t i = 0; i < options.programs && !options.litmus && totals.differences < MOST_DIFFERENCES; i++)
        check_program(region, &toy, &brute, &options, options.seed + i, &totals);
    if (region_used(region) != used) {
        printf("memory: %zu bytes not given back\n", region_used(region) - used);
        totals.differences++;
    }
    printf("%llu programs, %llu checks (%llu too big), %llu graphs, %llu with a waiting thread; %llu executions, %llu "
           "redundant; %llu graphs not sampled; %llu differences\n",
           (unsigned long long)totals.programs, (unsigned long long)totals.checks, (unsigned long long)totals.too_big,
           (unsigned long long)totals.graphs, (unsigned long long)totals.waiting, (unsigned long long)totals.executions,
           (unsigned long long)totals.redundant, (unsigned long long)totals.unsampled,
           (unsigned long long)totals.differences);
    brute_release(&brute);
    region_destroy(region);
    return totals.differences != 0;
}
