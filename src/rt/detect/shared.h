/* shared.h - plain memory that several actors or threads access, at least one of them writing
 *
 * For searches that recognise states: whether such accesses are ordered depends on the way to a state, which is no part
 * of it. If threads learn of each other only through operations that order them, the state knows enough: of two
 * accesses that race there is a state in which one belongs to the newest step of its thread and the other comes next,
 * and the accesses since its newest step, the thread's *segment*, are a part of the state. Otherwise (relaxed atomics,
 * locks that are only tried, actors) a race might be met on ways that are not taken: what is noted here takes the word
 * "exhaustive" from the verdict, as far as races are concerned. (STATE-3)
 */
#ifndef RT_DETECT_SHARED_H
#define RT_DETECT_SHARED_H

#include "base/region.h"
#include "rt/memory/word.h"

/* Before the first fork. */
void shared_init(Region *region);
/* The running thread accesses a part of a word. */
void shared_note(Word word, bool writes);
/* Has memory been written that others may read, or something been done that no step shows, since so many events? Not
 * exactly: "yes" may be wrong. An execution begins: nothing has. */
bool shared_written_since(uint32_t events);
void shared_reset(void);
/* Before each step: notes what the last one did that neither hooks nor steps show. */
void shared_look(void);

#endif
