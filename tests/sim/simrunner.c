/* simrunner.c - see simrunner.h */
#include "simrunner.h"

#include <stdio.h>
#include <string.h>

static const double FOR_EVER = 1e18;

/* ---- In the runner's task ---------------------------------------------------------- */

static void explore(void *argument)
{
    SimRunner *self = argument;
    text_reset(&self->result);
    self->has_result = self->work->explore(self, &self->slice, &self->result) && !self->cancelled;
    self->broken = !self->has_result;
    world_wake(self->world, self->worker);
}

bool simrunner_continue(SimRunner *self, double seconds, double slice)
{
    double end = world_now(self->world) + seconds;
    while (!self->cancelled && world_now(self->world) < end)
        world_wait(self->world, end - world_now(self->world));
    return !self->cancelled && !self->release && end - self->begun < slice;
}

int simrunner_extend(SimRunner *self, uint64_t domain, uint32_t known, const char *entries, Text *news)
{
    text_reset(&self->request);
    text_add(&self->request, "%u %llu %u\n%s", 1u, (unsigned long long)domain, known, entries);
    self->has_request = true;
    self->has_answer = false;
    world_wake(self->world, self->worker);
    while (!self->has_answer && !self->cancelled)
        world_wait(self->world, FOR_EVER);
    if (self->cancelled)
        return -1;
    const char *word = self->answer_word;
    int result = strcmp(word, "done") == 0 ? 1 : strcmp(word, "stale") == 0 ? 0 : -1;
    if (result == 0)
        text_add_string(news, strchr(text_borrow(&self->answer), '\n') + 1);
    return result;
}

/* ---- In the worker's task ------------------------------------------------------------ */

static bool sim_start(Runner *runner, Error *error)
{
    SimRunner *self = (SimRunner *)runner;
    (void)error;
    self->work->open(self);
    self->worker = world_task(self->world);
    self->has_result = self->has_request = self->has_answer = self->broken = false;
    runner->running = true;
    return true;
}

static void sim_stop(Runner *runner)
{
    SimRunner *self = (SimRunner *)runner;
    if (!runner->running)
        return;
    self->cancelled = true;
    while (self->explorer && !task_has_ended(self->explorer)) {
        world_wake(self->world, self->explorer);
        world_wait(self->world, 0);
    }
    self->explorer = NULL;
    self->cancelled = false;
    self->work->close(self);
    runner->running = false;
}

static bool sim_explore(Runner *runner, const Text *slice)
{
    SimRunner *self = (SimRunner *)runner;
    text_reset(&self->slice);
    text_add_bytes(&self->slice, text_borrow(slice), slice->length);
    self->release = false;
    self->begun = world_now(self->world);
    self->explorer = world_spawn(self->world, explore, self);
    return true;
}

static void sim_end_slice(Runner *runner)
{
    SimRunner *self = (SimRunner *)runner;
    self->release = true;
    world_wake(self->world, self->explorer);
}

static RunnerEvent take_event(SimRunner *self, Text *payload)
{
    RunnerEvent event = self->has_request  ? RUNNER_INSERTION
                        : self->has_result ? RUNNER_RESULT
                        : self->broken     ? RUNNER_GONE
                                           : RUNNER_NOTHING;
    const Text *from = event == RUNNER_INSERTION ? &self->request : &self->result;
    text_reset(payload);
    if (event == RUNNER_INSERTION || event == RUNNER_RESULT)
        text_add_bytes(payload, text_borrow(from), from->length);
    if (event == RUNNER_INSERTION)
        self->has_request = false;
    else if (event == RUNNER_RESULT)
        self->has_result = false;
    return event;
}

static RunnerEvent sim_await(Runner *runner, double seconds, Text *payload)
{
    SimRunner *self = (SimRunner *)runner;
    double end = world_now(self->world) + seconds;
    RunnerEvent event;
    while ((event = take_event(self, payload)) == RUNNER_NOTHING && world_now(self->world) < end)
        world_wait(self->world, end - world_now(self->world));
    return event;
}

static bool sim_answer(Runner *runner, const char *word, const Text *payload)
{
    SimRunner *self = (SimRunner *)runner;
    snprintf(self->answer_word, sizeof self->answer_word, "%s", word);
    text_reset(&self->answer);
    text_add_bytes(&self->answer, text_borrow(payload), payload->length);
    self->has_answer = true;
    world_wake(self->world, self->explorer);
    return true;
}

static double sim_now(Runner *runner) { return world_now(((SimRunner *)runner)->world); }

static void sim_rest(Runner *runner, double seconds)
{
    SimRunner *self = (SimRunner *)runner;
    self->idle += seconds;
    world_sleep(self->world, seconds);
}

void simrunner_init(SimRunner *self, World *world, const SimWork *work)
{
    static const RunnerOps ops = {.start = sim_start, .stop = sim_stop, .explore = sim_explore, .end_slice = sim_end_slice,
                                  .await = sim_await, .answer = sim_answer, .now = sim_now, .rest = sim_rest};
    *self = (SimRunner){.runner = {.ops = &ops}, .world = world, .work = work};
}

void simrunner_release(SimRunner *self)
{
    text_release(&self->slice);
    text_release(&self->result);
    text_release(&self->request);
    text_release(&self->answer);
}
