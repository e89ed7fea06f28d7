/* columns.h - the steps of an execution, a column per thread */
#ifndef REPORT_COLUMNS_H
#define REPORT_COLUMNS_H

#include "report/bugview.h"
#include "report/style.h"

/* Long runs of steps that are not marked are replaced by a count, unless the style is
 * verbose. If the columns would get too narrow, a list is written instead. */
void columns_write(const BugView *view, const Style *style, Text *out);

#endif
