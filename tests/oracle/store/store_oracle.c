/* store_oracle.c - searches of random models through a job store (trial.h), against brute force
 *
 *     store_oracle FIRST LAST [LIMIT]      models with seeds FIRST..LAST-1
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "classes.h"
#include "trial.h"

typedef struct ModelSubject {
    ModelLog log; /* first: the log is the subject */
    Model model;
    Machine *machine;
} ModelSubject;

static void note_execution(ModelLog *log, const ModelState *state, const Execution *ex)
{
    static Names names;
    bool good = true;
    names.count = 0;
    names.class = 0;
    for (uint32_t i = 0; i < ex->event_count; i++)
        good = names_add(&names, ex, &ex->events[i]) && good;
    trial_note(((ModelSubject *)log)->machine, names.class, state_hash(state), good);
}

static void *model_open(const void *code, Machine *machine)
{
    ModelSubject *self = mem_alloc(sizeof *self);
    self->log = (ModelLog){.finished = note_execution};
    self->machine = machine;
    model_init(&self->model, &self->log);
    self->model.code = *(const ModelCode *)code;
    model_choose_ops(&self->model);
    return self;
}

static Program *model_program(void *self) { return &((ModelSubject *)self)->model.program; }

static const TrialSubject models = {.open = model_open, .close = free, .program = model_program};

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: store_oracle FIRST LAST [LIMIT]\n");
        return 2;
    }
    uint64_t first = strtoull(argv[1], NULL, 10), last = strtoull(argv[2], NULL, 10);
    uint32_t limit = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 1500;
    Model model;
    model_init(&model, NULL);
    Execution *scratch = execution_create(&model.program);
    TrialTruth truth = {.options = {.max_preemptions = -1, .keep_going = true}};
    TrialTotals totals = {0};
    for (uint64_t seed = first; seed < last && totals.mismatches < 10; seed++) {
        bool sound;
        Rng rng = {.state = seed * 0x2545f4914f6cdd1dull};
        model_generate(&model.code, &rng, false);
        if (!brute_classes(&model.code, scratch, limit, &truth.classes, &sound))
            totals.too_big++;
        else if (!trial_run(&models, &model.code, &truth, seed, &totals))
            model_print(&model.code);
    }
    return trial_print(&totals);
}
