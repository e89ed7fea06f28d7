/* generate_abs.c - `sennit generate`: start states from the given methods, tests, their output */
#include "subject/abs/generate/generate_abs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abs/check/check.h"
#include "abs/run/inputs.h"
#include "app/run/solving.h"
#include "deadlock/analysis.h"
#include "deadlock/interfering.h"
#include "subject/abs/generate/generate_cover.h"
#include "subject/abs/generate/generate_emit.h"
#include "subject/abs/generate/generate_watch.h"
#include "subject/abs/models.h"
#include "tcg/contexts.h"
#include "tcg/generate.h"
#include "tcg/stability.h"

enum { MOST_CONTEXTS = 10000, MOST_CALLS_EACH = 100, DEADLOCK_DEPTH = 1 };

typedef struct Wanted {
    const ClassCode *class;
    const MethodDecl *method;
} Wanted;

typedef struct Generation {
    const GenerateRequest *request;
    AbsProgram *program;
    Wanted wanted[CONTEXT_MOST_METHODS];
    InitialCall calls[CONTEXT_MOST_METHODS];
    uint32_t count;
    ContextList contexts;
    VEC(StartState *) starts;
    TestSuite suite;
    CoverageMap *coverage;
    GenerateStats stats;
    GenerateWatch watch;
    InterleavingTree *tree; /* of the tests; NULL: not requested                    */
    uint32_t unconfirmed; /* tests left out because there was no time to confirm them */
} Generation;

/* ---- Methods ------------------------------------------------------------------------------- */

/* "Class.method" or "Class.method:least..most". */
static bool parse_numbers(const char *spec, InitialCall *call, Error *error)
{
    const char *colon = strchr(spec, ':');
    call->least = call->most = 1;
    if (!colon)
        return true;
    int end = 0;
    if (sscanf(colon, ":%u..%u%n", &call->least, &call->most, &end) != 2 || colon[end] != '\0' ||
        call->most > MOST_CALLS_EACH)
        return error_set(error, EXIT_USAGE, "--method %s: expected CLASS.METHOD:LEAST..MOST with numbers up to %d",
                         spec, MOST_CALLS_EACH);
    if (call->least > call->most)
        return error_set(error, EXIT_USAGE, "--method %s: at least %u calls, but at most %u", spec, call->least,
                         call->most);
    return call->most > 0 || error_set(error, EXIT_USAGE, "--method %s: it would never be called", spec);
}

/* Tests name classes without their modules. */
static bool is_unique(const Model *model, uint32_t class, const char *spec, Error *error)
{
    const Decl *decl = &model->classes.items[class]->decl;
    for (uint32_t i = class + 1; i < model->classes.count; i++) {
        const Decl *other = &model->classes.items[i]->decl;
        if (strcmp(other->name.text, decl->name.text) == 0)
            return error_set(error, EXIT_USAGE,
                             "--method %s: there is a class %s in module %s and in module %s; generate tests for one "
                             "of them at a time",
                             spec, decl->name.text, decl->module->name.text, other->module->name.text);
    }
    return true;
}

static bool refuse_class(const Model *model, const char *spec, const char *class, Error *error)
{
    Text fitting = {0};
    const char *start = ": there is no class ";
    for (uint32_t i = 0; i < model->interfaces.count; i++)
        if (strcmp(model->interfaces.items[i]->decl.name.text, class) == 0)
            start = ": tests are for classes, which implement it, not for the interface ";
    for (uint32_t i = 0; i < model->classes.count; i++)
        text_add(&fitting, "%s%s", i ? ", " : "; the model has ", model->classes.items[i]->decl.name.text);
    if (model->classes.count == 0)
        text_add_string(&fitting, ", nor any other");
    error_set(error, EXIT_USAGE, "--method %s%s%s%s", spec, start, class, text_borrow(&fitting));
    text_release(&fitting);
    return false;
}

static bool refuse_method(const Model *model, const char *spec, const ClassDecl *class, const char *method,
                          Error *error)
{
    Text others = {0};
    SourcePlace place = source_place(&model->sources, class->decl.name.pos);
    for (uint32_t i = 0; i < class->methods.count; i++)
        if (!class->methods.items[i]->hidden)
            text_add(&others, "%s%s", others.length ? ", " : "; it has ", class->methods.items[i]->sig.name.text);
    error_set(error, EXIT_USAGE, "--method %s: class %s has no method %s%s (%s:%u)", spec, class->decl.name.text,
              method, text_borrow(&others), place.file->name, place.line);
    text_release(&others);
    return false;
}

static bool find_wanted(Generation *g, const char *spec, Wanted *wanted, Error *error)
{
    const Model *model = program_abs_model(g->program);
    const Image *image = program_abs_machine(g->program)->image;
    char class[200], method[200];
    if (sscanf(spec, "%199[^.:].%199[^:]", class, method) != 2)
        return error_set(error, EXIT_USAGE, "--method %s: expected CLASS.METHOD", spec);
    for (uint32_t i = 0; i < model->classes.count; i++) {
        if (strcmp(model->classes.items[i]->decl.name.text, class) != 0)
            continue;
        if (!is_unique(model, i, spec, error))
            return false;
        *wanted = (Wanted){&image->classes[i], start_find_method(model->classes.items[i], method)};
        if (wanted->method)
            return true;
        return refuse_method(model, spec, model->classes.items[i], method, error);
    }
    return refuse_class(model, spec, class, error);
}

/* A method that is given several times is called that often. */
static bool add_method(Generation *g, const char *spec, Wanted wanted, InitialCall call, Error *error)
{
    uint32_t i = 0;
    while (i < g->count && g->wanted[i].method != wanted.method)
        i++;
    call.least += g->calls[i].least;
    call.most += g->calls[i].most;
    if (call.most > MOST_CALLS_EACH)
        return error_set(error, EXIT_USAGE, "--method %s: more than %d calls together", spec, MOST_CALLS_EACH);
    call.class = wanted.class->number;
    call.method = i;
    g->wanted[i] = wanted;
    g->calls[i] = call;
    g->count += i == g->count;
    return true;
}

static bool read_methods(Generation *g, Error *error)
{
    const GenerateRequest *request = g->request;
    if (request->methods.count > CONTEXT_MOST_METHODS)
        return error_set(error, EXIT_USAGE, "at most %d methods", CONTEXT_MOST_METHODS);
    for (uint32_t i = 0; i < request->methods.count; i++) {
        Wanted wanted = {0};
        InitialCall call = {0};
        const char *spec = request->methods.items[i];
        if (!find_wanted(g, spec, &wanted, error) || !parse_numbers(spec, &call, error) ||
            !add_method(g, spec, wanted, call, error))
            return false;
    }
    return true;
}

/* ---- Deadlocks ------------------------------------------------------------------------------ */

/* The number of a method among the given ones, to which it is added; CONTEXT_MOST_METHODS if there are too many. */
static uint32_t find_call(Generation *g, const Code *code)
{
    const ClassDecl *class = code->class->decl;
    for (uint32_t i = 0; i < g->count; i++)
        if (g->wanted[i].method->code == code)
            return i;
    for (uint32_t i = 0; i < class->methods.count && g->count < CONTEXT_MOST_METHODS; i++)
        if (class->methods.items[i]->code == code) {
            g->wanted[g->count] = (Wanted){code->class, class->methods.items[i]};
            g->calls[g->count] = (InitialCall){.class = code->class->number, .method = g->count};
            return g->count++;
        }
    return CONTEXT_MOST_METHODS;
}

static bool has_context(const ContextList *contexts, const InitialContext *wanted)
{
    bool same = false;
    for (uint32_t k = 0; k < contexts->count && !same; k++) {
        const InitialContext *context = &contexts->items[k];
        same = context->count == wanted->count;
        for (uint32_t i = 0; same && i < context->count; i++)
            same = memcmp(&context->items[i], &wanted->items[i], sizeof context->items[i]) == 0;
    }
    return same;
}

/* Each method that is relevant to the cycle once, or as often as --method says; without contexts of earlier cycles. */
static bool add_contexts_of_cycle(Generation *g, const CodeList *methods)
{
    InitialCall calls[CONTEXT_MOST_METHODS] = {0};
    ContextList contexts = {0};
    uint32_t wanted[CONTEXT_MOST_METHODS], count = 0;
    for (uint32_t i = 0; i < methods->count; i++) {
        if (!methods->items[i]->class)
            continue; /* the main block */
        uint32_t call = find_call(g, methods->items[i]);
        if (call == CONTEXT_MOST_METHODS)
            return false;
        wanted[count++] = call;
    }
    memcpy(calls, g->calls, g->count * sizeof *calls);
    for (uint32_t i = 0; i < count; i++)
        if (!calls[wanted[i]].most)
            calls[wanted[i]].least = calls[wanted[i]].most = 1;
    bool complete = contexts_generate(calls, g->count, MOST_CONTEXTS, &contexts);
    for (uint32_t i = 0; i < contexts.count; i++)
        if (has_context(&g->contexts, &contexts.items[i]))
            VEC_FREE(&contexts.items[i]);
        else
            VEC_PUSH(&g->contexts, contexts.items[i]);
    VEC_FREE(&contexts);
    return complete;
}

/* The contexts from which the cycles of the deadlock analysis can occur; false if there are too many. */
static bool contexts_of_cycles(Generation *g)
{
    Analysis *analysis = analysis_create(program_abs_machine(g->program)->image, DEADLOCK_DEPTH);
    bool complete = true;
    for (uint32_t i = 0; i < analysis->cycles->list.count && complete; i++) {
        CodeList methods = {0};
        interfering_find(analysis, &analysis->cycles->list.items[i], &methods);
        complete = add_contexts_of_cycle(g, &methods);
        VEC_FREE(&methods);
    }
    analysis_destroy(analysis);
    return complete;
}

static void keep_deadlocks(TestSuite *suite)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < suite->count; i++)
        if (strcmp(suite->items[i].outcome, "deadlock") == 0)
            suite->items[kept++] = suite->items[i];
        else
            testcase_release(&suite->items[i]);
    suite->count = kept;
}

/* ---- Contexts ------------------------------------------------------------------------------- */

static StartState *make_start(Generation *g, const InitialContext *context)
{
    StartState *start = start_create(program_abs_model(g->program));
    const GenerateRequest *request = g->request;
    start->distinct = request->no_aliases;
    start->never_null = request->no_null;
    if (request->low <= request->high)
        start->numbers = (InputRange){.low = (Bits)(SignedBits)request->low, .high = (Bits)(SignedBits)request->high,
                                      .limited = true, .is_signed = true};
    for (uint32_t o = 0; o < context->count; o++) {
        const ContextObject *object = &context->items[o];
        uint32_t index = UINT32_MAX;
        for (uint32_t m = 0; m < g->count; m++)
            for (uint32_t n = 0; n < object->tasks[m]; n++) {
                if (index == UINT32_MAX)
                    index = start_add_object(start, g->wanted[m].class);
                start_add_task(start, index, g->wanted[m].method);
            }
    }
    return start;
}

static bool make_contexts(Generation *g, Error *error)
{
    if (g->request->for_deadlock && !check_find_main(program_abs_model(g->program)))
        return error_set(error, EXIT_USAGE,
                         "--for-deadlock: the model has no main block, where the deadlock analysis begins; --method "
                         "says what to call");
    bool complete = g->request->for_deadlock ? contexts_of_cycles(g)
                                             : contexts_generate(g->calls, g->count, MOST_CONTEXTS, &g->contexts);
    if (!complete)
        return error_set(error, EXIT_USAGE, "more than %d initial contexts; lower the numbers of calls", MOST_CONTEXTS);
    for (uint32_t i = 0; i < g->contexts.count; i++)
        VEC_PUSH(&g->starts, make_start(g, &g->contexts.items[i]));
    g->coverage = coverage_create(g->program);
    for (uint32_t i = 0; i < g->starts.count; i++)
        coverage_add_start(g->coverage, g->starts.items[i]);
    return true;
}

/* Where messages go: standard error if the tests go to standard output for programs. */
static FILE *messages(const Generation *g)
{
    return !g->request->json && (g->request->emit == EMIT_TEXT || g->request->out) ? stdout : stderr;
}

static void print_context(FILE *file, const StartState *start, uint32_t number)
{
    fprintf(file, "context %u:", number + 1);
    for (uint32_t o = 0; o < start->objects.count; o++) {
        const char *gap = "";
        fprintf(file, "%s%s [", o ? ", " : " ", start->objects.items[o].path);
        for (uint32_t t = 0; t < start->tasks.count; t++)
            if (start->tasks.items[t].object == o) {
                fprintf(file, "%s%s", gap, start->tasks.items[t].method->sig.name.text);
                gap = ", ";
            }
        fprintf(file, "]");
    }
    fprintf(file, "\n");
}

/* Queries that the solver could not decide. */
static uint64_t count_undecided(const Generation *g)
{
    SymStats stats = {0};
    const Inputs *inputs = program_abs_machine(g->program)->inputs;
    if (inputs)
        archive_stats(inputs_archive(inputs), &stats);
    return stats.unknown;
}

/* ---- Texts ------------------------------------------------------------------------------------ */

/* The limits without an option of `generate`, if they were met. */
static void print_other_cuts(FILE *file, const GenerateStats *stats)
{
    const char *gap = "cut by limits: ";
    Text phrase = {0};
    for (CutKind kind = CUT_NONE + 1; kind < CUT_COUNT; kind++) {
        if (!stats->cuts[kind] || kind == CUT_LOOP || kind == CUT_SWITCHES || kind == CUT_OBJECTS)
            continue;
        text_reset(&phrase);
        cut_write_phrase(kind, "task", &phrase);
        fprintf(file, "%s%s (%llu)", gap, phrase.data, (unsigned long long)stats->cuts[kind]);
        gap = ", ";
    }
    if (phrase.length)
        fprintf(file, "\n");
    text_release(&phrase);
}

static void print_modes(FILE *file, const GenerateRequest *request)
{
    const Options *options = request->options;
    if (options->tasks)
        fprintf(file, "only schedules in which an object runs its %s task first\n",
                options->tasks == TASKS_BY_FIFO ? "oldest" : "newest");
    if (options->time)
        fprintf(file, "only delays of whole units more than their least\n");
}

static void print_summary(const Generation *g, uint32_t confirmed)
{
    FILE *file = messages(g);
    const GenerateStats *s = &g->stats;
    fprintf(file, "\n%u test%s from %u initial context%s; %u confirmed by running them with concrete inputs\n",
            g->suite.count, g->suite.count == 1 ? "" : "s", g->contexts.count, g->contexts.count == 1 ? "" : "s",
            confirmed);
    fprintf(file, "cut by bounds: loop %llu, switches %llu, objects %llu; values concretised: %llu\n",
           (unsigned long long)s->cuts[CUT_LOOP], (unsigned long long)s->cuts[CUT_SWITCHES],
           (unsigned long long)s->cuts[CUT_OBJECTS], (unsigned long long)s->concretised);
    print_other_cuts(file, s);
    print_modes(file, g->request);
    if (count_undecided(g))
        fprintf(file, "queries that the solver could not decide, so that paths may be missing: %llu\n",
                (unsigned long long)count_undecided(g));
    if (g->unconfirmed)
        fprintf(file, "tests left out because there was no time to confirm them: %u\n", g->unconfirmed);
    fprintf(file, "covered: %u of %u decision outcomes, %u of %u statements\n", s->coverage.outcomes,
            s->coverage.all_outcomes, s->coverage.statements, s->coverage.all_statements);
    fprintf(file, "%llu executions, %llu states, %llu redundant, %llu duplicates of other tests%s\n",
            (unsigned long long)s->search.executions, (unsigned long long)s->states,
            (unsigned long long)s->search.redundant, (unsigned long long)s->repeated,
            s->complete                         ? ""
            : g->watch.end == WATCH_INTERRUPTED ? "; interrupted"
                                                : "; incomplete");
}

/* ---- All of it ----------------------------------------------------------------------------------- */

static AbsProgram *load(Generation *g, Error *error)
{
    const GenerateRequest *request = g->request;
    Text diagnostics = {0};
    AbsOptions options = {.reading = model_reading(request->options),
                          /* without a policy: what was there before the method is unknown */
                          .tasks = request->options->tasks == TASKS_BY_FIFO   ? TASKS_FIFO
                                   : request->options->tasks == TASKS_BY_LIFO ? TASKS_LIFO
                                                                              : TASKS_NONDET,
                          .time = (TimeMode)request->options->time,
                          .dependence = request->no_independence ? DEPENDENCE_ACTOR : DEPENDENCE_FIELDS,
                          .max_loop = request->loop,
                          .max_chain = request->switches,
                          .max_objects = request->objects,
                          .max_recursion = request->recursion,
                          .whole_bounds =
                              request->reduction == REDUCTION_PERSISTENT || request->reduction == REDUCTION_NONE,
                          .without_main = true,
                          .solver = {.solver = request->solver,
                                     .timeout_ms = (uint32_t)(request->solver_time * 1000),
                                     .may_continue = watch_may_continue,
                                     .context = &g->watch}};
    AbsProgram *program = program_abs_create(request->paths, request->path_count, &options, &diagnostics, error);
    if (diagnostics.length)
        fputs(text_borrow(&diagnostics), stderr);
    text_release(&diagnostics);
    if (program && request->options->time && !program_abs_machine(program)->image->timed) {
        error_set(error, EXIT_USAGE, "--time=free has no effect: no time passes in this model");
        program_abs_destroy(program);
        program = NULL;
    }
    if (program && !request->no_stability)
        program_abs_set_stability(program, stability_create(program, request->no_independence));
    return program;
}

/* Searches all contexts, unless interrupted or out of time. */
static void search(Generation *g)
{
    const GenerateRequest *request = g->request;
    g->stats.complete = true;
    g->suite.format = request->format;
    for (uint32_t i = 0; i < g->starts.count; i++)
        if (watch_context(&g->watch, i))
            generate_tests(g->program, g->starts.items[i], i, request->reduction, request->max_executions,
                           &g->watch.observer, &g->suite, &g->stats);
        else
            g->stats.complete = false;
    if (!watch_may_continue(&g->watch) && count_undecided(g)) /* queries were given up */
        g->stats.complete = false;
}

/* Executes each test with concrete inputs; answers how many are confirmed. Those that there is no time for are left
 * out. */
static uint32_t confirm(Generation *g)
{
    uint32_t confirmed = 0, done = 0;
    watch_begin_confirming(&g->watch);
    for (; done < g->suite.count && watch_may_continue(&g->watch); done++) {
        TestCase *test = &g->suite.items[done];
        if (g->request->format == FORMAT_CONCRETE || g->request->emit != EMIT_TEXT)
            generate_tighten(g->program, g->starts.items[test->context], g->suite.format, test);
        bool same = generate_confirm(g->program, g->starts.items[test->context], g->coverage, test);
        if (!same && !watch_may_continue(&g->watch)) /* it was not completed */
            break;
        confirmed += same;
        watch_confirming(&g->watch, done + 1);
    }
    g->unconfirmed = g->suite.count - done;
    for (uint32_t i = done; i < g->suite.count; i++)
        testcase_release(&g->suite.items[i]);
    g->suite.count = done;
    if (g->unconfirmed)
        g->stats.complete = false;
    return confirmed;
}

/* A table of the steps, a diagram, the tree of all tests: from executing them again. */
static void draw_tests(Generation *g)
{
    const GenerateRequest *request = g->request;
    Style plain = {0};
    if (request->tree_text || request->tree_dot)
        g->tree = interleaving_tree_create();
    program_abs_keep_values(g->program, true);
    for (uint32_t i = 0; i < g->suite.count && (g->tree || request->tables || request->diagrams); i++) {
        TestCase *test = &g->suite.items[i];
        Arena arena = {0};
        Text text = {0};
        const Execution *ex = generate_repeat(g->program, g->starts.items[test->context], test);
        const ExecutionView *view = execution_view_take(g->program, ex, &arena);
        if (g->tree)
            interleaving_tree_add(g->tree, ex, view);
        if (request->tables)
            sequence_write_table(view->sequence, &(SequenceView){.whole = true}, &plain, &text);
        if (request->tables && request->diagrams)
            text_add_string(&text, "\n");
        if (request->diagrams)
            sequence_write_diagram(view->sequence, &plain, &text);
        if (text.length)
            test->drawing = testcase_take(test, &text);
        text_release(&text);
        arena_release(&arena);
    }
    program_abs_keep_values(g->program, false);
}

static void print_tree(const Generation *g)
{
    Text text = {0};
    interleaving_tree_write(g->tree, false, &text);
    fprintf(messages(g), "\n%s", text_borrow(&text));
    text_release(&text);
}

static int refuse(const Generation *g, Error *error)
{
    Place place;
    Program *program = program_abs_program(g->program);
    if (program->ops->place(program, g->stats.refused_site, &place))
        error_set(error, EXIT_USAGE, "%s:%u:%u: not supported: %s", place.file, place.line, place.column,
                  g->stats.refused);
    else
        error_set(error, EXIT_USAGE, "not supported: %s", g->stats.refused);
    return -1;
}

static int run(Generation *g, Error *error)
{
    uint32_t confirmed = 0;
    for (uint32_t i = 0; i < g->starts.count; i++)
        print_context(messages(g), g->starts.items[i], i);
    if (g->request->for_deadlock && g->starts.count == 0)
        fprintf(messages(g), "the deadlock analysis finds no cycle, so there is nothing to call\n");
    fflush(messages(g));
    if (g->request->only_contexts)
        return EXIT_SUCCESS;
    search(g);
    if (g->stats.refused)
        return refuse(g, error);
    if (g->request->for_deadlock)
        keep_deadlocks(&g->suite);
    confirmed = confirm(g);
    if (confirmed < g->suite.count) {
        error_set(error, EXIT_DIVERGED,
                  "%u tests behaved differently with concrete inputs, which is a bug in Sennit",
                  g->suite.count - confirmed);
        return -1;
    }
    select_tests(g->coverage, g->request->selection, &g->suite);
    draw_tests(g);
    coverage_sum(g->coverage, &g->suite, NULL, &g->stats.coverage);
    CodeCoverage coverage = {0};
    if (g->request->out)
        generate_cover(g->program, g->starts.items, &g->suite, &coverage);
    Generated generated = {.request = g->request,
                           .model = program_abs_model(g->program),
                           .suite = &g->suite,
                           .stats = &g->stats,
                           .contexts = g->contexts.count,
                           .tree = g->tree,
                           .coverage = &coverage};
    bool good = generate_emit(&generated, error);
    coverage_release(&coverage);
    if (!good)
        return -1;
    if (g->request->tree_text)
        print_tree(g);
    print_summary(g, confirmed);
    return g->stats.complete ? EXIT_SUCCESS : g->watch.end == WATCH_INTERRUPTED ? EXIT_INTERRUPTED : EXIT_BUDGET;
}

int model_generate(const GenerateRequest *request)
{
    Error error = {.code = EXIT_USAGE};
    Generation g = {.request = request};
    int code = -1;
    g.program = load(&g, &error);
    if (g.program && read_methods(&g, &error) && make_contexts(&g, &error) && generate_emit_prepare(request, &error)) {
        watch_open(&g.watch, &g.suite, g.contexts.count, request->max_time, request->quiet);
        program_abs_set_clock(g.program, watch_may_continue, &g.watch);
        code = run(&g, &error);
        watch_close(&g.watch);
    }
    if (code < 0)
        fprintf(stderr, "sennit generate: %s\n", error.text);
    program_abs_destroy(g.program);
    for (uint32_t i = 0; i < g.starts.count; i++)
        start_destroy(g.starts.items[i]);
    VEC_FREE(&g.starts);
    contexts_free(&g.contexts);
    coverage_destroy(g.coverage);
    suite_release(&g.suite);
    if (g.tree)
        interleaving_tree_destroy(g.tree);
    return code < 0 ? (int)error.code : code;
}
