/* generate_json.c - see generate_json.h */
#include "subject/abs/generate/generate_json.h"

#include "report/json.h"
#include "report/summary.h"
#include "sym/expr/print.h"

static const char *const FORMAT_WORDS[] = {"constraints", "concrete", "hybrid"};
static const char *const END_WORDS[] = {"returns", "throws", "never"};

/* ---- One test ------------------------------------------------------------------------------ */

static void add_value(Json *json, const char *key, const TestValue *value)
{
    if (!value->shown)
        return;
    json_open_object(json, key);
    json_add_string(json, "shown", value->shown);
    json_add_string(json, "value", value->text);
    json_close_object(json);
}

static void add_object(Json *json, const TestObject *object)
{
    json_open_object(json, NULL);
    json_add_string(json, "variable", object->variable);
    json_add_string(json, "class", object->class);
    if (object->creator) {
        json_open_object(json, "created");
        json_add_string(json, "task", object->creator);
        json_add_count(json, "number", object->nth);
        json_close_object(json);
    } else {
        json_add_string(json, "path", object->name);
    }
    json_add_bool(json, "dead", object->dead);
    json_open_list(json, "fields");
    for (uint32_t i = 0; i < object->fields.count; i++) {
        json_open_object(json, NULL);
        json_add_string(json, "name", object->fields.items[i].name);
        add_value(json, "before", &object->fields.items[i].before);
        add_value(json, "after", &object->fields.items[i].after);
        json_close_object(json);
    }
    json_close_list(json);
    json_close_object(json);
}

static void add_task(Json *json, const TestCase *test, const TestTask *task)
{
    json_open_object(json, NULL);
    json_add_string(json, "variable", task->variable);
    json_add_string(json, "object", test->objects.items[task->object].variable);
    json_add_string(json, "method", task->method);
    json_open_list(json, "arguments");
    for (uint32_t i = 0; i < task->arguments.count; i++) {
        json_open_object(json, NULL);
        json_add_string(json, "name", task->arguments.items[i].name);
        add_value(json, "before", &task->arguments.items[i].before);
        json_close_object(json);
    }
    json_close_list(json);
    json_add_string(json, "end", END_WORDS[task->end]);
    add_value(json, "result", &task->result);
    json_close_object(json);
}

static void add_path(Json *json, const TestCase *test)
{
    Text number = {0};
    json_open_list(json, "constraints");
    for (uint32_t i = 0; i < test->constraints.count; i++)
        json_add_string(json, NULL, test->constraints.items[i].text);
    json_close_list(json);
    json_open_list(json, "inputs");
    for (uint32_t i = 0; i < test->inputs.count; i++) {
        const TestInput *input = &test->inputs.items[i];
        json_open_object(json, NULL);
        json_add_string(json, "name", input->name);
        json_add_count(json, "number", input->number);
        text_reset(&number);
        print_value(input->value, input->sort, &number);
        json_add_string(json, "value", text_borrow(&number));
        json_close_object(json);
    }
    json_close_list(json);
    text_release(&number);
}

static void add_test(Json *json, const TestCase *test, uint32_t number)
{
    json_open_object(json, NULL);
    json_add_count(json, "number", number + 1);
    json_add_count(json, "context", test->context + 1);
    json_add_string(json, "outcome", test->outcome);
    add_path(json, test);
    json_open_list(json, "objects");
    for (uint32_t i = 0; i < test->objects.count; i++)
        add_object(json, &test->objects.items[i]);
    json_close_list(json);
    json_open_list(json, "tasks");
    for (uint32_t i = 0; i < test->tasks.count; i++)
        add_task(json, test, &test->tasks.items[i]);
    json_close_list(json);
    json_open_list(json, "schedule");
    for (uint32_t i = 0; i < test->steps.count; i++) {
        json_open_object(json, NULL);
        json_add_string(json, "task", test->steps.items[i].task);
        json_add_string(json, "name", test->steps.items[i].name);
        json_add_count(json, "line", test->steps.items[i].line);
        json_close_object(json);
    }
    json_close_list(json);
    json_close_object(json);
}

/* ---- Files ------------------------------------------------------------------------------------ */

static void add_header(Json *json, const Generated *g)
{
    json_open_list(json, "model");
    for (uint32_t i = 0; i < g->request->path_count; i++)
        json_add_string(json, NULL, g->request->paths[i]);
    json_close_list(json);
    json_open_list(json, "methods");
    for (uint32_t i = 0; i < g->request->methods.count; i++)
        json_add_string(json, NULL, g->request->methods.items[i]);
    json_close_list(json);
}

void generate_json(const Generated *g, Text *text)
{
    Json json = {.text = text, .pretty = true, .first = true};
    json_open_object(&json, NULL);
    json_add_string(&json, "format", FORMAT_WORDS[g->suite->format]);
    add_header(&json, g);
    json_open_list(&json, "tests");
    for (uint32_t i = 0; i < g->suite->count; i++)
        add_test(&json, &g->suite->items[i], i);
    json_close_list(&json);
    json_close_object(&json);
    text_add_string(text, "\n");
}

static void add_cuts(Json *json, const GenerateStats *stats)
{
    json_open_object(json, "cuts");
    json_add_count(json, "loop", stats->cuts[CUT_LOOP]);
    json_add_count(json, "switches", stats->cuts[CUT_SWITCHES]);
    json_add_count(json, "objects", stats->cuts[CUT_OBJECTS]);
    for (CutKind kind = CUT_NONE + 1; kind < CUT_COUNT; kind++)
        if (stats->cuts[kind] && kind != CUT_LOOP && kind != CUT_SWITCHES && kind != CUT_OBJECTS)
            json_add_count(json, cut_name(kind), stats->cuts[kind]);
    json_close_object(json);
}

/* The same words as for searches. */
static Verdict verdict_of(const GenerateStats *stats, const Options *options)
{
    if (!stats->complete)
        return VERDICT_INCOMPLETE;
    for (CutKind kind = CUT_NONE + 1; kind < CUT_COUNT; kind++)
        if (stats->cuts[kind])
            return VERDICT_BOUNDED;
    if (options->tasks || options->time)
        return VERDICT_BOUNDED;
    return stats->concretised ? VERDICT_BUT_FOR : VERDICT_EXHAUSTIVE;
}

static void add_coverage(Json *json, const TestCoverage *coverage)
{
    json_open_object(json, "coverage");
    json_add_count(json, "outcomes", coverage->outcomes);
    json_add_count(json, "all_outcomes", coverage->all_outcomes);
    json_add_count(json, "statements", coverage->statements);
    json_add_count(json, "all_statements", coverage->all_statements);
    json_close_object(json);
}

static void add_sentence(Json *json, const Generated *g)
{
    Text text = {0};
    text_add(&text, "%u test%s from %u initial context%s", g->suite->count, g->suite->count == 1 ? "" : "s",
             g->contexts, g->contexts == 1 ? "" : "s");
    json_add_string(json, "sentence", text.data);
    text_release(&text);
}

void generate_json_run(const Generated *g, Text *text)
{
    Json json = {.text = text, .pretty = true, .first = true};
    json_open_object(&json, NULL);
    json_add_string(&json, "verb", "generate");
    json_add_string(&json, "command", g->request->command);
    add_sentence(&json, g);
    add_header(&json, g);
    json_add_count(&json, "tests", g->suite->count);
    json_add_count(&json, "contexts", g->contexts);
    add_coverage(&json, &g->stats->coverage);
    json_add_count(&json, "executions", g->stats->search.executions);
    json_add_count(&json, "redundant", g->stats->search.redundant);
    add_cuts(&json, g->stats);
    json_add_count(&json, "pinned", g->stats->concretised);
    json_add_bool(&json, "complete", g->stats->complete);
    json_add_string(&json, "verdict", verdict_name(verdict_of(g->stats, g->request->options)));
    json_close_object(&json);
    text_add_string(text, "\n");
}
