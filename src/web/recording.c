/* recording.c - see recording.h */
#include "web/recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "web/capture.h"

enum { SECONDS = 120 };

/* ---- Opening ---------------------------------------------------------------------------- */

static const cJSON *member(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

static const char *text_of(const cJSON *object, const char *name) { return cJSON_GetStringValue(member(object, name)); }

static int number_of(const cJSON *object, const char *name)
{
    const cJSON *item = member(object, name);
    return cJSON_IsNumber(item) ? item->valueint : -1;
}

/* "directory /home/..." is a line of the trace. */
static void find_directory(RecordedExecution *recording)
{
    const char *trace = text_of(recording->document, "trace");
    const char *line = trace ? strstr(trace, "\ndirectory ") : NULL;
    size_t length = line ? strcspn(line + 11, "\n") : 0;
    if (length > 0 && length < sizeof recording->directory)
        snprintf(recording->directory, sizeof recording->directory, "%.*s", (int)length, line + 11);
}

static bool take_document(RecordedExecution *recording, const Captured *capture, Error *error)
{
    recording->document = cJSON_ParseWithLength(text_borrow(&capture->output), capture->output.length);
    recording->steps = member(recording->document, "steps");
    recording->agents = member(recording->document, "agents");
    if (capture->exit_code <= EXIT_BUG && cJSON_IsArray(recording->steps) && cJSON_IsArray(recording->agents))
        return true;
    cJSON_Delete(recording->document);
    return error_set(error, EXIT_USAGE, "%s",
                     capture->late ? "the execution took too long" : text_borrow(&capture->messages));
}

bool recording_open(RecordedExecution *recording, const char *sennit, const char *trace, Error *error)
{
    const char *words[] = {"replay", "--execution", trace, NULL};
    Capturing how = {.sennit = sennit, .directory = ".", .seconds = SECONDS};
    Captured capture;
    *recording = (RecordedExecution){0};
    if (!capture_run(&how, words, NULL, &capture, error))
        return false;
    bool good = take_document(recording, &capture, error);
    capture_release(&capture);
    if (good)
        find_directory(recording);
    return good;
}

void recording_release(RecordedExecution *recording)
{
    cJSON_Delete(recording->document);
    *recording = (RecordedExecution){0};
}

/* ---- Agents and steps ----------------------------------------------------------------------- */

int recording_length(const RecordedExecution *recording) { return cJSON_GetArraySize(recording->steps); }
int recording_agents(const RecordedExecution *recording) { return cJSON_GetArraySize(recording->agents); }

const char *recording_agent_name(const RecordedExecution *recording, int agent)
{
    const char *name = text_of(cJSON_GetArrayItem(recording->agents, agent), "name");
    return name ? name : "?";
}

int recording_current(const RecordedExecution *recording, int position)
{
    int length = recording_length(recording);
    const cJSON *finding = cJSON_GetArrayItem(member(recording->document, "findings"), 0);
    const cJSON *involved = cJSON_GetArrayItem(member(finding, "agents"), 0);
    if (position >= length && involved)
        return involved->valueint;
    const cJSON *step = cJSON_GetArrayItem(recording->steps, position < length ? position : length - 1);
    int agent = number_of(step, "agent");
    return agent < 0 ? 0 : agent;
}

static RecordedPlace place_of(const cJSON *step)
{
    return (RecordedPlace){text_of(step, "file"), number_of(step, "line"), text_of(step, "function"),
                           text_of(step, "text")};
}

RecordedPlace recording_place(const RecordedExecution *recording, int agent, int position)
{
    RecordedPlace last = {0};
    const cJSON *step;
    int number = 0;
    cJSON_ArrayForEach(step, recording->steps) {
        bool its = number_of(step, "agent") == agent;
        if (its && number >= position)
            return place_of(step);
        if (its)
            last = place_of(step);
        number++;
    }
    cJSON_ArrayForEach(step, member(recording->document, "blocked"))
        if (number_of(step, "agent") == agent)
            return place_of(step);
    return last;
}

const char *recording_finding(const RecordedExecution *recording, const char **kind)
{
    const cJSON *finding = cJSON_GetArrayItem(member(recording->document, "findings"), 0);
    *kind = text_of(finding, "kind");
    return text_of(finding, "summary");
}

/* ---- Values ------------------------------------------------------------------------------------ */

void recording_values(const RecordedExecution *recording, int position,
                      void (*each)(void *context, const char *name, const char *value), void *context)
{
    const cJSON *resources = member(recording->document, "resources"), *step, *access;
    int count = cJSON_GetArraySize(resources), taken = 0;
    const char **values = mem_alloc((size_t)(count + 1) * sizeof *values);
    cJSON_ArrayForEach(step, recording->steps) {
        if (taken++ >= position)
            break;
        cJSON_ArrayForEach(access, member(step, "accesses")) {
            int resource = number_of(access, "resource");
            if (resource >= 0 && resource < count)
                values[resource] = text_of(access, "after");
        }
    }
    for (int i = 0; i < count; i++)
        if (values[i])
            each(context, cJSON_GetStringValue(cJSON_GetArrayItem(resources, i)), values[i]);
    free(values);
}

void recording_inputs(const RecordedExecution *recording,
                      void (*each)(void *context, const char *name, const char *value), void *context)
{
    const cJSON *input;
    cJSON_ArrayForEach(input, member(recording->document, "inputs"))
        each(context, input->string, cJSON_GetStringValue(input));
}
