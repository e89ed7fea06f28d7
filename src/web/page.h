/* page.h - the page with the data of a run in it: one file that needs nothing else */
#ifndef WEB_PAGE_H
#define WEB_PAGE_H

#include "base/text.h"

/* False if the machine that built the tool had no Node.js. */
bool page_is_built(void);

/* Adds the page with this JSON value as its data. False if the page was not built. */
bool page_write_report(const char *data, Text *out);

#endif
