/* contexts.c - see contexts.h
 *
 * The objects of one class in a context are a multiset of multisets of methods. Enumerating them in descending order
 * yields each context once. Contexts of several classes are all combinations of those of the single classes.
 */
#include "tcg/contexts.h"

#include <string.h>

typedef struct Generator {
    const InitialCall *calls;
    uint32_t count;
    uint32_t limit;
    ContextList *contexts;
    uint8_t left[CONTEXT_MOST_METHODS]; /* tasks that still need an object */
    InitialContext built;
    bool complete;
} Generator;

static void next_class(Generator *g, uint32_t first);
static void next_object(Generator *g, uint32_t first, uint32_t end);

/* ---- One class ---------------------------------------------------------- */

/* Is call i of the same class as `first`? The methods of a class need not be adjacent. */
static bool belongs(const Generator *g, uint32_t first, uint32_t i)
{
    return g->calls[i].class == g->calls[first].class;
}

static bool is_first_of_class(const Generator *g, uint32_t i)
{
    for (uint32_t k = 0; k < i; k++)
        if (belongs(g, k, i))
            return false;
    return true;
}

/* Objects of one class are in descending order. */
static bool in_order(const Generator *g, const ContextObject *object)
{
    if (g->built.count == 0)
        return true;
    const ContextObject *last = &g->built.items[g->built.count - 1];
    return last->class != object->class || memcmp(last->tasks, object->tasks, sizeof last->tasks) >= 0;
}

/* Enumerates how many tasks of method i the object gets, then continues with the next method. */
static void fill_object(Generator *g, ContextObject *object, uint32_t first, uint32_t i, bool empty)
{
    if (i == g->count) {
        if (!empty && in_order(g, object)) {
            VEC_PUSH(&g->built, *object);
            next_object(g, first, i);
            g->built.count--;
        }
        return;
    }
    uint8_t most = belongs(g, first, i) ? g->left[i] : 0;
    for (uint32_t n = most + 1u; n-- > 0;) {
        object->tasks[i] = (uint8_t)n;
        g->left[i] = (uint8_t)(g->left[i] - n);
        fill_object(g, object, first, i + 1, empty && n == 0);
        g->left[i] = (uint8_t)(g->left[i] + n);
    }
    object->tasks[i] = 0;
}

static void next_object(Generator *g, uint32_t first, uint32_t end)
{
    bool placed = true;
    for (uint32_t i = 0; i < end; i++)
        placed = placed && (!belongs(g, first, i) || g->left[i] == 0);
    if (placed) {
        next_class(g, first + 1);
        return;
    }
    ContextObject object = {.class = g->calls[first].class};
    fill_object(g, &object, first, 0, true);
}

/* Enumerates how often each method of the class is called. */
static void choose_numbers(Generator *g, uint32_t first, uint32_t i)
{
    if (i == g->count) {
        next_object(g, first, i);
        return;
    }
    if (!belongs(g, first, i)) {
        choose_numbers(g, first, i + 1);
        return;
    }
    for (uint32_t n = g->calls[i].least; n <= g->calls[i].most && g->complete; n++) {
        g->left[i] = (uint8_t)n;
        choose_numbers(g, first, i + 1);
    }
    g->left[i] = 0;
}

/* ---- All classes ----------------------------------------------------------- */

static void add_context(Generator *g)
{
    if (g->built.count == 0)
        return;
    if (g->contexts->count == g->limit) {
        g->complete = false;
        return;
    }
    InitialContext copy = {0};
    for (uint32_t i = 0; i < g->built.count; i++)
        VEC_PUSH(&copy, g->built.items[i]);
    VEC_PUSH(g->contexts, copy);
}

static void next_class(Generator *g, uint32_t first)
{
    while (first < g->count && !is_first_of_class(g, first))
        first++;
    if (first == g->count)
        add_context(g);
    else
        choose_numbers(g, first, first);
}

bool contexts_generate(const InitialCall *calls, uint32_t count, uint32_t limit, ContextList *contexts)
{
    Generator g = {.calls = calls, .count = count, .limit = limit, .contexts = contexts, .complete = true};
    next_class(&g, 0);
    VEC_FREE(&g.built);
    return g.complete;
}

void contexts_free(ContextList *contexts)
{
    for (uint32_t i = 0; i < contexts->count; i++)
        VEC_FREE(&contexts->items[i]);
    VEC_FREE(contexts);
}
