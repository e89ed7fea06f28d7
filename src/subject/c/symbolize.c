/* symbolize.c - see symbolize.h
 *
 * addr2line is part of binutils, which linking needs anyway. For each function at an address (inlined
 * ones first) it prints two lines: its name and file:line.
 */
#include "subject/c/symbolize.h"

#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Running addr2line ------------------------------------------------------- */

/* The first object is the program itself. */
static int take_base(struct dl_phdr_info *info, size_t size, void *base)
{
    (void)size;
    *(uint64_t *)base = info->dlpi_addr;
    return 1;
}

static FILE *ask(const char *binary, const StackFrame *frames, uint32_t count)
{
    Text command = {0};
    uint64_t base = 0;
    dl_iterate_phdr(take_base, &base);
    text_add_string(&command, "addr2line -f -i -a -e '");
    for (const char *c = binary; *c; c++)
        text_add(&command, *c == '\'' ? "'\\''" : "%c", *c);
    text_add_string(&command, "'");
    for (uint32_t i = 0; i < count; i++) /* the call is just before the return address */
        text_add(&command, " 0x%llx", (unsigned long long)(frames[i].address - base - 1));
    text_add_string(&command, " 2>/dev/null");
    FILE *answer = popen(command.data, "re");
    text_release(&command);
    return answer;
}

/* ---- Reading the answer ---------------------------------------------------------- */

static bool read_line(FILE *file, char *line, size_t size)
{
    if (!fgets(line, (int)size, file))
        return false;
    line[strcspn(line, "\n")] = '\0';
    return true;
}

/* Paths below the directory of the run are shown relative to it. */
static const char *shorten(const Trace *trace, const char *path)
{
    size_t length = strlen(trace->directory);
    bool below = length > 1 && strncmp(path, trace->directory, length) == 0 && path[length] == '/';
    return below ? path + length + 1 : path;
}

/* "file:12 (discriminator 3)", "file:?" or "??:0" */
static void take_line(Trace *trace, char *text, TracePlace *place)
{
    char *colon = strrchr(text, ':');
    if (!colon || text[0] == '?')
        return;
    *colon = '\0';
    place->line = (uint32_t)strtoul(colon + 1, NULL, 10);
    if (place->line)
        place->file = trace_keep(trace, shorten(trace, text));
}

/* Of a program, or of one that is a node (src/cluster). */
static bool is_main(const char *function)
{
    return strcmp(function, "sennit_user_main") == 0 || strncmp(function, "sennit_node_main_", 17) == 0;
}

static const char *user_name(const char *function)
{
    return is_main(function) ? "main" : function;
}

static bool is_ours(const char *function)
{
    return strncmp(function, "sennit_", 7) == 0 && !is_main(function);
}

static uint32_t read_answer(Trace *trace, FILE *answer, TracePlace *places, uint32_t max)
{
    char function[512], where[1024];
    uint32_t written = 0;
    while (written < max && read_line(answer, function, sizeof function)) {
        if (strncmp(function, "0x", 2) == 0)
            continue;
        if (!read_line(answer, where, sizeof where))
            break;
        if (is_ours(function) || strcmp(function, "??") == 0)
            continue;
        places[written] = (TracePlace){.function = trace_keep(trace, user_name(function))};
        take_line(trace, where, &places[written++]);
    }
    return written;
}

static uint32_t names_only(Trace *trace, const StackFrame *frames, uint32_t count, TracePlace *places, uint32_t max)
{
    uint32_t written = 0;
    for (uint32_t i = 0; i < count && written < max; i++)
        if (*frames[i].function && !is_ours(frames[i].function))
            places[written++] = (TracePlace){.function = trace_keep(trace, user_name(frames[i].function))};
    return written;
}

/* The runtime has no line information: functions before the first and after the last one with a line are the
 * runtime's, those without a line between them belong to a library. */
static uint32_t cut_runtime(TracePlace *places, uint32_t count)
{
    uint32_t first = 0, end = count;
    while (first < count && !places[first].file)
        first++;
    while (end > first && !places[end - 1].file)
        end--;
    memmove(places, places + first, (end - first) * sizeof *places);
    return end - first;
}

uint32_t symbolize_frames(Trace *trace, const char *binary, const StackFrame *frames, uint32_t count,
                          TracePlace *places, uint32_t max)
{
    if (count == 0)
        return 0;
    FILE *answer = ask(binary, frames, count);
    uint32_t written = answer ? cut_runtime(places, read_answer(trace, answer, places, max)) : 0;
    if (answer)
        pclose(answer);
    return written ? written : names_only(trace, frames, count, places, max);
}
