/* stores.c - the store in memory and the one in Redis give the same answers
 *
 *     stores URL RESTART FIRST LAST
 *
 * For each seed a random sequence of calls goes to both: several workers, duplicate commits, wrong
 * tokens, leases that expire, searches that replace each other, budgets, servers that come back. The
 * command RESTART stops the server, which keeps what it has, and starts it again. Tokens, and hence names
 * of domains, differ; everything else must not. A lease of no time at all has expired at the next call
 * that looks, so nothing here depends on how fast the machine is.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/map.h"
#include "base/rng.h"
#include "core/stats.h"
#include "dist/memory/store_memory.h"
#include "dist/redis/store_redis.h"

enum { WORKERS = 3, CALLS = 60 };
static const double LONG = 1000, NONE = 0;

/* A job as each of the two knows it. */
typedef struct Pair {
    StoreJob mine, theirs;
} Pair;
typedef VEC(Pair) Pairs;

typedef struct Trial {
    uint64_t seed;
    Rng rng;
    MemoryServer *server;
    Store *memory[WORKERS], *redis[WORKERS];
    Pairs held[WORKERS];    /* and some that are not any more  */
    Pairs domains;          /* mine.domain is theirs.domain    */
    const char *problem;
} Trial;

static double read_clock(void *context)
{
    struct timespec now;
    (void)context;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static uint32_t draw(Trial *trial, uint32_t below) { return rng_below(&trial->rng, below); }

static bool same(Trial *trial, bool equal, const char *what)
{
    if (!equal && !trial->problem)
        trial->problem = what;
    return equal;
}

static bool same_text(Trial *trial, const Text *a, const Text *b, const char *what)
{
    return same(trial, a->length == b->length && (a->length == 0 || memcmp(a->data, b->data, a->length) == 0), what);
}

static void compare_states(Trial *trial, const StoreState *a, const StoreState *b)
{
    same(trial, a->open == b->open, "jobs that are open");
    same(trial, a->queued == b->queued, "jobs that are queued");
    same(trial, a->workers == b->workers && a->idle == b->idle, "workers");
    same(trial, a->grant == b->grant, "the grant");
    same(trial, a->stopped == b->stopped && strcmp(a->stop, b->stop) == 0, "why it stopped");
}

/* ---- Names ---------------------------------------------------------------------------------- */

static void pair_domains(Trial *trial, uint64_t mine, uint64_t theirs)
{
    VEC_PUSH(&trial->domains, ((Pair){.mine.domain = mine, .theirs.domain = theirs}));
}

/* Both got the same jobs, in the same order. */
static void pair_jobs(Trial *trial, const StoreJobs *mine, const StoreJobs *theirs, Pairs *held)
{
    if (!same(trial, mine->count == theirs->count, "the number of jobs"))
        return;
    for (uint32_t i = 0; i < mine->count; i++) {
        Pair pair = {mine->items[i], theirs->items[i]};
        bool known = false;
        for (uint32_t k = 0; k < trial->domains.count && !known; k++)
            known = trial->domains.items[k].mine.domain == pair.mine.domain && trial->domains.items[k].theirs.domain == pair.theirs.domain;
        same(trial, known && pair.mine.entry == pair.theirs.entry, "which jobs are given out");
        VEC_PUSH(held, pair);
    }
}

/* ---- Calls ---------------------------------------------------------------------------------- */

static void call_init(Trial *trial)
{
    uint32_t worker = draw(trial, WORKERS);
    Text keys[2] = {0}, values[2] = {0};
    const char *identity = draw(trial, 4) ? "one" : "another";
    bool attached[2] = {false, false}, limited = draw(trial, 2);
    Error error = {0};
    text_add_string(&keys[0], "program");
    text_add_bytes(&values[0], "a\0b", 3);
    text_add_string(&keys[1], STORE_BUDGET);
    text_add(&values[1], "%u", 1 + draw(trial, 60));
    StoreAnswer mine = trial->memory[worker]->ops->init(trial->memory[worker], identity, keys, values, limited ? 2 : 1, &attached[0], &error);
    StoreAnswer theirs = trial->redis[worker]->ops->init(trial->redis[worker], identity, keys, values, limited ? 2 : 1, &attached[1], &error);
    same(trial, mine == theirs, "init");
    if (mine == STORE_DONE)
        same(trial, attached[0] == attached[1], "whether a search is there");
    if (mine == STORE_DONE && !attached[0]) {
        trial->domains.count = 0;
        pair_domains(trial, 0, 0);
    }
    for (int i = 0; i < 2; i++) {
        text_release(&keys[i]);
        text_release(&values[i]);
    }
}

static void call_join(Trial *trial, uint32_t worker)
{
    Error error;
    same(trial, trial->memory[worker]->ops->join(trial->memory[worker], &error) == trial->redis[worker]->ops->join(trial->redis[worker], &error),
         "join");
}

static void call_take(Trial *trial, uint32_t worker)
{
    StoreJobs mine = {0}, theirs = {0};
    StoreState a, b;
    Error error;
    uint32_t want = 1 + draw(trial, 4);
    double seconds = draw(trial, 4) ? LONG : NONE;
    StoreAnswer answer = trial->memory[worker]->ops->take(trial->memory[worker], want, seconds, &mine, &a, &error);
    same(trial, answer == trial->redis[worker]->ops->take(trial->redis[worker], want, seconds, &theirs, &b, &error), "take");
    compare_states(trial, &a, &b);
    pair_jobs(trial, &mine, &theirs, &trial->held[worker]);
    VEC_FREE(&mine);
    VEC_FREE(&theirs);
}

/* Up to three entries: steps below each other, some of them jobs; one at least, if it is a new domain. One or
 * two children each, so that shares are numbers that both can write down exactly. */
static uint32_t write_entries(Trial *trial, uint32_t known, Text *entries)
{
    uint32_t count = 1 + draw(trial, 3), children[8] = {0}, open = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t parent = known ? 0 : draw(trial, i + 1);
        while (!known && children[parent] == 2)
            parent = parent + 1 > i ? 0 : parent + 1;
        children[parent]++;
        bool job = draw(trial, 3) || (!known && i + 1 == count && !open);
        open += job;
        text_add(entries, "%u %c 0.%u:1,?0\n", parent, job ? 'o' : draw(trial, 2) ? 'p' : 'd', draw(trial, 9));
    }
    return count;
}

static void add_return(Trial *trial, Pair pair, StoreFate fate, const Text *entries, uint32_t keep, StoreCommit *mine, StoreCommit *theirs)
{
    StoreReturn a = {.job = pair.mine, .fate = fate, .keep = keep}, b = {.job = pair.theirs, .fate = fate, .keep = keep};
    text_add_bytes(&a.entries, text_borrow(entries), entries->length);
    text_add_bytes(&b.entries, text_borrow(entries), entries->length);
    VEC_PUSH(&mine->returns, a);
    VEC_PUSH(&theirs->returns, b);
    (void)trial;
}

static void fill_commit(Trial *trial, StoreCommit *commit, uint64_t noise)
{
    Rng rng = {.state = noise};
    commit->stats = (ExploreStats){.executions = rng_below(&rng, 9), .steps = rng_below(&rng, 99), .cut = rng_below(&rng, 3), 
                                   .cuts[CUT_UNROLL] = rng_below(&rng, 2), .cuts[CUT_CHILDREN] = rng_below(&rng, 2), .depth = rng_below(&rng, 30), .agents = rng_below(&rng, 5)};
    commit->cpu_seconds = rng_below(&rng, 100) / 64.0;
    commit->lease = rng_below(&rng, 4) ? LONG : NONE;
    if (rng_below(&rng, 3) == 0)
        text_add(&commit->record, "noted %llu", (unsigned long long)noise);
    if (rng_below(&rng, 5) == 0) {
        StoreBug bug = {.identity = rng_below(&rng, 3) + 1};
        text_add(&bug.text, "deadlock 1\ntrace %u", rng_below(&rng, 100));
        VEC_PUSH(&commit->bugs, bug);
    }
    if (rng_below(&rng, 4) == 0) {
        text_add(&commit->reached, " %ut %uf", rng_below(&rng, 4), rng_below(&rng, 4));
        commit->enough = 7;
    }
    commit->stop = rng_below(&rng, 60) == 0 ? "bug" : NULL;
    (void)trial;
}

static void call_commit(Trial *trial, uint32_t worker)
{
    StoreCommit mine = {0}, theirs = {0};
    StoreJobs kept[2] = {0};
    StoreState a, b;
    Error error;
    Pairs *held = &trial->held[worker];
    uint64_t noise = rng_next(&trial->rng);
    uint32_t count = held->count < 3 ? held->count : 1 + draw(trial, 3);
    Pairs split = {0};
    for (uint32_t i = 0; i < count; i++) { /* the oldest first: they may have been returned already */
        Pair pair = held->items[draw(trial, 3) ? held->count - 1 - i : i];
        StoreFate fate = (StoreFate)draw(trial, 3);
        Text entries = {0};
        bool twice = false;
        for (uint32_t k = 0; k < mine.returns.count; k++)
            twice |= mine.returns.items[k].job.domain == pair.mine.domain && mine.returns.items[k].job.entry == pair.mine.entry;
        if (twice)
            continue;
        if (draw(trial, 12) == 0)
            pair.mine.token = pair.theirs.token = 17; /* nobody's */
        if (fate == STORE_SPLIT) {
            write_entries(trial, 0, &entries);
            VEC_PUSH(&split, pair);
        }
        add_return(trial, pair, fate, &entries, draw(trial, 3), &mine, &theirs);
        text_release(&entries);
    }
    fill_commit(trial, &mine, noise);
    fill_commit(trial, &theirs, noise);
    for (int again = 0; again < 2; again++) { /* an answer that was lost: the second time it is refused, or changes nothing */
        StoreAnswer answer = trial->memory[worker]->ops->commit(trial->memory[worker], &mine, &kept[0], &a, &error);
        StoreAnswer other = trial->redis[worker]->ops->commit(trial->redis[worker], &theirs, &kept[1], &b, &error);
        same(trial, answer == other, "commit");
        if (answer == STORE_DONE) {
            for (uint32_t i = 0; i < split.count; i++) {
                bool root = split.items[i].mine.domain == 0 && split.items[i].mine.entry == 0;
                pair_domains(trial, root ? 0 : split.items[i].mine.token, root ? 0 : split.items[i].theirs.token);
            }
            compare_states(trial, &a, &b);
        }
        if (mine.returns.count == 0 || draw(trial, 3))
            break;
    }
    pair_jobs(trial, &kept[0], &kept[1], held);
    VEC_FREE(&kept[0]);
    VEC_FREE(&kept[1]);
    VEC_FREE(&split);
    storecommit_release(&mine);
    storecommit_release(&theirs);
}

static void call_renew(Trial *trial, uint32_t worker)
{
    StoreJobs mine = {0}, theirs = {0};
    StoreState a, b;
    Error error;
    const Pairs *held = &trial->held[worker];
    for (uint32_t i = held->count > 2 ? held->count - 2 : 0; i < held->count; i++) {
        VEC_PUSH(&mine, held->items[i].mine);
        VEC_PUSH(&theirs, held->items[i].theirs);
    }
    double seconds = draw(trial, 4) ? LONG : NONE;
    StoreAnswer answer = trial->memory[worker]->ops->renew(trial->memory[worker], &mine, seconds, "note", &a, &error);
    same(trial, answer == trial->redis[worker]->ops->renew(trial->redis[worker], &theirs, seconds, "note", &b, &error), "renew");
    if (answer == STORE_DONE)
        compare_states(trial, &a, &b);
    VEC_FREE(&mine);
    VEC_FREE(&theirs);
}

static void call_domain(Trial *trial, uint32_t worker)
{
    uint64_t parents[2] = {0};
    uint32_t entries[2] = {0}, known = draw(trial, 4);
    Text texts[2] = {0}, news[2] = {0}, more = {0};
    Error error;
    if (trial->domains.count == 0)
        return;
    Pair domain = trial->domains.items[draw(trial, trial->domains.count)];
    Store *memory = trial->memory[worker], *redis = trial->redis[worker];
    StoreAnswer answer = memory->ops->fetch(memory, domain.mine.domain, 0, &parents[0], &entries[0], &texts[0], &error);
    same(trial, answer == redis->ops->fetch(redis, domain.theirs.domain, 0, &parents[1], &entries[1], &texts[1], &error), "fetch");
    same_text(trial, &texts[0], &texts[1], "entries of a domain");
    if (answer == STORE_DONE && domain.mine.domain)
        same(trial, entries[0] == entries[1], "the job above a domain");
    uint32_t count = store_scan_entries(text_borrow(&texts[0]), 0, NULL);
    write_entries(trial, 1, &more);
    known = draw(trial, 3) ? count : known; /* what the caller believes */
    answer = memory->ops->extend(memory, domain.mine.domain, known, text_borrow(&more), &news[0], &error);
    same(trial, answer == redis->ops->extend(redis, domain.theirs.domain, known, text_borrow(&more), &news[1], &error), "extend");
    if (answer == STORE_STALE && known == 0) /* chunks begin where domains were extended */
        same_text(trial, &news[0], &news[1], "news of a domain");
    for (int i = 0; i < 2; i++) {
        text_release(&texts[i]);
        text_release(&news[i]);
    }
    text_release(&more);
}

static bool near(double a, double b) { return fabs(a - b) <= 1e-6 * (1 + fabs(a)); }

static int by_identity(const void *a, const void *b)
{
    uint64_t x = ((const StoreBug *)a)->identity, y = ((const StoreBug *)b)->identity;
    return x < y ? -1 : x > y;
}

static void compare_bugs(Trial *trial, StoreBugs *a, StoreBugs *b)
{
    if (same(trial, a->count == b->count, "the number of bugs") && a->count) {
        qsort(a->items, a->count, sizeof *a->items, by_identity);
        qsort(b->items, b->count, sizeof *b->items, by_identity);
        for (uint32_t i = 0; i < a->count; i++)
            same(trial, a->items[i].identity == b->items[i].identity && same_text(trial, &a->items[i].text, &b->items[i].text, "bugs"), "bugs");
    }
}

static void release_bugs(StoreBugs *bugs)
{
    for (uint32_t i = 0; i < bugs->count; i++)
        text_release(&bugs->items[i].text);
    VEC_FREE(bugs);
}

static void call_report(Trial *trial, uint32_t worker)
{
    StoreReport a, b;
    StoreBugs bugs[2] = {0};
    Text stats[2] = {0}, records[2] = {0}, value[2] = {0};
    Error error;
    Store *memory = trial->memory[worker], *redis = trial->redis[worker];
    StoreAnswer answer = memory->ops->report(memory, &a, &bugs[0], NULL, &error);
    same(trial, answer == redis->ops->report(redis, &b, &bugs[1], NULL, &error), "report");
    if (answer == STORE_DONE) {
        compare_states(trial, &a.state, &b.state);
        stats_write(&a.stats, &stats[0]);
        stats_write(&b.stats, &stats[1]);
        same_text(trial, &stats[0], &stats[1], "counts");
        same(trial, near(a.cpu_seconds, b.cpu_seconds) && near(a.progress, b.progress), "progress");
        same(trial, near(a.estimate.total, b.estimate.total) && near(a.estimate.low, b.estimate.low) && near(a.estimate.high, b.estimate.high),
             "the estimate");
        same(trial, a.commits == b.commits && a.extensions == b.extensions && a.bytes == b.bytes && a.bugs == b.bugs, "traffic");
        same(trial, a.refused == b.refused, "the number of refusals");
        compare_bugs(trial, &bugs[0], &bugs[1]);
    }
    answer = memory->ops->records(memory, &records[0], &error);
    same(trial, answer == redis->ops->records(redis, &records[1], &error), "records");
    same_text(trial, &records[0], &records[1], "what was noted");
    answer = memory->ops->describe(memory, "program", &value[0], &error);
    same(trial, answer == redis->ops->describe(redis, "program", &value[1], &error), "describe");
    same_text(trial, &value[0], &value[1], "descriptions");
    for (int i = 0; i < 2; i++) {
        release_bugs(&bugs[i]);
        text_release(&stats[i]);
        text_release(&records[i]);
        text_release(&value[i]);
    }
}

static void call_stop(Trial *trial, uint32_t worker)
{
    Error error;
    same(trial, trial->memory[worker]->ops->stop(trial->memory[worker], "time", "a note", &error) ==
                    trial->redis[worker]->ops->stop(trial->redis[worker], "time", "a note", &error), "stop");
}

static void restart(Trial *trial, const char *command)
{
    memoryserver_save(trial->server);
    memoryserver_revert(trial->server);
    same(trial, system(command) == 0, "the server cannot be started again");
}

/* ---- Sequences -------------------------------------------------------------------------------- */

static void make_call(Trial *trial, const char *command)
{
    uint32_t worker = draw(trial, WORKERS), what = draw(trial, 100);
    if (what < 30)
        call_take(trial, worker);
    else if (what < 62)
        call_commit(trial, worker);
    else if (what < 74)
        call_renew(trial, worker);
    else if (what < 86)
        call_domain(trial, worker);
    else if (what < 93)
        call_report(trial, worker);
    else if (what < 96)
        call_join(trial, worker);
    else if (what < 98)
        call_init(trial);
    else if (trial->seed % 10 == 0)
        restart(trial, command);
    else if (draw(trial, 4) == 0)
        call_stop(trial, worker);
}

static bool run_trial(const char *url, const char *command, uint64_t seed)
{
    Trial trial = {.seed = seed, .rng = {.state = seed}};
    Error error = {0};
    char name[16];
    trial.server = memoryserver_create(read_clock, NULL);
    for (uint32_t i = 0; i < WORKERS; i++) {
        snprintf(name, sizeof name, "worker%u", i);
        trial.memory[i] = store_open_memory(trial.server, name);
        trial.redis[i] = store_open_redis(url, name, NULL, &error);
        if (!trial.redis[i]) {
            printf("%s\n", error.text);
            exit(1);
        }
    }
    call_init(&trial);
    for (uint32_t i = 0; i < WORKERS; i++)
        call_join(&trial, i);
    uint32_t at = 0;
    for (; at < CALLS && !trial.problem; at++)
        make_call(&trial, command);
    same(&trial, memoryserver_is_consistent(trial.server), "nothing, but do not add up");
    if (trial.problem)
        printf("seed %llu, call %u: the stores differ in %s\n", (unsigned long long)seed, at, trial.problem);
    for (uint32_t i = 0; i < WORKERS; i++) {
        trial.memory[i]->ops->close(trial.memory[i]);
        trial.redis[i]->ops->close(trial.redis[i]);
        VEC_FREE(&trial.held[i]);
    }
    VEC_FREE(&trial.domains);
    memoryserver_destroy(trial.server);
    return !trial.problem;
}

int main(int argc, char **argv)
{
    if (argc != 5)
        return 2;
    uint64_t failed = 0, first = strtoull(argv[3], NULL, 10), last = strtoull(argv[4], NULL, 10);
    for (uint64_t seed = first; seed < last; seed++) {
        Text clean = {0};
        text_add(&clean, "%s clean", argv[2]);
        if (system(clean.data) != 0)
            return 1;
        failed += !run_trial(argv[1], argv[2], seed);
        text_release(&clean);
    }
    printf("%llu sequences, %llu differ\n", (unsigned long long)(last - first), (unsigned long long)failed);
    return failed != 0;
}
