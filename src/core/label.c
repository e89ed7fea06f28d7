/* label.c - see label.h */
#include "core/label.h"

#include <string.h>

bool label_touches_conflict(const Label *a, const Label *b)
{
    for (unsigned i = 0; i < a->touch_count; i++)
        for (unsigned j = 0; j < b->touch_count; j++)
            if (touch_conflicts(&a->touches[i], &b->touches[j]))
                return true;
    return false;
}

bool label_same_outcome(const Label *a, const Label *b)
{
    return a->agent == b->agent && a->choice_count == b->choice_count &&
           (a->choice_count == 0 || memcmp(a->choices, b->choices, a->choice_count * sizeof *a->choices) == 0);
}

/* The first touch from `from` on that is not a companion, or the number of touches. */
static unsigned next_touch(const Label *label, unsigned from)
{
    while (from < label->touch_count && label->touches[from].companion)
        from++;
    return from;
}

static bool same_touch(const Touch *s, const Touch *t)
{
    return s->resource == t->resource && s->lanes == t->lanes && s->mode == t->mode;
}

bool label_equal(const Label *a, const Label *b)
{
    unsigned i = next_touch(a, 0), j = next_touch(b, 0);
    if (a->index != b->index || !label_same_outcome(a, b))
        return false;
    while (i < a->touch_count && j < b->touch_count && same_touch(&a->touches[i], &b->touches[j])) {
        i = next_touch(a, i + 1);
        j = next_touch(b, j + 1);
    }
    return i == a->touch_count && j == b->touch_count;
}

size_t label_tail_size(const Label *label)
{
    return label->touch_count * sizeof(Touch) + label->choice_count * sizeof(Literal);
}

void label_copy(Label *to, const Label *from, void *tail)
{
    *to = *from;
    Touch *touches = tail;
    Literal *choices = (Literal *)(touches + from->touch_count);
    if (from->touch_count)
        memcpy(touches, from->touches, from->touch_count * sizeof *touches);
    if (from->choice_count)
        memcpy(choices, from->choices, from->choice_count * sizeof *choices);
    to->touches = touches;
    to->choices = choices;
}
