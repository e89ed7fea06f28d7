/* compile_c.c - see compile_c.h */
#include "cgen/compile_c.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

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

/* Words that begin like one of the flags, with their values where these are words of their own. */
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

/* ---- Running quietly ------------------------------------------------------------------------ */

/* Lets a stream of this process go nowhere; what it was, for `restore`. */
static int silence(int stream)
{
    int saved = dup(stream), nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere >= 0) {
        dup2(nowhere, stream);
        close(nowhere);
    }
    return saved;
}

static void restore(int stream, int saved)
{
    if (saved >= 0) {
        dup2(saved, stream);
        close(saved);
    }
}

static bool run_quietly(const char *const *argv, Subprocess *result, Error *error)
{
    int output = silence(STDOUT_FILENO), errors = silence(STDERR_FILENO);
    bool good = subprocess_run(argv, result, error);
    restore(STDOUT_FILENO, output);
    restore(STDERR_FILENO, errors);
    return good;
}

int compile_c_run(const char *const *argv, Error *error)
{
    Subprocess result = {0};
    return run_quietly(argv, &result, error) ? result.status : -1;
}

/* ---- Compiling ---------------------------------------------------------------------------------- */

bool compile_c(const Parts *parts, const Words *words, const char *const *arguments, uint32_t count, bool quiet,
               Error *error)
{
    static const char *const flags[] = {"-I", "-D", "-U", "-std=", "-include", "-isystem", "-iquote"};
    Words command = {0};
    Text include = {0};
    Subprocess result = {0};
    text_add(&include, "-I%s", parts->include);
    VEC_PUSH(&command, parts->compiler);
    VEC_PUSH(&command, "-w");
    VEC_PUSH(&command, include.data);
    add_flags(words, flags, sizeof flags / sizeof flags[0], &command);
    for (uint32_t i = 0; i < count; i++)
        VEC_PUSH(&command, arguments[i]);
    VEC_PUSH(&command, NULL);
    bool good = (quiet ? run_quietly(command.items, &result, error) : subprocess_run(command.items, &result, error)) &&
                result.status == 0;
    VEC_FREE(&command);
    text_release(&include);
    return good;
}

static bool is_linked(const char *word)
{
    const char *dot = strrchr(word, '.');
    return word[0] != '-' && dot && (words_is_source(word) || strcmp(dot, ".o") == 0 || strcmp(dot, ".a") == 0);
}

void compile_c_add_link(const Words *words, Words *arguments)
{
    static const char *const flags[] = {"-l", "-L", "-pthread"};
    for (uint32_t i = 0; i < words->count; i++)
        if (is_linked(words->items[i]) || begins_with(words->items[i], flags, sizeof flags / sizeof flags[0]))
            VEC_PUSH(arguments, words->items[i]);
}
