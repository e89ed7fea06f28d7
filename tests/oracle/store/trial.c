/* trial.c - see trial.h */
#include "trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "dist/memory/store_memory.h"
#include "dist/worker.h"
#include "enginerunner.h"
#include "netstore.h"

enum { WORKERS_MAX = 60, PRESENT_MAX = 5 };

typedef struct Noted {
    uint64_t class, state;
} Noted;

struct Machine {
    EngineRunner runner;      /* first: callbacks get the machine from it */
    void *subject;
    NetStore *store;
    WorkerSettings settings;
    struct Trial *trial;
    VEC(Noted) found;         /* since the last commit           */
    Task *task;
    WorkerEnd end;
    Error error;
    bool broken;
};

/* One search. */
typedef struct Trial {
    World *world;
    MemoryServer *server;
    Network network;
    Rng rng;
    const TrialSubject *subject;
    const void *code;
    const TrialTruth *truth;
    Machine *machines[WORKERS_MAX];
    uint32_t machine_count;
    ClassMap committed, saved;
    uint64_t executions, saved_executions; /* accepted     */
    uint64_t budget;                       /* 0: none      */
    uint64_t repeated, explored;
    uint64_t deaths, reverts;
    volatile int never;
} Trial;

/* ---- What is explored, and what is accepted -------------------------------------------- */

void trial_note(Machine *machine, uint64_t class, uint64_t state, bool good)
{
    VEC_PUSH(&machine->found, ((Noted){class, state}));
    machine->broken = machine->broken || !good;
    machine->trial->explored++;
}

static void forget_found(EngineRunner *runner) { ((Machine *)runner)->found.count = 0; }

/* Commits without counts return jobs; the slice in hand continues. */
static void accept_found(void *context, const StoreCommit *commit)
{
    Machine *machine = context;
    Trial *trial = machine->trial;
    if (commit->stats.executions == 0)
        return;
    for (uint32_t i = 0; i < machine->found.count; i++) {
        uint64_t state = machine->found.items[i].state, seen = state;
        if (!classmap_add(&trial->committed, machine->found.items[i].class, &seen))
            trial->repeated++;
        machine->broken = machine->broken || seen != state;
    }
    machine->broken = machine->broken || commit->stats.executions != machine->found.count;
    trial->executions += commit->stats.executions;
    machine->found.count = 0;
}

/* ---- Machines ------------------------------------------------------------------------------ */

static void work(void *argument)
{
    Machine *machine = argument;
    Store *store = &machine->store->store;
    machine->end = store->ops->join(store, &machine->error) == STORE_DONE
                       ? worker_run(store, &machine->runner.sim.runner, &machine->settings, &machine->trial->never, &machine->error)
                       : WORKER_FAILED;
}

static void add_machine(Trial *trial)
{
    char name[16];
    Machine *machine = mem_alloc(sizeof *machine);
    uint32_t explorers = 1 + rng_below(&trial->rng, ENGINE_EXPLORERS);
    double seconds = 0.002 * (1 + rng_below(&trial->rng, 40));
    snprintf(name, sizeof name, "w%u", trial->machine_count);
    *machine = (Machine){.trial = trial, .settings = {.jobs = explorers, .lease = 1, .keep_going = true, .seed = trial->machine_count}};
    machine->subject = trial->subject->open(trial->code, machine);
    machine->store = netstore_create(&trial->network, store_open_memory(trial->server, name));
    machine->store->committed = accept_found;
    machine->store->context = machine;
    enginerunner_init(&machine->runner, trial->world, trial->subject->program(machine->subject), seconds, explorers,
                      rng_next(&trial->rng));
    if (trial->subject->observer)
        machine->runner.observer = trial->subject->observer(machine->subject);
    machine->runner.options = trial->truth->options;
    machine->runner.forgot = forget_found;
    machine->task = world_spawn(trial->world, work, machine);
    trial->machines[trial->machine_count++] = machine;
}

static void drop_machine(Machine *machine)
{
    machine->store->store.ops->close(&machine->store->store);
    enginerunner_release(&machine->runner);
    machine->trial->subject->close(machine->subject);
    VEC_FREE(&machine->found);
    free(machine);
}

/* ---- Trouble ---------------------------------------------------------------------------------- */

static void save_server(Trial *trial)
{
    memoryserver_save(trial->server);
    classmap_reset(&trial->saved);
    for (uint32_t i = 0; i < trial->committed.room; i++) {
        uint64_t state = trial->committed.entries[i].state;
        if (trial->committed.entries[i].class)
            classmap_add(&trial->saved, trial->committed.entries[i].class, &state);
    }
    trial->saved_executions = trial->executions;
}

static void revert_server(Trial *trial)
{
    memoryserver_revert(trial->server);
    ClassMap swap = trial->committed;
    trial->committed = trial->saved;
    trial->saved = swap;
    trial->executions = trial->saved_executions;
    trial->reverts++;
    save_server(trial);
}

static void make_trouble(void *argument)
{
    Trial *trial = argument;
    save_server(trial);
    while (trial->machine_count < WORKERS_MAX - 1) { /* one more may be needed at the end */
        world_sleep(trial->world, 0.01 * (1 + rng_below(&trial->rng, 100)));
        uint32_t what = rng_below(&trial->rng, 10);
        Machine *machine = trial->machines[rng_below(&trial->rng, trial->machine_count)];
        if (task_has_ended(machine->task) && machine->end == WORKER_OVER)
            return;
        if (what < 3 && !task_has_ended(machine->task)) {
            machine->store->dead = true; /* for the store it is as if it were killed */
            trial->deaths++;
            add_machine(trial);
        } else if (what < 4) {
            add_machine(trial);
        } else if (what < 7) {
            save_server(trial);
        } else if (what < 8) {
            revert_server(trial);
        }
    }
}

/* ---- One search ---------------------------------------------------------------------------------- */

static const char *judge(const Trial *trial, const StoreReport *report)
{
    const ClassMap *truth = &trial->truth->classes;
    for (uint32_t i = 0; i < trial->machine_count; i++) {
        const Machine *machine = trial->machines[i];
        if (machine->runner.problem)
            return machine->runner.problem;
        if (machine->broken)
            return "what was committed is not what was explored";
        if (!task_has_ended(machine->task))
            return "a worker never ended";
        if (machine->end == WORKER_FAILED && !machine->store->dead)
            return machine->error.text;
    }
    bool all = trial->budget == 0 || trial->budget >= truth->count;
    if (all ? report->state.open != 0 : strcmp(report->state.stop, "executions") != 0)
        return "the search never ended";
    if (!memoryserver_is_consistent(trial->server))
        return "the store does not add up";
    if (all ? !classmap_equal(&trial->committed, truth) : !classmap_includes(truth, &trial->committed))
        return "classes missing or wrong";
    if (trial->repeated)
        return "a class was committed twice";
    uint64_t wanted = all ? truth->count : trial->budget;
    if (report->stats.executions != wanted || trial->committed.count != wanted)
        return "the store's count is wrong";
    return all && report->stats.redundant != trial->truth->redundant ? "another number of redundant executions" : NULL;
}

/* Every third search has a budget of executions, which may or may not be enough. */
static void begin_search(Trial *trial, Store *follower, uint64_t seed)
{
    Error error = {0};
    bool attached;
    Text key = {0}, value = {0};
    trial->budget = seed % 3 == 0 ? 1 + rng_below(&trial->rng, 2 * trial->truth->classes.count) : 0;
    text_add_string(&key, STORE_BUDGET);
    text_add(&value, "%llu", (unsigned long long)trial->budget);
    follower->ops->init(follower, "trial", &key, &value, trial->budget ? 1 : 0, &attached, &error);
    follower->ops->join(follower, &error);
    text_release(&key);
    text_release(&value);
}

static void configure(Trial *trial, uint64_t seed)
{
    bool faults = seed % 4 != 0;
    trial->network = (Network){.world = trial->world, .latency = 0.001, .service = 0.0001, .rng = {.state = seed ^ 0x5eed}};
    if (faults) {
        trial->network.lost_answer = 10;
        trial->network.hang = 25;
        trial->network.hang_seconds = 1.5;
    }
}

bool trial_run(const TrialSubject *subject, const void *code, const TrialTruth *truth, uint64_t seed, TrialTotals *totals)
{
    static Trial trial;
    ClassMap committed = trial.committed, saved = trial.saved;
    trial = (Trial){.world = world_create(), .rng = {.state = seed}, .subject = subject, .code = code, .truth = truth,
                    .committed = committed, .saved = saved};
    trial.server = memoryserver_create(world_now, trial.world);
    classmap_reset(&trial.committed);
    configure(&trial, seed);
    Store *follower = store_open_memory(trial.server, "coordinator");
    Error error = {0};
    StoreReport report = {0};
    begin_search(&trial, follower, seed);
    for (uint32_t i = 0, count = 2 + rng_below(&trial.rng, PRESENT_MAX - 1); i < count; i++)
        add_machine(&trial);
    if (seed % 4 >= 2)
        world_spawn(trial.world, make_trouble, &trial);
    world_run(trial.world, 1e6);
    follower->ops->report(follower, &report, NULL, NULL, &error);
    if (report.state.open > 0 && !report.state.stopped && trial.reverts) { /* the server forgot the end after the workers had gone */
        add_machine(&trial);
        world_run(trial.world, 1e6);
        follower->ops->report(follower, &report, NULL, NULL, &error);
    }
    const char *problem = judge(&trial, &report);
    totals->programs++;
    totals->classes += truth->classes.count;
    totals->mismatches += problem != NULL;
    if (problem)
        printf("MISMATCH seed %llu: %s (%u classes, %u committed, %llu counted, %llu repeated, %llu open)\n", (unsigned long long)seed,
               problem, truth->classes.count, trial.committed.count, (unsigned long long)report.stats.executions,
               (unsigned long long)trial.repeated, (unsigned long long)report.state.open);
    totals->explored += trial.explored;
    totals->deaths += trial.deaths;
    totals->reverts += trial.reverts;
    totals->refused += report.refused;
    totals->extensions += report.extensions;
    totals->commits += report.commits;
    for (uint32_t i = 0; i < trial.machine_count; i++)
        drop_machine(trial.machines[i]);
    follower->ops->close(follower);
    memoryserver_destroy(trial.server);
    world_destroy(trial.world);
    return !problem;
}

int trial_print(const TrialTotals *totals)
{
    printf("%llu programs (%llu too big), %llu classes, %llu explored; %llu commits, %llu insertions, %llu refused; %llu workers died, "
           "the server came back %llu times\n",
           (unsigned long long)totals->programs, (unsigned long long)totals->too_big, (unsigned long long)totals->classes,
           (unsigned long long)totals->explored, (unsigned long long)totals->commits, (unsigned long long)totals->extensions,
           (unsigned long long)totals->refused, (unsigned long long)totals->deaths, (unsigned long long)totals->reverts);
    printf("%llu passed, %llu failed\n", (unsigned long long)(totals->programs - totals->mismatches),
           (unsigned long long)totals->mismatches);
    return totals->mismatches != 0;
}

