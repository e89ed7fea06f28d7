/* compile.c - see compile.h */
#include "cgen/compile.h"

#include <string.h>

#include "base/text.h"
#include "host/subprocess.h"
#include "host/words.h"

static bool begins_with(const char *word, const char *const *flags, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (strncmp(word, flags[i], strlen(flags[i])) == 0)
            return true;
    return false;
}

/* Adds the words that begin with one of the flags, each with its value if that is the next word. */
static void add_flags(const Words *words, const char *const *flags, unsigned count, Words *command)
{
    for (uint32_t i = 0; i < words->count; i++) {
        if (!begins_with(words->items[i], flags, count))
            continue;
        VEC_PUSH(command, words->items[i]);
        for (unsigned k = 0; k < count; k++)
            if (strcmp(words->items[i], flags[k]) == 0 && i + 1 < words->count && flags[k][strlen(flags[k]) - 1] != '=')
                VEC_PUSH(command, words->items[++i]);
    }
}

/* ---- Compiling ---------------------------------------------------------------------------------- */

void compile_add_meaning(const Words *words, Words *arguments)
{
    static const char *const flags[] = {"-I", "-D", "-U", "-std=", "-include", "-isystem", "-iquote"};
    add_flags(words, flags, sizeof flags / sizeof flags[0], arguments);
}

bool compile_source(const Compilation *compilation, const char *const *arguments, uint32_t count, Error *error)
{
    Words command = {0};
    Text include = {0};
    Subprocess result = {0};
    text_add(&include, "-I%s", compilation->installation->include);
    VEC_PUSH(&command, compilation->installation->compiler);
    VEC_PUSH(&command, "-w");
    VEC_PUSH(&command, include.data);
    compile_add_meaning(compilation->words, &command);
    for (uint32_t i = 0; i < count; i++)
        VEC_PUSH(&command, arguments[i]);
    VEC_PUSH(&command, NULL);
    bool good = subprocess_run_until(command.items, compilation->quiet, compilation->deadline, &result, error) &&
                result.status == 0;
    if (result.late)
        error_set(error, EXIT_BUDGET, "there was no time to compile it");
    VEC_FREE(&command);
    text_release(&include);
    return good;
}

static bool is_linked(const char *word)
{
    const char *dot = strrchr(word, '.');
    return word[0] != '-' && dot && (words_is_source(word) || strcmp(dot, ".o") == 0 || strcmp(dot, ".a") == 0);
}

void compile_add_link(const Words *words, Words *arguments)
{
    static const char *const flags[] = {"-l", "-L", "-pthread"};
    for (uint32_t i = 0; i < words->count; i++)
        if (is_linked(words->items[i]) || begins_with(words->items[i], flags, sizeof flags / sizeof flags[0]))
            VEC_PUSH(arguments, words->items[i]);
}
