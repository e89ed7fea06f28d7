/* options_check.c - an option has an effect, or it is refused */
#include <string.h>

#include "app/options/option.h"

enum { MOST_CONTEXT = 4 }; /* creation sites */

/* ---- Kinds of programs -------------------------------------------------------- */

const char *option_programs(const Option *option)
{
    return option->use & ONLY_ABS ? "ABS models" : option->use & ONLY_ACTORS ? "C programs with actors"
           : option->use & ONLY_C ? "C programs" : NULL;
}

static bool is_for(const Option *option, ProgramKind kind)
{
    return !(option->use & (kind == PROGRAM_ABS ? ONLY_C | ONLY_ACTORS : ONLY_ABS));
}

/* Of options that other verbs take for all programs. */
static bool is_for_deadlock(const Option *option, ProgramKind kind)
{
    return !(option->use & USE_DEADLOCK) || option->use & (kind == PROGRAM_ABS ? USE_DEADLOCK_ABS : USE_DEADLOCK_C);
}

static bool check_kind(const Options *options, const Options *defaults, ProgramKind kind, unsigned uses, Error *error)
{
    const Option *option;
    for (unsigned i = 0; (option = options_row(i)); i++) {
        if (option->kind == KIND_GROUP || option->use & USE_INTERNAL || !option_differs(options, defaults, option))
            continue;
        if (!is_for(option, kind))
            return error_set(error, EXIT_USAGE, "--%s is for %s", option->name, option_programs(option));
        if (uses & USE_DEADLOCK && !is_for_deadlock(option, kind))
            return error_set(error, EXIT_USAGE, "--%s: sennit deadlock uses it for %s only", option->name,
                             kind == PROGRAM_ABS ? "C programs" : "ABS models");
    }
    return true;
}

/* ---- Options that need others --------------------------------------------------- */

static bool has_strategy(const Options *options, bool exhaustive)
{
    for (uint32_t i = 0; i < options->strategies.count; i++)
        if ((options->strategies.items[i].strategy == STRATEGY_EXHAUSTIVE) == exhaustive)
            return true;
    return false;
}

static bool writes_tests(const Options *options) { return *options->tests; }
static bool samples(const Options *options) { return has_strategy(options, false); }
static bool exhausts(const Options *options) { return has_strategy(options, true); }
/* Samples know no bound on preemptions, and would blur a comparison of reductions. */
bool options_may_sample(const Options *options)
{
    return options->strategies.count == 1 && exhausts(options) && options->preemptions < 0 &&
           options->path_order == PATHS_DEPTH &&
           (options->reduction == REDUCTION_OPTIMAL || options->reduction == REDUCTION_SOURCE);
}
static bool samples_aside(const Options *options)
{
    return options->sample_after <= 0 || (options_may_sample(options) && !*options->store);
}
/* No sample keeps to a bound on preemptions. */
static bool only_exhausts(const Options *options) { return !samples(options); }
static bool delivers_any_order(const Options *options) { return options->channels == 0; }
static bool is_sequential(const Options *options)
{
    return options->memory == MEMORY_SC || options->memory == MEMORY_AUTO;
}
/* Under weak memory a class is a graph, or nothing is reduced. */
static bool has_reduction(const Options *options)
{
    return is_sequential(options) || options->reduction == REDUCTION_NONE;
}
/* What they count is no part of a state; and memory is compared, not who may see it. */
bool options_allow_states(const Options *options)
{
    bool bounded = options->max_steps || options->unroll || options->max_children || options->preemptions >= 0;
    return !bounded && options->plain == PLAIN_RACE && options->isolate == ISOLATE_NONE && !options->unset;
}
static bool fits_states(const Options *options)
{
    return options->reduction != REDUCTION_STATES || options_allow_states(options);
}
/* Samples share no steps that were planned, and a process of its own has no execution before. */
static bool may_continue(const Options *options)
{
    bool required = options->restore == RESTORING_ON || options->restore == RESTORING_CHECK;
    bool anew = options->isolate == ISOLATE_FORK || options->reduction == REDUCTION_STATES;
    return !required || (exhausts(options) && !anew);
}
static bool is_for_first(const Options *options) { return !options->keep_going; }

/* An option, and what it has no effect without. */
typedef struct OptionNeed {
    const char *name;
    bool (*is_met)(const Options *options);
    const char *needs;
} OptionNeed;

static const OptionNeed search_needs[] = {
    {"select", writes_tests, "needs --tests"},
    {"max-tests", writes_tests, "needs --tests"},
    {"seed", samples, "needs a strategy that samples: --strategy=random, pct:D, pos or turns"},
    {"sample-after", samples_aside,
     "needs the strategy exhaustive, without --store, --preemptions, --order and reductions for comparison"},
    {"preemptions", only_exhausts, "needs the strategy exhaustive, and no other"},
    {"reduction", exhausts, "needs the strategy exhaustive"},
    {"reduction", fits_states,
     "=states goes without --max-steps, --unroll, --max-children, --preemptions, --plain, --isolate and --unset: what "
     "they count or need is no part of a state"},
    {"order", exhausts, "needs the strategy exhaustive"},
    {"reduction", has_reduction, "needs --memory=sc, unless it is none"},
    {"order", is_sequential, "needs --memory=sc"},
    {"symmetry", delivers_any_order, "needs --channels=bag"},
    {"first-bug", is_for_first, "contradicts --keep-going"},
    {"restore", may_continue, "=on and =check need the strategy exhaustive, no --isolate and no --reduction=states"},
};

/* Is the option given, and has it an effect under sequential consistency only? */
static bool needs_sc(const Options *options, const Options *defaults, const OptionNeed *need)
{
    Options sequential = *options, weak = *options;
    bool given = option_differs(options, defaults, options_find(need->name));
    sequential.memory = MEMORY_SC;
    weak.memory = MEMORY_RC11;
    return given && need->is_met(&sequential) && !need->is_met(&weak);
}

const char *options_needing_sc(const Options *options)
{
    Options defaults;
    const char *name = options->plain == PLAIN_VISIBLE ? "plain=visible" : NULL;
    options_init(&defaults);
    for (unsigned i = 0; i < sizeof search_needs / sizeof *search_needs && !name; i++)
        if (needs_sc(options, &defaults, &search_needs[i]))
            name = search_needs[i].name;
    options_release(&defaults);
    return name;
}

static bool check_needs(const Options *options, const Options *defaults, Error *error)
{
    for (unsigned i = 0; i < sizeof search_needs / sizeof *search_needs; i++) {
        const OptionNeed *need = &search_needs[i];
        const Option *option = options_find(need->name);
        if (option_differs(options, defaults, option) && !need->is_met(options))
            return error_set(error, EXIT_USAGE, *need->needs == '=' ? "--%s%s" : "--%s %s", need->name,
                             need->needs);
    }
    return true;
}

/* Values that an option has for some programs only, or never. */
static bool check_values(const Options *options, ProgramKind kind, Error *error)
{
    if (!is_sequential(options) && options->plain == PLAIN_VISIBLE)
        return error_set(error, EXIT_USAGE,
                         "--plain=visible needs --memory=sc: no model says what a plain access sees that races");
    if (kind == PROGRAM_ABS && options->reduction == REDUCTION_DCUTE)
        return error_set(error, EXIT_USAGE, "--reduction=dcute is for C programs");
    if (options->context < 1 || options->context > MOST_CONTEXT)
        return error_set(error, EXIT_USAGE, "--context-depth=%llu: expected 1 to %d",
                         (unsigned long long)options->context, MOST_CONTEXT);
    return true;
}

/* The guided search of models has sufficient sets and sleep sets, or nothing; it knows no policies. */
static bool check_deadlock(const Options *options, Error *error)
{
    if (options->reduction != REDUCTION_OPTIMAL && options->reduction != REDUCTION_NONE)
        return error_set(error, EXIT_USAGE, "--reduction: sennit deadlock reduces its search (optimal) or not (none)");
    if (options->dependence == DEPENDENCE_BY_EXACT)
        return error_set(error, EXIT_USAGE, "--dependence=exact: sennit deadlock compares footprints, not states");
    if (options->tasks == TASKS_BY_FIFO || options->tasks == TASKS_BY_LIFO)
        return error_set(error, EXIT_USAGE, "--tasks=%s: sennit deadlock searches all orders of tasks",
                         options->tasks == TASKS_BY_FIFO ? "fifo" : "lifo");
    return true;
}

bool options_check(const Options *options, ProgramKind kind, unsigned uses, Error *error)
{
    Options defaults;
    options_init(&defaults);
    bool good = check_kind(options, &defaults, kind, uses, error) && check_values(options, kind, error) &&
                (uses & USE_DEADLOCK ? check_deadlock(options, error) : check_needs(options, &defaults, error));
    options_release(&defaults);
    return good;
}
