/* goals.h - points of interest that the program names */
#ifndef RT_GOALS_H
#define RT_GOALS_H

#include "base/region.h"

/* Before the first fork. */
void goals_init(Region *region);

#endif
