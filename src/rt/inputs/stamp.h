/* stamp.h - which values in memory depend on inputs, for those who wait for them
 *
 * Whether a wait is over must not depend on the inputs of an execution, since the engine
 * works it out for other orders of the steps. So a thread that waits looks at every value
 * that depends on inputs and decides about it as any branch does; what it waits for is that
 * there is one it has not seen. For this each word of memory has two more resources, with
 * the lanes of the word: its stamp, which changes whenever a step stores a value that
 * depends on inputs and is 0 for other values; and the number of updates whose result nobody
 * looks at, which do not tell the value that they leave. Whoever touches a stamp touches the word
 * in the same mode or a stronger one, so stamps tell values to those who wait, and nothing about
 * dependence (Access.companion). A step writes the stamp if something that depends on inputs is
 * or was there in this execution: up to then it is 0, in whatever order the steps so far come.
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

/* The stamp of a word, or its number of updates: what `resource` names. */
int64_t stamp_value(uint64_t resource, uint8_t lanes);

/* The step being executed is about to change the word. */
void stamp_before_store(Word word);
/* An atomic section writes the word; what it stores is not known yet. It may take the place of something
 * that depends on inputs. */
void stamp_in_section(Word word);
/* It has stored something there; does it depend on inputs? */
void stamp_stored(Word word, bool symbolic);
/* The step updated the word in a mode that commutes with itself. */
void stamp_updated(Word word, bool symbolic);
/* The shadow of memory has changed. If the step being executed stored it (a visible plain
 * store, an atomic section) the stamp follows; if some thread waits there all the same, that
 * is counted. */
void stamp_shadow_changed(uint64_t address, uint64_t size, bool symbolic);

/* What the operation that is announced waits for, as one of several guards: that the word's
 * stamp, its number of updates, is another one. */
void stamp_guard(Word word, int64_t seen);
void stamp_guard_updates(Word word, int64_t seen);

#endif
