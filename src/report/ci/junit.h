/* junit.h - results of tests as JUnit XML, which build servers read
 *
 * There is no standard; this is the subset that Jenkins, GitLab and the test reporters of GitHub agree on.
 */
#ifndef REPORT_CI_JUNIT_H
#define REPORT_CI_JUNIT_H

#include <stdint.h>

#include "base/text.h"
#include "base/vec.h"

typedef enum JunitResult { JUNIT_PASSED, JUNIT_FAILED, JUNIT_ERROR, JUNIT_SKIPPED } JunitResult;

typedef struct JunitCase {
    const char *group;     /* "classname": the file                                 */
    const char *name;
    const char *file;      /* the place in the sources; NULL: unknown               */
    uint32_t line;
    double seconds;
    JunitResult result;
    const char *type;      /* of the failure, or NULL                               */
    const char *message;   /* one line; NULL: the first line of `reason`            */
    const char *reason;    /* of a test that did not pass                           */
} JunitCase;

typedef VEC(JunitCase) JunitCases;

typedef struct JunitProperty {
    const char *name, *value;
} JunitProperty;

typedef struct JunitSuite {
    const char *name;
    const char *timestamp;           /* ISO 8601 without a zone, or NULL */
    const JunitProperty *properties;
    uint32_t property_count;
    const JunitCase *cases;
    uint32_t case_count;
    const char *output;              /* "system-out", or NULL            */
} JunitSuite;

/* A document with one suite, whose time is that of its cases together. */
void junit_write(const JunitSuite *suite, Text *out);

#endif
