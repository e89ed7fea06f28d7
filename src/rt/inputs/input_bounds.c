/* input_bounds.c - see input_bounds.h */
#include "rt/inputs/input_bounds.h"

#include <string.h>

#include "base/text.h"
#include "rt/kernel/runtime.h"

extern const char __start_sennit_bounds[] __attribute__((weak));
extern const char __stop_sennit_bounds[] __attribute__((weak));

/* Other sizes were not explored. */
static void add_size(InputBoundEach *each, void *context, const char *option, const char *what, uint64_t size)
{
    Text text = {0};
    text_add(&text, "%s of exactly %llu byte%s (--%s)", what, (unsigned long long)size, size == 1 ? "" : "s", option);
    each(context, option, size, text.data);
}

static void add_arguments(InputBoundEach *each, void *context)
{
    const RtOptions *options = &rt.options;
    Text text = {0};
    if (options->min_args < options->max_args)
        text_add(&text, "%u to ", options->min_args);
    text_add(&text, "%u argument%s of at most %u byte%s (--sym-args)", options->max_args,
             options->max_args == 1 ? "" : "s", options->arg_size, options->arg_size == 1 ? "" : "s");
    each(context, "sym-args", options->max_args, text.data);
}

void input_bounds_each(InputBoundEach *each, void *context)
{
    const RtOptions *options = &rt.options;
    for (const char *at = __start_sennit_bounds; at < __stop_sennit_bounds; at += strlen(at) + 1)
        if (*at)
            each(context, "inputs", 0, at);
    if (options->max_args)
        add_arguments(each, context);
    if (options->stdin_size)
        add_size(each, context, "sym-stdin", "standard input", options->stdin_size);
    for (uint32_t i = 0; i < options->file_count; i++)
        add_size(each, context, "sym-file", options->files[i].path, options->files[i].size);
}
