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

/* The options of a verb, each with the title of its group. */
static void add_verb(Json *json, const VerbRow *verb)
{
    const Option *option;
    bool open = false;
    json_open_object(json, NULL);
    json_add_string(json, "verb", verb->text);
    json_add_string(json, "help", verb->help);
    json_open_list(json, "groups");
    const char *title = NULL;
    for (unsigned i = 0; (option = options_row(i)); i++) {
        if (option->kind == KIND_GROUP) {
            title = option->name;
            if (open) {
                json_close_list(json);
                json_close_object(json);
            }
            open = false;
        } else if (option_is_listed(option, verb->uses)) {
            if (!open) {
                json_open_object(json, NULL);
                json_add_string(json, "title", title);
                json_open_list(json, "options");
            }
            open = true;
            add_option(json, option);
        }
    }
    if (open) {
        json_close_list(json);
        json_close_object(json);
    }
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
    json_close_list(&json);
    request_answer_json(request, &text);
}
