/* models.c - see models.h */
#include "models.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "facts.h"
#include "core/explore.h"
#include "rt/abi/hooks.h"
#include "rt/kernel/runtime.h"
#include "rt/program/program_c.h"

static uint32_t most_executions = 20000; /* of a program that is compared */

static const Models *models;
static ModelThread threads[MODELS_SEERS];
static int threads_used;
static bool deliveries;

int models_threads(void) { return threads_used; }
bool models_deliver(void) { return deliveries; }

/* Main creates them in this order; what is sent by TCP are agents too. */
static int number_of_agent[RT_MAX_AGENTS];
static int (*number)(void);

void models_number_by(int (*index)(void)) { number = index; }
int models_index(void) { return number ? number() : number_of_agent[thread_self()]; }
ModelThread *models_self(void) { return &threads[models_index()]; }
ModelThread *models_first(void) { return &threads[0]; }

static void see_as(ModelThread *thread, int value)
{
    thread->seen = (thread->seen ^ (uint64_t)(value + 1)) * 0x100000001b3ull;
}

static void note_seen(const ModelThread *thread) { facts_note((thread->seen + (uint64_t)(thread - threads)) * 31); }

void see(int value)
{
    see_as(models_self(), value);
    note_seen(models_self());
}

/* ---- The program of a seed --------------------------------------------------------------------- */

static uint64_t random_state;

static unsigned draw(unsigned below)
{
    random_state = random_state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(random_state >> 33) % below;
}

/* Operations that lie together in the list meet on common objects: mostly draw from one
 * or two places. */
static void make_program(uint64_t seed)
{
    random_state = seed * 0x9e3779b97f4a7c15ull + 12345;
    unsigned center[2] = {draw(models->count), draw(models->count)};
    if (draw(2))
        center[1] = center[0];
    threads_used = 2 + (int)draw(2);
    for (int t = 0; t < threads_used; t++) {
        threads[t].op_count = 1 + (int)draw(threads_used == 2 ? MODELS_MAX_OPS : 2);
        for (int i = 0; i < threads[t].op_count; i++) {
            unsigned near = center[draw(2)] + draw(7) + models->count - 3;
            threads[t].op[i] = (uint8_t)(draw(8) ? near % models->count : draw(models->count));
            threads[t].object[i] = (uint8_t)draw(2);
        }
    }
}

static void print_program(FILE *file)
{
    for (int t = 0; t < threads_used; t++)
        for (int i = 0; i < threads[t].op_count; i++)
            fprintf(file, "%s%s %d", i ? "; " : t ? " || " : "", models->operations[threads[t].op[i]].name, threads[t].object[i]);
    fprintf(file, "\n");
}

/* ---- Running it ---------------------------------------------------------------------------------- */

static void *run_thread(void *argument)
{
    ModelThread *thread = argument;
    number_of_agent[thread_self()] = (int)(thread - threads);
    for (int i = 0; i < thread->op_count; i++) {
        sennit_rt_loop_iteration((uint32_t)i + 1, NULL);
        models->operations[thread->op[i]].perform(thread->object[i]);
    }
    see(-5);
    return NULL;
}

void models_run(void)
{
    static uint32_t begun;
    int index = models_index();
    for (int t = 0; t < MODELS_SEERS && begun != rt.execution; t++)
        threads[t].seen = 0;
    begun = rt.execution;
    if (index < threads_used)
        run_thread(&threads[index]);
}

int sennit_user_main(int argc, char **argv, char **envp)
{
    (void)argc;
    (void)argv;
    (void)envp;
    for (int t = 0; t < MODELS_MAX_THREADS; t++)
        threads[t].seen = threads[t].handle = 0;
    models->prepare();
    for (int t = 0; t < threads_used; t++)
        sennit_rt_pthread_create(&threads[t].handle, NULL, run_thread, &threads[t]);
    for (int t = 0; t < threads_used; t++) {
        void *result = NULL;
        see_as(&threads[t], sennit_rt_pthread_join(threads[t].handle, &result));
        see_as(&threads[t], result == PTHREAD_CANCELED);
    }
    uint64_t all = 1;
    for (int t = 0; t < threads_used; t++)
        all = (all ^ threads[t].seen) * 0x9e3779b97f4a7c15ull;
    facts_note(all);
    return 0;
}

static uint64_t final_state(const Execution *ex)
{
    uint64_t hash = ex->blocked_count * 31 + ex->finding_count;
    for (int t = 0; t < (number ? MODELS_SEERS : threads_used); t++)
        hash = (hash ^ threads[t].seen) * 0x9e3779b97f4a7c15ull;
    for (uint32_t i = 0; i < ex->blocked_count; i++)
        hash += (ex->blocked[i].agent + 1) * 0x2545f4914f6cdd1dull * (ex->blocked[i].op + 1);
    return hash;
}

/* ---- Classes ------------------------------------------------------------------------------------------ */

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0xff51afd7ed558ccdull;
    return hash ^ hash >> 32;
}

static bool events_conflict(const Execution *ex, const Event *a, const Event *b)
{
    for (unsigned i = 0; i < a->access_count; i++)
        for (unsigned j = 0; j < b->access_count; j++)
            if (accesses_conflict(&ex->accesses[a->first_access + i], &ex->accesses[b->first_access + j]))
                return true;
    return false;
}

static uint64_t own_hash(const Execution *ex, const Event *event)
{
    uint64_t hash = mix(mix(1, event->agent), event->index); /* not symmetric: 2.1 is not 3.0 */
    for (unsigned i = 0; i < event->choice_count; i++)
        hash = mix(hash, ex->choices[event->first_choice + i].taken);
    for (unsigned i = 0; i < event->access_count; i++) {
        const Access *access = &ex->accesses[event->first_access + i];
        hash = mix(mix(hash, access->resource), access->mode);
    }
    return mix(hash, event->op);
}

/* The same for all executions of a class: no part depends on the order of the others. */
static uint64_t class_of(const Execution *ex)
{
    static uint64_t hashes[4096];
    uint64_t all = 0;
    for (uint32_t e = 0; e < ex->event_count && e < 4096; e++) {
        const Event *event = &ex->events[e];
        uint64_t past = 0;
        for (uint32_t p = 0; p < e; p++)
            if (ex->events[p].agent == event->agent || events_conflict(ex, &ex->events[p], event))
                past += hashes[p];
        hashes[e] = mix(own_hash(ex, event), past);
        all += hashes[e];
    }
    return all;
}

/* Classes seen so far in one search, each with its final state. */
typedef struct Classes {
    struct {
        uint64_t name, state;
        bool used;
    } *slots;
    uint32_t count, executions;
    bool ambiguous, diverged;
} Classes;

enum { SLOTS = 1 << 16 };

static uint32_t find_class(const Classes *classes, uint64_t name)
{
    uint32_t i = (uint32_t)(name >> 20) % SLOTS;
    while (classes->slots[i].used && classes->slots[i].name != name)
        i = (i + 1) % SLOTS;
    return i;
}

static void add_class(Classes *classes, uint64_t name, uint64_t state)
{
    uint32_t i = find_class(classes, name);
    if (classes->slots[i].used) {
        classes->ambiguous |= classes->slots[i].state != state;
        return;
    }
    classes->slots[i].name = name;
    classes->slots[i].state = state;
    classes->slots[i].used = true;
    classes->count++;
}

static bool contains_all(const Classes *large, const Classes *small)
{
    for (uint32_t i = 0; i < SLOTS; i++)
        if (small->slots[i].used && !large->slots[find_class(large, small->slots[i].name)].used)
            return false;
    return true;
}

/* ---- Watching a program --------------------------------------------------------------------------------- */

static ProgramOps ops;
static Program watched = {.ops = &ops};
static Program *inner;
static Classes *current;
static bool verbose;

static void print_execution(const Execution *ex)
{
    char text[160];
    for (uint32_t e = 0; e < ex->event_count; e++) {
        const Event *event = &ex->events[e];
        inner->ops->step_text(inner, event->op, &ex->accesses[event->first_access], event->access_count, text, sizeof text);
        fprintf(stderr, "  %u: %s", event->agent, text);
        for (unsigned i = 0; i < event->access_count; i++) {
            const Access *a = &ex->accesses[event->first_access + i];
            fprintf(stderr, " [%llx mode %u %lld -> %lld]", (unsigned long long)a->resource, a->mode, (long long)a->before,
                    (long long)a->after);
        }
        fprintf(stderr, "\n");
    }
    fprintf(stderr, "  end %u, class %llx, state %llx, %u blocked\n", ex->end, (unsigned long long)class_of(ex),
            (unsigned long long)final_state(ex), ex->blocked_count);
}

static void run_and_look(Program *self_, Execution *ex)
{
    (void)self_;
    facts_begin();
    inner->ops->run(inner, ex);
    facts_end(ex, !deliveries); /* a finding names threads by their numbers, which differ */
    if (verbose)
        print_execution(ex);
    if (ex->end == END_COMPLETE)
        add_class(current, class_of(ex), final_state(ex));
}

static bool search(Region *region, Reduction reduction, const Bounds *bounds, Classes *classes)
{
    ExploreOptions options = {.keep_going = true, .reduction = reduction, .max_executions = most_executions};
    bounds_set(bounds, &options);
    memset(classes->slots, 0, SLOTS * sizeof *classes->slots);
    *classes = (Classes){.slots = classes->slots};
    current = classes;
    Explore *explore = explore_create(region, &watched, &options);
    ExploreObserver observer = {0};
    ExploreResult result = explore_run(explore, &observer, 0);
    const ExploreStats *stats = explore_stats(explore);
    classes->executions = (uint32_t)(stats->executions + (reduction == REDUCTION_OPTIMAL ? stats->redundant : 0));
    classes->diverged = result == EXPLORE_DIVERGED;
    explore_destroy(explore);
    return result != EXPLORE_BUDGET;
}

/* ---- Comparing -------------------------------------------------------------------------------------------- */

typedef struct Total {
    uint64_t compared, too_large, wrong, classes;
} Total;

static const char *compare(const Classes *all, const Classes *optimal, const Classes *source)
{
    if (all->diverged || optimal->diverged || source->diverged)
        return "a plan could not be followed";
    if (all->ambiguous)
        return "two executions of one class end in different states";
    if (!contains_all(optimal, all))
        return "optimal misses a class";
    if (!contains_all(all, optimal))
        return "optimal invents a class";
    if (optimal->executions != optimal->count)
        return "optimal repeats a class";
    if (!contains_all(source, all))
        return "source misses a class";
    return NULL;
}

/* With bounds: the same classes by all reductions (with a bound on preemptions there are none), no fact that there is
 * not without bounds, and all that do not meet them. */
static const char *compare_bounded(Region *region, const Bounds *bounds, Classes found[3])
{
    static const Reduction reductions[] = {REDUCTION_NONE, REDUCTION_OPTIMAL, REDUCTION_SOURCE};
    static Facts *without, *with;
    Bounds none = bounds_none();
    if (!with)
        with = facts_create(), without = facts_create();
    facts_note_in(without);
    bool small = search(region, REDUCTION_NONE, &none, &found[0]);
    const char *wrong = NULL;
    for (int i = 0; i < 3 && small && !wrong; i++) {
        if (verbose)
            fprintf(stderr, "---- with bounds, reduction %d\n", reductions[i]);
        facts_note_in(with);
        small = search(region, reductions[i], bounds, &found[i]);
        uint64_t invented = facts_invented(with, without), missed = facts_missed(with, without, bounds);
        if (small && (invented || missed)) {
            wrong = invented ? "a bound makes something happen" : "a bound hides what does not meet it";
            facts_print(invented ? with : without, invented ? invented : missed);
        }
    }
    facts_note_in(NULL);
    if (!small)
        return "";
    return wrong || bounds->preemptions >= 0 ? wrong : compare(&found[0], &found[1], &found[2]);
}

/* NULL: nothing is wrong; "": too large. */
static const char *compare_searches(Region *region, Classes found[3])
{
    Bounds none = bounds_none();
    bool small = search(region, REDUCTION_NONE, &none, &found[0]);
    if (verbose)
        fprintf(stderr, "---- optimal\n");
    if (!small || !search(region, REDUCTION_OPTIMAL, &none, &found[1]) ||
        !search(region, REDUCTION_SOURCE, &none, &found[2]))
        return "";
    return compare(&found[0], &found[1], &found[2]);
}

/* What is found where all arrives at once must be found where it arrives later. */
static const char *compare_deliveries(Region *region, Classes found[3])
{
    static Facts *late, *at_once;
    Bounds none = bounds_none();
    if (!late)
        late = facts_create(), at_once = facts_create();
    facts_note_in(at_once);
    rt.options.delivery = DELIVERY_AT_ONCE;
    bool small = search(region, REDUCTION_OPTIMAL, &none, &found[0]);
    if (verbose)
        fprintf(stderr, "---- late\n");
    facts_note_in(late);
    rt.options.delivery = DELIVERY_LATE;
    small = small && search(region, REDUCTION_OPTIMAL, &none, &found[1]);
    facts_note_in(NULL);
    uint64_t missed = small ? facts_invented(at_once, late) : 0;
    if (missed)
        facts_print(at_once, missed);
    return !small ? "" : missed ? "what happens at once does not happen later" : NULL;
}

static void try_seed(uint64_t seed, bool bounded, Region *region, Classes found[3], Total *total)
{
    make_program(seed);
    if (verbose)
        print_program(stderr);
    Bounds bounds = bounded ? bounds_draw(draw) : bounds_none();
    const char *wrong = deliveries ? compare_deliveries(region, found)
                        : bounded  ? compare_bounded(region, &bounds, found)
                                   : compare_searches(region, found);
    if (wrong && !*wrong) {
        total->too_large++;
        return;
    }
    total->compared++;
    total->classes += found[0].count;
    if (!wrong)
        return;
    total->wrong++;
    printf("seed %llu: %s (classes %u, %u, %u; executions %u, %u, %u)\n    ", (unsigned long long)seed, wrong,
           found[0].count, found[1].count, found[2].count, found[0].executions, found[1].executions, found[2].executions);
    print_program(stdout);
    if (bounded) {
        printf("    ");
        bounds_print(&bounds);
        printf("\n");
    }
}

static bool open_program(Region *region, bool spurious, bool crash, bool reset)
{
    Error error = {0};
    static char *none[] = {NULL}; /* restored before each execution */
    RtOptions options = {.argv = none, .envp = none, .spurious = spurious, .max_crashed = crash, .max_reset = reset};
    inner = program_c_create(region, &options, &error);
    if (!inner)
        return false;
    ops = *inner->ops;
    ops.run = run_and_look;
    return true;
}

int models_main(int argc, char **argv, const Models *tested)
{
    models = tested;
    bool spurious = false, bounded = false, crash = false, reset = false, late = false, partition = false, shorten = false;
    int first = 1;
    for (; first < argc && argv[first][0] == '-'; first++) {
        spurious |= strcmp(argv[first], "--spurious") == 0;
        crash |= strcmp(argv[first], "--crash") == 0;
        reset |= strcmp(argv[first], "--reset") == 0;
        deliveries |= strcmp(argv[first], "--deliveries") == 0;
        late |= strcmp(argv[first], "--late") == 0;
        partition |= strcmp(argv[first], "--partition") == 0;
        shorten |= strcmp(argv[first], "--short") == 0;
        bounded |= strcmp(argv[first], "--bounds") == 0;
        if (strncmp(argv[first], "--most=", 7) == 0)
            most_executions = (uint32_t)strtoul(argv[first] + 7, NULL, 10);
        verbose |= strcmp(argv[first], "--verbose") == 0;
    }
    Region *region = region_create((size_t)1 << 32);
    if (argc - first != 2 || !region || !open_program(region, spurious, crash, reset)) {
        fprintf(stderr, "usage: %s [--spurious] [--crash] [--reset] [--partition] [--short] [--late] [--deliveries] [--bounds] [--most=N] [--verbose] FROM TO\n", argv[0]);
        return 2;
    }
    if (late)
        rt.options.delivery = DELIVERY_LATE;
    rt.options.max_partitions = partition;
    rt.options.max_short = shorten;
    Classes found[3];
    Total total = {0};
    for (int i = 0; i < 3; i++)
        found[i].slots = mem_alloc(SLOTS * sizeof *found[i].slots);
    for (uint64_t seed = strtoull(argv[first], NULL, 10); seed < strtoull(argv[first + 1], NULL, 10); seed++)
        try_seed(seed, bounded, region, found, &total);
    printf("%llu programs compared, %llu too large, %llu classes, %llu mismatches\n", (unsigned long long)total.compared,
           (unsigned long long)total.too_large, (unsigned long long)total.classes, (unsigned long long)total.wrong);
    return total.wrong ? 1 : 0;
}
