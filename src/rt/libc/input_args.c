/* input_args.c - see input_args.h */
#include "rt/libc/input_args.h"

#include <stdio.h>
#include <string.h>

#include "rt/inputs/branch.h"
#include "rt/inputs/input.h"
#include "rt/inputs/shadow_memory.h"
#include "rt/io/input_file.h"
#include "rt/memory/object_map.h"

static struct {
    uint8_t *text;        /* of the arguments */
    char **argv;
} added;

void input_args_init(void)
{
    const RtOptions *options = &rt.options;
    if (!options->max_args)
        return;
    added.text = input_reserve((uint64_t)options->max_args * (options->arg_size + 1));
    added.argv = input_reserve(((uint64_t)options->argc + options->max_args + 1) * sizeof *added.argv);
}

static uint32_t choose_count(void)
{
    const RtOptions *options = &rt.options;
    uint64_t low = options->min_args, high = options->max_args;
    InputKind kind = {.width = 32, .low = options->min_args, .high = options->max_args, .first = options->min_args};
    uint32_t shadow = 0;
    if (low == high)
        return options->max_args;
    uint64_t count = (uint64_t)input_number("argc", &kind, &shadow);
    if (shadow)
        branch_narrow(shadow_expr(shadow), count, 1, 1, &low, &high);
    return (uint32_t)count;
}

static void make_arguments(int *argc, char ***argv)
{
    const RtOptions *options = &rt.options;
    uint32_t count = choose_count();
    int used = 0;
    for (; used < options->argc; used++)
        added.argv[used] = options->argv[used];
    for (uint32_t i = 0; i < count; i++) {
        uint8_t *text = added.text + (uint64_t)i * (options->arg_size + 1);
        char name[24];
        snprintf(name, sizeof name, "arg%u", i + 1);
        memset(text, 0, options->arg_size + 1);
        shadow_memory_clear(address_of(text), options->arg_size + 1);
        object_map_add(text, options->arg_size + 1, "argument");
        input_bytes(name, text, options->arg_size);
        added.argv[used++] = (char *)text;
    }
    added.argv[used] = NULL;
    shadow_memory_clear(address_of(added.argv), ((uint64_t)used + 1) * sizeof *added.argv);
    object_map_add(added.argv, ((uint64_t)used + 1) * sizeof *added.argv, "argv");
    *argc = used;
    *argv = added.argv;
}

void input_args_begin(int *argc, char ***argv)
{
    if (rt.options.max_args)
        make_arguments(argc, argv);
}
