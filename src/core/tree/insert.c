/* insert.c - see insert.h */
#include "core/tree/insert.h"

#include <stdlib.h>
#include <string.h>

#include "core/tree/shorten.h"

/* ---- Lifecycle -------------------------------------------------------- */

void insertion_init(Insertion *insertion, Program *program, OutcomeSource *source)
{
    memset(insertion, 0, sizeof *insertion);
    insertion->program = program;
    insertion->source = source;
}

static void free_owned(Insertion *in)
{
    for (uint32_t i = 0; i < in->owned.count; i++)
        free(in->owned.items[i]);
    in->owned.count = 0;
}

void insertion_release(Insertion *in)
{
    free_owned(in);
    VEC_FREE(&in->all);
    VEC_FREE(&in->any);
    VEC_FREE(&in->ends);
    VEC_FREE(&in->asleep);
    VEC_FREE(&in->path);
    VEC_FREE(&in->way);
    VEC_FREE(&in->needed);
    VEC_FREE(&in->owned);
}

/* ---- Steps and sequences ------------------------------------------------ */

Fit label_fit(const Label *step, const Label *const *sequence, uint32_t count, uint32_t *at)
{
    for (*at = 0; *at < count; ++*at) {
        if (sequence[*at]->agent == step->agent)
            return label_same_outcome(sequence[*at], step) ? FIT_MATCH : FIT_NO;
        if (label_conflict(step, sequence[*at]))
            return FIT_NO;
    }
    return FIT_INDEPENDENT;
}

/* ---- What a verdict rests on ---------------------------------------------- */

static void rest_on(Insertion *in, uint32_t end)
{
    if (end > in->grounds.end)
        in->grounds.end = end;
}

/* On the step of the sequence at which label_fit decided. */
static void rest_on_step(Insertion *in, const LabelSequence *sequence, uint32_t at)
{
    const Grounds *grounds = &in->grounds;
    const Label *label = at < sequence->count ? sequence->items[at] : NULL;
    uint32_t position = GROUNDS_NONE;
    if (label && label == grounds->step)
        position = grounds->position;
    else if (label && grounds->hb)
        position = hb_position(grounds->hb, label);
    rest_on(in, position == GROUNDS_NONE ? GROUNDS_NONE : position + 1);
}

static void take_out(LabelSequence *sequence, uint32_t at)
{
    memmove(&sequence->items[at], &sequence->items[at + 1], (sequence->count - at - 1) * sizeof *sequence->items);
    sequence->count--;
}

/* ---- Inputs --------------------------------------------------------------- */

static void push_literals(Insertion *in, const Label *label)
{
    for (uint32_t c = 0; c < label->choice_count && label->conditional; c++)
        if (label->choices[c].condition)
            VEC_PUSH(&in->all, label->choices[c]);
}

static void push_clause(Insertion *in, const Label *label)
{
    for (uint32_t c = 0; c < label->choice_count; c++)
        if (label->choices[c].condition)
            VEC_PUSH(&in->any, label->choices[c]);
    VEC_PUSH(&in->ends, in->any.count);
}

static bool ask(const Insertion *in, bool unserved)
{
    bool (*feasible)(Program *, const Literal *, uint32_t, const Literal *, const uint32_t *, uint32_t) =
        in->program->ops->feasible;
    return !feasible || feasible(in->program, in->all.items, in->all.count, in->any.items, in->ends.items,
                                 unserved ? in->ends.count : 0);
}

/* Whether there are inputs on this path for which `step` has its outcome; with `unserved`, among those that no
 * child has served yet. */
static bool possible(Insertion *in, const Label *step, bool unserved)
{
    uint32_t count = in->all.count;
    push_literals(in, step);
    bool answer = ask(in, unserved);
    in->all.count = count;
    return answer;
}

bool insertion_feasible(Program *program, const Literal *literals, uint32_t count, const Label *step)
{
    if (!step->conditional || !program->ops->feasible)
        return true;
    Insertion in = {.program = program};
    for (uint32_t i = 0; i < count; i++)
        VEC_PUSH(&in.all, literals[i]);
    bool answer = possible(&in, step, false);
    VEC_FREE(&in.all);
    return answer;
}

/* Keeps what stays asleep after `step`: steps of other agents without a conflict, still possible. */
static void pass_asleep(Insertion *in, LabelSequence *asleep, const Label *step)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < asleep->count; i++) {
        const Label *s = asleep->items[i];
        if (s->agent != step->agent && !label_conflict(s, step) && possible(in, s, false))
            asleep->items[kept++] = s;
    }
    asleep->count = kept;
}

/* ---- New branches ----------------------------------------------------------- */

typedef struct Outcomes {
    Insertion *in;
    LabelSequence labels;
} Outcomes;

static void collect_outcome(void *context, const Label *label)
{
    Outcomes *outcomes = context;
    Label *copy = mem_alloc(sizeof *copy + label_tail_size(label));
    label_copy(copy, label, copy + 1);
    VEC_PUSH(&outcomes->in->owned, copy);
    if (possible(outcomes->in, copy, false))
        VEC_PUSH(&outcomes->labels, copy);
}

/* The two outcomes of a branch on the inputs. */
static void collect_fixed(const Label *step, Outcomes *outcomes)
{
    Label label = *step;
    Literal choice = step->choices[0];
    label.choices = &choice;
    for (choice.taken = 0; choice.taken < 2; choice.taken++)
        collect_outcome(outcomes, &label);
}

/* The possible outcomes, after the path and `steps`, of the step of which `step` is one outcome. */
static void collect_outcomes(Insertion *in, const LabelSequence *steps, const Label *step, Outcomes *outcomes)
{
    LabelSequence before = {0};
    outcomes->in = in;
    if (step->fixed && step->conditional) {
        collect_fixed(step, outcomes);
        return;
    }
    for (uint32_t i = 0; i < in->path.count; i++)
        VEC_PUSH(&before, in->path.items[i]);
    for (uint32_t i = 0; i < steps->count; i++)
        VEC_PUSH(&before, steps->items[i]);
    in->source->outcomes(in->source, in->first, before.items, before.count, step->agent, collect_outcome, outcomes);
    VEC_FREE(&before);
}

static bool has_outcome(const LabelSequence *labels, const Label *label)
{
    for (uint32_t i = 0; i < labels->count; i++)
        if (label_same_outcome(labels->items[i], label))
            return true;
    return false;
}

/* Appends the sequence, prolonged until nothing is left asleep (INS-2). */
static void extend(Insertion *in, TreeNode node, LabelSequence *sequence, LabelSequence *asleep)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < asleep->count; i++)
        if (possible(in, asleep->items[i], false))
            asleep->items[kept++] = asleep->items[i];
    asleep->count = kept;
    if (asleep->count == 0) {
        in->tree->append(in->tree, node, sequence->items, sequence->count);
        in->inserted++;
        return;
    }
    Outcomes outcomes = {0};
    collect_outcomes(in, sequence, asleep->items[0], &outcomes);
    for (uint32_t i = 0; i < outcomes.labels.count; i++) {
        const Label *outcome = outcomes.labels.items[i];
        if (has_outcome(asleep, outcome))
            continue;
        LabelSequence rest = {0};
        uint32_t literals = in->all.count;
        for (uint32_t k = 0; k < asleep->count; k++)
            VEC_PUSH(&rest, asleep->items[k]);
        VEC_PUSH(sequence, outcome);
        push_literals(in, outcome);
        pass_asleep(in, &rest, outcome);
        extend(in, node, sequence, &rest);
        in->all.count = literals;
        sequence->count--;
        VEC_FREE(&rest);
    }
    VEC_FREE(&outcomes.labels);
}

/* All children serve other inputs: appends free steps of the agent that the children have. */
static void append_freely(Insertion *in, TreeNode node)
{
    TreeChild child = {0};
    LabelSequence nothing = {0};
    Outcomes outcomes = {0};
    if (!in->tree->next_child(in->tree, node, &child))
        return;
    collect_outcomes(in, &nothing, child.label, &outcomes);
    for (uint32_t i = 0; i < outcomes.labels.count; i++)
        in->tree->append(in->tree, node, &outcomes.labels.items[i], 1);
    in->inserted++;
    VEC_FREE(&outcomes.labels);
}

static void append_sequence(Insertion *in, TreeNode node, LabelSequence *sequence)
{
    insertion_shorten(in, node, sequence);
    extend(in, node, sequence, &in->asleep);
}

/* ---- Descending --------------------------------------------------------------- */

static void enter(Insertion *in, TreeNode node, LabelSequence *sequence);
static void descend(Insertion *in, TreeNode node, LabelSequence *sequence);

/* Inserts the sequence behind a step that commutes with all of it. The step leads to `node` (`below`), or else it
 * is possible there and becomes the first of the sequence. */
static void serve_behind(Insertion *in, const Label *step, TreeNode node, bool below, const LabelSequence *sequence)
{
    LabelSequence copy = {0}, asleep = {0}, saved = in->asleep;
    uint32_t literals = in->all.count, path = in->path.count, any = in->any.count, ends = in->ends.count;
    VEC_PUSH(below ? &in->path : &copy, step);
    for (uint32_t i = 0; i < sequence->count; i++)
        VEC_PUSH(&copy, sequence->items[i]);
    push_literals(in, step);
    for (uint32_t i = 0; i < saved.count; i++)
        VEC_PUSH(&asleep, saved.items[i]);
    in->asleep = asleep;
    pass_asleep(in, &in->asleep, step);
    if (below)
        descend(in, node, &copy);
    else
        enter(in, node, &copy);
    VEC_FREE(&in->asleep);
    in->asleep = saved;
    in->all.count = literals;
    in->path.count = path;
    in->any.count = any;
    in->ends.count = ends;
    VEC_FREE(&copy);
}

/* Whether two outcomes of a step are possible for the same inputs: they first differ in a choice without a
 * condition. */
static bool differ_by_choice(const Label *a, const Label *b)
{
    for (uint32_t c = 0; c < a->choice_count && c < b->choice_count; c++)
        if (a->choices[c].condition != b->choices[c].condition || a->choices[c].taken != b->choices[c].taken)
            return !a->choices[c].condition;
    return false;
}

/* INS-4: inserts the sequence behind the other outcomes of a step with choices. */
static void serve_other_choices(Insertion *in, TreeNode node, const Label *step, const LabelSequence *sequence)
{
    LabelSequence nothing = {0};
    Outcomes outcomes = {0};
    collect_outcomes(in, &nothing, step, &outcomes);
    for (uint32_t i = 0; i < outcomes.labels.count; i++) {
        uint32_t at;
        const Label *other = outcomes.labels.items[i];
        if (differ_by_choice(step, other) && label_fit(other, sequence->items, sequence->count, &at) == FIT_INDEPENDENT)
            serve_behind(in, other, node, false, sequence);
    }
    VEC_FREE(&outcomes.labels);
}

/* INS-1: inserts the sequence for the inputs that the child serves. False if no inputs are left. */
static bool serve_some_inputs(Insertion *in, TreeNode node, const TreeChild *child, const LabelSequence *sequence)
{
    if (!possible(in, child->label, false))
        return true;
    if (possible(in, child->label, true)) {
        if (label_has_choices(child->label))
            serve_other_choices(in, node, child->label, sequence);
        if (!child->covers)
            serve_behind(in, child->label, child->below, true, sequence);
    }
    VEC_PUSH(&in->asleep, child->label);
    push_clause(in, child->label);
    return ask(in, true);
}

typedef enum Descent { DESCENT_COVERED, DESCENT_DOWN, DESCENT_NONE } Descent;

/* Finds the child through which the sequence descends; *node becomes the node below it. */
static Descent next_node(Insertion *in, TreeNode *node, LabelSequence *sequence)
{
    TreeChild child = {0};
    if (!node->node)
        rest_on(in, node->level + 1);
    while (in->tree->next_child(in->tree, *node, &child)) {
        uint32_t at;
        Fit fit = label_fit(child.label, sequence->items, sequence->count, &at);
        rest_on_step(in, sequence, at);
        if (fit == FIT_NO)
            continue;
        if (fit == FIT_INDEPENDENT && child.label->conditional) {
            if (!serve_some_inputs(in, *node, &child, sequence))
                return DESCENT_COVERED;
            continue;
        }
        if (fit == FIT_INDEPENDENT && in->conditional && label_has_choices(child.label))
            serve_other_choices(in, *node, child.label, sequence);
        if (fit == FIT_MATCH)
            take_out(sequence, at);
        else if (in->asleep.count > 0)
            pass_asleep(in, &in->asleep, child.label);
        if (child.covers)
            return DESCENT_COVERED;
        if (sequence->count == 0)
            rest_on(in, GROUNDS_NONE); /* a longer one would descend */
        if (sequence->count == 0 && !in->conditional)
            return DESCENT_COVERED;
        if (in->conditional)
            VEC_PUSH(&in->path, child.label);
        else
            VEC_PUSH(&in->way, ((TreeStep){*node, child.label}));
        *node = child.below;
        return DESCENT_DOWN;
    }
    return DESCENT_NONE;
}

static void descend(Insertion *in, TreeNode node, LabelSequence *sequence)
{
    Descent descent;
    do
        descent = next_node(in, &node, sequence);
    while (descent == DESCENT_DOWN);
    if (descent == DESCENT_COVERED)
        in->covered++;
    else if (sequence->count == 0 && in->asleep.count == 0)
        append_freely(in, node);
    else
        append_sequence(in, node, sequence);
}

/* Whether steps asleep at the first node cover the sequence, or serve all of its inputs. */
static bool covered_asleep(Insertion *in, TreeNode node, const LabelSequence *sequence)
{
    for (uint32_t i = 0; i < in->sleepers->count; i++) {
        uint32_t at;
        const Label *step = in->sleepers->items[i];
        Fit fit = label_fit(step, sequence->items, sequence->count, &at);
        if (fit == FIT_NO)
            continue; /* another sequence may fit: then it is covered, too */
        rest_on_step(in, sequence, at);
        if (fit == FIT_INDEPENDENT && !step->conditional && in->conditional && label_has_choices(step))
            serve_other_choices(in, node, step, sequence);
        if (fit == FIT_MATCH || !step->conditional)
            return true;
        TreeChild child = {.label = step, .covers = true};
        if (!serve_some_inputs(in, node, &child, sequence))
            return true;
    }
    return false;
}

/* Only the first node has a sleep set of its own: what sleeps below it, sleeps beside a child. */
static void enter(Insertion *in, TreeNode node, LabelSequence *sequence)
{
    if (in->path.count == 0 && covered_asleep(in, node, sequence))
        in->covered++;
    else
        descend(in, node, sequence);
}

bool insertion_run(Insertion *in, Tree *tree, TreeNode node, uint32_t first, const LabelSequence *asleep,
                   const Literal *literals, uint32_t literal_count, LabelSequence *sequence)
{
    uint64_t before = in->inserted;
    in->tree = tree;
    in->first = first;
    in->sleepers = asleep;
    in->all.count = in->any.count = in->ends.count = in->asleep.count = in->path.count = 0;
    in->way.count = 0;
    in->conditional = in->program->ops->feasible != NULL;
    in->grounds.end = 0;
    for (uint32_t i = 0; i < literal_count; i++)
        VEC_PUSH(&in->all, literals[i]);
    for (uint32_t i = 0; i < sequence->count; i++)
        push_literals(in, sequence->items[i]);
    enter(in, node, sequence);
    free_owned(in);
    return in->inserted != before;
}
