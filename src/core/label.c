/* label.c - see label.h */
#include "core/label.h"

#include <string.h>

bool label_touches_conflict(const Label *a, const Label *b)
{
    for (unsigned i = 0; i < a->touch_count; i++) {
        const Touch *s = &a->touches[i];
        for (unsigned j = 0; j < b->touch_count; j++) {
            const Touch *t = &b->touches[j];
            if (s->resource == t->resource && (s->lanes & t->lanes) != 0 &&
                modes_conflict((Mode)s->mode, (Mode)t->mode))
                return true;
        }
    }
    return false;
}

bool label_same_outcome(const Label *a, const Label *b)
{
    return a->agent == b->agent && a->choice_count == b->choice_count &&
           (a->choice_count == 0 || memcmp(a->choices, b->choices, a->choice_count * sizeof *a->choices) == 0);
}

bool label_equal(const Label *a, const Label *b)
{
    if (a->index != b->index || a->touch_count != b->touch_count || !label_same_outcome(a, b))
        return false;
    for (unsigned i = 0; i < a->touch_count; i++) {
        const Touch *s = &a->touches[i], *t = &b->touches[i];
        if (s->resource != t->resource || s->lanes != t->lanes || s->mode != t->mode)
            return false;
    }
    return true;
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
