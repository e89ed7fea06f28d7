/* sarif.c - see sarif.h: the file as a whole, its rules and its invocation */
#include "report/ci/sarif.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "report/ci/sarif_internal.h"
#include "sennit_version.h"

/* ---- Rules -------------------------------------------------------------------------------- */

typedef struct SarifRule {
    unsigned cwe;
    const char *title, *description;
} SarifRule;

static const SarifRule RULES[] = {
#define RULE(kind, cwe, title, description) [BUG_##kind] = {cwe, title, description},
#include "report/ci/rules.def"
#undef RULE
};

enum {
#define RULE(kind, cwe, title, description) RULE_OF_##kind,
#include "report/ci/rules.def"
#undef RULE
    RULE_COUNT
};
_Static_assert((int)RULE_COUNT == (int)BUG_KIND_COUNT, "rules.def has a row per kind of bug");

const char *sarif_rule_title(BugKind kind) { return RULES[kind].title; }
const char *sarif_rule_description(BugKind kind) { return RULES[kind].description; }

static void add_tags(Json *json, unsigned cwe)
{
    json_open_list(json, "tags");
    json_add_string(json, NULL, "concurrency");
    if (cwe) {
        Text tag = {0};
        text_add(&tag, "external/cwe/cwe-%u", cwe);
        json_add_string(json, NULL, tag.data);
        text_release(&tag);
    }
    json_close_list(json);
}

/* A bug is reported when a replay has confirmed it: hence the precision. */
static void add_rule(Json *json, BugKind kind)
{
    const SarifRule *rule = &RULES[kind];
    json_open_object(json, NULL);
    json_add_string(json, "id", bug_kind_name(kind));
    sarif_add_message(json, "shortDescription", rule->title);
    sarif_add_message(json, "fullDescription", rule->description);
    sarif_add_message(json, "help", rule->description);
    json_open_object(json, "defaultConfiguration");
    json_add_string(json, "level", "error");
    json_close_object(json);
    json_open_object(json, "properties");
    json_add_string(json, "precision", "very-high");
    json_add_string(json, "problem.severity", "error");
    add_tags(json, rule->cwe);
    json_close_object(json);
    json_close_object(json);
}

static void add_tool(Json *json)
{
    json_open_object(json, "tool");
    json_open_object(json, "driver");
    json_add_string(json, "name", "Sennit");
    json_add_string(json, "semanticVersion", SENNIT_VERSION);
    json_add_string(json, "version", SENNIT_VERSION);
    json_open_list(json, "rules");
    for (uint32_t kind = 0; kind < BUG_KIND_COUNT; kind++)
        add_rule(json, (BugKind)kind);
    json_close_list(json);
    json_close_object(json);
    json_close_object(json);
}

/* ---- The invocation ------------------------------------------------------------------------- */

static void add_time(Json *json, const char *key, double seconds)
{
    char date[32], text[48];
    time_t whole = (time_t)seconds;
    struct tm parts;
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", gmtime_r(&whole, &parts));
    snprintf(text, sizeof text, "%s.%03uZ", date, (unsigned)((seconds - (double)whole) * 1000));
    json_add_string(json, key, text);
}

static void add_command(Json *json, const Summary *summary)
{
    Text text = {0};
    summary_write_command(summary, &text);
    json_add_string(json, "commandLine", text_borrow(&text));
    text_release(&text);
}

static const char *describe_exit(const Summary *summary)
{
    switch (summary->exit_code) {
    case EXIT_CLEAN: return "explored, no bug";
    case EXIT_BUG: return "bug found";
    case EXIT_USAGE: return "the program could not be explored";
    case EXIT_BUDGET:
        return summary->ending == ENDING_UNCHECKED ? "cycles found, not checked" : "budget used up, no bug";
    case EXIT_DIVERGED: return "the program is nondeterministic, or no bug could be confirmed";
    case EXIT_INTERNAL: return "internal error";
    case EXIT_INTERRUPTED: return "interrupted";
    }
    return "unknown";
}

static bool is_successful(ExitCode code)
{
    return code == EXIT_CLEAN || code == EXIT_BUG || code == EXIT_BUDGET;
}

/* That not everything was explored is for whoever sees an empty list of results. */
static void add_notifications(Json *json, const Summary *summary)
{
    Text text = {0};
    if (summary->complete && is_successful(summary->exit_code))
        return;
    summary_write_verdict(summary, &text);
    text_add(&text, ".%s%s", summary->note ? " " : "", summary->note ? summary->note : "");
    json_open_list(json, "toolExecutionNotifications");
    json_open_object(json, NULL);
    json_add_string(json, "level", is_successful(summary->exit_code) ? "warning" : "error");
    sarif_add_message(json, "message", text_borrow(&text));
    json_close_object(json);
    json_close_list(json);
    text_release(&text);
}

static void add_directory(Json *json, const char *key, const char *path)
{
    Text uri = {0};
    text_add_string(&uri, "file://");
    sourceroot_add_encoded(path, &uri);
    text_add_string(&uri, "/");
    json_open_object(json, key);
    json_add_string(json, "uri", uri.data);
    json_close_object(json);
    text_release(&uri);
}

static void add_invocation(Json *json, const SarifRun *run)
{
    const Summary *summary = run->summary;
    json_open_list(json, "invocations");
    json_open_object(json, NULL);
    add_command(json, summary);
    add_time(json, "startTimeUtc", run->begin);
    add_time(json, "endTimeUtc", run->end);
    json_add_integer(json, "exitCode", summary->exit_code);
    json_add_string(json, "exitCodeDescription", describe_exit(summary));
    json_add_bool(json, "executionSuccessful", is_successful(summary->exit_code));
    add_directory(json, "workingDirectory", run->root->directory);
    add_notifications(json, summary);
    json_close_object(json);
    json_close_list(json);
}

/* ---- The run ------------------------------------------------------------------------------------ */

/* Uploads of one commit replace each other unless their ids differ. */
static void add_automation(Json *json, const Summary *summary)
{
    Text id = {0};
    text_add(&id, "sennit/%s/", summary->name);
    json_open_object(json, "automationDetails");
    json_add_string(json, "id", id.data);
    json_close_object(json);
    text_release(&id);
}

static void add_properties(Json *json, const Summary *summary)
{
    Text sentence = {0};
    summary_write_verdict(summary, &sentence);
    json_open_object(json, "properties");
    json_add_string(json, "program", summary->name);
    json_add_string(json, "verdict", verdict_name(summary_verdict(summary)));
    json_add_bool(json, "complete", summary->complete);
    json_add_string(json, "sentence", text_borrow(&sentence));
    json_add_string(json, "ending", summary_ending_name(summary->ending));
    json_add_count(json, "executions", summary->stats.executions);
    json_add_string(json, "strategy", summary->strategies);
    json_add_count(json, "seed", summary->seed);
    json_add_number(json, "seconds", summary->seconds);
    json_close_object(json);
    text_release(&sentence);
}

static void add_run(Json *json, const SarifRun *run)
{
    json_open_object(json, NULL);
    add_tool(json);
    add_invocation(json, run);
    json_open_object(json, "originalUriBaseIds");
    add_directory(json, SARIF_BASE, run->root->path);
    json_close_object(json);
    add_automation(json, run->summary);
    json_add_string(json, "columnKind", "utf16CodeUnits");
    json_open_list(json, "results");
    for (uint32_t i = 0; i < run->result_count; i++)
        if (run->results[i].length)
            json_add_raw(json, NULL, text_borrow(&run->results[i]));
    json_close_list(json);
    add_properties(json, run->summary);
    json_close_object(json);
}

void sarif_write(const SarifRun *run, Text *out)
{
    Json json = {.text = out, .pretty = true, .first = true};
    json_open_object(&json, NULL);
    json_add_string(&json, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    json_add_string(&json, "version", "2.1.0");
    json_open_list(&json, "runs");
    add_run(&json, run);
    json_close_list(&json);
    json_close_object(&json);
    text_add_string(out, "\n");
}
