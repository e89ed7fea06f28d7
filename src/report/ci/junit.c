/* junit.c - see junit.h */
#include "report/ci/junit.h"

#include <string.h>

#include "report/ci/xml.h"

static const char *const ELEMENTS[] = {
    [JUNIT_FAILED] = "failure", [JUNIT_ERROR] = "error", [JUNIT_SKIPPED] = "skipped"};

static void add_reason(Text *out, const JunitCase *c)
{
    const char *element = ELEMENTS[c->result], *reason = c->reason ? c->reason : "";
    text_add(out, ">\n      <%s", element);
    if (c->message)
        xml_add_attribute(out, "message", c->message);
    else
        xml_add_attribute_bytes(out, "message", reason, strcspn(reason, "\n"));
    if (c->type)
        xml_add_attribute(out, "type", c->type);
    text_add_string(out, ">");
    xml_add_text(out, reason, strlen(reason));
    text_add(out, "</%s>\n    </testcase>\n", element);
}

static void add_case(Text *out, const JunitCase *c)
{
    text_add_string(out, "    <testcase");
    xml_add_attribute(out, "classname", c->group);
    xml_add_attribute(out, "name", c->name);
    if (c->file)
        xml_add_attribute(out, "file", c->file);
    if (c->file && c->line)
        text_add(out, " line=\"%u\"", c->line);
    text_add(out, " time=\"%.3f\"", c->seconds);
    if (c->result == JUNIT_PASSED)
        text_add_string(out, "/>\n");
    else
        add_reason(out, c);
}

static uint32_t count_cases(const JunitSuite *suite, JunitResult result)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < suite->case_count; i++)
        found += suite->cases[i].result == result;
    return found;
}

static void add_totals(Text *out, const JunitSuite *suite)
{
    double seconds = 0;
    for (uint32_t i = 0; i < suite->case_count; i++)
        seconds += suite->cases[i].seconds;
    text_add(out, " tests=\"%u\" failures=\"%u\" errors=\"%u\" skipped=\"%u\" time=\"%.3f\"", suite->case_count,
             count_cases(suite, JUNIT_FAILED), count_cases(suite, JUNIT_ERROR), count_cases(suite, JUNIT_SKIPPED),
             seconds);
}

static void add_properties(Text *out, const JunitSuite *suite)
{
    if (suite->property_count == 0)
        return;
    text_add_string(out, "    <properties>\n");
    for (uint32_t i = 0; i < suite->property_count; i++) {
        text_add_string(out, "      <property");
        xml_add_attribute(out, "name", suite->properties[i].name);
        xml_add_attribute(out, "value", suite->properties[i].value);
        text_add_string(out, "/>\n");
    }
    text_add_string(out, "    </properties>\n");
}

void junit_write(const JunitSuite *suite, Text *out)
{
    text_add_string(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite");
    xml_add_attribute(out, "name", suite->name);
    add_totals(out, suite);
    if (suite->timestamp)
        xml_add_attribute(out, "timestamp", suite->timestamp);
    text_add_string(out, ">\n");
    add_properties(out, suite);
    for (uint32_t i = 0; i < suite->case_count; i++)
        add_case(out, &suite->cases[i]);
    if (suite->output) {
        text_add_string(out, "    <system-out>");
        xml_add_text(out, suite->output, strlen(suite->output));
        text_add_string(out, "</system-out>\n");
    }
    text_add_string(out, "  </testsuite>\n</testsuites>\n");
}
