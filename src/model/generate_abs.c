/* generate_abs.c - `sennit generate`: start states from the methods asked for, tests, their text */
#include "model/generate_abs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/generate_emit.h"
#include "tcg/contexts.h"
#include "tcg/generate.h"

enum { MOST_CONTEXTS = 10000, MOST_CALLS_EACH = 100 };

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
    VEC(Start *) starts;
    TestSuite suite;
    GenerateStats stats;
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
    if (sscanf(colon, ":%u..%u%n", &call->least, &call->most, &end) != 2 || colon[end] != '\0' || call->least > call->most ||
        call->most == 0 || call->most > MOST_CALLS_EACH)
        return error_set(error, EXIT_USAGE, "--method %s: expected CLASS.METHOD:LEAST..MOST with numbers up to %d", spec,
                         MOST_CALLS_EACH);
    return true;
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
        *wanted = (Wanted){&image->classes[i], start_find_method(model->classes.items[i], method)};
        if (wanted->method)
            return true;
        return error_set(error, EXIT_USAGE, "--method %s: class %s has no method %s", spec, class, method);
    }
    return error_set(error, EXIT_USAGE, "--method %s: there is no class %s", spec, class);
}

static bool read_methods(Generation *g, Error *error)
{
    const GenerateRequest *request = g->request;
    if (request->methods.count > CONTEXT_MOST_METHODS)
        return error_set(error, EXIT_USAGE, "at most %d methods", CONTEXT_MOST_METHODS);
    for (uint32_t i = 0; i < request->methods.count; i++) {
        if (!find_wanted(g, request->methods.items[i], &g->wanted[i], error) ||
            !parse_numbers(request->methods.items[i], &g->calls[i], error))
            return false;
        g->calls[i].class = g->wanted[i].class->number;
        g->calls[i].method = i;
        g->count++;
    }
    return true;
}

/* ---- Contexts ------------------------------------------------------------------------------- */

static Start *make_start(Generation *g, const Context *context)
{
    Start *start = start_create(program_abs_model(g->program));
    const GenerateRequest *request = g->request;
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
    if (!contexts_generate(g->calls, g->count, MOST_CONTEXTS, &g->contexts))
        return error_set(error, EXIT_USAGE, "more than %d initial contexts; lower the numbers of calls", MOST_CONTEXTS);
    for (uint32_t i = 0; i < g->contexts.count; i++)
        VEC_PUSH(&g->starts, make_start(g, &g->contexts.items[i]));
    return true;
}

/* Where things for people go: not between tests that are for programs. */
static FILE *people(const Generation *g)
{
    return g->request->emit == EMIT_TEXT || g->request->out ? stdout : stderr;
}

static void print_context(FILE *file, const Start *start, uint32_t number)
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

/* ---- Texts ------------------------------------------------------------------------------------ */

static void print_summary(const Generation *g, uint32_t confirmed)
{
    FILE *file = people(g);
    const GenerateStats *s = &g->stats;
    fprintf(file, "\n%u test%s from %u initial context%s; %u confirmed by running them with concrete inputs\n", g->suite.count,
           g->suite.count == 1 ? "" : "s", g->contexts.count, g->contexts.count == 1 ? "" : "s", confirmed);
    fprintf(file, "cut by limits: loop %llu, switches %llu, objects %llu; values taken as they are: %llu\n",
           (unsigned long long)s->cuts[CUT_LOOP], (unsigned long long)s->cuts[CUT_SWITCHES],
           (unsigned long long)s->cuts[CUT_OBJECTS], (unsigned long long)s->pinned);
    fprintf(file, "%llu executions, %llu redundant%s\n", (unsigned long long)s->search.executions,
           (unsigned long long)s->search.redundant, s->complete ? "" : "; not finished");
}

/* ---- All of it ----------------------------------------------------------------------------------- */

static AbsProgram *load(const GenerateRequest *request, Error *error)
{
    Text diagnostics = {0};
    AbsOptions options = {.dependence = DEPENDENCE_FIELDS, .max_loop = request->loop, .max_chain = request->switches,
                          .max_chain_objects = request->objects, .without_main = true, .solver = {.solver = request->solver}};
    AbsProgram *program = program_abs_create(request->paths, request->path_count, &options, &diagnostics, error);
    if (diagnostics.length)
        fputs(text_borrow(&diagnostics), stderr);
    text_release(&diagnostics);
    return program;
}

static int run(Generation *g, Error *error)
{
    uint32_t confirmed = 0;
    for (uint32_t i = 0; i < g->starts.count; i++)
        print_context(people(g), g->starts.items[i], i);
    if (g->request->only_contexts)
        return EXIT_SUCCESS;
    g->stats.complete = true;
    g->suite.format = g->request->format;
    for (uint32_t i = 0; i < g->starts.count; i++)
        generate_tests(g->program, g->starts.items[i], i, (Reduction)g->request->reduction, g->request->max_executions, NULL, &g->suite,
                       &g->stats);
    for (uint32_t i = 0; i < g->suite.count; i++) {
        TestCase *test = &g->suite.items[i];
        if (g->request->format == FORMAT_CONCRETE || g->request->emit != EMIT_TEXT)
            generate_tighten(g->program, g->starts.items[test->context], g->suite.format, test);
        confirmed += generate_confirm(g->program, g->starts.items[test->context], test);
    }
    if (confirmed < g->suite.count) {
        error_set(error, EXIT_DIVERGED, "%u tests did not behave the same with concrete inputs, which is an error of Sennit",
                  g->suite.count - confirmed);
        return -1;
    }
    Generated generated = {.request = g->request, .model = program_abs_model(g->program), .suite = &g->suite, .stats = &g->stats,
                           .contexts = g->contexts.count};
    if (!generate_emit(&generated, error))
        return -1;
    print_summary(g, confirmed);
    return g->stats.complete ? EXIT_SUCCESS : EXIT_BUDGET;
}

int model_generate(const GenerateRequest *request)
{
    Error error = {.code = EXIT_USAGE};
    Generation g = {.request = request, .program = load(request, &error)};
    int code = -1;
    if (g.program && read_methods(&g, &error) && make_contexts(&g, &error) && generate_emit_prepare(request, &error))
        code = run(&g, &error);
    if (code < 0)
        fprintf(stderr, "sennit generate: %s\n", error.text);
    program_abs_destroy(g.program);
    for (uint32_t i = 0; i < g.starts.count; i++)
        start_destroy(g.starts.items[i]);
    VEC_FREE(&g.starts);
    contexts_free(&g.contexts);
    suite_release(&g.suite);
    return code < 0 ? (int)error.code : code;
}
