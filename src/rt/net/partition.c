/* partition.c - see partition.h */
#include "rt/net/partition.h"

#include <string.h>

#include "rt/actors/actor_fault.h"
#include "rt/kernel/node.h"
#include "rt/kernel/transient.h"
#include "rt/sync/lifetime.h"

enum { MOST_CUTS = RT_MAX_NODES * (RT_MAX_NODES + 1) / 2 };

/* Nodes that a cut separates, as masks, and how often in this execution. */
typedef struct Cut {
    unsigned sides[2];
    unsigned times;
} Cut;

static int64_t links[RT_NODES][RT_NODES]; /* by how many cuts each is cut, the smaller node first */

static const SennitCut *given(unsigned nth) { return &sennit_cluster.cuts[nth]; }

bool partition_possible(void)
{
    bool possible = node_count() && rt.options.max_partitions;
    for (unsigned i = 0; node_count() && i < sennit_cluster.cut_count; i++)
        possible |= given(i)->most > 0;
    return possible;
}

/* ---- Which cuts --------------------------------------------------------------------------- */

static unsigned choose(unsigned options)
{
    step_begin(OP_PARTITION, 0);
    step_wait();
    unsigned taken = step_choose(options);
    step_done();
    return taken;
}

/* Those that share the budget of the option: the ones of the file or, if it has none, every link between two nodes, and
 * of three and more every node from all others. */
static unsigned list_shared(Cut *cuts)
{
    unsigned count = 0, nodes = node_count(), all = (1u << nodes) - 1;
    for (unsigned i = 0; i < sennit_cluster.cut_count; i++)
        if (given(i)->most < 0)
            cuts[count++] = (Cut){.sides = {given(i)->sides[0], given(i)->sides[1]}};
    if (count)
        return count;
    for (unsigned a = 0; a < nodes; a++)
        for (unsigned b = a + 1; b < nodes; b++)
            cuts[count++] = (Cut){.sides = {1u << a, 1u << b}};
    for (unsigned a = 0; a < nodes && nodes > 2; a++)
        cuts[count++] = (Cut){.sides = {1u << a, all & ~(1u << a)}};
    return count;
}

/* In the order of the list, so that each set of cuts is chosen in one way. */
static void choose_shared(Cut *cuts, unsigned count)
{
    for (unsigned i = 0, next = 0; i < rt.options.max_partitions; i++) {
        unsigned taken = choose(count - next + 1);
        if (!taken)
            return;
        next += taken - 1;
        cuts[next].times++;
    }
}

/* ---- The cuts of an execution ------------------------------------------------------------- */

static int64_t *value_of(unsigned a, unsigned b) { return a < b ? &links[a][b] : &links[b][a]; }

static uint64_t resource_of_link(unsigned a, unsigned b)
{
    return resource_make(RES_LINK, LINK_OF_NODES | (a < b ? a << 8 | b : b << 8 | a));
}

static bool separates(const Cut *cut, unsigned a, unsigned b)
{
    return (cut->sides[0] >> (a - 1) & 1 && cut->sides[1] >> (b - 1) & 1) ||
           (cut->sides[0] >> (b - 1) & 1 && cut->sides[1] >> (a - 1) & 1);
}

static void change(const Cut *cut, OpKind op, int by)
{
    LiveAccesses touches = {0};
    step_begin(op, 0);
    for (unsigned a = 1; a <= node_count(); a++)
        for (unsigned b = a + 1; b <= node_count(); b++)
            if (separates(cut, a, b))
                touch(&touches, resource_of_link(a, b), MODE_WRITE, value_of(a, b));
    step_wait();
    touches_begin(&touches);
    for (unsigned a = 1; a <= node_count(); a++)
        for (unsigned b = a + 1; b <= node_count(); b++)
            *value_of(a, b) += separates(cut, a, b) ? by : 0;
    touches_end(&touches);
    step_done();
}

/* The thread that a cut is. */
static void *partition(void *argument)
{
    const Cut *cut = argument;
    rt.self->travels = true;
    for (unsigned i = 0; i < cut->times; i++) {
        change(cut, OP_LINK_CUT, 1);
        actor_fault_count(FAULT_PARTITION);
        change(cut, OP_LINK_HEAL, -1);
    }
    return NULL;
}

void partition_start(void)
{
    memset(links, 0, sizeof links);
    if (!partition_possible())
        return;
    Cut *cuts = transient_alloc((MOST_CUTS + sennit_cluster.cut_count) * sizeof *cuts);
    unsigned count = rt.options.max_partitions ? list_shared(cuts) : 0;
    choose_shared(cuts, count);
    for (unsigned i = 0; i < sennit_cluster.cut_count; i++)
        if (given(i)->most > 0)
            cuts[count++] = (Cut){.sides = {given(i)->sides[0], given(i)->sides[1]},
                                  .times = choose((unsigned)given(i)->most + 1)};
    for (unsigned i = 0; i < count; i++)
        if (cuts[i].times)
            lifetime_create_own(partition, &cuts[i]);
}

/* ---- Crossing a link ---------------------------------------------------------------------- */

void partition_touch(LiveAccesses *touches, unsigned a, unsigned b)
{
    if (a != b && partition_possible())
        touch(touches, resource_of_link(a, b), MODE_READ, value_of(a, b));
}

bool partition_cuts(unsigned a, unsigned b)
{
    bool cut = a != b && *value_of(a, b) > 0;
    if (cut)
        actor_fault_count(FAULT_CUT);
    return cut;
}
