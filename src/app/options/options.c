/* options.c - see options.h
 *
 * Design: a table with the offset of each field; defaults are texts that go through
 * the same parser as the command line.
 */
#include "app/options/option.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "report/style.h"

static const Option TABLE[] = {
#define GROUP(id, title) {KIND_GROUP, 0, title, "", "", 0, "", 0},
#define OPTION(field, kind, letter, name, argument, fallback, use, help) \
    {KIND_##kind, letter, name, argument, fallback, use, help, offsetof(Options, field)},
#include "app/options/options.def"
#undef OPTION
#undef GROUP
};
enum { TABLE_SIZE = sizeof TABLE / sizeof TABLE[0] };

/* Every CHOICE option has its words in choices.h. */
#define SPELLED_FLAG(field, argument)
#define SPELLED_COUNT(field, argument)
#define SPELLED_BOUND(field, argument)
#define SPELLED_LIMIT(field, argument)
#define SPELLED_TIME(field, argument)
#define SPELLED_TEXT(field, argument)
#define SPELLED_CHOICE(field, argument) CHOICE_SPELLED(field, argument);
#define SPELLED_STRATEGIES(field, argument)
#define SPELLED_CHECKS(field, argument)
#define SPELLED_ARGUMENTS(field, argument)
#define SPELLED_OBJECTS(field, argument)
#define GROUP(id, title)
#define OPTION(field, kind, letter, name, argument, fallback, use, help) SPELLED_##kind(field, argument)
#include "app/options/options.def"
#undef OPTION
#undef GROUP

CHOICE_MATCHES(reduction, REDUCTION_);
CHOICE_MATCHES(memory, MEMORY_);
CHOICE_MATCHES(path_order, PATHS_);
CHOICE_MATCHES(color, COLOR_);

/* ---- Lifecycle --------------------------------------------------------- */

void options_init(Options *options)
{
    memset(options, 0, sizeof *options);
    for (unsigned i = 0; i < TABLE_SIZE; i++)
        if (TABLE[i].kind != KIND_FLAG && TABLE[i].kind != KIND_GROUP)
            option_assign(options, &TABLE[i], TABLE[i].fallback);
}

void options_release(Options *options)
{
    for (unsigned i = 0; i < TABLE_SIZE; i++)
        if (TABLE[i].kind == KIND_TEXT)
            free(*(char **)((char *)options + TABLE[i].offset));
    memset(options, 0, sizeof *options);
}

/* ---- Command line ------------------------------------------------------ */

static const Option *find_long(const char *name, size_t length, unsigned uses)
{
    for (unsigned i = 0; i < TABLE_SIZE; i++)
        if (TABLE[i].use & uses && strlen(TABLE[i].name) == length && strncmp(TABLE[i].name, name, length) == 0)
            return &TABLE[i];
    return NULL;
}

static const Option *find_letter(char letter, unsigned uses)
{
    for (unsigned i = 0; i < TABLE_SIZE; i++)
        if (TABLE[i].use & uses && TABLE[i].letter && TABLE[i].letter == letter)
            return &TABLE[i];
    return NULL;
}

/* Of a verb that takes an option which this one does not take. */
static const char *verb_of(const Option *option)
{
    static const struct { unsigned use; const char *name; } verbs[] = {
        {USE_TEST, "test"}, {USE_EXPLORE, "explore"}, {USE_DEADLOCK, "deadlock"}, {USE_GENERATE, "generate"},
        {USE_REPLAY, "replay"}, {USE_WORKER, "worker"}, {USE_STATUS, "status"}, {USE_RESUME, "resume"}};
    for (unsigned i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (option->use & verbs[i].use)
            return verbs[i].name;
    return NULL;
}

static OptionMatch unknown_option(const char *name, size_t length, unsigned uses, Error *error)
{
    const char *names[TABLE_SIZE];
    size_t count = 0;
    for (unsigned i = 0; i < TABLE_SIZE; i++)
        if (TABLE[i].use & uses & ~(unsigned)USE_INTERNAL)
            names[count++] = TABLE[i].name;
    char *word = strndup(name, length);
    const char *nearest = options_nearest(word, names, count);
    const Option *other = find_long(name, length, USE_EVERY & ~(unsigned)USE_INTERNAL);
    if (other && !(other->use & USE_INTERNAL) && verb_of(other))
        error_set(error, EXIT_USAGE, "--%s is an option of sennit %s, not of this verb", word, verb_of(other));
    else if (nearest)
        error_set(error, EXIT_USAGE, "unknown option --%s; did you mean --%s?", word, nearest);
    else
        error_set(error, EXIT_USAGE, "unknown option --%s (--help lists them)", word);
    free(word);
    return OPTION_WRONG;
}

static OptionMatch wrong_value(const Option *option, const char *value, Error *error)
{
    const char *expected[] = {
        [KIND_COUNT] = "a number such as 500, 20k or 1M",
        [KIND_BOUND] = "a number from 1 on, or none",
        [KIND_LIMIT] = "a number",
        [KIND_TIME] = "a time such as 30s, 10m or 2h",
        [KIND_STRATEGIES] = "exhaustive, random, pct:D, pos or turns",
        [KIND_CHECKS] = "leak, overflow or scope",
        [KIND_CHOICE] = option->argument,
        [KIND_OBJECTS] = "nondet, round-robin or a number",
        [KIND_TEXT] = "text",
        [KIND_FLAG] = "nothing",
        [KIND_ARGUMENTS] = "three numbers: least, most, length",
    };
    error_set(error, EXIT_USAGE, "--%s=%s: expected %s", option->name, value, expected[option->kind]);
    return OPTION_WRONG;
}

/* Three numbers as words of their own. */
static OptionMatch take_three(Options *options, const Option *option, char **arguments, int count, int *index,
                              Error *error)
{
    Text text = {0};
    if (*index + 3 >= count)
        return error_set(error, EXIT_USAGE, "--%s needs three values (%s)", option->name, option->argument),
               OPTION_WRONG;
    text_add(&text, "%s,%s,%s", arguments[*index + 1], arguments[*index + 2], arguments[*index + 3]);
    bool good = option_assign(options, option, text.data);
    if (!good)
        wrong_value(option, text.data, error);
    text_release(&text);
    *index += 3;
    return good ? OPTION_TAKEN : OPTION_WRONG;
}

/* Where 0 would mean "no limit", people have to say so. */
static bool is_meant(const Options *options, const Option *option, const char *value)
{
    const void *field = (const char *)options + option->offset;
    if (strcmp(value, "none") == 0)
        return true;
    switch (option->kind) {
    case KIND_TIME: return *(const double *)field > 0;
    case KIND_ARGUMENTS: return ((const ArgumentsOption *)field)->most > 0;
    default: return true;
    }
}

/* `value` is what follows '=' or the letter; if it is NULL, the next argument is the value. */
static OptionMatch take_value(Options *options, unsigned uses, const Option *option, const char *value,
                              char **arguments, int count, int *index, Error *error)
{
    if (option->kind == KIND_FLAG) {
        if (value)
            return error_set(error, EXIT_USAGE, "--%s takes no value", option->name), OPTION_WRONG;
        option_assign(options, option, "");
        return OPTION_TAKEN;
    }
    int used = *index;
    if (!value) {
        if (used + 1 >= count)
            return error_set(error, EXIT_USAGE, "--%s needs a value (%s)", option->name, option->argument),
                   OPTION_WRONG;
        value = arguments[++used];
        if (option->kind == KIND_ARGUMENTS && !strchr(value, ','))
            return take_three(options, option, arguments, count, index, error);
    }
    if (option->kind == KIND_TEXT && !*value && !(option->use & USE_INTERNAL))
        return error_set(error, EXIT_USAGE, "--%s needs a value (%s)", option->name, option->argument), OPTION_WRONG;
    if (!option_assign(options, option, value))
        return wrong_value(option, value, error);
    if (!(uses & USE_INTERNAL) && !is_meant(options, option, value))
        return error_set(error, EXIT_USAGE, "--%s=%s: expected more than 0, or none", option->name, value),
               OPTION_WRONG;
    *index = used;
    return OPTION_TAKEN;
}

OptionMatch options_take(Options *options, unsigned uses, char **arguments, int count, int *index, Error *error)
{
    const char *word = arguments[*index];
    if (word[0] != '-' || word[1] == '\0')
        return OPTION_FOREIGN;
    if (word[1] == '-') {
        const char *name = word + 2;
        size_t length = strcspn(name, "=");
        const Option *option = find_long(name, length, uses);
        if (!option)
            return unknown_option(name, length, uses, error);
        const char *value = name[length] ? name + length + 1 : NULL;
        return take_value(options, uses, option, value, arguments, count, index, error);
    }
    const Option *option = find_letter(word[1], uses), *other = find_letter(word[1], USE_EVERY);
    if (!option && other && !word[2])
        return error_set(error, EXIT_USAGE, "%s is an option of sennit %s, not of this verb", word, verb_of(other)),
               OPTION_WRONG;
    if (!option || (option->kind == KIND_FLAG && word[2]))
        return OPTION_FOREIGN;
    return take_value(options, uses, option, word[2] ? word + 2 : NULL, arguments, count, index, error);
}

/* ---- Text of options --------------------------------------------------- */

void options_quote(Text *text, const char *word)
{
    text_add_string(text, "'");
    for (; *word; word++) {
        if (*word == '\'')
            text_add_string(text, "'\\''");
        else
            text_add_bytes(text, word, 1);
    }
    text_add_string(text, "'");
}

static bool needs_quotes(const char *word)
{
    return word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=.,:/+")] != '\0';
}

static void write_option(const Option *option, const char *value, Text *text)
{
    Text word = {0};
    text_add(&word, option->kind == KIND_FLAG ? "--%s" : "--%s=%s", option->name, value);
    if (text->length)
        text_add_string(text, " ");
    if (needs_quotes(word.data))
        options_quote(text, word.data);
    else
        text_add_string(text, word.data);
    text_release(&word);
}

bool option_differs(const Options *a, const Options *b, const Option *option)
{
    Text here = {0}, there = {0};
    option_write_value(a, option, &here);
    option_write_value(b, option, &there);
    bool differs = strcmp(text_borrow(&here), text_borrow(&there)) != 0;
    text_release(&here);
    text_release(&there);
    return differs;
}

void options_write(const Options *options, unsigned uses, Text *text)
{
    Options defaults;
    options_init(&defaults);
    for (unsigned i = 0; i < TABLE_SIZE; i++) {
        Text value = {0};
        if (!(TABLE[i].use & uses) || !option_differs(options, &defaults, &TABLE[i]))
            continue;
        option_write_value(options, &TABLE[i], &value);
        write_option(&TABLE[i], text_borrow(&value), text);
        text_release(&value);
    }
    options_release(&defaults);
}

const char *options_changed(const Options *options, unsigned uses)
{
    Options defaults;
    const char *name = NULL;
    options_init(&defaults);
    for (unsigned i = 0; i < TABLE_SIZE && !name; i++)
        if (TABLE[i].use & uses && option_differs(options, &defaults, &TABLE[i]))
            name = TABLE[i].name;
    options_release(&defaults);
    return name;
}

/* Of "sennit explore ./prog" the first two words. A program that was started by itself has no command. */
static int verb_length(const char *command)
{
    size_t first = strcspn(command, " ");
    return (int)(command[first] ? first + 1 + strcspn(command + first + 1, " ") : first);
}

void options_say(const Options *options, const char *format, ...)
{
    va_list arguments;
    const char *command = options->command && *options->command ? options->command : "sennit";
    fprintf(stderr, "%.*s: ", verb_length(command), command);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}

/* Cuts the next word off `*rest` and removes its quotes, in place; NULL at the end. */
static char *next_word(char **rest)
{
    char *from = *rest + strspn(*rest, " \t\n"), *to = from, *word = from;
    bool quoted = false;
    if (!*from)
        return NULL;
    for (; *from && (quoted || !strchr(" \t\n", *from)); from++) {
        if (*from == '\'')
            quoted = !quoted;
        else if (*from == '\\' && !quoted && from[1])
            *to++ = *++from;
        else
            *to++ = *from;
    }
    *rest = *from ? from + 1 : from;
    *to = '\0';
    return word;
}

bool options_parse_text(Options *options, unsigned uses, const char *text, Error *error)
{
    char *copy = mem_copy_string(text), *rest = copy, *word;
    char **words = mem_alloc((strlen(text) / 2 + 2) * sizeof *words);
    int count = 0;
    bool good = true;
    while ((word = next_word(&rest)))
        words[count++] = word;
    for (int i = 0; good && i < count; i++) {
        OptionMatch match = options_take(options, uses, words, count, &i, error);
        if (match == OPTION_FOREIGN)
            error_set(error, EXIT_USAGE, "%s is not an option", words[i]);
        good = match == OPTION_TAKEN;
    }
    free(words);
    free(copy);
    return good;
}

/* ---- Rows ---------------------------------------------------------------- */

const Option *options_row(unsigned number) { return number < TABLE_SIZE ? &TABLE[number] : NULL; }

const Option *options_find(const char *name)
{
    for (unsigned i = 0; i < TABLE_SIZE; i++)
        if (TABLE[i].kind != KIND_GROUP && strcmp(TABLE[i].name, name) == 0)
            return &TABLE[i];
    return NULL;
}

bool option_is_listed(const Option *option, unsigned uses)
{
    return option->use & uses && !(option->use & USE_INTERNAL);
}
