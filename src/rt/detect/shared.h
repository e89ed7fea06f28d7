/* shared.h - plain memory that several actors or threads access, at least one of them writing
 *
 * For searches that recognise states: whether such accesses are ordered depends on the way to a state, which is no part
 * of it, so a data race might be met on ways that are not taken. What is noted here takes the word "exhaustive" from
 * the verdict, as far as races are concerned.
 */
#ifndef RT_DETECT_SHARED_H
#define RT_DETECT_SHARED_H

#include "base/region.h"
#include "rt/memory/word.h"

/* Before the first fork. */
void shared_init(Region *region);
/* The running thread accesses a part of a word. */
void shared_note(Word word, bool writes);

#endif
