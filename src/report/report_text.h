/* report_text.h - bugs and verdicts as text */
#ifndef REPORT_REPORT_TEXT_H
#define REPORT_REPORT_TEXT_H

#include "report/bugview.h"
#include "report/style.h"
#include "report/summary.h"

/* One bug: a sentence, what each thread was doing, the steps, the program's output, how to replay it. */
void report_text_bug(const BugView *view, const Style *style, Text *out);

/* The end of a run: verdict and figures. */
void report_text_summary(const Summary *summary, const Style *style, Text *out);

#endif
