/* endless.c - ABS models without end against the enumeration of their states
 *
 *     abs_endless FIRST COUNT     COUNT models, from seed FIRST on
 *     abs_endless --show SEED     prints a model
 *
 * The models have few states and loops without end. All states are enumerated without any reduction, each step from
 * each state. The search with exact dependence and the one that recognises states must find the same bugs and the same
 * states in which nothing is enabled, and must end.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abs/program/program_abs.h"
#include "base/map.h"
#include "base/mem.h"
#include "core/explore.h"

enum { MOST_STATES = 3000, MOST_PATH = 400 };

/* ---- Models ------------------------------------------------------------------------------ */

static uint64_t random_state;

static unsigned draw(unsigned below)
{
    random_state = random_state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(random_state >> 33) % below;
}

static const char *field(void) { return draw(2) ? "x" : "y"; }

static void add_statement(Text *text, unsigned callee)
{
    const char *a = field();
    switch (draw(8)) {
    case 0:
    case 1: text_add(text, "%s = (%s + 1) %% 2;\n", a, field()); break;
    case 2: text_add(text, "await %s == %u;\n", a, draw(2)); break;
    case 3: text_add(text, "assert %s == %u || %s == %u;\n", a, draw(2), field(), draw(2)); break;
    case 4: text_add(text, "if (%s == %u) { %s = %u; }\n", a, draw(2), field(), draw(2)); break;
    case 5: text_add(text, "while (%s == %u) { suspend; }\n", a, draw(2)); break;
    case 6: text_add(text, "this!m%u();\n", callee); break;
    default: text_add_string(text, "suspend;\n"); break;
    }
}

/* Calls go to methods with larger numbers only: a loop calls nothing, since each task has a name of its own. */
static void add_method(Text *text, unsigned number, unsigned methods)
{
    bool loops = draw(2);
    text_add(text, "Unit m%u() {\n", number);
    if (loops)
        text_add_string(text, draw(3) ? "while (True) {\n" : "while (x == 0) {\n");
    for (unsigned i = 1 + draw(3); i > 0; i--) {
        uint32_t before = (uint32_t)text->length;
        add_statement(text, number + 1);
        if (strstr(text->data + before, "this!") && (loops || number + 1 >= methods))
            text->length = before, text->data[before] = 0;
    }
    if (loops)
        text_add_string(text, "suspend;\n}\n");
    text_add_string(text, "}\n");
}

static void generate(uint64_t seed, Text *text)
{
    random_state = seed * 0x9e3779b97f4a7c15ull + 77;
    draw(2);
    unsigned methods = 2 + draw(2), objects = 1 + draw(2);
    text_add_string(text, "module Endless;\ninterface I {");
    for (unsigned i = 0; i < methods; i++)
        text_add(text, " Unit m%u();", i);
    text_add_string(text, " }\nclass C implements I {\nInt x = 0; Int y = 1;\n");
    for (unsigned i = 0; i < methods; i++)
        add_method(text, i, methods);
    text_add_string(text, "}\n{\n");
    for (unsigned i = 0; i < objects; i++)
        text_add(text, "I o%u = new C();\n", i);
    for (unsigned i = 0; i < methods; i++)
        text_add(text, "o%u!m%u();\n", draw(objects), i);
    text_add_string(text, "}\n");
}

/* ---- What is found ------------------------------------------------------------------------- */

typedef struct Found {
    Map bugs; /* by kind and place             */
    Map ends; /* states without enabled agents */
} Found;

static void note_bugs(Found *found, const Execution *ex)
{
    for (uint32_t i = 0; i < ex->finding_count; i++) {
        const Finding *finding = &ex->findings[i];
        map_insert(&found->bugs, map_mix(finding->kind, finding->site_count ? finding->sites[0] : 0) >> 1, NULL);
    }
}

static bool same(const Map *a, const Map *b)
{
    for (uint32_t i = 0; i < a->room; i++)
        if (a->entries[i].key != MAP_NO_KEY && !map_find(b, a->entries[i].key))
            return false;
    return a->count == b->count;
}

/* ---- All states, without reduction ------------------------------------------------------------ */

typedef struct Path {
    uint32_t length;
    AgentId agents[MOST_PATH];
} Path;

static void follow(Program *program, Execution *ex, const Path *path, bool to_end)
{
    ex->plan_length = path->length;
    for (uint32_t i = 0; i < path->length; i++)
        ex->plan[i] = (PlanStep){.agent = path->agents[i]};
    ex->stop_after_plan = !to_end;
    program->ops->run(program, ex);
}

/* The number of states; 0 if there are too many. */
static uint32_t enumerate(Program *program, Found *found)
{
    Execution *ex = execution_create(program);
    Path *paths = mem_alloc(MOST_STATES * sizeof *paths);
    Map seen = {0};
    uint32_t count = 1;
    paths[0].length = 0;
    for (uint32_t next = 0; next < count && count; next++) {
        AgentId enabled[64];
        uint32_t agents = 0;
        follow(program, ex, &paths[next], false);
        for (AgentId agent = 0; agent < ex->agent_count; agent++)
            if (program->ops->enabled(program, agent))
                enabled[agents++] = agent;
        if (agents == 0) {
            map_insert(&found->ends, program->ops->state(program) >> 1, NULL);
            follow(program, ex, &paths[next], true);
            note_bugs(found, ex);
        }
        for (uint32_t i = 0; i < agents && count; i++) {
            Path path = paths[next];
            bool added;
            path.agents[path.length++] = enabled[i];
            follow(program, ex, &path, false);
            note_bugs(found, ex);
            map_insert(&seen, program->ops->state(program) >> 1, &added);
            if (added && (count == MOST_STATES || path.length == MOST_PATH))
                count = 0;
            else if (added)
                paths[count++] = path;
        }
    }
    map_release(&seen);
    free(paths);
    execution_destroy(ex);
    return count;
}

/* ---- The search -------------------------------------------------------------------------------- */

typedef struct Watch {
    ExploreObserver observer;
    Program *program;
    Found found;
} Watch;

static bool note_end(ExploreObserver *observer, const Execution *ex)
{
    Watch *watch = (Watch *)observer;
    note_bugs(&watch->found, ex);
    if (ex->end == END_COMPLETE)
        map_insert(&watch->found.ends, watch->program->ops->state(watch->program) >> 1, NULL);
    return true;
}

static ExploreResult explore_states(Program *program, Reduction reduction, Found *found)
{
    Watch watch = {.observer = {.ended = note_end}, .program = program};
    ExploreOptions options = {.reduction = reduction, .max_preemptions = -1, .keep_going = true,
                              .max_executions = 2 * MOST_STATES};
    Region *region = region_create((size_t)1 << 30);
    Explore *explore = explore_create(region, program, &options);
    ExploreResult result = explore_run(explore, &watch.observer, 0);
    *found = watch.found;
    explore_destroy(explore);
    region_destroy(region);
    return result;
}

/* ---- Comparing ----------------------------------------------------------------------------------- */

typedef struct Totals {
    uint64_t models, too_large, states, endless, bugs, mismatches;
} Totals;

static void compare(uint64_t seed, Program *program, Reduction reduction, const Found *all, Totals *totals)
{
    Found found = {0};
    ExploreResult result = explore_states(program, reduction, &found);
    bool right = result == EXPLORE_DONE && same(&all->bugs, &found.bugs) && same(&all->ends, &found.ends);
    if (!right)
        printf("MISMATCH seed %llu, %s: result %d, bugs %u instead of %u, ends %u instead of %u\n",
               (unsigned long long)seed, reduction == REDUCTION_EXACT ? "exact" : "states", (int)result,
               found.bugs.count, all->bugs.count, found.ends.count, all->ends.count);
    totals->mismatches += !right;
    map_release(&found.bugs), map_release(&found.ends);
}

static void test_model(uint64_t seed, Totals *totals)
{
    Text text = {0}, diagnostics = {0};
    Error error = {0};
    AbsOptions options = {.dependence = DEPENDENCE_EXACT};
    Found all = {0};
    generate(seed, &text);
    AbsProgram *model = program_abs_create_text("endless.abs", text.data, text.length, &options, &diagnostics, &error);
    if (!model) {
        fprintf(stderr, "%s%s%s\n", text.data, text_borrow(&diagnostics), error.text);
        exit(2);
    }
    Program *program = program_abs_program(model);
    uint32_t states = enumerate(program, &all);
    totals->too_large += states == 0;
    if (states) {
        compare(seed, program, REDUCTION_EXACT, &all, totals);
        compare(seed, program, REDUCTION_STATES, &all, totals);
        totals->models++;
        totals->states += states;
        totals->endless += all.ends.count == 0;
        totals->bugs += all.bugs.count;
    }
    map_release(&all.bugs), map_release(&all.ends);
    program_abs_destroy(model);
    text_release(&text);
    text_release(&diagnostics);
}

int main(int argc, char **argv)
{
    Totals totals = {0};
    if (argc == 3 && strcmp(argv[1], "--show") == 0) {
        Text text = {0};
        generate(strtoull(argv[2], NULL, 10), &text);
        fputs(text.data, stdout);
        return 0;
    }
    if (argc != 3) {
        fprintf(stderr, "usage: abs_endless FIRST COUNT | --show SEED\n");
        return 2;
    }
    uint64_t first = strtoull(argv[1], NULL, 10), count = strtoull(argv[2], NULL, 10);
    for (uint64_t seed = first; seed < first + count; seed++)
        test_model(seed, &totals);
    printf("%llu models with %llu states, %llu without any end, %llu bugs, %llu too large, %llu mismatches\n",
           (unsigned long long)totals.models, (unsigned long long)totals.states, (unsigned long long)totals.endless,
           (unsigned long long)totals.bugs, (unsigned long long)totals.too_large,
           (unsigned long long)totals.mismatches);
    return totals.mismatches > 0;
}
