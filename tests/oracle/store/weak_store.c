/* weak_store.c - searches of random programs under weak memory through a job store (trial.h), against brute force
 *
 *     weak_store FIRST LAST [LIMIT]      programs with seeds FIRST..LAST-1, each under one of the memory models
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "trial.h"
#include "weak.h"

typedef struct WeakCode {
    Code code;
    const Brute *brute;
} WeakCode;

typedef struct WeakSubject {
    ExploreObserver observer; /* first: the observer is the subject */
    Toy toy;
    const WeakCode *code;
    Machine *machine;
} WeakSubject;

static bool note_execution(ExploreObserver *observer, const Execution *ex)
{
    const WeakSubject *self = (const WeakSubject *)observer;
    WeakGraph graph;
    if (ex->end == END_ABANDONED)
        return true;
    bool good = weakgraph_of_execution(&self->toy.code, ex, &graph);
    trial_note(self->machine, good ? weakgraph_name(&self->toy.code, &graph) : 1, 0, good);
    return true;
}

static void *weak_open(const void *code, Machine *machine)
{
    WeakSubject *self = mem_alloc(sizeof *self);
    toy_init(&self->toy);
    self->observer = (ExploreObserver){.ended = note_execution};
    self->code = code;
    self->toy.code = self->code->code;
    self->machine = machine;
    return self;
}

static Program *weak_program(void *self) { return &((WeakSubject *)self)->toy.program; }
static ExploreObserver *weak_observer(void *self) { return &((WeakSubject *)self)->observer; }

static const TrialSubject toys = {
    .open = weak_open, .close = free, .program = weak_program, .observer = weak_observer};

/* The redundant executions are those that one worker has. */
static uint64_t count_redundant(Region *region, Toy *toy, const ExploreOptions *options)
{
    Explore *explore = explore_create(region, &toy->program, options);
    explore_run(explore, NULL, 0);
    uint64_t redundant = explore_stats(explore)->redundant;
    explore_destroy(explore);
    return redundant;
}

/* What was overtaken cannot be told to other machines, and a graph may be visited twice then: where strong steps
 * commute, or access several resources. */
static bool may_repeat(const Code *code)
{
    for (unsigned t = 0; t < code->threads; t++)
        for (unsigned i = 0; i < code->length[t]; i++) {
            const Ins *ins = &code->code[t][i];
            if (ins->terms > 1 || (ins->terms == 1 && (ins->kind == INS_TRY || term_mode(ins, 0, true) != MODE_WRITE)))
                return true;
        }
    return false;
}

static void try_program(Region *region, Toy *toy, Brute *brute, uint64_t seed, TrialTotals *totals)
{
    static TrialTruth truth;
    Rng rng = {.state = seed * 0x2545f4914f6cdd1dull};
    unsigned kinds = 0;
    while (generator_kinds[kinds])
        kinds++;
    generate(&toy->code, &rng, (unsigned)(seed % kinds), 4);
    if (!brute_search(brute, &toy->code, (MemoryModel)(seed / kinds % 3)) || may_repeat(&toy->code)) {
        totals->too_big++;
        return;
    }
    truth.options = (ExploreOptions){.max_preemptions = -1, .keep_going = true, .memory = brute->memory, .graphs = true};
    classmap_reset(&truth.classes);
    for (uint32_t i = 0; i < brute->found.count; i++)
        classmap_add(&truth.classes, brute->found.items[i].name, &(uint64_t){0});
    truth.redundant = count_redundant(region, toy, &truth.options);
    WeakCode code = {.code = toy->code, .brute = brute};
    if (!trial_run(&toys, &code, &truth, seed, totals))
        code_print(&toy->code);
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: weak_store FIRST LAST [LIMIT]\n");
        return 2;
    }
    uint64_t first = strtoull(argv[1], NULL, 10), last = strtoull(argv[2], NULL, 10);
    Region *region = region_create(1ull << 32);
    Toy toy;
    Brute brute;
    TrialTotals totals = {0};
    toy_init(&toy);
    brute_init(&brute, argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 4000);
    brute.last = true;
    for (uint64_t seed = first; seed < last && totals.mismatches < 10; seed++)
        try_program(region, &toy, &brute, seed, &totals);
    return trial_print(&totals);
}
