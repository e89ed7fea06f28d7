/* wakeup.c - see wakeup.h */
#include "core/wakeup.h"

#include <assert.h>
#include <string.h>
#include <sys/mman.h>

/* ---- Nodes ------------------------------------------------------------ */

static size_t node_size(const Label *label)
{
    return sizeof(WakeupNode) + label_tail_size(label);
}

static WakeupNode *make_node(WakeupTree *tree, const Label *label)
{
    WakeupNode *node = region_alloc(tree->region, node_size(label));
    node->next = node->kids = NULL;
    label_copy(&node->label, label, node + 1);
    return node;
}

void wakeup_free_node(WakeupTree *tree, WakeupNode *node)
{
    region_free(tree->region, node, node_size(&node->label));
}

static void free_forest(WakeupTree *tree, WakeupNode *node)
{
    while (node) {
        WakeupNode *next = node->next;
        free_forest(tree, node->kids);
        wakeup_free_node(tree, node);
        node = next;
    }
}

static void append(WakeupNode **list, WakeupNode *node)
{
    while (*list)
        list = &(*list)->next;
    *list = node;
}

/* ---- Lifecycle -------------------------------------------------------- */

enum { LEVEL_BYTES = EXECUTION_MAX_EVENTS * sizeof(Level) };

WakeupTree *wakeup_create(Region *region)
{
    WakeupTree *tree = region_alloc(region, sizeof *tree);
    memset(tree, 0, sizeof *tree);
    tree->region = region;
    tree->levels = mmap(NULL, LEVEL_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (tree->levels == MAP_FAILED)
        mem_exhausted(LEVEL_BYTES);
    return tree;
}

void wakeup_destroy(WakeupTree *tree)
{
    if (!tree)
        return;
    wakeup_truncate(tree, 0);
    munmap(tree->levels, LEVEL_BYTES);
    region_free(tree->region, tree, sizeof *tree);
}

/* ---- Levels ----------------------------------------------------------- */

static Level *level_at(WakeupTree *tree, uint32_t level)
{
    if (level >= tree->depth)
        tree->depth = level + 1;
    return &tree->levels[level];
}

void wakeup_add_pending(WakeupTree *tree, uint32_t level, const Label *label)
{
    append(&level_at(tree, level)->pending, make_node(tree, label));
}

void wakeup_add_done(WakeupTree *tree, uint32_t level, const Label *label)
{
    append(&level_at(tree, level)->done, make_node(tree, label));
}

void wakeup_clear(WakeupTree *tree, uint32_t level, uint32_t end)
{
    for (uint32_t i = level; i < end && i < tree->depth; i++) {
        free_forest(tree, tree->levels[i].done);
        free_forest(tree, tree->levels[i].pending);
        tree->levels[i] = (Level){0};
    }
}

void wakeup_truncate(WakeupTree *tree, uint32_t level)
{
    wakeup_clear(tree, level, tree->depth);
    if (level < tree->depth)
        tree->depth = level;
}

void wakeup_take(WakeupTree *tree, uint32_t level, WakeupBranch *branch)
{
    Level *from = &tree->levels[level];
    WakeupNode *node = from->pending;
    from->pending = node->next;
    for (uint32_t i = level;; i++) {
        node->next = NULL;
        VEC_PUSH(branch, node);
        WakeupNode *kid = node->kids;
        if (!kid)
            return;
        node->kids = NULL;
        level_at(tree, i + 1)->pending = kid->next;
        node = kid;
    }
}

/* ---- Sleep sets ------------------------------------------------------- */

static void keep_asleep(SleepSets *sleep, const Label *asleep, const Label *next)
{
    if (asleep->agent != next->agent && !label_conflict(asleep, next))
        VEC_PUSH(&sleep->labels, asleep);
}

/* From the sleep set of a level to that of the next. */
static void pass_sleep(SleepSets *sleep, const WakeupTree *tree, uint32_t level, const Label *next)
{
    uint32_t first = sleep->starts.items[level], end = sleep->starts.items[level + 1];
    for (uint32_t s = first; s < end; s++)
        keep_asleep(sleep, sleep->labels.items[s], next);
    if (level < tree->depth)
        for (const WakeupNode *node = tree->levels[level].done; node; node = node->next)
            keep_asleep(sleep, &node->label, next);
    VEC_PUSH(&sleep->starts, sleep->labels.count);
}

uint32_t wakeup_sleep(SleepSets *sleep, const WakeupTree *tree, const Hb *hb, uint32_t level,
                      const WakeupBranch *branch, uint32_t unchanged)
{
    if (sleep->starts.count == 0) {
        VEC_PUSH(&sleep->starts, 0);
        VEC_PUSH(&sleep->starts, 0); /* nothing sleeps at the root */
    }
    uint32_t known = sleep->starts.count - 2;
    if (known > unchanged)
        known = unchanged;
    sleep->starts.count = known + 2;
    sleep->labels.count = sleep->starts.items[known + 1];
    for (uint32_t i = known; i < level; i++)
        pass_sleep(sleep, tree, i, &hb->events.items[i].label);
    for (uint32_t i = 0; i < branch->count; i++)
        pass_sleep(sleep, tree, level + i, &branch->items[i]->label);
    uint32_t end = level + branch->count;
    return sleep->starts.items[end + 1] - sleep->starts.items[end];
}

uint32_t wakeup_asleep(const SleepSets *sleep, uint32_t level)
{
    return level + 1 < sleep->starts.count ? sleep->starts.items[level + 1] - sleep->starts.items[level] : 0;
}

/* ---- Insertion -------------------------------------------------------- */

/* How a step c, possible at the node where a sequence starts, relates to the sequence. */
typedef enum Fit {
    FIT_NO,         /* it conflicts with it, or has another outcome in it */
    FIT_MATCH,      /* it is a step of it that can be moved to the front  */
    FIT_INDEPENDENT /* it is not in it and commutes with all of it        */
} Fit;

static Fit relate(const Label *c, const Label *const *sequence, uint32_t count, uint32_t *at)
{
    for (uint32_t i = 0; i < count; i++) {
        if (sequence[i]->agent == c->agent) {
            *at = i;
            return label_same_outcome(sequence[i], c) ? FIT_MATCH : FIT_NO;
        }
        if (label_conflict(c, sequence[i]))
            return FIT_NO;
    }
    return FIT_INDEPENDENT;
}

bool wakeup_passes(WakeupRest *rest, const Label *step)
{
    uint32_t at = 0;
    switch (relate(step, rest->steps, rest->count, &at)) {
    case FIT_NO:
        return false;
    case FIT_MATCH:
        memmove(&rest->steps[at], &rest->steps[at + 1], (rest->count - at - 1) * sizeof *rest->steps);
        rest->count--;
        return true;
    case FIT_INDEPENDENT:
        return true;
    }
    return false;
}

bool wakeup_fits(const WakeupRest *rest, const Label *step)
{
    uint32_t at;
    return relate(step, rest->steps, rest->count, &at) != FIT_NO;
}

static bool covered_by_list(const WakeupNode *node, const WakeupRest *rest)
{
    for (; node; node = node->next)
        if (wakeup_fits(rest, &node->label))
            return true;
    return false;
}

/* Descends a list of pending subtrees; answers false if the sequence was covered, else the
 * list at whose end it belongs. */
static WakeupNode **descend_pending(WakeupNode **list, WakeupRest *rest)
{
    for (WakeupNode **link = list; *link;) {
        if (!wakeup_passes(rest, &(*link)->label)) {
            link = &(*link)->next;
            continue;
        }
        list = &(*link)->kids;
        link = list;
        if (rest->count == 0 || !*list)
            return NULL; /* a leaf explores everything below it */
    }
    return list;
}

static void append_chain(WakeupTree *tree, WakeupNode **list, const WakeupRest *rest)
{
    for (uint32_t i = 0; i < rest->count; i++) {
        WakeupNode *node = make_node(tree, rest->steps[i]);
        append(list, node);
        list = &node->kids;
    }
    tree->inserted++;
}

/* Answers the level at which the way leaves the current execution, or `end` if it covers
 * the sequence. */
static uint32_t descend_path(const WakeupTree *tree, const Hb *hb, uint32_t level, WakeupRest *rest)
{
    uint32_t end = hb->count;
    for (uint32_t first = level; level < end && rest->count > 0; level++) {
        if (level > first && level < tree->depth && covered_by_list(tree->levels[level].done, rest))
            return end;
        if (!wakeup_passes(rest, &hb->events.items[level].label))
            return level;
    }
    return end;
}

static bool asleep_covers(const WakeupTree *tree, const SleepSets *sleep, uint32_t level, const WakeupRest *rest)
{
    if (level + 1 < sleep->starts.count)
        for (uint32_t s = sleep->starts.items[level]; s < sleep->starts.items[level + 1]; s++)
            if (wakeup_fits(rest, sleep->labels.items[s]))
                return true;
    return level < tree->depth && covered_by_list(tree->levels[level].done, rest);
}

/* Source sets: only a step of the sequence itself counts. That an independent step was or
 * will be explored says nothing about the sequences that go on to conflict with it. */
static bool starts_with(const Label *step, const WakeupRest *rest)
{
    uint32_t at;
    return relate(step, rest->steps, rest->count, &at) == FIT_MATCH;
}

static bool list_starts(const WakeupNode *node, const WakeupRest *rest)
{
    for (; node; node = node->next)
        if (starts_with(&node->label, rest))
            return true;
    return false;
}

static bool asleep_starts(const SleepSets *sleep, uint32_t level, const WakeupRest *rest)
{
    if (level + 1 < sleep->starts.count)
        for (uint32_t s = sleep->starts.items[level]; s < sleep->starts.items[level + 1]; s++)
            if (starts_with(sleep->labels.items[s], rest))
                return true;
    return false;
}

void wakeup_insert_first(WakeupTree *tree, const SleepSets *sleep, const Hb *hb, uint32_t first,
                         const Label **sequence, uint32_t count)
{
    WakeupRest rest = {.steps = sequence, .count = count};
    Level none = {0}, *level = first < tree->depth ? &tree->levels[first] : &none;
    if (asleep_starts(sleep, first, &rest) || list_starts(level->done, &rest) ||
        starts_with(&hb->events.items[first].label, &rest) || list_starts(level->pending, &rest)) {
        tree->covered++;
        return;
    }
    wakeup_add_pending(tree, first, sequence[0]);
    tree->inserted++;
}

void wakeup_insert(WakeupTree *tree, const SleepSets *sleep, const Hb *hb, uint32_t first,
                   const Label **sequence, uint32_t count)
{
    WakeupRest rest = {.steps = sequence, .count = count};
    WakeupNode **list = NULL;
    if (!asleep_covers(tree, sleep, first, &rest)) {
        uint32_t level = descend_path(tree, hb, first, &rest);
        if (level < hb->count)
            list = descend_pending(&level_at(tree, level)->pending, &rest);
    }
    if (list)
        append_chain(tree, list, &rest);
    else
        tree->covered++;
}
