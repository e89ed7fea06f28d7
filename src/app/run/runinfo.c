/* runinfo.c - see runinfo.h */
#include "app/run/runinfo.h"

#include <stdlib.h>
#include <unistd.h>

#include "app/run/outfile.h"
#include "app/run/solving.h"
#include "app/run/subject.h"
#include "base/mem.h"
#include "report/source.h"

static char **copy_arguments(int argc, char **argv)
{
    char **copy = mem_alloc(((size_t)argc + 1) * sizeof *copy);
    for (int i = 0; i < argc; i++)
        copy[i] = mem_copy_string(argv[i]);
    return copy;
}

bool runinfo_init(RunInfo *info, const Subject *subject, int argc, char **argv, Error *error)
{
    const char *text = getenv("SENNIT_OPTIONS");
    Error inner;
    *info = (RunInfo){.subject = subject, .argc = argc, .argv = argv, .options_given = text != NULL};
    info->arguments = copy_arguments(argc, argv);
    options_init(&info->options);
    if (text && !options_parse_text(&info->options, USE_EVERY, text, &inner))
        return error_set(error, EXIT_USAGE, "SENNIT_OPTIONS: %s", inner.text);
    if (!solving_prepare(&info->options, error) || !subject->identify(info, error))
        return false;
    char *directory = getcwd(NULL, 0);
    info->directory = directory ? directory : mem_copy_string("");
    outfile_settle(&info->options, info->directory);
    info->name = mem_copy_string(*info->options.program ? info->options.program : source_base_name(info->program));
    return true;
}

void runinfo_release(RunInfo *info)
{
    options_release(&info->options);
    free(info->program);
    free(info->name);
    free(info->directory);
    for (int i = 0; i < info->argc; i++)
        free(info->arguments[i]);
    free(info->arguments);
}

void runinfo_describe(const RunInfo *info, Trace *trace)
{
    Text options = {0};
    options_write(&info->options, USE_RUN, &options);
    trace->program = trace_keep(trace, info->program);
    trace->hash = trace_keep(trace, info->hash);
    trace->directory = trace_keep(trace, info->directory);
    trace->options = trace_keep(trace, text_borrow(&options));
    for (int i = 1; i < info->argc; i++)
        trace_add_argument(trace, info->arguments[i]);
    text_release(&options);
}
