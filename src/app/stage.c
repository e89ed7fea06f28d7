/* stage.c - see stage.h */
#include "app/stage.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rt/program_c.h"

/* Address space for the whole search; pages count only once they are used. */
static const size_t REGION_SIZE = (size_t)64 << 30, REGION_LEAST = (size_t)1 << 30;

static Region *reserve(void)
{
    Region *region = NULL;
    for (size_t size = REGION_SIZE; !region && size >= REGION_LEAST; size /= 2)
        region = region_create(size);
    return region;
}

static uint32_t whole_seconds(double seconds)
{
    return seconds < 1 ? 1 : seconds > 1e6 ? 1000000 : (uint32_t)seconds;
}

__attribute__((noinline)) void sennit_replay_step(uint32_t position)
{
    __asm__ volatile("" : : "r"(position) : "memory");
}

__attribute__((noinline)) void sennit_replay_bug(const char *text)
{
    __asm__ volatile("" : : "r"(text) : "memory");
}

bool stage_open(Stage *stage, const RunInfo *info, StagePurpose purpose, bool fragile, Error *error)
{
    const Options *options = &info->options;
    bool shows = purpose == STAGE_REPLAY || purpose == STAGE_DEBUG;
    stage->region = reserve();
    if (!stage->region)
        return error_set(error, EXIT_INTERNAL, "cannot reserve memory: %s", strerror(errno));
    unsetenv("SENNIT_OPTIONS"); /* the same environment for the program in every process of a run */
    RtOptions wanted = {
        .argc = info->argc,
        .argv = info->argv,
        .envp = environ,
        .plain_visible = options->plain == PLAIN_VISIBLE,
        .spurious = options->spurious,
        .max_timeouts = (uint32_t)options->timeouts,
        .check_leak = options->checks & CHECK_LEAK,
        .ignore_exit_code = options->any_exit_code || purpose == STAGE_PLAIN,
        .isolate = (options->isolate == ISOLATE_FORK && !shows && purpose != STAGE_PLAIN) || fragile,
        .verbose = shows,
        .on_step = purpose == STAGE_DEBUG ? sennit_replay_step : NULL,
        .on_bug = purpose == STAGE_DEBUG ? sennit_replay_bug : NULL,
        .show_output = shows || purpose == STAGE_PLAIN,
        .hang_seconds = whole_seconds(options->max_step_time),
    };
    stage->program = program_c_create(stage->region, &wanted, error);
    return stage->program != NULL;
}
