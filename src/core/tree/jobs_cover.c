/* jobs_cover.c - see jobs_cover.h */
#include "core/tree/jobs_cover.h"

#include "core/tree/jobs_internal.h"

static CoverLevel *level_at(JobCover *cover, uint32_t level)
{
    while (cover->levels.count <= level)
        VEC_PUSH(&cover->levels, (CoverLevel){0});
    return &cover->levels.items[level];
}

void jobcover_begin(JobCover *cover, const JobHand *hand)
{
    if (cover->serial == hand->serial)
        return;
    for (uint32_t i = 0; i < cover->levels.count; i++)
        cover->levels.items[i].known = false;
    cover->serial = hand->serial;
}

void jobcover_release(JobCover *cover)
{
    for (uint32_t i = 0; i < cover->levels.count; i++) {
        VEC_FREE(&cover->levels.items[i].asleep);
        VEC_FREE(&cover->levels.items[i].children);
    }
    VEC_FREE(&cover->levels);
}

/* With conditions on inputs a step covers the sequence for some inputs only, and if it has choices, not for its
 * other outcomes (INS-1, INS-4). */
static Fit fit_for_all_inputs(const Label *step, const LabelSequence *sequence, bool inputs, bool *clear)
{
    uint32_t at;
    Fit fit = label_fit(step, sequence->items, sequence->count, &at);
    *clear = fit != FIT_INDEPENDENT || step->choice_count == 0 || !inputs;
    return fit;
}

bool jobcover_covers(JobCover *cover, uint32_t level, const LabelSequence *sequence, bool inputs)
{
    CoverLevel *known = level_at(cover, level);
    bool clear = true;
    if (!known->known)
        return false;
    for (uint32_t i = 0; i < known->asleep.count; i++)
        if (fit_for_all_inputs(known->asleep.items[i], sequence, inputs, &clear) != FIT_NO)
            return clear;
    for (uint32_t i = 0; i < known->children.count; i++) /* the first that fits decides */
        if (fit_for_all_inputs(known->children.items[i].label, sequence, inputs, &clear) != FIT_NO)
            return clear && known->children.items[i].covers;
    return false;
}

LabelSequence *jobcover_asleep(JobCover *cover, uint32_t level, bool *known)
{
    CoverLevel *at = level_at(cover, level);
    *known = at->known;
    if (!at->known)
        at->asleep.count = 0;
    return &at->asleep;
}

void jobcover_learn(JobCover *cover, const Job *node)
{
    CoverLevel *level = level_at(cover, node->depth);
    level->known = true;
    level->children.count = 0;
    for (const Job *child = node->children; child && child->resolved; child = child->next)
        VEC_PUSH(&level->children, ((CoverChild){.label = child->label, .covers = child->state != PRESCRIBED}));
}
