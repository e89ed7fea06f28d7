/* test_ci.c - JUnit, SARIF and annotations are well-formed whatever goes in */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "report/ci/github.h"
#include "report/ci/junit.h"
#include "report/ci/sarif.h"
#include "report/ci/sarif_internal.h"
#include "report/ci/sourceroot.h"
#include "report/ci/xml.h"
#include "report/utf8.h"

/* ---- UTF-8 -------------------------------------------------------------------------- */

static void test_utf8(void **state)
{
    (void)state;
    assert_int_equal(utf8_character("a", 1), 1);
    assert_int_equal(utf8_character("", 1), 1); /* NUL is a character */
    assert_int_equal(utf8_character("\xc3\xbc", 2), 2);
    assert_int_equal(utf8_character("\xc3\xbc", 1), 0);             /* cut off              */
    assert_int_equal(utf8_character("\xe2\x82\xac", 3), 3);
    assert_int_equal(utf8_character("\xf0\x9f\x98\x80", 4), 4);
    assert_int_equal(utf8_character("\x80", 1), 0);                 /* a continuation       */
    assert_int_equal(utf8_character("\xc0\xaf", 2), 0);             /* overlong             */
    assert_int_equal(utf8_character("\xe0\x80\xaf", 3), 0);
    assert_int_equal(utf8_character("\xf0\x80\x80\xaf", 4), 0);
    assert_int_equal(utf8_character("\xed\xa0\x80", 3), 0);         /* a surrogate          */
    assert_int_equal(utf8_character("\xf4\x90\x80\x80", 4), 0);     /* beyond U+10FFFF      */
    assert_int_equal(utf8_character("\xff", 1), 0);
}

/* ---- XML ---------------------------------------------------------------------------- */

#define FFFD "\xef\xbf\xbd"

static void check_xml(const char *bytes, size_t size, const char *text, const char *attribute)
{
    Text out = {0};
    xml_add_text(&out, bytes, size);
    assert_string_equal(text_borrow(&out), text);
    text_reset(&out);
    xml_add_attribute_bytes(&out, "a", bytes, size);
    assert_string_equal(text_borrow(&out), attribute);
    text_release(&out);
}

static void test_xml(void **state)
{
    (void)state;
    check_xml("", 0, "", " a=\"\"");
    check_xml("a<b && c>\"d'", 12, "a&lt;b &amp;&amp; c&gt;\"d'", " a=\"a&lt;b &amp;&amp; c&gt;&quot;d'\"");
    check_xml("]]>", 3, "]]&gt;", " a=\"]]&gt;\"");
    check_xml("x\ty\nz\r", 6, "x\ty\nz&#13;", " a=\"x&#9;y&#10;z&#13;\"");
    check_xml("\0\x01\x08\x0b\x1f\x7f", 6, FFFD FFFD FFFD FFFD FFFD "\x7f", " a=\"" FFFD FFFD FFFD FFFD FFFD "\x7f\"");
    check_xml("\033[1mred\033[0m", 11, FFFD "[1mred" FFFD "[0m", " a=\"" FFFD "[1mred" FFFD "[0m\"");
    check_xml("gr\xc3\xbc\xc3\x9f \xf0\x9f\x98\x80", 11, "gr\xc3\xbc\xc3\x9f \xf0\x9f\x98\x80",
              " a=\"gr\xc3\xbc\xc3\x9f \xf0\x9f\x98\x80\"");
    check_xml("\xff\xc3", 2, FFFD FFFD, " a=\"" FFFD FFFD "\"");
    check_xml("\xed\xa0\x80", 3, FFFD FFFD FFFD, " a=\"" FFFD FFFD FFFD "\"");
    check_xml("\xef\xbf\xbe\xef\xbf\xbf\xef\xbf\xbd", 9, FFFD FFFD FFFD, " a=\"" FFFD FFFD FFFD "\"");
}

static void test_junit(void **state)
{
    (void)state;
    const JunitProperty property = {"verdict", "a \"b\""};
    const JunitCase cases[] = {
        {.group = "g", .name = "n<1>", .seconds = 0.5},
        {.group = "g", .name = "n2", .file = "a&b.c", .line = 7, .seconds = 0.25, .result = JUNIT_FAILED,
         .type = "deadlock", .message = "stuck", .reason = "long\x02 <reason>\nsecond line"},
        {.group = "g", .name = "n3", .result = JUNIT_SKIPPED, .reason = "first\nsecond"},
        {.group = "g", .name = "n4", .result = JUNIT_ERROR},
    };
    Text out = {0};
    junit_write(&(JunitSuite){.name = "s", .timestamp = "2026-01-02T03:04:05", .properties = &property,
                              .property_count = 1, .cases = cases, .case_count = 4, .output = "]]>"},
                &out);
    assert_string_equal(out.data,
                        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                        "<testsuites>\n"
                        "  <testsuite name=\"s\" tests=\"4\" failures=\"1\" errors=\"1\" skipped=\"1\" time=\"0.750\""
                        " timestamp=\"2026-01-02T03:04:05\">\n"
                        "    <properties>\n"
                        "      <property name=\"verdict\" value=\"a &quot;b&quot;\"/>\n"
                        "    </properties>\n"
                        "    <testcase classname=\"g\" name=\"n&lt;1&gt;\" time=\"0.500\"/>\n"
                        "    <testcase classname=\"g\" name=\"n2\" file=\"a&amp;b.c\" line=\"7\" time=\"0.250\">\n"
                        "      <failure message=\"stuck\" type=\"deadlock\">long" FFFD " &lt;reason&gt;\n"
                        "second line</failure>\n"
                        "    </testcase>\n"
                        "    <testcase classname=\"g\" name=\"n3\" time=\"0.000\">\n"
                        "      <skipped message=\"first\">first\nsecond</skipped>\n"
                        "    </testcase>\n"
                        "    <testcase classname=\"g\" name=\"n4\" time=\"0.000\">\n"
                        "      <error message=\"\"></error>\n"
                        "    </testcase>\n"
                        "    <system-out>]]&gt;</system-out>\n"
                        "  </testsuite>\n"
                        "</testsuites>\n");
    text_release(&out);
}

/* ---- Annotations ---------------------------------------------------------------------- */

static void check_annotation(GithubAnnotation annotation, const char *expected)
{
    Text out = {0};
    github_write(&annotation, &out);
    assert_string_equal(out.data, expected);
    text_release(&out);
}

static void test_annotations(void **state)
{
    (void)state;
    check_annotation((GithubAnnotation){.level = "notice", .title = "t", .message = "m"}, "::notice title=t::m\n");
    check_annotation((GithubAnnotation){.level = "error", .file = "a.c", .line = 3, .column = 5, .title = "t",
                                        .message = "m"},
                     "::error file=a.c,line=3,col=5,title=t::m\n");
    check_annotation((GithubAnnotation){.level = "error", .file = "a.c", .column = 5, .title = "t", .message = ""},
                     "::error file=a.c,title=t::\n");
    check_annotation((GithubAnnotation){.level = "warning", .file = "a,b:c%.c", .title = "x: 1, 2\r\n",
                                        .message = "50%,a:b\r\nc"},
                     "::warning file=a%2Cb%3Ac%25.c,title=x%3A 1%2C 2%0D%0A::50%25,a:b%0D%0Ac\n");
    check_annotation((GithubAnnotation){.level = "error", .title = "gr\xc3\xbc\xc3\x9f", .message = "\xe2\x82\xac"},
                     "::error title=gr\xc3\xbc\xc3\x9f::\xe2\x82\xac\n");
}

/* ---- Names of files ----------------------------------------------------------------------- */

static void check_encoded(const char *path, const char *expected)
{
    Text out = {0};
    sourceroot_add_encoded(path, &out);
    assert_string_equal(text_borrow(&out), expected);
    text_release(&out);
}

static void test_uris(void **state)
{
    (void)state;
    check_encoded("src/a-b_c.d~1.c", "src/a-b_c.d~1.c");
    check_encoded("my file#1?.c", "my%20file%231%3F.c");
    check_encoded("c:d%20[1].c", "c%3Ad%2520%5B1%5D.c");
    check_encoded("gr\xc3\xbc\xc3\x9f.c", "gr%C3%BC%C3%9F.c");
}

static void check_path(const SourceRoot *root, const char *file, bool relative, const char *expected)
{
    Text out = {0};
    assert_int_equal(sourceroot_add_path(root, file, &out), relative);
    assert_string_equal(text_borrow(&out), expected);
    text_release(&out);
}

static void test_roots(void **state)
{
    (void)state;
    SourceRoot root;
    sourceroot_init(&root, "/no/such//place/./x/../here/");
    assert_string_equal(root.path, "/no/such/place/here");
    check_path(&root, "a.c", true, "a.c");
    check_path(&root, "./b//../a.c", true, "a.c");
    check_path(&root, "../../a.c", false, "/no/such/a.c");
    check_path(&root, "/no/such/place/here/sub/a.c", true, "sub/a.c");
    check_path(&root, "/no/such/place/hereafter/a.c", false, "/no/such/place/hereafter/a.c");
    check_path(&root, "../../../../../../a.c", false, "/a.c");
    sourceroot_release(&root);
    sourceroot_init(&root, "/");
    assert_string_equal(root.path, "");
    check_path(&root, "a.c", true, "a.c");
    sourceroot_release(&root);
}

static void test_repository(void **state)
{
    (void)state;
    char top[] = "/tmp/sennit-test-XXXXXX", path[100];
    SourceRoot root;
    assert_non_null(mkdtemp(top));
    snprintf(path, sizeof path, "%s/.git", top);
    assert_int_equal(mkdir(path, 0777), 0);
    snprintf(path, sizeof path, "%s/sub/deep", top);
    sourceroot_init(&root, path); /* need not exist */
    assert_string_equal(root.path, top);
    assert_string_equal(root.directory, path);
    check_path(&root, "a.c", true, "sub/deep/a.c");
    check_path(&root, "../a.c", true, "sub/a.c");
    sourceroot_release(&root);
    snprintf(path, sizeof path, "%s/.git", top);
    rmdir(path);
    rmdir(top);
}

/* ---- SARIF ---------------------------------------------------------------------------------- */

static void check_message(const char *text, const char *expected)
{
    Text out = {0};
    Json json = {.text = &out, .first = true};
    sarif_add_message(&json, NULL, text);
    assert_string_equal(out.data, expected);
    text_release(&out);
}

static void test_messages(void **state)
{
    (void)state;
    check_message("a[1] {x} \"q\"", "{\"text\": \"a[1] {x} \\\"q\\\"\"}");
    check_message("struct {0} and {12}, {} {a1}", "{\"text\": \"struct {{0}} and {{12}}, {} {a1}\"}");
    check_message("f[0](1)", "{\"text\": \"f\\\\[0\\\\](1)\"}");
    check_message("\xff\x01", "{\"text\": \"\\ufffd\\u0001\"}");
}

static void test_rules(void **state)
{
    (void)state;
    for (uint32_t kind = 0; kind < BUG_KIND_COUNT; kind++) {
        const char *title = sarif_rule_title((BugKind)kind), *description = sarif_rule_description((BugKind)kind);
        assert_non_null(title);
        assert_non_null(description);
        assert_true(description[strlen(description) - 1] == '.');
        assert_true(title[strlen(title) - 1] != '.');
    }
}

/* Where a text occurs in another one; fails if it does not. */
static const char *find(const char *text, const char *part)
{
    const char *found = strstr(text, part);
    if (!found)
        fail_msg("no %s in %s", part, text);
    return found;
}

/* Two threads and four steps, of which the second is where a thread plays its part in a race. */
static void test_flows(void **state)
{
    (void)state;
    TraceStep steps[] = {
        {.agent = "0", .text = "create", .place = {.file = "a b.c", .line = 1, .column = 2}},
        {.agent = "0.1", .text = "lock m", .place = {.file = "a b.c", .line = 2}},
        {.agent = "0", .text = "lock n", .place = {.file = "/else/where.c", .line = 3}},
    };
    Trace trace = {.kind = "data-race", .id = "1234", .summary = "read of x", .steps = steps, .step_count = 3};
    ThreadView threads[] = {{"0", "main"}, {"0.1", "worker"}};
    BugView view = {.trace = &trace, .threads = threads, .thread_count = 2, .party_count = 2};
    view.parties[0] = (PartyView){.thread = 0, .owner = VIEW_NO_THREAD,
                                  .action = "reads x", .position = 3, .place = {.file = "a b.c", .line = 9}};
    view.parties[1] = (PartyView){.thread = 1, .owner = VIEW_NO_THREAD,
                                  .action = "writes x", .position = 2, .place = {.file = "a b.c", .line = 8}};
    Text out = {0};
    sarif_write_bug(&view, "/no/such/place", &out);
    assert_null(strchr(out.data, '\n'));
    find(out.data, "\"ruleId\": \"data-race\", \"ruleIndex\": 2, \"level\": \"error\"");
    find(out.data, "\"artifactLocation\": {\"uri\": \"a%20b.c\", \"uriBaseId\": \"SRCROOT\"}, "
                   "\"region\": {\"startLine\": 1, \"startColumn\": 2}");
    find(out.data, "\"artifactLocation\": {\"uri\": \"file:///else/where.c\"}");
    find(out.data, "\"sennitBugId/v1\": \"1234\"");
    const char *order[] = {
        "\"main: create\"}}, \"executionOrder\": 1, \"nestingLevel\": 0, \"importance\": \"important\"",
        "\"worker: lock m\"}}, \"executionOrder\": 2, \"nestingLevel\": 1, \"importance\": \"important\"",
        "\"worker: writes x\"}}, \"executionOrder\": 3, \"nestingLevel\": 1, \"importance\": \"essential\"",
        "\"main: lock n\"}}, \"executionOrder\": 4, \"nestingLevel\": 0, \"importance\": \"important\"",
        "\"main: reads x\"}}, \"executionOrder\": 5, \"nestingLevel\": 0, \"importance\": \"essential\"",
        "\"id\": \"0\", \"message\": {\"text\": \"main\"}",
        "\"main: create\"}}, \"executionOrder\": 1, \"nestingLevel\": 0",
        "\"main: lock n\"}}, \"executionOrder\": 4, \"nestingLevel\": 0",
        "\"main: reads x\"}}, \"executionOrder\": 5, \"nestingLevel\": 0",
        "\"id\": \"0.1\", \"message\": {\"text\": \"worker\"}",
        "\"worker: lock m\"}}, \"executionOrder\": 2, \"nestingLevel\": 0",
        "\"worker: writes x\"}}, \"executionOrder\": 3, \"nestingLevel\": 0",
    };
    const char *at = find(out.data, "\"codeFlows\": [");
    for (uint32_t i = 0; i < sizeof order / sizeof *order; i++)
        at = find(at, order[i]) + 1;
    text_release(&out);
}

/* A file is made to be passed on. */
static void test_passwords(void **state)
{
    (void)state;
    SourceRoot root;
    Summary summary = {.name = "p", .strategies = "exhaustive",
                       .command = "sennit explore --store redis://:se@cret@host:1/0 http://a/b x@y --q=s://u:p@h"};
    Text out = {0};
    sourceroot_init(&root, "/no/such/place");
    sarif_write(&(SarifRun){.summary = &summary, .root = &root, .results = &(Text){0}, .result_count = 1}, &out);
    find(out.data, "\"sennit explore --store redis://...@host:1/0 http://a/b x@y --q=s://...@h\"");
    find(out.data, "\"startTimeUtc\": \"1970-01-01T00:00:00.000Z\"");
    find(out.data, "\"results\": []");
    assert_null(strstr(out.data, "cret"));
    text_release(&out);
    sourceroot_release(&root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_utf8),     cmocka_unit_test(test_xml),        cmocka_unit_test(test_junit),
        cmocka_unit_test(test_annotations), cmocka_unit_test(test_uris),    cmocka_unit_test(test_roots),
        cmocka_unit_test(test_repository), cmocka_unit_test(test_messages), cmocka_unit_test(test_rules),
        cmocka_unit_test(test_flows),    cmocka_unit_test(test_passwords),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
