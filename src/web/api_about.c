/* api_about.c - what the page must know of the tool: its version, its verbs and options */
#include <string.h>

#include "app/options/option.h"
#include "manual/verb.h"
#include "sennit_version.h"
#include "web/server.h"

void api_about(WebRequest *request)
{
    const WebOptions *options = request->server->options;
    Text text = {0};
    Json json = {.text = &text, .first = true};
    json_open_object(&json, NULL);
    json_add_string(&json, "version", SENNIT_VERSION);
    json_add_string(&json, "directory", options->directory);
    json_add_bool(&json, "given", options->run != NULL);
    json_close_object(&json);
    request_answer_json(request, &text);
}

static const char *kind_name(OptionKind kind)
{
    switch (kind) {
    case KIND_FLAG: return "flag";
    case KIND_CHOICE: return "choice";
    default: return "text";
    }
}

static void add_option(Json *json, const Option *option)
{
    const char *programs = option_programs(option);
    json_open_object(json, NULL);
    json_add_string(json, "name", option->name);
    json_add_string(json, "kind", kind_name(option->kind));
    json_add_string(json, "argument", option->argument);
    json_add_string(json, "default", option->fallback);
    json_add_string(json, "help", option->help);
    if (programs)
        json_add_string(json, "programs", programs);
    json_close_object(json);
}

/* Groups of options, opened with their first one. */
typedef struct GroupWriter {
    Json *json;
    const char *title;
    bool open;
} GroupWriter;

static void close_group(GroupWriter *group)
{
    if (group->open) {
        json_close_list(group->json);
        json_close_object(group->json);
    }
    group->open = false;
}

static void open_group(GroupWriter *group)
{
    if (group->open)
        return;
    json_open_object(group->json, NULL);
    json_add_string(group->json, "title", group->title);
    json_open_list(group->json, "options");
    group->open = true;
}

/* An option that only this verb has. */
static void add_own_option(Json *json, const VerbRow *row)
{
    json_open_object(json, NULL);
    json_add_string(json, "name", row->text);
    json_add_string(json, "kind", !*row->argument ? "flag" : strchr(row->argument, '|') ? "choice" : "text");
    json_add_string(json, "argument", row->argument);
    json_add_string(json, "default", row->fallback);
    json_add_string(json, "help", row->help);
    json_close_object(json);
}

static void add_own_groups(GroupWriter *group, const VerbRow *verb)
{
    for (const VerbRow *row = verb; (row = verb_next_row(row));) {
        if (row->kind == ROW_GROUP) {
            close_group(group);
            group->title = row->text;
        } else if (row->kind == ROW_OPTION && *row->text) {
            open_group(group);
            add_own_option(group->json, row);
        }
    }
    close_group(group);
}

/* The options of a verb, each with the title of its group; its own ones first. */
static void add_verb(Json *json, const VerbRow *verb)
{
    const Option *option;
    GroupWriter group = {.json = json};
    json_open_object(json, NULL);
    json_add_string(json, "verb", verb->text);
    json_add_string(json, "help", verb->help);
    json_open_list(json, "groups");
    add_own_groups(&group, verb);
    for (unsigned i = 0; (option = options_row(i)); i++) {
        if (option->kind == KIND_GROUP) {
            close_group(&group);
            group.title = option->name;
        } else if (option_is_listed(option, verb->uses)) {
            open_group(&group);
            add_option(json, option);
        }
    }
    close_group(&group);
    json_close_list(json);
    json_close_object(json);
}

void api_options(WebRequest *request)
{
    Text text = {0};
    Json json = {.text = &text, .first = true};
    json_open_list(&json, NULL);
    add_verb(&json, verb_get("test"));
    add_verb(&json, verb_get("explore"));
    add_verb(&json, verb_get("deadlock"));
    add_verb(&json, verb_get("generate"));
    json_close_list(&json);
    request_answer_json(request, &text);
}
