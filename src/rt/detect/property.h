/* property.h - properties of the states of a program (include/sennit/monitor.h)
 *
 * A property is looked at in the first state, and behind each step that writes what it has read when it was looked at
 * last. What it read then and what it reads now belong to the footprint of the step. So only steps that the property
 * can tell apart are ordered by it. (DEP-14)
 */
#ifndef RT_DETECT_PROPERTY_H
#define RT_DETECT_PROPERTY_H

#include "rt/kernel/runtime.h"
#include "rt/memory/word.h"
#include "sennit/monitor.h"

/* Before main: the program has this property. */
void property_add(sennit_property *property);
/* Has it any? */
bool property_exists(void);
/* How many have failed in this execution, which changes nothing in it. */
uint32_t property_failures(void);
/* The first state, before main. */
void property_begin(void);
/* A step is complete: looks at the properties that it may have changed. */
void property_look(void);
/* The running thread, which looks at a property, reads the word. */
void property_note_read(Word word);
/* What the expression of the property said. */
void property_fails(sennit_property *property);
void property_owes(sennit_property *property, bool owes);

#endif
