/* junit.h - results of tests as JUnit XML, which build servers read */
#ifndef REPORT_JUNIT_H
#define REPORT_JUNIT_H

#include <stdint.h>

#include "base/text.h"

typedef struct JunitCase {
    const char *group;     /* "classname": the file                                 */
    const char *name;
    double seconds;
    const char *kind;      /* NULL: passed; else "failure" or "error"                */
    const char *reason;    /* of a test that did not pass; its first line is the message */
} JunitCase;

void junit_write(const char *suite, const JunitCase *cases, uint32_t count, Text *out);

#endif
