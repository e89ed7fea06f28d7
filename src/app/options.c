/* options.c - see options.h
 *
 * Design: a table with the offset of each field; defaults are texts and go through
 * the same parser as what people type.
 */
#include "app/options.h"

#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* ---- Types ------------------------------------------------------------ */

typedef enum Kind {
    KIND_FLAG, KIND_COUNT, KIND_LIMIT, KIND_TIME, KIND_TEXT, KIND_CHOICE, KIND_STRATEGIES, KIND_CHECKS,
    KIND_OBJECTS, KIND_ARGUMENTS
} Kind;

typedef struct Option {
    Kind kind;
    char letter;
    const char *name;
    const char *argument;
    const char *fallback;
    unsigned use;
    const char *help;
    size_t offset;
} Option;

static const Option TABLE[] = {
#define OPTION(field, kind, letter, name, argument, fallback, use, help) \
    {KIND_##kind, letter, name, argument, fallback, use, help, offsetof(Options, field)},
#include "app/options.def"
#undef OPTION
};
enum { TABLE_SIZE = sizeof TABLE / sizeof TABLE[0] };

static const char *const CHECK_NAMES[] = {"leak", "overflow"};
enum { CHECK_COUNT = sizeof CHECK_NAMES / sizeof CHECK_NAMES[0] };

/* ---- Values: text -> field --------------------------------------------- */

/* A number with an optional suffix out of `units` ("k", "M", ...), each a factor. */
static bool parse_scaled(const char *text, const char *units, const double *factors, double *value)
{
    char *end;
    errno = 0;
    double number = strtod(text, &end);
    if (end == text || errno || !(number >= 0) || !isdigit((unsigned char)text[0]))
        return false;
    if (*end) {
        const char *unit = strchr(units, *end);
        if (!unit || end[1])
            return false;
        number *= factors[unit - units];
    }
    *value = number;
    return true;
}

static bool parse_count(const char *text, uint64_t *value)
{
    static const double factors[] = {1e3, 1e3, 1e6, 1e9};
    char *end;
    errno = 0;
    unsigned long long plain = strtoull(text, &end, 10); /* exact, also beyond 2^53 */
    if (isdigit((unsigned char)text[0]) && !*end && !errno) {
        *value = plain;
        return true;
    }
    double number;
    if (!parse_scaled(text, "kKMG", factors, &number) || number > 1e18 || (double)(uint64_t)number != number)
        return false;
    *value = (uint64_t)number;
    return true;
}

static bool parse_time(const char *text, double *value)
{
    static const double factors[] = {1, 60, 3600, 86400};
    size_t length = strlen(text);
    if (length > 2 && strcmp(text + length - 2, "ms") == 0) {
        char *end;
        *value = strtod(text, &end) / 1000;
        return end == text + length - 2 && isdigit((unsigned char)text[0]);
    }
    return parse_scaled(text, "smhd", factors, value);
}

/* The number of `word` among the words of `choices` separated by '|', or -1. */
static int find_choice(const char *choices, const char *word)
{
    size_t length = strlen(word);
    for (int number = 0; choices; number++) {
        const char *bar = strchr(choices, '|');
        size_t size = bar ? (size_t)(bar - choices) : strlen(choices);
        if (size == length && strncmp(choices, word, size) == 0)
            return number;
        choices = bar ? bar + 1 : NULL;
    }
    return -1;
}

static bool parse_strategy(const char *word, StrategyItem *item)
{
    uint64_t depth;
    *item = (StrategyItem){0};
    if (strcmp(word, "exhaustive") == 0) {
        item->strategy = STRATEGY_EXHAUSTIVE;
    } else if (strcmp(word, "random") == 0) {
        item->strategy = STRATEGY_RANDOM;
    } else if (strcmp(word, "pct") == 0) {
        item->strategy = STRATEGY_PCT;
        item->pct_depth = 3;
    } else if (strncmp(word, "pct:", 4) == 0 && parse_count(word + 4, &depth) && depth >= 1 && depth <= 1000) {
        item->strategy = STRATEGY_PCT;
        item->pct_depth = (uint32_t)depth;
    } else {
        return false;
    }
    return true;
}

static bool parse_strategies(const char *text, StrategyList *list)
{
    StrategyList result = {0};
    char *copy = mem_copy_string(text), *rest = copy, *word;
    bool good = true;
    while (good && (word = strsep(&rest, ",")))
        good = result.count < STRATEGIES_MAX && parse_strategy(word, &result.items[result.count++]);
    free(copy);
    if (good)
        *list = result;
    return good;
}

static bool parse_checks(const char *text, uint32_t *checks)
{
    uint32_t result = 0;
    char *copy = mem_copy_string(text), *rest = copy, *word;
    bool good = true;
    while (good && (word = strsep(&rest, ","))) {
        uint32_t bit = 0;
        for (unsigned i = 0; i < CHECK_COUNT; i++)
            if (strcmp(word, CHECK_NAMES[i]) == 0)
                bit = 1u << i;
        result |= bit;
        good = bit != 0 || *word == '\0';
    }
    free(copy);
    if (good)
        *checks = result;
    return good;
}

static bool parse_limit(const char *text, int64_t *limit)
{
    uint64_t count;
    if (strcmp(text, "none") == 0) {
        *limit = -1;
        return true;
    }
    if (!parse_count(text, &count) || count > INT32_MAX)
        return false;
    *limit = (int64_t)count;
    return true;
}

/* "round-robin", "3" or "round-robin,3"; what is not named stays as it was. */
static bool parse_objects(const char *text, ObjectsOption *objects)
{
    ObjectsOption result = *objects;
    char *copy = mem_copy_string(text), *rest = copy, *word;
    bool good = true;
    while (good && (word = strsep(&rest, ","))) {
        int policy = find_choice("nondet|round-robin", word);
        if (policy >= 0)
            result.policy = (uint32_t)policy;
        else
            good = parse_count(strcmp(word, "none") == 0 ? "0" : word, &result.limit);
    }
    free(copy);
    if (good)
        *objects = result;
    return good;
}

/* "0,2,5" */
static bool parse_arguments(const char *text, ArgumentsOption *arguments)
{
    ArgumentsOption result = {0};
    int end = 0;
    bool good = strcmp(text, "none") == 0 ||
                (sscanf(text, "%u,%u,%u%n", &result.least, &result.most, &result.size, &end) == 3 && !text[end] &&
                 result.least <= result.most && result.most <= 1000 && result.size <= 100000);
    if (good)
        *arguments = result;
    return good;
}

static bool parse_choice(const Option *option, const char *text, uint32_t *choice)
{
    int number = find_choice(option->argument, text);
    if (number >= 0)
        *choice = (uint32_t)number;
    return number >= 0;
}

static bool assign(Options *options, const Option *option, const char *text)
{
    void *field = (char *)options + option->offset;
    bool none = strcmp(text, "none") == 0;
    switch (option->kind) {
    case KIND_FLAG:
        *(bool *)field = true;
        return true;
    case KIND_COUNT:
        return parse_count(none ? "0" : text, field);
    case KIND_LIMIT:
        return parse_limit(text, field);
    case KIND_TIME:
        return parse_time(none ? "0" : text, field);
    case KIND_TEXT:
        free(*(char **)field);
        *(char **)field = mem_copy_string(text);
        return true;
    case KIND_CHOICE:
        return parse_choice(option, text, field);
    case KIND_STRATEGIES:
        return parse_strategies(text, field);
    case KIND_CHECKS:
        return parse_checks(text, field);
    case KIND_ARGUMENTS:
        return parse_arguments(text, field);
    case KIND_OBJECTS:
        return parse_objects(text, field);
    }
    return false;
}

/* ---- Values: field -> text --------------------------------------------- */

void options_write_strategies(const StrategyList *list, Text *text)
{
    for (uint32_t i = 0; i < list->count; i++) {
        const StrategyItem *item = &list->items[i];
        const char *comma = i ? "," : "";
        if (item->strategy == STRATEGY_PCT)
            text_add(text, "%spct:%u", comma, item->pct_depth);
        else
            text_add(text, "%s%s", comma, item->strategy == STRATEGY_RANDOM ? "random" : "exhaustive");
    }
}

static void write_choice(const Option *option, uint32_t number, Text *text)
{
    const char *word = option->argument;
    for (; number > 0; number--)
        word = strchr(word, '|') + 1;
    text_add_bytes(text, word, strcspn(word, "|"));
}

static void write_checks(uint32_t checks, Text *text)
{
    const char *comma = "";
    for (unsigned i = 0; i < CHECK_COUNT; i++) {
        if (checks & 1u << i) {
            text_add(text, "%s%s", comma, CHECK_NAMES[i]);
            comma = ",";
        }
    }
}

static void write_objects(const ObjectsOption *objects, Text *text)
{
    text_add_string(text, objects->policy ? "round-robin" : "nondet");
    if (objects->limit)
        text_add(text, ",%llu", (unsigned long long)objects->limit);
}

static void write_arguments(const ArgumentsOption *arguments, Text *text)
{
    if (arguments->most)
        text_add(text, "%u,%u,%u", arguments->least, arguments->most, arguments->size);
    else
        text_add_string(text, "none");
}

static void write_value(const Options *options, const Option *option, Text *text)
{
    const void *field = (const char *)options + option->offset;
    switch (option->kind) {
    case KIND_FLAG:
        text_add_string(text, *(const bool *)field ? "yes" : "");
        break;
    case KIND_COUNT:
        text_add(text, "%llu", (unsigned long long)*(const uint64_t *)field);
        break;
    case KIND_LIMIT:
        if (*(const int64_t *)field < 0)
            text_add_string(text, "none");
        else
            text_add(text, "%lld", (long long)*(const int64_t *)field);
        break;
    case KIND_TIME:
        text_add(text, "%.9gs", *(const double *)field);
        break;
    case KIND_TEXT:
        text_add_string(text, *(char *const *)field);
        break;
    case KIND_CHOICE:
        write_choice(option, *(const uint32_t *)field, text);
        break;
    case KIND_STRATEGIES:
        options_write_strategies(field, text);
        break;
    case KIND_CHECKS:
        write_checks(*(const uint32_t *)field, text);
        break;
    case KIND_ARGUMENTS:
        write_arguments(field, text);
        break;
    case KIND_OBJECTS:
        write_objects(field, text);
        break;
    }
}

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

static bool is_changed(const Options *options, const Options *defaults, const Option *option, Text *value)
{
    Text usual = {0};
    write_value(options, option, value);
    write_value(defaults, option, &usual);
    bool changed = strcmp(text_borrow(value), text_borrow(&usual)) != 0;
    text_release(&usual);
    return changed;
}

void options_write(const Options *options, unsigned uses, Text *text)
{
    Options defaults;
    options_init(&defaults);
    for (unsigned i = 0; i < TABLE_SIZE; i++) {
        Text value = {0};
        if (TABLE[i].use & uses && is_changed(options, &defaults, &TABLE[i], &value))
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
    for (unsigned i = 0; i < TABLE_SIZE && !name; i++) {
        Text value = {0};
        if (TABLE[i].use & uses && is_changed(options, &defaults, &TABLE[i], &value))
            name = TABLE[i].name;
        text_release(&value);
    }
    options_release(&defaults);
    return name;
}

/* ---- Lifecycle ---------------------------------------------------------- */

void options_init(Options *options)
{
    memset(options, 0, sizeof *options);
    for (unsigned i = 0; i < TABLE_SIZE; i++)
        if (TABLE[i].kind != KIND_FLAG)
            assign(options, &TABLE[i], TABLE[i].fallback);
}

void options_release(Options *options)
{
    for (unsigned i = 0; i < TABLE_SIZE; i++)
        if (TABLE[i].kind == KIND_TEXT)
            free(*(char **)((char *)options + TABLE[i].offset));
    memset(options, 0, sizeof *options);
}

/* ---- Near names ----------------------------------------------------------- */

/* Number of edits from one word to the other (insert, delete, replace). */
static unsigned edit_distance(const char *a, const char *b)
{
    enum { LONGEST = 40 };
    unsigned row[LONGEST + 1];
    size_t m = strlen(a), n = strlen(b);
    if (m > LONGEST || n > LONGEST)
        return LONGEST;
    for (unsigned j = 0; j <= n; j++)
        row[j] = j;
    for (unsigned i = 1; i <= m; i++) {
        unsigned diagonal = row[0];
        row[0] = i;
        for (unsigned j = 1; j <= n; j++) {
            unsigned above = row[j];
            unsigned best = diagonal + (a[i - 1] != b[j - 1]);
            if (above + 1 < best)
                best = above + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            row[j] = best;
            diagonal = above;
        }
    }
    return row[n];
}

const char *options_nearest(const char *word, const char *const *names, size_t count)
{
    const char *nearest = NULL;
    unsigned smallest = strlen(word) > 4 ? 4 : 3;
    for (size_t i = 0; i < count; i++) {
        size_t length = strlen(word);
        bool beginning = length >= 2 && strncmp(names[i], word, length) == 0;
        unsigned distance = beginning ? 1 : edit_distance(word, names[i]);
        if (distance < smallest) {
            smallest = distance;
            nearest = names[i];
        }
    }
    return nearest;
}

/* ---- Command line ------------------------------------------------------- */

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

static OptionMatch unknown_option(const char *name, size_t length, unsigned uses, Error *error)
{
    const char *names[TABLE_SIZE];
    size_t count = 0;
    for (unsigned i = 0; i < TABLE_SIZE; i++)
        if (TABLE[i].use & uses & ~(unsigned)USE_INTERNAL)
            names[count++] = TABLE[i].name;
    char *word = strndup(name, length);
    const char *nearest = options_nearest(word, names, count);
    if (nearest)
        error_set(error, EXIT_USAGE, "unknown option --%s; did you mean --%s?", word, nearest);
    else
        error_set(error, EXIT_USAGE, "unknown option --%s (--help lists them)", word);
    free(word);
    return OPTION_WRONG;
}

static OptionMatch wrong_value(const Option *option, const char *value, Error *error)
{
    const char *expected[] = {
        [KIND_COUNT] = "a number such as 500, 20k or 1M", [KIND_LIMIT] = "a number",
        [KIND_TIME] = "a time such as 30s, 10m or 2h",    [KIND_STRATEGIES] = "exhaustive, random or pct:D",
        [KIND_CHECKS] = "leak or overflow",                           [KIND_CHOICE] = option->argument,
        [KIND_OBJECTS] = "nondet, round-robin or a number", [KIND_TEXT] = "text",                             [KIND_FLAG] = "nothing",
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
        return error_set(error, EXIT_USAGE, "--%s needs three values (%s)", option->name, option->argument), OPTION_WRONG;
    text_add(&text, "%s,%s,%s", arguments[*index + 1], arguments[*index + 2], arguments[*index + 3]);
    bool good = assign(options, option, text.data);
    if (!good)
        wrong_value(option, text.data, error);
    text_release(&text);
    *index += 3;
    return good ? OPTION_TAKEN : OPTION_WRONG;
}

/* `value` is what followed '=' or the letter, or NULL: then the next argument is it. */
static OptionMatch take_value(Options *options, const Option *option, const char *value, char **arguments, int count,
                              int *index, Error *error)
{
    if (option->kind == KIND_FLAG) {
        if (value)
            return error_set(error, EXIT_USAGE, "--%s takes no value", option->name), OPTION_WRONG;
        assign(options, option, "");
        return OPTION_TAKEN;
    }
    int used = *index;
    if (!value) {
        if (used + 1 >= count)
            return error_set(error, EXIT_USAGE, "--%s needs a value (%s)", option->name, option->argument), OPTION_WRONG;
        value = arguments[++used];
        if (option->kind == KIND_ARGUMENTS && !strchr(value, ','))
            return take_three(options, option, arguments, count, index, error);
    }
    if (!assign(options, option, value))
        return wrong_value(option, value, error);
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
        return take_value(options, option, name[length] ? name + length + 1 : NULL, arguments, count, index, error);
    }
    const Option *option = find_letter(word[1], uses);
    if (!option || (option->kind == KIND_FLAG && word[2]))
        return OPTION_FOREIGN;
    return take_value(options, option, word[2] ? word + 2 : NULL, arguments, count, index, error);
}

/* ---- Text of options ------------------------------------------------------ */

/* Cuts the next word off `*rest`, taking quotes away; NULL at the end. In place. */
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

/* ---- Help ----------------------------------------------------------------- */

static void print_option(const Option *option, FILE *file)
{
    enum { COLUMN = 31 };
    char letter[8] = "    ", left[80];
    if (option->letter)
        snprintf(letter, sizeof letter, "-%c, ", option->letter);
    bool flag = option->kind == KIND_FLAG;
    snprintf(left, sizeof left, "  %s--%s%s%s", letter, option->name, flag ? "" : "=", flag ? "" : option->argument);
    if (strlen(left) > COLUMN - 2)
        fprintf(file, "%s\n%*s", left, COLUMN, "");
    else
        fprintf(file, "%-*s", COLUMN, left);
    fprintf(file, "%s", option->help);
    if (!flag && *option->fallback)
        fprintf(file, " [%s]", option->fallback);
    fprintf(file, "\n");
}

void options_print(unsigned uses, FILE *file)
{
    for (unsigned i = 0; i < TABLE_SIZE; i++)
        if (TABLE[i].use & uses && !(TABLE[i].use & USE_INTERNAL))
            print_option(&TABLE[i], file);
}
