/* facts.h - what executions of a program show, with and without bounds
 *
 * A fact is a bug, or what a thread has seen at some point: an assertion there could fail. A bound may hide facts. It
 * must not make new ones (docs/design/bounds.md), and hides none of the executions that do not meet it.
 */
#ifndef DIFFERENTIAL_FACTS_H
#define DIFFERENTIAL_FACTS_H

#include "core/explore.h"

/* One small bound, or several at once. */
typedef struct Bounds {
    uint32_t steps, children, unroll; /* 0: none */
    uint32_t timeouts;
    int preemptions;                  /* -1: none */
    bool several;
} Bounds;

Bounds bounds_none(void);
/* Some bounds; `draw` answers a random number below its argument. */
Bounds bounds_draw(unsigned (*draw)(unsigned below));
void bounds_set(const Bounds *bounds, ExploreOptions *options);
void bounds_print(const Bounds *bounds);

typedef struct Facts Facts;

Facts *facts_create(void);
/* From now on facts are noted in `facts`; NULL: nowhere. */
void facts_note_in(Facts *facts);
/* The running execution shows a fact. */
void facts_note(uint64_t fact);
/* An execution begins, and is over: its findings may be facts too. */
void facts_begin(void);
void facts_end(const Execution *ex, bool findings);
uint32_t facts_count(const Facts *facts);

/* Facts found with bounds that there are not without: the first one, or 0. */
uint64_t facts_invented(const Facts *with, const Facts *without);
/* Facts of executions that do not meet the bounds, but were not found with them. */
uint64_t facts_missed(const Facts *with, const Facts *without, const Bounds *bounds);
void facts_print(const Facts *facts, uint64_t fact);

#endif
