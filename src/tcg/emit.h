/* emit.h - tests written down: for people and as ABS
 *
 * The ABS form is what suites are made of (script.h reads it): a module whose main block puts the
 * objects and their tasks there and says what must hold in the end. Its annotations say what
 * ABS has no words for; docs/test-generation.md describes them.
 */
#ifndef TCG_EMIT_H
#define TCG_EMIT_H

#include "tcg/testcase.h"

void emit_text(const TestCase *test, TestFormat format, uint32_t number, Text *text);

/* What the tests of a suite have in common. */
typedef struct EmitNames {
    const char *model;         /* module of the model, for the import          */
    const char *module;        /* name of the test's module                    */
    const char *path;          /* file of the model, as seen from the test     */
    const char *title;         /* "DB.getData, test 3"                         */
} EmitNames;

void emit_abs(const TestCase *test, const EmitNames *names, Text *text);

#endif
