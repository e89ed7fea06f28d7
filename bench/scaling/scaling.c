/* scaling.c - efficiency of many workers, by simulation
 *
 *     scaling [--workers=N,...] [--executions=N,...] [--execution-us=N] [--latency-us=N] [--service-us=N]
 *             [--probe=SHARE] [--skew=X] [--seed=N]
 *
 * Real workers (dist/worker.c, dist/split.c) and the real rules of the store (store_memory.c) in
 * virtual time; only executions are counted instead of run, on synthetic trees (tests/sim/tree.h).
 * Efficiency: time of all executions / (workers * time until the search is over).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dist/memory/store_memory.h"
#include "dist/worker.h"
#include "netstore.h"
#include "treerunner.h"

enum { LIST_MAX = 16 };

typedef struct Settings {
    double workers[LIST_MAX], executions[LIST_MAX];
    uint32_t worker_counts, execution_counts;
    double execution, latency, service, service_byte, probe, lease;
    TreeShape shape;
    uint64_t seed;
} Settings;

typedef struct Machine {
    TreeRunner runner; /* first */
    NetStore *store;
    WorkerSettings settings;
    WorkerEnd end;
    Error error;
} Machine;

typedef struct Result {
    double seconds, efficiency, idle, server; /* shares of the workers' time, of the server's */
    StoreReport report;
    double learning;
    Network network;
} Result;

static volatile int never;

static void work(void *argument)
{
    Machine *machine = argument;
    Store *store = &machine->store->store;
    store->ops->join(store, &machine->error);
    machine->end = worker_run(store, &machine->runner.sim.runner, &machine->settings, &never, &machine->error);
}

static void add_machine(Machine *machine, World *world, Network *network, MemoryServer *server, const Settings *settings,
                        uint64_t executions, uint32_t number)
{
    char name[24];
    snprintf(name, sizeof name, "worker %u", number);
    *machine = (Machine){.settings = {.jobs = 1, .lease = settings->lease, .keep_going = true, .seed = settings->seed + number}};
    machine->store = netstore_create(network, store_open_memory(server, name));
    treerunner_init(&machine->runner, world, &settings->shape, (SimNode){.name = settings->seed * 2 + 1, .leaves = executions},
                    settings->execution, settings->execution * settings->probe);
    world_spawn(world, work, machine);
}

static Result simulate(const Settings *settings, uint32_t workers, uint64_t executions)
{
    World *world = world_create();
    MemoryServer *server = memoryserver_create(world_now, world);
    Store *follower = store_open_memory(server, "coordinator");
    Network network = {.world = world, .latency = settings->latency, .service = settings->service, .service_byte = settings->service_byte};
    Machine *machines = mem_alloc(workers * sizeof *machines);
    Result result = {0};
    Error error;
    bool attached;
    follower->ops->init(follower, "scaling", NULL, NULL, 0, &attached, &error);
    for (uint32_t i = 0; i < workers; i++)
        add_machine(&machines[i], world, &network, server, settings, executions, i);
    world_run(world, 1e12);
    follower->ops->report(follower, &result.report, NULL, NULL, &error);
    if (result.report.stats.executions != executions || result.report.state.open != 0) {
        fprintf(stderr, "scaling: %llu executions counted, %lld jobs open\n", (unsigned long long)result.report.stats.executions,
                (long long)result.report.state.open);
        exit(1);
    }
    result.seconds = result.report.seconds;
    for (uint32_t i = 0; i < workers; i++) {
        result.idle += machines[i].runner.sim.idle / workers / result.seconds;
        result.learning += machines[i].runner.learning / workers / result.seconds;
        machines[i].store->store.ops->close(&machines[i].store->store);
        treerunner_release(&machines[i].runner);
    }
    result.network = network;
    result.server = network.served / result.seconds;
    result.efficiency = (double)executions * settings->execution / (workers * result.seconds);
    free(machines);
    follower->ops->close(follower);
    memoryserver_destroy(server);
    world_destroy(world);
    return result;
}

static uint32_t read_list(const char *text, double *list)
{
    uint32_t count = 0;
    for (char *end; *text && count < LIST_MAX; text = *end ? end + 1 : end) {
        list[count++] = strtod(text, &end);
        if (end == text)
            return 0;
    }
    return count;
}

static bool read_number(const char *argument, const char *name, double unit, double *value)
{
    size_t length = strlen(name);
    if (strncmp(argument, name, length) != 0)
        return false;
    *value = strtod(argument + length, NULL) * unit;
    return true;
}

static bool read_argument(Settings *settings, const char *argument)
{
    double seed;
    if (strncmp(argument, "--workers=", 10) == 0)
        return (settings->worker_counts = read_list(argument + 10, settings->workers)) > 0;
    if (strncmp(argument, "--executions=", 13) == 0)
        return (settings->execution_counts = read_list(argument + 13, settings->executions)) > 0;
    if (read_number(argument, "--seed=", 1, &seed)) {
        settings->seed = (uint64_t)seed;
        return true;
    }
    return read_number(argument, "--execution-us=", 1e-6, &settings->execution) ||
           read_number(argument, "--latency-us=", 1e-6, &settings->latency) ||
           read_number(argument, "--service-us=", 1e-6, &settings->service) ||
           read_number(argument, "--probe=", 1, &settings->probe) || read_number(argument, "--skew=", 1, &settings->shape.skew);
}

int main(int argc, char **argv)
{
    Settings settings = {.workers = {20, 100, 1000}, .worker_counts = 3, .executions = {1e5, 1e6, 1e7, 1e8}, .execution_counts = 4,
                         .execution = 100e-6, .latency = 250e-6, .service = 130e-6, .service_byte = 20e-9, .probe = 0.5, .lease = 20,
                         .shape = {.children = 4, .skew = 2}, .seed = 1};
    for (int i = 1; i < argc; i++)
        if (!read_argument(&settings, argv[i])) {
            fprintf(stderr, "scaling: %s: not understood\n", argv[i]);
            return 2;
        }
    printf("workers executions    seconds efficiency  idle learning server  per 1000: takes fetches commits renewals   bytes\n");
    for (uint32_t w = 0; w < settings.worker_counts; w++)
        for (uint32_t e = 0; e < settings.execution_counts; e++) {
            Result result = simulate(&settings, (uint32_t)settings.workers[w], (uint64_t)settings.executions[e]);
            double thousands = settings.executions[e] / 1000;
            const Network *network = &result.network;
            printf("%7.0f %10.0e %10.2f %10.3f %5.2f %8.2f %6.2f %16.2f %7.2f %7.2f %8.2f %7.0f\n", settings.workers[w],
                   settings.executions[e], result.seconds, result.efficiency, result.idle, result.learning, result.server,
                   (double)network->takes / thousands, (double)network->fetches / thousands, (double)network->commits / thousands,
                   (double)network->renewals / thousands, (double)result.report.bytes / thousands);
            fflush(stdout);
        }
    return 0;
}
