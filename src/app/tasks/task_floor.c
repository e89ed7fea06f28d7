/* task_floor.c - the rate of repeating one schedule without any search
 *
 * The upper limit of what a search can reach: the cost of the program, its reset and the recording of
 * its steps, but of no decisions. Printed as one number, executions per CPU second.
 */
#include <stdio.h>
#include <time.h>

#include "app/search/stage.h"
#include "app/tasks/task.h"
#include "core/explore.h"

static const double LEAST_SECONDS = 1;

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Doubles the number of repetitions until they take long enough to be measured. */
static double measure_rate(Explore *explore)
{
    explore_repeat(explore, 1);
    for (uint64_t repeats = 16;; repeats *= 2) {
        double start = cpu_seconds();
        explore_repeat(explore, repeats);
        double seconds = cpu_seconds() - start;
        if (seconds >= LEAST_SECONDS)
            return (double)repeats / seconds;
    }
}

ExitCode task_floor(const RunInfo *info)
{
    Error error;
    Stage stage;
    ExploreOptions options = {.max_preemptions = -1};
    if (!stage_open(&stage, info, STAGE_SEARCH, false, &error))
        return task_fail(info, &error);
    printf("%.0f\n", measure_rate(explore_create(stage.region, stage.program, &options)));
    return EXIT_CLEAN;
}
