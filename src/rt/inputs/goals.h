/* goals.h - points of interest that the program names */
#ifndef RT_INPUTS_GOALS_H
#define RT_INPUTS_GOALS_H

#include "base/region.h"
#include "rt/kernel/program_c.h"

/* Before the first fork. */
void goals_init(Region *region);
RtMarks goals_marks(void);

#endif
