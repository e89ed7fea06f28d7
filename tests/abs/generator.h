/* generator.h - what the generators of random models share
 *
 * Methods m0, m1, ... call only later ones, so that every model ends. They are written from the
 * last to the first; each knows how many tasks a call of it causes, and calls that would cause
 * too many are left out.
 */
#ifndef TESTS_ABS_GENERATOR_H
#define TESTS_ABS_GENERATOR_H

#include "base/rng.h"
#include "base/text.h"

enum { GENERATOR_METHODS = 8, MOST_TASKS = 7 };

typedef struct Generator {
    Rng rng;
    Text *text;
    uint32_t methods;
    uint32_t cost[GENERATOR_METHODS]; /* tasks that a call causes      */
    uint32_t method;                  /* being written                 */
    uint32_t spent;                   /* tasks it causes so far        */
    uint32_t futures, objects;        /* variables so far              */
    unsigned depth;
} Generator;

static inline Generator generator_start(uint64_t seed, uint32_t methods, Text *text)
{
    Generator g = {.rng = {seed}, .text = text, .methods = methods};
    g.rng.state = rng_next(&g.rng); /* neighbouring seeds must not give shifted sequences */
    return g;
}

static inline uint32_t below(Generator *g, uint32_t bound) { return rng_below(&g->rng, bound); }

static inline void indent(Generator *g) { text_add_fill(g->text, ' ', 8 + 4 * (int)g->depth); }

/* A method that this one may still call, or `methods`. */
static inline uint32_t choose_callee(Generator *g)
{
    for (unsigned tries = 0; tries < 4; tries++) {
        uint32_t callee = g->method + 1 + below(g, g->methods);
        if (callee < g->methods && g->spent + g->cost[callee] <= MOST_TASKS)
            return callee;
    }
    return g->methods;
}

#endif
