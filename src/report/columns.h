/* columns.h - the steps of an execution, a column per thread */
#ifndef REPORT_COLUMNS_H
#define REPORT_COLUMNS_H

#include "report/bugview.h"
#include "report/style.h"

/* Long sequences of unmarked steps are replaced by their number, unless the style is verbose. If the columns
 * would become too narrow, a list is written instead. */
void columns_write(const BugView *view, const Style *style, Text *out);

#endif
