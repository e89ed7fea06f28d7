/* gdb.c - see gdb.h
 *
 * The binary calls sennit_replay_step(position) in the thread that is about to take the step. The runtime
 * has no debug information, so the script reads the first argument from its register. Strings are printed
 * with `echo`: gdb would put string constants of an expression into the memory of the program.
 */
#include "cli/gdb.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__x86_64__)
#define FIRST_NUMBER "$edi"
#define FIRST_POINTER "$rdi"
#elif defined(__aarch64__)
#define FIRST_NUMBER "$w0"
#define FIRST_POINTER "$x0"
#else
#error "unsupported architecture: name the register of a function's first argument"
#endif

enum { LISTED = 400 }; /* `steps` shows at most so many, the last ones */

/* ---- The script ----------------------------------------------------------------- */

/* Text for `echo`, which interprets escapes. */
static void add_echo(Text *script, const char *text)
{
    for (; *text; text++)
        text_add(script, strchr("\\\"' \t#$", *text) ? "\\%c" : "%c", *text);
}

static void add_settings(Text *script, const char *options, const Trace *trace)
{
    text_add(script, "set pagination off\nset confirm off\nset print thread-events off\n"
                     "set startup-with-shell off\nset disable-randomization on\n"
                     "set environment SENNIT_OPTIONS %s\nset args", options);
    for (uint32_t i = 0; i < trace->argument_count; i++) {
        text_add_string(script, " '");
        for (const char *c = trace->arguments[i]; *c; c++)
            text_add(script, *c == '\'' ? "'\\''" : "%c", *c);
        text_add_string(script, "'");
    }
    text_add_string(script, "\n");
}

static void add_step_line(Text *script, const TraceStep *step, uint32_t number)
{
    Text line = {0};
    text_add(&line, "%4u  thread %-6s %s", number, step->agent, step->text);
    if (step->place.file)
        text_add(&line, "   %s:%u", step->place.file, step->place.line);
    text_add(script, "  if $sennit_at == %u\n    echo =>\\ \n  else\n    echo \\ \\ \\ \n  end\n  echo ", number);
    add_echo(script, line.data);
    text_add_string(script, "\\n\n");
    text_release(&line);
}

/* `steps`: the steps, with a mark at the next one. */
static void add_steps(Text *script, const Trace *trace)
{
    uint32_t first = trace->step_count > LISTED ? trace->step_count - LISTED : 0;
    text_add_string(script, "define steps\n");
    if (first > 0)
        text_add(script, "  echo   ... %u earlier steps ...\\n\n", first);
    for (uint32_t i = first; i < trace->step_count; i++)
        add_step_line(script, &trace->steps[i], i + 1);
    text_add_string(script,
                    "end\ndocument steps\nShow the steps of the replay; => is the one about to be taken.\nend\n");
}

/* Selects the frame of the program's function that takes the step, above the runtime's. */
static void add_show(Text *script, const Trace *trace)
{
    text_add_string(script, "define sennit-show\n");
    for (uint32_t i = 0; i < trace->step_count; i++) {
        const TraceStep *step = &trace->steps[i];
        text_add(script, "  if $sennit_at == %u\n    echo step %u of %u, ", i + 1, i + 1, trace->step_count);
        Text line = {0};
        text_add(&line, "thread %s: %s", step->agent, step->text);
        add_echo(script, line.data);
        text_add_string(script, "\\n\n");
        if (step->place.function)
            text_add(script, "    frame function %s\n", step->place.function);
        text_add_string(script, "  end\n");
        text_release(&line);
    }
    text_add_string(script, "end\n");
}

static void add_walking(Text *script, const Trace *trace)
{
    text_add(script,
             "set $sennit_at = 0\nset $sennit_walk = 1\n"
             "break *sennit_replay_step if $sennit_walk || " FIRST_NUMBER " == %u\n"
             "commands\n"
             "  silent\n"
             "  set $sennit_walk = 0\n"
             "  set $sennit_at = " FIRST_NUMBER " + 1\n"
             "  sennit-show\n"
             "end\n"
             "define next-step\n  set $sennit_walk = 1\n  continue\nend\n"
             "document next-step\nContinue to the next step of the schedule.\nend\n",
             trace->step_count - 1);
}

/* Stops where the bug is detected, in the program's function. */
static void add_bug(Text *script, const Trace *trace)
{
    text_add_string(script, "break *sennit_replay_bug\ncommands\n  silent\n"
                            "  printf \"the bug: %s\\n\", (char *) " FIRST_POINTER "\n");
    if (trace->place_count > 0 && trace->places[0].function)
        text_add(script, "  frame function %s\n", trace->places[0].function);
    text_add_string(script, "end\n");
}

static void add_start(Text *script, const Trace *trace)
{
    text_add(script, "echo \\nReplay of %s-%s: ", trace->kind, trace->id);
    add_echo(script, trace->summary);
    text_add(script, "\\n"
                     "  next-step   go to the next step        steps   show all %u steps\\n"
                     "  continue    go to the last step, then to the bug\\n\\n\n"
                     "run\n", trace->step_count);
}

/* ---- Starting gdb ------------------------------------------------------------------ */

void gdb_become(const char *binary, const char *options, const Trace *trace, Error *error)
{
    Text script = {0};
    char path[64];
    int fd = memfd_create("sennit.gdb", 0);
    add_settings(&script, options, trace);
    add_show(&script, trace);
    add_steps(&script, trace);
    add_walking(&script, trace);
    add_bug(&script, trace);
    add_start(&script, trace);
    if (fd < 0 || !text_write_all(fd, script.data, script.length)) {
        error_set(error, EXIT_INTERNAL, "cannot write commands for gdb: %s", strerror(errno));
        return;
    }
    text_release(&script);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    execlp("gdb", "gdb", "-q", "-x", path, binary, (char *)NULL);
    error_set(error, EXIT_USAGE, "cannot start gdb: %s (apt install gdb)", strerror(errno));
}
