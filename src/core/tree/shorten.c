/* shorten.c - see shorten.h */
#include "core/tree/shorten.h"

typedef struct Shortening {
    const Insertion *in;
    const LabelSequence *sequence;
    uint8_t *needed;  /* per step of the sequence */
    bool unclear;     /* a step sleeps that does not conflict with the sequence */
} Shortening;

/* ---- Steps that must be woken -------------------------------------------------------------- */

static bool wakes(const Label *step, const Label *sleeper)
{
    return step->agent == sleeper->agent || label_conflict(step, sleeper);
}

/* A step sleeps from the nth node of the way on, unless one of the way wakes it: the sequence must. */
static void wake(Shortening *s, const Label *sleeper, uint32_t nth)
{
    const Insertion *in = s->in;
    for (uint32_t i = nth; i < in->way.count; i++)
        if (wakes(in->way.items[i].taken, sleeper))
            return;
    uint32_t at;
    if (label_fit(sleeper, s->sequence->items, s->sequence->count, &at) == FIT_NO)
        s->needed[at] = true;
    else
        s->unclear = true;
}

/* The children of a node up to the one through which the way leads. */
static void wake_children(Shortening *s, TreeNode node, const Label *taken, uint32_t nth)
{
    TreeChild child = {0};
    while (s->in->tree->next_child(s->in->tree, node, &child) && child.label != taken)
        wake(s, child.label, nth);
}

static void wake_all(Shortening *s, TreeNode node)
{
    const Insertion *in = s->in;
    for (uint32_t i = 0; i < in->sleepers->count; i++)
        wake(s, in->sleepers->items[i], 0);
    for (uint32_t i = 0; i < in->way.count; i++)
        wake_children(s, in->way.items[i].node, in->way.items[i].taken, i);
    wake_children(s, node, NULL, in->way.count);
}

/* ---- What happens before ---------------------------------------------------------------------- */

/* The steps that come before the reversed one in its new context: what its agent knows, and conflicts. */
static void need_for_reversed(Shortening *s, uint32_t nth)
{
    const Grounds *grounds = &s->in->grounds;
    for (uint32_t i = 0; i < nth; i++) {
        const Label *label = s->sequence->items[i];
        bool known = grounds->previous != HB_NONE &&
                     hb_reaches(grounds->hb, hb_position(grounds->hb, label), grounds->previous);
        s->needed[i] |= known || wakes(label, s->sequence->items[nth]);
    }
}

static void need_before(Shortening *s, uint32_t nth)
{
    const Hb *hb = s->in->grounds.hb;
    uint32_t position = hb_position(hb, s->sequence->items[nth]);
    for (uint32_t i = 0; i < nth; i++)
        s->needed[i] |= hb_reaches(hb, hb_position(hb, s->sequence->items[i]), position);
}

/* Marks what happens before a step that is needed; what is marked by one step need not be looked at again. */
static void need_past(Shortening *s)
{
    const LabelSequence *sequence = s->sequence;
    for (uint32_t i = sequence->count; i-- > 0;)
        if (s->needed[i] && sequence->items[i] == s->in->grounds.step)
            need_for_reversed(s, i);
        else if (s->needed[i])
            need_before(s, i);
}

/* Are all steps those of the execution, but for the reversed one? */
static bool is_ordered(const Grounds *grounds, const LabelSequence *sequence)
{
    for (uint32_t i = 0; i < sequence->count; i++)
        if (sequence->items[i] != grounds->step && hb_position(grounds->hb, sequence->items[i]) == HB_NONE)
            return false;
    return true;
}

void insertion_shorten(Insertion *in, TreeNode node, LabelSequence *sequence)
{
    if (!in->grounds.hb || in->conditional || !is_ordered(&in->grounds, sequence))
        return;
    VEC_RESERVE(&in->needed, sequence->count);
    Shortening s = {.in = in, .sequence = sequence, .needed = in->needed.items};
    for (uint32_t i = 0; i < sequence->count; i++)
        s.needed[i] = false;
    wake_all(&s, node);
    if (s.unclear)
        return;
    need_past(&s);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < sequence->count; i++)
        if (s.needed[i])
            sequence->items[kept++] = sequence->items[i];
    sequence->count = kept;
}
