/* sarif_result.c - one bug as a result of SARIF; see sarif.h */
#include <string.h>

#include "report/ci/sarif.h"
#include "report/ci/sarif_internal.h"

/* Where a bug or a cycle is written to. */
typedef struct ResultPage {
    const BugView *view;
    SourceRoot root;
    Json *json;
    uint32_t related;      /* locations so far                */
    Text text;             /* of the message being put together */
} ResultPage;

static void open_result(ResultPage *page, const char *directory)
{
    sourceroot_init(&page->root, directory);
    json_open_object(page->json, NULL);
}

static void close_result(ResultPage *page)
{
    json_close_object(page->json);
    sourceroot_release(&page->root);
    text_release(&page->text);
}

static uint32_t rule_index(const char *kind)
{
    uint32_t i = 0;
    while (i < BUG_KIND_COUNT && strcmp(bug_kind_name((BugKind)i), kind) != 0)
        i++;
    return i;
}

static void add_rule(Json *json, const char *kind, const char *level)
{
    uint32_t index = rule_index(kind);
    json_add_string(json, "ruleId", kind);
    if (index < BUG_KIND_COUNT)
        json_add_count(json, "ruleIndex", index);
    json_add_string(json, "level", level);
}

static void add_fingerprint(Json *json, const char *id)
{
    json_open_object(json, "partialFingerprints");
    json_add_string(json, "sennitBugId/v1", id);
    json_close_object(json);
}

static void end_sentence(Text *text)
{
    if (text->length && !strchr(".!?", text->data[text->length - 1]))
        text_add_string(text, ".");
}

/* ---- Names ------------------------------------------------------------------------------ */

static uint32_t thread_of(const BugView *view, const char *path)
{
    uint32_t i = 0;
    while (i < view->thread_count && strcmp(view->threads[i].path, path) != 0)
        i++;
    return i;
}

static const char *name_of(const BugView *view, uint32_t thread)
{
    return thread < view->thread_count ? view->threads[thread].name : "?";
}

/* The thread whose flow a step belongs to: all messages that one actor receives are of one flow. */
static uint32_t flow_of(const BugView *view, uint32_t thread)
{
    for (uint32_t i = 0; view->actors && i < thread && thread < view->thread_count; i++)
        if (strcmp(view->threads[i].name, view->threads[thread].name) == 0)
            return i;
    return thread;
}

/* What a step does, without the name of its actor ("p1 receives ...") or object ("Fork_1: begins"). */
static const char *skip_name(const char *text, const char *name)
{
    static const char main_block[] = "the main block"; /* its steps begin with "main: " */
    const char *object = strcmp(name, main_block) == 0 ? " of main" : strstr(name, " of ");
    size_t length = strlen(name);
    if (strncmp(text, name, length) == 0 && text[length] == ' ')
        return text + length + 1;
    length = object ? strlen(object + 4) : 0;
    return length && strncmp(text, object + 4, length) == 0 && strncmp(text + length, ": ", 2) == 0 ? text + length + 2
                                                                                                     : text;
}

/* ---- Places ------------------------------------------------------------------------------- */

static void add_location(ResultPage *page, const TracePlace *place)
{
    json_open_object(page->json, NULL);
    sarif_add_place(page->json, place, &page->root);
    json_close_object(page->json);
}

static void add_main_location(ResultPage *page)
{
    const BugView *view = page->view;
    const TracePlace *place = view->party_count && view->parties[0].place.file ? &view->parties[0].place
                              : view->trace->place_count                      ? &view->trace->places[0]
                                                                              : NULL;
    json_open_list(page->json, "locations");
    if (place && place->file)
        add_location(page, place);
    json_close_list(page->json);
}

/* With the page's text as message. */
static void add_related(ResultPage *page, const TracePlace *place)
{
    if (place->file) {
        json_open_object(page->json, NULL);
        json_add_count(page->json, "id", ++page->related);
        sarif_add_place(page->json, place, &page->root);
        sarif_add_message(page->json, "message", text_borrow(&page->text));
        json_close_object(page->json);
    }
    text_reset(&page->text);
}

static bool is_party(const BugView *view, uint32_t thread)
{
    for (uint32_t i = 0; i < view->party_count; i++)
        if (view->parties[i].thread == thread)
            return true;
    return false;
}

static void add_lock(ResultPage *page, uint32_t thread, const char *lock, const TracePlace *taken)
{
    text_add(&page->text, "%s acquired %s, which it holds", name_of(page->view, thread), lock);
    add_related(page, taken);
}

/* The party itself, then the locks it holds, then the lock it waits for if its owner is not told of anyway. */
static void add_party(ResultPage *page, const PartyView *party)
{
    const char *name = name_of(page->view, party->thread);
    text_add(&page->text, "%s %s", name, party->action ? party->action : "is here");
    if (party->waits_for && party->owner != VIEW_NO_THREAD)
        text_add(&page->text, ", held by %s", name_of(page->view, (uint32_t)party->owner));
    add_related(page, &party->place);
    for (uint32_t i = 0; i < party->lock_count; i++)
        add_lock(page, party->thread, party->locks[i].name, &party->locks[i].taken);
    if (party->waits_for && party->owner != VIEW_NO_THREAD && !is_party(page->view, (uint32_t)party->owner))
        add_lock(page, (uint32_t)party->owner, party->waits_for, &party->owner_place);
}

static bool is_place_of_party(const BugView *view, const TracePlace *place)
{
    for (uint32_t i = 0; i < view->party_count; i++) {
        const TracePlace *other = &view->parties[i].place;
        if (place->file && other->file && strcmp(other->file, place->file) == 0 && other->line == place->line)
            return true;
    }
    return false;
}

static void add_related_locations(ResultPage *page)
{
    const BugView *view = page->view;
    json_open_list(page->json, "relatedLocations");
    for (uint32_t i = 0; i < view->party_count; i++)
        add_party(page, &view->parties[i]);
    for (uint32_t i = view->party_count ? 0 : 1; i < view->trace->place_count; i++) /* the first is the main one */
        if (!is_place_of_party(view, &view->trace->places[i])) {
            text_add_string(&page->text, "takes part in the bug");
            add_related(page, &view->trace->places[i]);
        }
    json_close_list(page->json);
}

/* ---- Call stacks ----------------------------------------------------------------------------- */

static void add_frame(ResultPage *page, const TracePlace *place)
{
    json_open_object(page->json, NULL);
    json_open_object(page->json, "location");
    sarif_add_place(page->json, place, &page->root);
    json_close_object(page->json);
    json_close_object(page->json);
}

static void add_stacks(ResultPage *page)
{
    json_open_list(page->json, "stacks");
    for (uint32_t i = 0; i < page->view->party_count; i++) {
        const PartyView *party = &page->view->parties[i];
        json_open_object(page->json, NULL);
        sarif_add_message(page->json, "message", name_of(page->view, party->thread));
        json_open_list(page->json, "frames");
        add_frame(page, &party->place);
        for (uint32_t k = 0; k < party->frame_count; k++)
            add_frame(page, &party->frames[k]);
        json_close_list(page->json);
        json_close_object(page->json);
    }
    json_close_list(page->json);
}

/* ---- Code flows -------------------------------------------------------------------------------- */

enum { EVERY_FLOW = UINT32_MAX, FLOW_STEPS = 1000 }; /* the last steps; the trace has them all */

/* One pass over the execution. */
typedef struct FlowPass {
    ResultPage *page;
    uint32_t flow;         /* only this one, or EVERY_FLOW */
    uint32_t order;        /* of the event before          */
    uint32_t skipped;      /* steps at the beginning       */
} FlowPass;

static void add_flow_location(FlowPass *pass, uint32_t thread, const TracePlace *place, const char *text,
                              const char *importance)
{
    ResultPage *page = pass->page;
    const BugView *view = page->view;
    uint32_t flow = flow_of(view, thread);
    pass->order++;
    if (pass->flow != EVERY_FLOW && pass->flow != flow)
        return;
    const char *name = name_of(view, thread);
    text_add(&page->text, "%s: %s", name, skip_name(text, name));
    json_open_object(page->json, NULL);
    json_open_object(page->json, "location");
    sarif_add_place(page->json, place, &page->root);
    sarif_add_message(page->json, "message", text_borrow(&page->text));
    json_close_object(page->json);
    json_add_count(page->json, "executionOrder", pass->order);
    json_add_count(page->json, "nestingLevel", pass->flow == EVERY_FLOW && flow < view->thread_count ? flow : 0);
    json_add_string(page->json, "importance", importance);
    json_close_object(page->json);
    text_reset(&page->text);
}

/* What the parties do between two steps, or after the last one; the acting one comes last. */
static void add_party_events(FlowPass *pass, uint32_t position)
{
    const BugView *view = pass->page->view;
    for (uint32_t i = view->party_count; i-- > 0;) {
        const PartyView *party = &view->parties[i];
        if (party->position == position && party->action)
            add_flow_location(pass, party->thread, &party->place, party->action, "essential");
    }
}

static void add_events(FlowPass *pass)
{
    const BugView *view = pass->page->view;
    const Trace *trace = view->trace;
    for (uint32_t i = pass->skipped; i < trace->step_count; i++) {
        bool marked = (view->marked && view->marked[i]) || (view->preempts && view->preempts[i]);
        add_party_events(pass, i);
        add_flow_location(pass, thread_of(view, trace->steps[i].agent), &trace->steps[i].place, trace->steps[i].text,
                          marked ? "essential" : "important");
    }
    add_party_events(pass, trace->step_count);
}

static void add_thread_flow(ResultPage *page, uint32_t flow, const char *id, const char *message)
{
    const Trace *trace = page->view->trace;
    uint32_t skipped = trace->step_count > FLOW_STEPS ? trace->step_count - FLOW_STEPS : 0;
    FlowPass pass = {.page = page, .flow = flow, .order = skipped, .skipped = skipped};
    json_open_object(page->json, NULL);
    json_add_string(page->json, "id", id);
    sarif_add_message(page->json, "message", message);
    json_open_list(page->json, "locations");
    add_events(&pass);
    json_close_list(page->json);
    json_close_object(page->json);
}

/* A thread flow must not be empty. */
static bool has_events(const BugView *view, uint32_t flow)
{
    const Trace *trace = view->trace;
    for (uint32_t i = trace->step_count > FLOW_STEPS ? trace->step_count - FLOW_STEPS : 0; i < trace->step_count; i++)
        if (flow == EVERY_FLOW || flow_of(view, thread_of(view, trace->steps[i].agent)) == flow)
            return true;
    for (uint32_t i = 0; i < view->party_count; i++)
        if (view->parties[i].action && view->parties[i].position <= trace->step_count &&
            (flow == EVERY_FLOW || flow_of(view, view->parties[i].thread) == flow))
            return true;
    return false;
}

static void add_code_flows(ResultPage *page)
{
    const BugView *view = page->view;
    if (!has_events(view, EVERY_FLOW))
        return;
    json_open_list(page->json, "codeFlows");
    json_open_object(page->json, NULL);
    sarif_add_message(page->json, "message", "The execution, all threads in the order of their steps.");
    json_open_list(page->json, "threadFlows");
    add_thread_flow(page, EVERY_FLOW, "execution", "all threads");
    json_close_list(page->json);
    json_close_object(page->json);

    json_open_object(page->json, NULL);
    sarif_add_message(page->json, "message", "The execution, thread by thread.");
    json_open_list(page->json, "threadFlows");
    for (uint32_t i = 0; i < view->thread_count; i++)
        if (flow_of(view, i) == i && has_events(view, i))
            add_thread_flow(page, i, view->actors ? view->threads[i].name : view->threads[i].path,
                            view->threads[i].name);
    json_close_list(page->json);
    json_close_object(page->json);
    json_close_list(page->json);
}

/* ---- Results ------------------------------------------------------------------------------------- */

static void add_bug_message(ResultPage *page)
{
    const Trace *trace = page->view->trace;
    text_add_string(&page->text, trace->summary);
    end_sentence(&page->text);
    for (uint32_t i = 0; i < trace->input_count; i++)
        text_add(&page->text, "%s %s = %s%s", i ? "," : " Inputs:", trace->inputs[i].name, trace->inputs[i].value,
                 i + 1 == trace->input_count ? "." : "");
    if (page->view->doubt) {
        text_add(&page->text, " Not confirmed: %s", page->view->doubt);
        end_sentence(&page->text);
    }
    sarif_add_message(page->json, "message", text_borrow(&page->text));
    text_reset(&page->text);
}

static void add_bug_properties(ResultPage *page)
{
    const BugView *view = page->view;
    json_open_object(page->json, "properties");
    json_add_bool(page->json, "confirmed", view->doubt == NULL);
    json_add_count(page->json, "steps", view->trace->step_count);
    json_add_count(page->json, "preemptions", view->trace->preemptions);
    if (view->trace_path) {
        text_add_string(&page->text, "sennit replay ");
        text_add_word(&page->text, view->trace_path);
        json_add_string(page->json, "replay", text_borrow(&page->text));
        text_reset(&page->text);
    }
    json_close_object(page->json);
}

void sarif_write_bug(const BugView *view, const char *directory, Text *out)
{
    Json json = {.text = out, .first = true};
    ResultPage page = {.view = view, .json = &json};
    open_result(&page, directory);
    add_rule(&json, view->trace->kind, view->doubt ? "warning" : "error");
    add_bug_message(&page);
    add_main_location(&page);
    add_related_locations(&page);
    if (view->party_count)
        add_stacks(&page);
    add_code_flows(&page);
    add_fingerprint(&json, view->trace->id);
    add_bug_properties(&page);
    close_result(&page);
}

void sarif_write_cycle(const CycleView *cycle, const char *directory, Text *out)
{
    Json json = {.text = out, .first = true};
    ResultPage page = {.json = &json};
    open_result(&page, directory);
    add_rule(&json, bug_kind_name(BUG_DEADLOCK), "warning");
    text_add(&page.text, "Possible deadlock, %s: %s",
             cycle->result == CYCLE_TIMEOUT ? "not decided in the given time" : "not checked", cycle->line);
    end_sentence(&page.text);
    sarif_add_message(&json, "message", text_borrow(&page.text));
    text_reset(&page.text);
    json_open_list(&json, "locations");
    if (cycle->place_count && cycle->places[0].file)
        add_location(&page, &cycle->places[0]);
    json_close_list(&json);
    json_open_list(&json, "relatedLocations");
    for (uint32_t i = 0; i < cycle->place_count; i++) {
        text_add(&page.text, "wait %u of the deadlock cycle", i + 1);
        add_related(&page, &cycle->places[i]);
    }
    json_close_list(&json);
    add_fingerprint(&json, cycle->id);
    close_result(&page);
}
