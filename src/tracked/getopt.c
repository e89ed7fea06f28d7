/* getopt.c - options out of arguments that depend on inputs, as glibc finds them
 *
 * Arguments that are no options are moved behind the options, unless the list of options begins
 * with a plus or a minus sign, or POSIXLY_CORRECT is set.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "tracked/tracked.h"

typedef enum Order { PERMUTE, STOP_AT_FIRST, AS_OPTION } Order;

/* Where we are; the arguments from `first` to `last` are no options and were passed over. */
static struct {
    bool begun;
    Order order;
    const char *next; /* letter of an argument with several; NULL: none */
    int first, last;
} at;

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

/* What was passed over comes behind what was found since. */
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

/* Finds the next argument with options; false if there is none, and what to answer then. */
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
    at.next = arguments[optind] + 1;
    return true;
}

/* The argument of an option: the rest of the word, or the next word if there must be one. */
static int take_argument(int letter, int count, char *const *arguments, bool needed, const char *options)
{
    int answer = letter;
    if (*at.next) {
        optarg = (char *)at.next;
        optind++;
    } else if (needed && optind == count) {
        if (opterr && *options != ':')
            fprintf(stderr, "%s: option requires an argument -- '%c'\n", arguments[0], letter);
        optopt = letter;
        answer = *options == ':' ? ':' : '?';
    } else if (needed) {
        optarg = arguments[optind++];
    }
    at.next = NULL;
    return answer;
}

int sennit_tracked_getopt(int count, char *const *arguments, const char *options)
{
    int answer;
    if (count < 1)
        return -1;
    optarg = NULL;
    if (optind == 0 || !at.begun)
        begin(options);
    options += *options == '-' || *options == '+';
    if ((!at.next || !*at.next) && !find_argument(count, (char **)arguments, &answer))
        return answer;
    char letter = *at.next++;
    const char *found = options;
    while (*found && *found != letter)
        found++;
    if (!*at.next)
        optind++;
    if (!*found || letter == ':' || letter == ';') {
        if (opterr && *options != ':')
            fprintf(stderr, "%s: invalid option -- '%c'\n", arguments[0], letter);
        optopt = letter;
        return '?';
    }
    return found[1] == ':' ? take_argument(letter, count, arguments, found[2] != ':', options) : letter;
}
