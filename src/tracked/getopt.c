/* getopt.c - short and long options in symbolic arguments, as in glibc
 *
 * Arguments that are no options are moved after the options, unless the list of options begins
 * with a plus or a minus sign, or POSIXLY_CORRECT is set.
 */
#include <getopt.h>
#include <stdbool.h>
#include <stdlib.h>

#include "rt/abi/tracked_hooks.h"
#include "tracked/tracked.h"

enum { PERMUTE, STOP_AT_FIRST, AS_OPTION }; /* the order of arguments */

/* Of the program, or of the node that calls. */
static SennitGetopt own;
#define at (*(sennit_rt_getopt_state() ? sennit_rt_getopt_state() : &own))

static void begin(const char *options)
{
    if (optind == 0)
        optind = 1;
    at.begun = true;
    at.order = *options == '-' ? AS_OPTION : *options == '+' || getenv("POSIXLY_CORRECT") ? STOP_AT_FIRST : PERMUTE;
    at.next = NULL;
    at.first = at.last = optind;
}

static bool is_option(const char *argument) { return argument[0] == '-' && argument[1]; }

/* Moves the skipped arguments after those found since. */
static void exchange(char **arguments)
{
    for (int found = at.last; found < optind; found++) {
        char *option = arguments[found];
        for (int i = found; i > at.first + found - at.last; i--)
            arguments[i] = arguments[i - 1];
        arguments[at.first + found - at.last] = option;
    }
    at.first += optind - at.last;
    at.last = optind;
}

static void move_passed(char **arguments)
{
    if (at.first != at.last && at.last != optind)
        exchange(arguments);
    else if (at.last != optind)
        at.first = optind;
}

/* Finds the next argument with options; if there is none, false and the result of getopt in *answer. */
static bool find_argument(int count, char **arguments, int *answer)
{
    *answer = -1;
    if (at.last > optind)
        at.last = optind;
    if (at.first > optind)
        at.first = optind;
    if (at.order == PERMUTE) {
        move_passed(arguments);
        while (optind < count && !is_option(arguments[optind]))
            optind++;
        at.last = optind;
    }
    if (optind != count && sennit_tracked_strcmp(arguments[optind], "--") == 0) {
        optind++;
        if (at.first != at.last && at.last != optind)
            exchange(arguments);
        else if (at.first == at.last)
            at.first = optind;
        at.last = optind = count;
    }
    if (optind == count) {
        if (at.first != at.last)
            optind = at.first;
        return false;
    }
    if (!is_option(arguments[optind])) {
        if (at.order == AS_OPTION) {
            optarg = arguments[optind++];
            *answer = 1;
        }
        return false;
    }
    return true;
}

/* The argument of an option: the rest of the word, or the next word if one is required. */
static int take_argument(int letter, int count, char *const *arguments, bool needed, const char *options)
{
    int answer = letter;
    if (*at.next) {
        optarg = (char *)at.next;
        optind++;
    } else if (needed && optind == count) {
        if (opterr && *options != ':')
            fprintf(stderr, "%s: option requires an argument -- '%c'\n", arguments[0], letter);
        at.wrong = letter;
        answer = *options == ':' ? ':' : '?';
    } else if (needed) {
        optarg = arguments[optind++];
    }
    at.next = NULL;
    return answer;
}

/* ---- Long options ---------------------------------------------------------------------------- */

/* The long options of the program. */
typedef struct Longs {
    const struct option *list; /* NULL: there are none */
    int *index;
    bool only;                 /* with one dash too (getopt_long_only) */
} Longs;

enum { NOT_LONG = -1 };

static bool is_same(const struct option *a, const struct option *b)
{
    return a->has_arg == b->has_arg && a->flag == b->flag && a->val == b->val;
}

/* Finds the option of that name, or the only one with that prefix; NULL if there is none. */
static const struct option *find_long(const Longs *longs, const char *name, size_t length, bool *ambiguous)
{
    const struct option *found = NULL;
    *ambiguous = false;
    for (const struct option *o = longs->list; o->name; o++)
        if (sennit_tracked_strncmp(o->name, name, length) == 0 && o->name[length] == 0)
            return o;
    for (const struct option *o = longs->list; o->name; o++) {
        if (sennit_tracked_strncmp(o->name, name, length) != 0)
            continue;
        *ambiguous = *ambiguous || (found && (longs->only || !is_same(found, o)));
        found = found ? found : o;
    }
    return *ambiguous ? NULL : found;
}

/* The option is unknown or ambiguous; skips it. */
static int refuse_long(const char *options, const char *program, const char *prefix, const char *what)
{
    if (opterr && *options != ':')
        fprintf(stderr, "%s: option '%s%s' %s\n", program, prefix, at.next, what);
    at.next = NULL;
    optind++;
    at.wrong = 0;
    return '?';
}

/* The argument: after the equals sign, or the next word if one is required. Answers 0, or what is wrong. */
static int take_long_argument(const struct option *option, const char *rest, int count, char *const *arguments,
                              const char *options, const char *prefix)
{
    const char *trouble = NULL;
    if (*rest && option->has_arg != no_argument)
        optarg = (char *)rest + 1;
    else if (*rest)
        trouble = "does not allow an argument";
    else if (option->has_arg == required_argument && optind < count)
        optarg = arguments[optind++];
    else if (option->has_arg == required_argument)
        trouble = "requires an argument";
    if (!trouble)
        return 0;
    if (opterr && *options != ':')
        fprintf(stderr, "%s: option '%s%s' %s\n", arguments[0], prefix, option->name, trouble);
    at.wrong = option->val;
    return *options == ':' && !*rest ? ':' : '?';
}

/* The rest of the word is a long option; NOT_LONG: it may be short ones. */
static int take_long(const Longs *longs, int count, char *const *arguments, const char *options, const char *prefix)
{
    bool ambiguous;
    const char *rest = at.next;
    while (*rest && *rest != '=')
        rest++;
    const struct option *option = find_long(longs, at.next, (size_t)(rest - at.next), &ambiguous);
    if (ambiguous)
        return refuse_long(options, arguments[0], prefix, "is ambiguous");
    if (!option && longs->only && arguments[optind][1] != '-' && sennit_tracked_strchr(options, *at.next))
        return NOT_LONG;
    if (!option)
        return refuse_long(options, arguments[0], prefix, "is not known");
    optind++;
    at.next = NULL;
    int trouble = take_long_argument(option, rest, count, arguments, options, prefix);
    if (trouble)
        return trouble;
    if (longs->index)
        *longs->index = (int)(option - longs->list);
    if (!option->flag)
        return option->val;
    *option->flag = option->val;
    return 0;
}

/* A new word with options: are they a long one? */
static int try_long(const Longs *longs, int count, char *const *arguments, const char *options)
{
    const char *word = arguments[optind];
    if (!longs->list)
        return NOT_LONG;
    if (word[1] == '-') {
        at.next = word + 2;
        return take_long(longs, count, arguments, options, "--");
    }
    if (!longs->only || (!word[2] && sennit_tracked_strchr(options, word[1])))
        return NOT_LONG;
    at.next = word + 1;
    return take_long(longs, count, arguments, options, "-");
}

/* "-W name" is "--name" if the list of options has "W;" */
static int take_long_word(const Longs *longs, int count, char *const *arguments, const char *options)
{
    if (!*at.next && optind == count) {
        if (opterr && *options != ':')
            fprintf(stderr, "%s: option requires an argument -- 'W'\n", arguments[0]);
        at.wrong = 'W';
        return *options == ':' ? ':' : '?';
    }
    if (!*at.next)
        at.next = arguments[optind];
    return take_long(&(Longs){longs->list, longs->index, false}, count, arguments, options, "-W ");
}

/* ---- One option -------------------------------------------------------------------------------- */

static int take_letter(const Longs *longs, int count, char *const *arguments, const char *options)
{
    char letter = *at.next++;
    const char *found = options;
    while (*found && *found != letter)
        found++;
    if (!*at.next)
        optind++;
    if (!*found || letter == ':' || letter == ';') {
        if (opterr && *options != ':')
            fprintf(stderr, "%s: invalid option -- '%c'\n", arguments[0], letter);
        at.wrong = letter;
        return '?';
    }
    if (letter == 'W' && found[1] == ';' && longs->list)
        return take_long_word(longs, count, arguments, options);
    return found[1] == ':' ? take_argument(letter, count, arguments, found[2] != ':', options) : letter;
}

static int find_option(int count, char *const *arguments, const char *options, const Longs *longs)
{
    int answer;
    if (count < 1)
        return -1;
    optarg = NULL;
    if (optind == 0 || !at.begun)
        begin(options);
    options += *options == '-' || *options == '+';
    if (!at.next || !*at.next) {
        if (!find_argument(count, (char **)arguments, &answer))
            return answer;
        answer = try_long(longs, count, arguments, options);
        if (answer != NOT_LONG)
            return answer;
        at.next = arguments[optind] + 1;
    }
    return take_letter(longs, count, arguments, options);
}

static int take_option(int count, char *const *arguments, const char *options, const Longs *longs)
{
    int answer = find_option(count, arguments, options, longs);
    optopt = at.wrong;
    return answer;
}

int sennit_tracked_getopt(int count, char *const *arguments, const char *options)
{
    return take_option(count, arguments, options, &(Longs){0});
}

int sennit_tracked_getopt_long(int count, char *const *arguments, const char *options, const struct option *list,
                               int *index)
{
    return take_option(count, arguments, options, &(Longs){list, index, false});
}

int sennit_tracked_getopt_long_only(int count, char *const *arguments, const char *options, const struct option *list,
                                    int *index)
{
    return take_option(count, arguments, options, &(Longs){list, index, true});
}
