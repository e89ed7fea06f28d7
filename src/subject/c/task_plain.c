/* task_plain.c - runs the program once, without exploration */
#include <stdio.h>
#include <unistd.h>

#include "app/search/stage.h"
#include "app/tasks/task.h"
#include "rt/program/program_c.h"
#include "subject/c/subject_c.h"

int task_plain(const RunInfo *info)
{
    Error error;
    Stage stage;
    Text answer = {0};
    if (!stage_open(&stage, info, STAGE_PLAIN, false, &error))
        return task_fail(info, &error);
    Execution *ex = execution_create(stage.program);
    stage.program->ops->run(stage.program, ex);
    fflush(NULL);
    text_add(&answer, "%u", ex->agent_count);
    text_write_all((int)info->options.result_fd, answer.data, answer.length);
    text_release(&answer);
    return ex->status;
}
