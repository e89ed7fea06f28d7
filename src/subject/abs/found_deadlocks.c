/* found_deadlocks.c - see found_deadlocks.h */
#include "subject/abs/found_deadlocks.h"

#include "subject/abs/execution_view.h"
#include "subject/abs/interleaving_tree.h"

enum { MOST_KEPT = 1000 };

void found_deadlocks_keep(FoundDeadlocks *found, Region *region, const Execution *ex)
{
    if (found->count == MOST_KEPT) {
        found->left++;
        return;
    }
    FoundDeadlock *kept = region_alloc(region, sizeof *kept);
    *kept = (FoundDeadlock){.schedule = schedule_take(region, ex, ex->event_count)};
    if (found->last)
        found->last->next = kept;
    else
        found->first = kept;
    found->last = kept;
    found->count++;
}

/* Up to the deadlock. */
static const ExecutionView *repeat(const DeadlockShow *show, const FoundDeadlock *kept, Execution *ex, Arena *arena)
{
    Program *base = program_abs_program(show->program);
    schedule_plan(kept->schedule, ex);
    ex->stop_after_plan = true;
    base->ops->run(base, ex);
    return execution_view_take(show->program, ex, arena);
}

static void write_tree(const DeadlockShow *show, const InterleavingTree *tree, Text *out)
{
    for (unsigned dot = 0; dot < 2; dot++) {
        Text text = {0};
        interleaving_tree_write(tree, dot, &text);
        rundir_write(show->dir, dot ? "tree.dot" : "tree.txt", &text);
        if (!dot && show->info->options.tree == TREE_TEXT)
            text_add(out, "%s\n", text_borrow(&text));
        text_release(&text);
    }
}

void found_deadlocks_show(const DeadlockShow *show, const FoundDeadlocks *const *found, uint32_t count, Text *out)
{
    const Options *options = &show->info->options;
    InterleavingTree *tree = interleaving_tree_create();
    Execution *ex = execution_create(program_abs_program(show->program));
    ex->max_agent_steps = (uint32_t)options->max_steps;
    program_abs_keep_values(show->program, true);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t number = 0;
        for (const FoundDeadlock *kept = found[i]->first; kept; kept = kept->next) {
            Arena arena = {0};
            const ExecutionView *view = repeat(show, kept, ex, &arena);
            interleaving_tree_add(tree, ex, view);
            if (options->show == SHOW_ALL) {
                text_add(out, "cycle %u, execution %u: %s\n", i + 1, ++number, view->outcome);
                execution_view_write(view, show->style, DETAIL_DIAGRAM, out);
                text_add_string(out, "\n");
            }
            arena_release(&arena);
        }
        if (found[i]->left)
            text_add(out, "cycle %u: %u more executions, which were not kept\n\n", i + 1, found[i]->left);
    }
    if (options->tree != TREE_NONE)
        write_tree(show, tree, out);
    interleaving_tree_destroy(tree);
    execution_destroy(ex);
}
