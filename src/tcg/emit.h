/* emit.h - tests as text for readers and as ABS
 *
 * Suites consist of the ABS form (script.h reads it): a module whose main block creates the objects and their tasks and
 * states what must hold at the end. Annotations express what ABS cannot; docs/test-generation.md describes them.
 */
#ifndef TCG_EMIT_H
#define TCG_EMIT_H

#include "tcg/testcase.h"

/* Adds the test in the form for readers, with this number in its title. */
void emit_text(const TestCase *test, TestFormat format, uint32_t number, Text *text);

/* Names in the ABS form of a test. */
typedef struct EmitNames {
    const char *model;         /* module of the model, for the import          */
    const char *module;        /* name of the test's module                    */
    const char *path;          /* file of the model, as seen from the test     */
    const char *title;         /* "DB.getData, test 3"                         */
} EmitNames;

/* Adds the test as an ABS module. */
void emit_abs(const TestCase *test, const EmitNames *names, Text *text);

#endif
