/* options_value.c - values of options: from text into fields, and back */
#include "app/options/option.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static const char *const CHECK_NAMES[] = {"leak", "overflow", "scope"};
enum { CHECK_COUNT = sizeof CHECK_NAMES / sizeof CHECK_NAMES[0] };

/* ---- From text --------------------------------------------------------- */

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
    } else if (strcmp(word, "pos") == 0) {
        item->strategy = STRATEGY_POS;
    } else if (strcmp(word, "turns") == 0) {
        item->strategy = STRATEGY_TURNS;
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

/* 0 would look like a bound and be none. */
static bool parse_bound(const char *text, uint64_t *bound)
{
    uint64_t count;
    if (!parse_count(text, &count) || count == 0)
        return false;
    *bound = count;
    return true;
}

#define POLICIES "nondet|round-robin"
CHOICE_SPELLED(objects, POLICIES);

/* "round-robin", "3" or "round-robin,3"; what is not named keeps its value. */
static bool parse_objects(const char *text, ObjectsOption *objects)
{
    ObjectsOption result = *objects;
    char *copy = mem_copy_string(text), *rest = copy, *word;
    bool good = true;
    while (good && (word = strsep(&rest, ","))) {
        int policy = find_choice(POLICIES, word);
        if (policy >= 0)
            result.policy = (uint32_t)policy;
        else
            good = strcmp(word, "none") == 0 ? parse_count("0", &result.limit) : parse_bound(word, &result.limit);
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

bool option_assign(Options *options, const Option *option, const char *text)
{
    void *field = (char *)options + option->offset;
    bool none = strcmp(text, "none") == 0;
    switch (option->kind) {
    case KIND_FLAG:
        *(bool *)field = true;
        return true;
    case KIND_COUNT:
        return parse_count(none ? "0" : text, field);
    case KIND_BOUND:
        return none ? parse_count("0", field) : parse_bound(text, field);
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
    case KIND_GROUP:
        break;
    }
    return false;
}

/* ---- To text ----------------------------------------------------------- */

void options_write_strategies(const StrategyList *list, Text *text)
{
    static const char *const names[] = {[STRATEGY_EXHAUSTIVE] = "exhaustive",
                                        [STRATEGY_RANDOM] = "random",
                                        [STRATEGY_POS] = "pos",
                                        [STRATEGY_TURNS] = "turns"};
    for (uint32_t i = 0; i < list->count; i++) {
        const StrategyItem *item = &list->items[i];
        const char *comma = i ? "," : "";
        if (item->strategy == STRATEGY_PCT)
            text_add(text, "%spct:%u", comma, item->pct_depth);
        else
            text_add(text, "%s%s", comma, names[item->strategy]);
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

void option_write_value(const Options *options, const Option *option, Text *text)
{
    const void *field = (const char *)options + option->offset;
    switch (option->kind) {
    case KIND_FLAG:
        text_add_string(text, *(const bool *)field ? "yes" : "");
        break;
    case KIND_COUNT:
    case KIND_BOUND:
        if (option->kind == KIND_BOUND && *(const uint64_t *)field == 0)
            text_add_string(text, "none");
        else
            text_add(text, "%llu", (unsigned long long)*(const uint64_t *)field);
        break;
    case KIND_LIMIT:
        if (*(const int64_t *)field < 0)
            text_add_string(text, "none");
        else
            text_add(text, "%lld", (long long)*(const int64_t *)field);
        break;
    case KIND_TIME:
        if (*(const double *)field > 0)
            text_add(text, "%.9gs", *(const double *)field);
        else
            text_add_string(text, "none");
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
    case KIND_GROUP:
        break;
    }
}
