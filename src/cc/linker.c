/* linker.c - see linker.h */
#include "cc/linker.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"

typedef struct LinkerCall {
    const CommandLine *args;
    const Installation *installation;
    const char *output;
    ArgList *command;
    OwnedTexts *texts;
} LinkerCall;

static const char *own(LinkerCall *call, char *text)
{
    VEC_PUSH(call->texts, text);
    return text;
}

static bool begins(const char *word, const char *start) { return strncmp(word, start, strlen(start)) == 0; }

/* ---- What clang need not interpret ------------------------------------------------------------ */

/* Where clang looks for linkers and libraries, other than LIBRARY_PATH. */
static bool environment_is_plain(void)
{
    static const char *const variables[] = {"COMPILER_PATH", "GCC_EXEC_PREFIX", "CCC_OVERRIDE_OPTIONS"};
    for (unsigned i = 0; i < sizeof variables / sizeof *variables; i++)
        if (getenv(variables[i]))
            return false;
    return true;
}

/* Without effect on the linker: the runtime needs the library of threads anyway. */
static bool is_idle(const char *word) { return strcmp(word, "-pthread") == 0 || strcmp(word, "-m64") == 0; }

static bool options_are_plain(const ArgList *link)
{
    for (uint32_t i = 0; i < link->count; i++) {
        const char *word = link->items[i];
        if (strcmp(word, "-L") == 0)
            i++;
        else if (!begins(word, "-L") && strcmp(word, "-s") != 0 && !is_idle(word))
            return false;
    }
    return true;
}

static bool inputs_are_plain(const CommandLine *args)
{
    for (uint32_t i = 0; i < args->inputs.count; i++) {
        const char *word = args->inputs.items[i].text;
        if (strcmp(word, "-l") == 0)
            i++;
        else if (*word == '-' && !begins(word, "-l") && !begins(word, "-Wl,"))
            return false;
    }
    return true;
}

/* ---- The command -------------------------------------------------------------------------------- */

static void push_directories(LinkerCall *call)
{
    for (uint32_t i = 0; i < call->args->link.count; i++)
        if (!is_idle(call->args->link.items[i]))
            VEC_PUSH(call->command, call->args->link.items[i]);
}

/* "a:b" -> -La -Lb; no name means the current directory. */
static void push_library_path(LinkerCall *call)
{
    const char *path = getenv("LIBRARY_PATH");
    while (path && *path) {
        size_t length = strcspn(path, ":");
        Text word = {0};
        text_add(&word, "-L%.*s", length ? (int)length : 1, length ? path : ".");
        VEC_PUSH(call->command, own(call, word.data));
        path += length + (path[length] == ':');
    }
}

/* "-Wl,a,b" -> a b */
static void push_words(LinkerCall *call, const char *word)
{
    char *copy = mem_copy_string(word + strlen("-Wl,")), *rest = copy, *part;
    own(call, copy);
    while ((part = strsep(&rest, ",")))
        VEC_PUSH(call->command, part);
}

static void push_inputs(LinkerCall *call)
{
    const CommandLine *args = call->args;
    push_library_path(call);
    for (uint32_t i = 0; i < args->inputs.count; i++)
        if (begins(args->inputs.items[i].text, "-Wl,"))
            push_words(call, args->inputs.items[i].text);
        else
            VEC_PUSH(call->command, args->inputs.items[i].text);
    VEC_PUSH(call->command, call->installation->runtime);
    VEC_PUSH(call->command, "-lpthread");
    VEC_PUSH(call->command, "-lm");
}

/* One word of the record. False if it names a file that is not there. */
static bool push_recorded(LinkerCall *call, char *word, bool *directories)
{
    if (strcmp(word, "@inputs") == 0) {
        push_inputs(call);
        return true;
    }
    if (begins(word, "-L") && !*directories) {
        push_directories(call);
        *directories = true;
    }
    VEC_PUSH(call->command, strcmp(word, "@output") == 0 ? call->output : word);
    return *word != '/' || access(word, F_OK) == 0;
}

static bool push_record(LinkerCall *call, const char *path)
{
    Text record = {0};
    if (!*path || !file_read(path, &record) || record.length == 0) {
        text_release(&record);
        return false;
    }
    char *rest = record.data, *word;
    own(call, record.data);
    bool good = true, directories = false;
    while (good && (word = strsep(&rest, "\n")))
        good = !*word || push_recorded(call, word, &directories);
    return good && directories;
}

bool linker_command(const CommandLine *args, const Installation *installation, const char *output, ArgList *command,
                    OwnedTexts *texts)
{
    LinkerCall call = {
        .args = args, .installation = installation, .output = output, .command = command, .texts = texts};
    if (args->bare || !environment_is_plain() || !options_are_plain(&args->link) || !inputs_are_plain(args))
        return false;
    bool good = push_record(&call, installation->linker);
    if (!good)
        VEC_FREE(command);
    return good;
}
