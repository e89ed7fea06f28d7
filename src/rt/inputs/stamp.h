/* stamp.h - which values in memory are symbolic, for threads that wait for them
 *
 * Whether a wait is over must be the same for all inputs of an execution, since the engine computes it for other orders
 * of the steps. So a thread that waits examines every symbolic value and decides about it as any branch does; what it
 * waits for is a symbolic value it has not examined. For this each word of memory has two more resources, with the
 * lanes of the word: its stamp, which changes whenever a step stores a symbolic value and is 0 for concrete values; and
 * the number of updates whose result is unused, which do not determine the value that they leave. A step that accesses
 * a stamp accesses the word in the same mode or a stronger one, so stamps carry values for the waiting threads and add
 * no dependence (Access.companion). A step writes the stamp if the word holds, or held in this execution, a symbolic
 * value: up to then the stamp is 0, in whatever order the steps so far come. (DEC-6)
 */
#ifndef RT_INPUTS_STAMP_H
#define RT_INPUTS_STAMP_H

#include "rt/memory/word.h"

void stamp_reset(void);

static inline uint64_t stamp_resource(uint64_t address) { return resource_make(RES_STAMP, address >> 3); }
static inline uint64_t stamp_updates_resource(uint64_t address) { return resource_make(RES_UPDATES, address >> 3); }
static inline bool stamp_is_resource(uint64_t resource)
{
    return resource >> 56 == RES_STAMP || resource >> 56 == RES_UPDATES;
}

/* The stamp of a word, or its number of updates, whichever `resource` names. */
int64_t stamp_value(uint64_t resource, uint8_t lanes);

/* The step being executed is about to change the word. */
void stamp_before_store(Word word);
/* An atomic section writes the word, perhaps over a symbolic value; what it stores is not known yet. */
void stamp_in_section(Word word);
/* The step has stored a value there. */
void stamp_stored(Word word, bool symbolic);
/* The step updated the word in a mode that commutes with itself. */
void stamp_updated(Word word, bool symbolic);
/* The shadow of memory has changed. If the step being executed stored the value (a visible plain
 * store, an atomic section) the stamp changes too; otherwise a symbolic value is counted as
 * concretised if some thread waits there. */
void stamp_shadow_changed(uint64_t address, uint64_t size, bool symbolic);

/* One of several guards of the operation being announced: the word's stamp, or its number of
 * updates, differs from `seen`. */
void stamp_guard(Word word, int64_t seen);
void stamp_guard_updates(Word word, int64_t seen);

#endif
