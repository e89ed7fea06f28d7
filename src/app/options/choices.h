/* choices.h - the words of CHOICE options and the constants they stand for
 *
 * The value of such an option is the position of its word in the text of options.def. Here every
 * option has the list of its words again, CHOICES_<field>(CHOICE, PREFIX): a CHOICE(constant, word)
 * for each, in order, with constants that begin with PREFIX. Three macros keep the text, the numbers
 * and the enums of other folders together; where they differ, nothing compiles:
 *
 *   CHOICE_ENUM(field, PREFIX)     declares the constants
 *   CHOICE_SPELLED(field, text)    asserts that the text has these words in this order
 *   CHOICE_MATCHES(field, PREFIX)  asserts that constants declared elsewhere have the same numbers,
 *                                  so that the option's value may be converted to their enum
 */
#ifndef APP_OPTIONS_CHOICES_H
#define APP_OPTIONS_CHOICES_H

#define CHOICES_reduction(CHOICE, PREFIX) \
    CHOICE(PREFIX##OPTIMAL, "optimal") CHOICE(PREFIX##SOURCE, "source") CHOICE(PREFIX##NONE, "none") \
    CHOICE(PREFIX##DCUTE, "dcute") CHOICE(PREFIX##GRAPHS, "graphs") CHOICE(PREFIX##STATES, "states")
#define CHOICES_path_order(CHOICE, PREFIX) \
    CHOICE(PREFIX##DEPTH, "dfs") CHOICE(PREFIX##BREADTH, "bfs") CHOICE(PREFIX##COVERAGE, "coverage")
#define CHOICES_memory(CHOICE, PREFIX) \
    CHOICE(PREFIX##SC, "sc") CHOICE(PREFIX##TSO, "tso") CHOICE(PREFIX##RC11, "rc11") CHOICE(PREFIX##AUTO, "auto")
#define CHOICES_weak_cas(CHOICE, PREFIX) CHOICE(PREFIX##OFF, "off") CHOICE(PREFIX##ON, "on")
#define CHOICES_barriers(CHOICE, PREFIX) CHOICE(PREFIX##COMMUTE, "commute") CHOICE(PREFIX##ORDERED, "ordered")
#define CHOICES_plain(CHOICE, PREFIX) \
    CHOICE(PREFIX##RACE, "race") CHOICE(PREFIX##VISIBLE, "visible") CHOICE(PREFIX##VOLATILE_ATOMIC, "volatile-atomic")
#define CHOICES_channels(CHOICE, PREFIX) \
    CHOICE(PREFIX##BAG, "bag") CHOICE(PREFIX##FIFO, "fifo") CHOICE(PREFIX##CAUSAL, "causal") \
    CHOICE(PREFIX##MAILBOX, "mailbox")
#define CHOICES_delivery(CHOICE, PREFIX) \
    CHOICE(PREFIX##AUTO, "auto") CHOICE(PREFIX##LATE, "late") CHOICE(PREFIX##AT_ONCE, "at-once")
#define CHOICES_isolate(CHOICE, PREFIX) CHOICE(PREFIX##NONE, "none") CHOICE(PREFIX##FORK, "fork")
#define CHOICES_restore(CHOICE, PREFIX) \
    CHOICE(PREFIX##AUTO, "auto") CHOICE(PREFIX##ON, "on") CHOICE(PREFIX##OFF, "off") CHOICE(PREFIX##CHECK, "check")
#define CHOICES_search(CHOICE, PREFIX) \
    CHOICE(PREFIX##AUTO, "auto") CHOICE(PREFIX##NONE, "none") CHOICE(PREFIX##FIRST, "first") \
    CHOICE(PREFIX##PER_CYCLE, "per-cycle") \
    CHOICE(PREFIX##ALL, "all")
#define CHOICES_select(CHOICE, PREFIX) CHOICE(PREFIX##ALL, "all") CHOICE(PREFIX##BRANCH, "branch")
#define CHOICES_coverage(CHOICE, PREFIX) CHOICE(PREFIX##ON, "on") CHOICE(PREFIX##OFF, "off")
#define CHOICES_color(CHOICE, PREFIX) \
    CHOICE(PREFIX##AUTO, "auto") CHOICE(PREFIX##ALWAYS, "always") CHOICE(PREFIX##NEVER, "never")
#define CHOICES_dependence(CHOICE, PREFIX) \
    CHOICE(PREFIX##ACTOR, "actor") CHOICE(PREFIX##FIELDS, "fields") CHOICE(PREFIX##EXACT, "exact")
#define CHOICES_dialect(CHOICE, PREFIX) \
    CHOICE(PREFIX##AUTO, "auto") CHOICE(PREFIX##CURRENT, "1.9") CHOICE(PREFIX##OLD, "1.4")
#define CHOICES_await(CHOICE, PREFIX) CHOICE(PREFIX##CONTINUE, "continue") CHOICE(PREFIX##RELEASE, "release")
#define CHOICES_tasks(CHOICE, PREFIX) \
    CHOICE(PREFIX##MODEL, "model") CHOICE(PREFIX##NONDET, "nondet") CHOICE(PREFIX##FIFO, "fifo") \
    CHOICE(PREFIX##LIFO, "lifo")
#define CHOICES_resources(CHOICE, PREFIX) CHOICE(PREFIX##COUNT, "count") CHOICE(PREFIX##IGNORE, "ignore")
#define CHOICES_time(CHOICE, PREFIX) CHOICE(PREFIX##ORDERED, "ordered") CHOICE(PREFIX##FREE, "free")
#define CHOICES_objects(CHOICE, PREFIX) /* the policy of an OBJECTS option */ \
    CHOICE(PREFIX##ANY, "nondet") CHOICE(PREFIX##ROUND_ROBIN, "round-robin")
#define CHOICES_until(CHOICE, PREFIX) CHOICE(PREFIX##END, "end") CHOICE(PREFIX##DECISIONS, "decision-coverage")
#define CHOICES_show(CHOICE, PREFIX) \
    CHOICE(PREFIX##STATES, "states") CHOICE(PREFIX##ALL, "all") CHOICE(PREFIX##NONE, "none")
#define CHOICES_tree(CHOICE, PREFIX) \
    CHOICE(PREFIX##NONE, "none") CHOICE(PREFIX##TEXT, "text") CHOICE(PREFIX##DOT, "dot")
#define CHOICES_task(CHOICE, PREFIX) \
    CHOICE(PREFIX##EXPLORE, "explore") CHOICE(PREFIX##REPLAY, "replay") CHOICE(PREFIX##MINIMISE, "minimise") \
    CHOICE(PREFIX##DEBUG, "debug") CHOICE(PREFIX##PLAIN, "plain") CHOICE(PREFIX##FLOOR, "floor") \
    CHOICE(PREFIX##SERVE, "serve") CHOICE(PREFIX##DEADLOCK, "deadlock") CHOICE(PREFIX##SHOW, "show") \
    CHOICE(PREFIX##SUGGEST, "suggest") \
    CHOICE(PREFIX##CRITICAL, "critical")

#define CHOICE_CONSTANT(constant, word) constant,
#define CHOICE_WORD(constant, word) word "|"
#define CHOICE_POSITION(constant, word) POSITION_OF_##constant,
#define CHOICE_IN_PLACE(constant, word) && (int)(constant) == (int)POSITION_OF_##constant

#define CHOICE_ENUM(field, prefix) enum { CHOICES_##field(CHOICE_CONSTANT, prefix) }

#define CHOICE_SPELLED(field, text) \
    _Static_assert(__builtin_strcmp(text "|", CHOICES_##field(CHOICE_WORD, )) == 0, \
                   "CHOICES_" #field " lists other words, or in another order, than \"" text "\"")

#define CHOICE_MATCHES(field, prefix) \
    enum { CHOICES_##field(CHOICE_POSITION, prefix) }; \
    _Static_assert(1 CHOICES_##field(CHOICE_IN_PLACE, prefix), \
                   "constants " #prefix "... are not in the order of the words of option " #field)

#endif
