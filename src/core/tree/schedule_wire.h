/* schedule_wire.h - schedules as text that is independent of the process
 *
 *     AGENT[:CHOICE,...]        a line per step, as in step_wire.h
 *
 * The numbers of conditions on inputs belong to one process. A process that reads the text finds its own by running the
 * program along it, as for a job from elsewhere.
 */
#ifndef CORE_TREE_SCHEDULE_WIRE_H
#define CORE_TREE_SCHEDULE_WIRE_H

#include "base/text.h"
#include "core/program.h"
#include "core/schedule.h"

void schedule_write(const Schedule *schedule, Program *program, Text *text);
/* Runs the program, in `probe`; `ex` gets the schedule as its plan. The result is in `region` (schedule_take). NULL if
 * the text is damaged or the program does not do what it says. */
Schedule *schedule_read(Region *region, Program *program, Execution *ex, Execution *probe, const char *text,
                        size_t size);

#endif
