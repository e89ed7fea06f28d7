/* wakeup.c - see wakeup.h */
#include "core/tree/wakeup.h"

#include <assert.h>
#include <string.h>
#include <sys/mman.h>

/* ---- Nodes ------------------------------------------------------------ */

static WakeupNode *make_node(WakeupTree *tree, const Label *label)
{
    WakeupNode *node = region_alloc(tree->region, sizeof *node);
    *node = (WakeupNode){.label = labelpool_keep(&tree->labels, label)};
    return node;
}

void wakeup_free_node(WakeupTree *tree, WakeupNode *node)
{
    labelpool_drop(&tree->labels, node->label);
    region_free(tree->region, node, sizeof *node);
}

static void free_forest(WakeupTree *tree, WakeupNode *node)
{
    while (node) {
        WakeupNode *next = node->next;
        free_forest(tree, node->children);
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
    tree->region = tree->labels.region = region;
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
    labelpool_release(&tree->labels);
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

static void add_pending(WakeupTree *tree, uint32_t level, const Label *label)
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
        WakeupNode *child = node->children;
        if (!child)
            return;
        node->children = NULL;
        level_at(tree, i + 1)->pending = child->next;
        node = child;
    }
}

/* From the end backwards; nodes with something else to be explored below them are kept. Only at the level itself
 * can a step be marked as done. */
void wakeup_give_up(WakeupTree *tree, uint32_t level, WakeupBranch *branch)
{
    WakeupNode *kept = NULL;
    for (uint32_t i = branch->count; i-- > 0;) {
        WakeupNode *node = branch->items[i];
        Level *below = level_at(tree, level + i + 1);
        node->children = below->pending;
        below->pending = NULL;
        if (kept) {
            kept->next = node->children;
            node->children = kept;
        }
        kept = node->children ? node : NULL;
        if (!kept && i == 0)
            wakeup_add_done(tree, level, node->label);
        if (!kept)
            wakeup_free_node(tree, node);
    }
    if (kept) {
        kept->next = tree->levels[level].pending;
        tree->levels[level].pending = kept;
    }
    branch->count = 0;
    wakeup_truncate(tree, level + 1);
}

/* ---- Sleep sets ------------------------------------------------------- */

/* The path condition along a branch; only filled if the program has conditions. */
typedef struct PathLiterals {
    Program *program;
    VEC(Literal) literals;
} PathLiterals;

static void push_literals(PathLiterals *path, const Label *label)
{
    for (uint32_t c = 0; c < label->choice_count && label->conditional; c++)
        if (label->choices[c].condition)
            VEC_PUSH(&path->literals, label->choices[c]);
}

void sleep_wake(LabelSequence *asleep, uint32_t first, AgentId agent)
{
    uint32_t kept = first;
    for (uint32_t i = first; i < asleep->count; i++)
        if (asleep->items[i]->agent != agent)
            asleep->items[kept++] = asleep->items[i];
    asleep->count = kept;
}

static void keep_asleep(SleepSets *sleep, const PathLiterals *path, const Label *asleep, const Label *next)
{
    if (asleep->agent != next->agent && !label_conflict(asleep, next) &&
        insertion_feasible(path->program, path->literals.items, path->literals.count, asleep))
        VEC_PUSH(&sleep->labels, asleep);
}

/* With source sets whole agents sleep: an agent wakes up if any outcome of its step conflicts with `next`. */
static void wake_agents(SleepSets *sleep, const Level *level, uint32_t first, uint32_t end, const Label *next)
{
    for (uint32_t s = first; s < end; s++)
        if (label_conflict(sleep->labels.items[s], next))
            sleep_wake(&sleep->labels, end, sleep->labels.items[s]->agent);
    for (const WakeupNode *node = level->done; node; node = node->next)
        if (label_conflict(node->label, next))
            sleep_wake(&sleep->labels, end, node->label->agent);
}

/* Computes the sleep set of the next level. */
static void pass_sleep(SleepSets *sleep, const WakeupTree *tree, PathLiterals *path, uint32_t level, const Label *next)
{
    uint32_t first = sleep->starts.items[level], end = sleep->starts.items[level + 1];
    Level none = {0}, *at = level < tree->depth ? &tree->levels[level] : &none;
    push_literals(path, next);
    for (uint32_t s = first; s < end; s++)
        keep_asleep(sleep, path, sleep->labels.items[s], next);
    for (const WakeupNode *node = at->done; node; node = node->next)
        keep_asleep(sleep, path, node->label, next);
    if (sleep->whole_agents)
        wake_agents(sleep, at, first, end, next);
    VEC_PUSH(&sleep->starts, sleep->labels.count);
}

uint32_t wakeup_sleep(SleepSets *sleep, const WakeupTree *tree, const Hb *hb, uint32_t level,
                      const WakeupBranch *branch, uint32_t unchanged)
{
    PathLiterals path = {.program = hb->ex->program};
    if (sleep->starts.count == 0) {
        VEC_PUSH(&sleep->starts, 0);
        VEC_PUSH(&sleep->starts, 0); /* nothing sleeps at the root */
    }
    uint32_t known = sleep->starts.count - 2;
    if (known > unchanged)
        known = unchanged;
    sleep->starts.count = known + 2;
    sleep->labels.count = sleep->starts.items[known + 1];
    for (uint32_t i = 0; i < known && path.program->ops->feasible; i++)
        push_literals(&path, &hb->events.items[i].label);
    for (uint32_t i = known; i < level; i++)
        pass_sleep(sleep, tree, &path, i, &hb->events.items[i].label);
    for (uint32_t i = 0; i < branch->count; i++)
        pass_sleep(sleep, tree, &path, level + i, branch->items[i]->label);
    VEC_FREE(&path.literals);
    uint32_t end = level + branch->count;
    return sleep->starts.items[end + 1] - sleep->starts.items[end];
}

uint32_t wakeup_asleep(const SleepSets *sleep, uint32_t level)
{
    return level + 1 < sleep->starts.count ? sleep->starts.items[level + 1] - sleep->starts.items[level] : 0;
}

/* ---- As a tree to insert into ------------------------------------------- */

enum { PHASE_START, PHASE_DONE, PHASE_CURRENT, PHASE_PENDING };

static bool at_list(TreeChild *child, WakeupNode *node, bool done)
{
    if (!node)
        return false;
    __builtin_prefetch(node->next); /* long lists are spread over memory (bench/programs/readers.c) */
    child->cursor = node;
    child->label = node->label;
    child->below = (TreeNode){.node = node};
    child->covers = done || !node->children; /* everything below a leaf will be explored */
    return true;
}

static bool next_at_level(const WakeupView *view, uint32_t number, TreeChild *child)
{
    Level none = {0}, *level = number < view->levels->depth ? &view->levels->levels[number] : &none;
    const WakeupNode *cursor = child->cursor;
    if (child->phase == PHASE_START || child->phase == PHASE_DONE) {
        if (at_list(child, child->phase == PHASE_START ? level->done : cursor->next, true)) {
            child->phase = PHASE_DONE;
            return true;
        }
        child->phase = PHASE_CURRENT;
        child->label = &view->hb->events.items[number].label;
        child->below = (TreeNode){.level = number + 1};
        child->covers = number + 1 == view->hb->count;
        return true;
    }
    WakeupNode *next = child->phase == PHASE_CURRENT ? level->pending : cursor->next;
    child->phase = PHASE_PENDING;
    return at_list(child, next, false);
}

static bool view_next_child(Tree *tree, TreeNode node, TreeChild *child)
{
    const WakeupView *view = (const WakeupView *)tree;
    const WakeupNode *parent = node.node, *cursor = child->cursor;
    if (!parent)
        return next_at_level(view, node.level, child);
    return at_list(child, cursor ? cursor->next : parent->children, false);
}

static WakeupNode *find_same(WakeupNode *node, const Label *label)
{
    while (node && !label_same_outcome(node->label, label))
        node = node->next;
    return node;
}

static void view_append(Tree *tree, TreeNode where, const Label *const *steps, uint32_t count)
{
    const WakeupView *view = (const WakeupView *)tree;
    WakeupNode *parent = where.node,
               **list = parent ? &parent->children : &level_at(view->levels, where.level)->pending;
    for (uint32_t i = 0; i < count; i++) {
        WakeupNode *node = find_same(*list, steps[i]);
        if (!node) {
            node = make_node(view->levels, steps[i]);
            append(list, node);
        }
        list = &node->children;
    }
}

void wakeup_view(WakeupView *view, WakeupTree *tree, const Hb *hb)
{
    *view = (WakeupView){.tree = {.next_child = view_next_child, .append = view_append}, .levels = tree, .hb = hb};
}

/* ---- Source sets ------------------------------------------------------------ */

/* Only a step of the sequence itself counts. That an independent step was or will be explored says nothing about
 * sequences that later conflict with it. */
static bool starts_with(const Label *step, const LabelSequence *sequence)
{
    uint32_t at;
    return label_fit(step, sequence->items, sequence->count, &at) == FIT_MATCH;
}

static bool list_starts(const WakeupNode *node, const LabelSequence *sequence)
{
    for (; node; node = node->next)
        if (starts_with(node->label, sequence))
            return true;
    return false;
}

static bool asleep_starts(const SleepSets *sleep, uint32_t level, const LabelSequence *sequence)
{
    if (level + 1 < sleep->starts.count)
        for (uint32_t s = sleep->starts.items[level]; s < sleep->starts.items[level + 1]; s++)
            if (starts_with(sleep->labels.items[s], sequence))
                return true;
    return false;
}

bool wakeup_insert_first(WakeupTree *tree, const SleepSets *sleep, const Hb *hb, uint32_t first,
                         const LabelSequence *sequence)
{
    Level none = {0}, *level = first < tree->depth ? &tree->levels[first] : &none;
    if (asleep_starts(sleep, first, sequence) || list_starts(level->done, sequence) ||
        starts_with(&hb->events.items[first].label, sequence) || list_starts(level->pending, sequence))
        return false;
    add_pending(tree, first, sequence->items[0]);
    return true;
}

void wakeup_add_outcome(WakeupTree *tree, uint32_t level, const Label *label)
{
    if (!find_same(level_at(tree, level)->pending, label))
        add_pending(tree, level, label);
}
