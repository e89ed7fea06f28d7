/* jobs_steps.c - see jobs_steps.h */
#include "core/tree/jobs_steps.h"

#include <string.h>

#include "core/tree/jobs_internal.h"

/* ---- Labels ------------------------------------------------------------- */

void jobs_set_label(Jobs *jobs, Job *node, const Label *label)
{
    node->label = labelpool_keep(&jobs->labels, label);
}

Job *jobs_make_node(Jobs *jobs, Job *parent, const Label *label)
{
    Job *job = jobs_add_node(jobs, parent);
    jobs_set_label(jobs, job, label);
    return job;
}

static void write_label(const Job *job, Program *program, Text *text)
{
    text_add_string(text, " ");
    step_write(program, job->label->agent, job->label->choices, job->label->choice_count, text);
}

static bool read_label(Jobs *jobs, Job *job, Program *program, StepReader *reader)
{
    Label label = {0};
    StepChoices choices = {0};
    bool good = step_read_char(reader, ' ') && step_read_agent(reader, program, &label.agent) &&
                step_read_choices(reader, &choices, &label.choice_count);
    label.choices = choices.items;
    if (good)
        jobs_set_label(jobs, job, &label);
    VEC_FREE(&choices);
    job->resolved = false;
    for (Job *above = job->parent; above; above = above->parent) /* some in between may never have been queried */
        above->settled = false;
    jobs->from_text = true;
    return good;
}

const JobForm jobs_of_steps = {.write = write_label, .read = read_label};

/* ---- Prefixes ------------------------------------------------------------- */

uint32_t job_depth(const Job *job) { return job->depth; }

static uint32_t choices_before(const Job *job)
{
    uint32_t count = 0;
    for (; job->parent; job = job->parent)
        count += job->label->choice_count;
    return count;
}

void job_plan(const Job *job, Execution *ex)
{
    uint32_t choice = choices_before(job);
    ex->plan_length = job->depth;
    for (; job->parent; job = job->parent) {
        const Label *label = job->label;
        choice -= label->choice_count;
        ex->plan[job->depth - 1] =
            (PlanStep){.agent = label->agent, .choice_count = label->choice_count, .first_choice = choice};
        if (label->choice_count)
            memcpy(&ex->plan_choices[choice], label->choices, label->choice_count * sizeof *label->choices);
    }
}

bool job_followed(const Job *job, const Hb *hb)
{
    for (; job->parent; job = job->parent)
        if (!hb_repeats(hb, job->depth - 1, job->label))
            return false;
    return true;
}

/* ---- Giving jobs away -------------------------------------------------------------- */

static void add_finished(Jobs *jobs, Job *node, const WakeupNode *done)
{
    for (; done; done = done->next)
        jobs_make_node(jobs, node, done->label)->state = OVER;
}

static void add_pending(Jobs *jobs, Job *node, const WakeupNode *pending)
{
    for (; pending; pending = pending->next) {
        Job *child = jobs_make_node(jobs, node, pending->label);
        if (pending->children)
            add_pending(jobs, child, pending->children);
        else
            jobs_open_node(jobs, child);
    }
}

/* Turns the levels job->depth..end-1 into nodes; returns the node at `end`. */
static Job *add_levels(Jobs *jobs, Job *job, const WakeupTree *tree, const Hb *hb, uint32_t end)
{
    Job *node = job;
    for (uint32_t level = job->depth; level < end; level++) {
        Level none = {0}, *given = level < tree->depth ? &tree->levels[level] : &none;
        add_finished(jobs, node, given->done);
        Job *current = jobs_make_node(jobs, node, &hb->events.items[level].label);
        add_pending(jobs, node, given->pending);
        node = current;
    }
    return node;
}

void jobs_give(Jobs *jobs, JobHand *hand, WakeupTree *tree, const Hb *hb, uint32_t end)
{
    Job *job = jobs_begin_giving(jobs, hand), *rest = add_levels(jobs, job, tree, hb, end);
    wakeup_clear(tree, job->depth, end);
    jobs_end_giving(jobs, hand, rest);
}

void jobs_give_all(Jobs *jobs, JobHand *hand, WakeupTree *tree, const Hb *hb)
{
    Job *job = jobs_begin_giving(jobs, hand);
    uint32_t end = tree->depth;
    while (end > 0 && !tree->levels[end - 1].pending)
        end--;
    if (end > job->depth)
        add_levels(jobs, job, tree, hb, end)->state = OVER; /* the last execution was there */
    wakeup_truncate(tree, 0);
    jobs_end_giving(jobs, hand, NULL);
}
