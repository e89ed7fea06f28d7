/* app.c - see app.h: chooses the task */
#include "app/tasks/app.h"

#include <stdio.h>

#include "app/tasks/results.h"
#include "app/tasks/task.h"

ExitCode task_fail(const RunInfo *info, const Error *error)
{
    options_say(&info->options, "%s", error->text);
    return error->code;
}

static int run_task(RunInfo *info)
{
    Error error;
    switch (info->options.task) {
    case TASK_REPLAY:
        return task_replay(info);
    case TASK_SHOW:
        return task_show(info);
    case TASK_MINIMISE:
        return task_minimise(info);
    case TASK_SUGGEST:
        return task_suggest(info);
    case TASK_CRITICAL:
        return task_critical(info);
    case TASK_DEBUG:
        return task_debug(info);
    case TASK_PLAIN:
        if (info->subject->run_plain)
            return info->subject->run_plain(info);
        error_set(&error, EXIT_USAGE, "%s: only a C program can be run without exploration", info->name);
        return task_fail(info, &error);
    case TASK_SERVE:
        return task_serve(info);
    case TASK_DEADLOCK:
        if (info->subject->run_deadlock)
            return info->subject->run_deadlock(info);
        error_set(&error, EXIT_USAGE, "%s: only a C program has locks to analyse", info->name);
        return task_fail(info, &error);
    case TASK_FLOOR:
        return task_floor(info);
    default:
        return task_explore(info);
    }
}

int app_run(const Subject *subject, int argc, char **argv)
{
    RunInfo info;
    Error error;
    if (!runinfo_init(&info, subject, argc, argv, &error)) {
        if (info.options.task == TASK_EXPLORE || info.options.task == TASK_DEADLOCK)
            results_fail(&info.options, info.name, &error);
        return task_fail(&info, &error);
    }
    int code = run_task(&info);
    fflush(NULL);
    return code;
}
