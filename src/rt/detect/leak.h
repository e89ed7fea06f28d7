/* leak.h - blocks that nobody can free any more */
#ifndef RT_DETECT_LEAK_H
#define RT_DETECT_LEAK_H

/* At the end of an execution: one finding per place whose blocks were neither freed nor
 * can be reached from globals, from threads that are not over, or from models. */
void leak_check(void);

#endif
