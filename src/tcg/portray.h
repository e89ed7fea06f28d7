/* portray.h - the start state of an execution, as far as the execution looked at it
 *
 * What no step depended on is shown as "_": any value will do.
 */
#ifndef TCG_PORTRAY_H
#define TCG_PORTRAY_H

#include "abs/machine.h"
#include "base/text.h"

/* One line per object with its fields, one per pending task with its arguments. */
void portray_start(Machine *machine, Text *text);
/* The same of the state at the end: objects, fields, results of the tasks of the start. */
void portray_end(Machine *machine, Text *text);

#endif
