/* leak.h - memory leaks: blocks that can no longer be freed */
#ifndef RT_DETECT_LEAK_H
#define RT_DETECT_LEAK_H

/* At the end of an execution: adds one finding per place that allocated blocks which were not
 * freed and cannot be reached from globals, from threads that are not over, or from the state
 * of primitives. */
void leak_check(void);

#endif
