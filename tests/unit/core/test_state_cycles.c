/* test_state_cycles.c - fair cycles in random graphs against all sets of nodes
 *
 * An endless execution stays in some set of nodes and takes all edges between them again and again, or some: so there
 * is a fair one iff some set of open nodes, each reachable from each inside it, has an edge inside for each agent that is
 * enabled in all of its nodes, and for each strongly fair step that is possible in some. Brute force tries all sets.
 */
#include "core/strategy/state_cycles.h"
#include "core/program.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <cmocka.h>

enum { NODES = 6, ALIASES = 3, GRAPHS = 5000 };

typedef struct Picture {
    unsigned nodes;
    bool open[NODES];
    uint8_t to[NODES][ALIASES]; /* 1 + the node; 0: the step is not possible */
    bool strong[NODES][ALIASES];
} Picture;

static uint64_t random_state = 7;

static unsigned draw(unsigned below)
{
    random_state = random_state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(random_state >> 33) % below;
}

static void draw_picture(Picture *picture)
{
    memset(picture, 0, sizeof *picture);
    picture->nodes = 1 + draw(NODES);
    bool some = draw(2);
    for (unsigned node = 0; node < picture->nodes; node++) {
        picture->open[node] = draw(4) > 0;
        for (unsigned alias = 0; alias < ALIASES; alias++) {
            picture->to[node][alias] = draw(3) ? (uint8_t)(1 + draw(picture->nodes)) : 0;
            picture->strong[node][alias] = some && draw(3) == 0;
        }
    }
}

/* The nodes reachable from the first one of the set by edges inside it, or against them. */
static unsigned spread(const Picture *picture, unsigned set, bool backwards)
{
    unsigned reached = set & -set, before = 0;
    while (reached != before) {
        before = reached;
        for (unsigned node = 0; node < picture->nodes; node++)
            for (unsigned alias = 0; alias < ALIASES; alias++) {
                unsigned to = picture->to[node][alias];
                if (!to || !(set >> node & 1) || !(set >> (to - 1) & 1))
                    continue;
                if (reached >> (backwards ? to - 1 : node) & 1)
                    reached |= 1u << (backwards ? node : to - 1);
            }
    }
    return reached;
}

static bool fails_set(const Picture *picture, unsigned set)
{
    bool edges = false;
    if (spread(picture, set, false) != set || spread(picture, set, true) != set)
        return false;
    for (unsigned node = 0; node < picture->nodes; node++)
        if (set >> node & 1 && !picture->open[node])
            return false;
    for (unsigned alias = 0; alias < ALIASES; alias++) {
        bool everywhere = true, taken = false, strong = false, strongly = false;
        for (unsigned node = 0; node < picture->nodes; node++) {
            unsigned to = picture->to[node][alias];
            if (!(set >> node & 1))
                continue;
            everywhere &= to > 0;
            taken |= to && set >> (to - 1) & 1;
            strong |= to && picture->strong[node][alias];
            strongly |= to && picture->strong[node][alias] && set >> (to - 1) & 1;
        }
        edges |= taken;
        if ((everywhere && !taken) || (strong && !strongly))
            return false;
    }
    return edges;
}

static bool fails(const Picture *picture)
{
    bool found = false;
    for (unsigned set = 1; set < 1u << picture->nodes && !found; set++)
        found = fails_set(picture, set);
    return found;
}

static uint64_t alias_of(const Picture *picture, unsigned node, uint64_t alias)
{
    return alias | (picture->strong[node][alias] ? ALIAS_STRONG : 0);
}

static StateGraph *draw_graph(Region *region, const Picture *picture)
{
    StateGraph *graph = state_graph_create(region);
    static Execution nothing;
    bool added;
    for (unsigned node = 0; node < picture->nodes; node++) {
        state_graph_node(graph, (Fingerprint){node + 1, 1}, &added);
        state_graph_set_open(graph, node, picture->open[node] ? 2 : 1);
        for (uint64_t alias = 0; alias < ALIASES; alias++)
            if (picture->to[node][alias])
                state_graph_add_alias(graph, node, alias_of(picture, node, alias));
    }
    state_graph_connect(graph, (StateEdge){.from = STATE_NONE, .to = 0}, false, &nothing, 0);
    for (unsigned node = 0; node < picture->nodes; node++)
        for (uint64_t alias = 0; alias < ALIASES; alias++)
            if (picture->to[node][alias])
                state_graph_connect(graph, (StateEdge){.from = node, .to = picture->to[node][alias] - 1u,
                                                       .alias = alias_of(picture, node, alias)},
                                    false, &nothing, 0);
    return graph;
}

/* Is it a way from its node to itself, open and fair? */
static void check_cycle(const StateGraph *graph, const Picture *picture, const StateCycle *cycle)
{
    uint32_t at = cycle->node;
    bool owed[ALIASES], strong[ALIASES] = {false}, taken[ALIASES] = {false};
    for (unsigned alias = 0; alias < ALIASES; alias++)
        owed[alias] = true;
    assert_true(cycle->count > 0);
    for (uint32_t i = 0; i < cycle->count; i++) {
        const StateEdge *edge = state_graph_edge(graph, cycle->edges[i]);
        assert_int_equal(edge->from, at);
        assert_true(picture->open[at]);
        for (unsigned alias = 0; alias < ALIASES; alias++) {
            owed[alias] &= picture->to[at][alias] && (edge->alias & ~ALIAS_STRONG) != alias;
            strong[alias] |= picture->to[at][alias] && picture->strong[at][alias];
            taken[alias] |= edge->alias == (alias | ALIAS_STRONG);
        }
        at = edge->to;
    }
    assert_int_equal(at, cycle->node);
    for (unsigned alias = 0; alias < ALIASES; alias++)
        assert_false(owed[alias] || (strong[alias] && !taken[alias]));
}

static void finds_what_brute_force_finds(void **state)
{
    unsigned failing = 0;
    (void)state;
    for (unsigned i = 0; i < GRAPHS; i++) {
        Region *region = region_create(1 << 20);
        Picture picture;
        StateCycle cycle = {0};
        draw_picture(&picture);
        StateGraph *graph = draw_graph(region, &picture);
        bool found = state_cycle_find(graph, 1, &cycle);
        assert_int_equal(found, fails(&picture));
        if (found)
            check_cycle(graph, &picture, &cycle);
        failing += found;
        state_cycle_release(&cycle);
        state_graph_destroy(graph);
        region_destroy(region);
    }
    assert_in_range(failing, GRAPHS / 10, GRAPHS * 9 / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(finds_what_brute_force_finds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
