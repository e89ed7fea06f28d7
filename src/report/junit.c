/* junit.c - see junit.h */
#include "report/junit.h"

#include <string.h>

/* Control characters have no place in XML, not even escaped. */
static void add_escaped(Text *out, const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        char c = text[i];
        switch (c) {
        case '&': text_add_string(out, "&amp;"); break;
        case '<': text_add_string(out, "&lt;"); break;
        case '>': text_add_string(out, "&gt;"); break;
        case '"': text_add_string(out, "&quot;"); break;
        default: text_add_bytes(out, (unsigned char)c < ' ' && c != '\n' && c != '\t' ? "?" : &c, 1); break;
        }
    }
}

static void add_attribute(Text *out, const char *name, const char *value, size_t size)
{
    text_add(out, " %s=\"", name);
    add_escaped(out, value, size);
    text_add_string(out, "\"");
}

static void add_case(Text *out, const JunitCase *c)
{
    text_add_string(out, "    <testcase");
    add_attribute(out, "classname", c->group, strlen(c->group));
    add_attribute(out, "name", c->name, strlen(c->name));
    text_add(out, " time=\"%.3f\"", c->seconds);
    if (!c->kind) {
        text_add_string(out, "/>\n");
        return;
    }
    text_add(out, ">\n      <%s", c->kind);
    add_attribute(out, "message", c->reason, strcspn(c->reason, "\n"));
    text_add_string(out, ">");
    add_escaped(out, c->reason, strlen(c->reason));
    text_add(out, "</%s>\n    </testcase>\n", c->kind);
}

static uint32_t count_kind(const JunitCase *cases, uint32_t count, const char *kind)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++)
        found += cases[i].kind && strcmp(cases[i].kind, kind) == 0;
    return found;
}

void junit_write(const char *suite, const JunitCase *cases, uint32_t count, Text *out)
{
    double seconds = 0;
    for (uint32_t i = 0; i < count; i++)
        seconds += cases[i].seconds;
    text_add_string(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite");
    add_attribute(out, "name", suite, strlen(suite));
    text_add(out, " tests=\"%u\" failures=\"%u\" errors=\"%u\" skipped=\"0\" time=\"%.3f\">\n", count,
             count_kind(cases, count, "failure"), count_kind(cases, count, "error"), seconds);
    for (uint32_t i = 0; i < count; i++)
        add_case(out, &cases[i]);
    text_add_string(out, "  </testsuite>\n</testsuites>\n");
}
