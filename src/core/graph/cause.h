/* cause.h - why a step could miss a write
 *
 * Under sequential consistency a step that reads an old write comes before the newer one. If there is a path from the
 * newer write back to the step - program order, reads-from, coherence, from-reads -, that cannot be. Weak memory allows
 * it where some part of the path orders nothing: the path is what an explanation is about, and what a repair must
 * strengthen. A path of program order and reads-from alone needs release and acquire; any other needs seq_cst.
 */
#ifndef CORE_GRAPH_CAUSE_H
#define CORE_GRAPH_CAUSE_H

#include "core/graph/record.h"

typedef enum CauseKind {
    LINK_PROGRAM, /* program order, or the creation of an agent                       */
    LINK_READS,   /* an atomic read of an atomic write                                */
    LINK_STRONG,  /* strong steps that synchronise                                    */
    LINK_BEFORE   /* coherence, or a read of an older write before a newer one        */
} CauseKind;

typedef struct CauseLink {
    uint32_t from, to; /* events     */
    uint8_t kind;      /* CauseKind   */
} CauseLink;

typedef struct Cause {
    VEC(CauseLink) path; /* several steps of program order are one link                */
    bool is_causal;      /* without LINK_BEFORE                                        */
} Cause;

/* The shortest path from a write that the event missed back to it; without LINK_BEFORE if possible. False if there is
 * none: the write could as well come later. */
bool cause_of_stale(const GraphRecord *record, uint32_t event, Cause *cause);
/* The shortest path without LINK_BEFORE from step `index` of an agent, or a later one, to the last event of another. */
bool cause_of_race(const GraphRecord *record, AgentId from, uint32_t index, AgentId to, Cause *cause);
void cause_release(Cause *cause);

/* Of a link that reads: is what comes before `from` in program order, as far as `start`, released by it; and is what
 * comes behind `to`, as far as `end`, ordered by an acquire? */
bool cause_is_released(const GraphRecord *record, const CauseLink *link, AgentId agent, uint32_t index);
bool cause_is_acquired(const GraphRecord *record, const CauseLink *link, uint32_t end);
/* Is there a seq_cst fence between two events of one agent, or are both seq_cst? */
bool cause_is_strong(const GraphRecord *record, uint32_t from, uint32_t to);

#endif
