/* roundtrip.c - generated tests, written as ABS and read back, pass on their model
 *
 *     tcg_roundtrip FIRST COUNT [SOLVER]    COUNT random models, from seed FIRST on
 *
 * A test in which one number is changed that must hold in the end does not pass. Damaged tests
 * do no harm.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models.h"
#include "tcg/emit.h"
#include "tcg/generate.h"
#include "tcg/verify.h"

enum { MOST_TESTS = 60 };

typedef struct Totals {
    uint64_t models, tests, changed, mismatches;
} Totals;

static AbsProgram *create(const Text *text, const AbsOptions *options)
{
    Text diagnostics = {0};
    Error error = {0};
    AbsProgram *program = program_abs_create_text("generated.abs", text->data, text->length, options, &diagnostics, &error);
    text_release(&diagnostics);
    return program ? program : (fprintf(stderr, "%s\n", error.text), exit(2), NULL);
}

static StartState *make_context(AbsProgram *program, uint64_t seed)
{
    StartState *start = start_create(program_abs_model(program));
    const Image *image = program_abs_machine(program)->image;
    const ClassDecl *class = image->classes[0].decl;
    uint32_t object = start_add_object(start, &image->classes[0]);
    start_add_task(start, object, start_find_method(class, "m0"));
    if (seed % 3)
        start_add_task(start, seed % 3 == 1 ? object : start_add_object(start, &image->classes[0]), start_find_method(class, "m1"));
    return start;
}

static TestVerdict run(AbsProgram *program, const char *text, size_t size, Text *reason)
{
    Model *suite = model_create();
    ScriptList tests = {0};
    parser_run(suite, source_add_text(&suite->sources, "test.abs", text, size, false));
    if (!suite->diags.errors)
        script_read(suite, &tests);
    TestVerdict verdict = TEST_BROKEN;
    if (suite->diags.errors)
        diags_print(&suite->diags, &suite->sources, reason);
    else if (tests.count == 1)
        verdict = verify_test(program, suite, &tests.items[0], reason);
    scripts_release(&tests);
    model_destroy(suite);
    return verdict;
}

/* The last number that is asserted becomes another one; false if none is. */
static bool change(Text *text)
{
    static const char pattern[] = "assert this.x == ";
    char *last = NULL;
    for (char *at = strstr(text->data, pattern); at; at = strstr(at + 1, pattern))
        last = at + strlen(pattern);
    if (!last)
        return false;
    last += *last == '-';
    *last = *last == '9' ? '8' : (char)(*last + 1);
    return true;
}

/* Some bytes become others, or blanks: keywords, values, annotations, braces. */
static void damage(Text *text, uint64_t *random)
{
    static const char bytes[] = "{}()[];:,.=!\"abx019 -_#?*<>";
    for (uint32_t i = 0; i < 2; i++) {
        *random = *random * 6364136223846793005ull + 1442695040888963407ull;
        size_t at = (size_t)(*random >> 33) % text->length, length = 1 + (*random >> 20) % 6;
        for (size_t k = at; k < at + length && k < text->length; k++)
            text->data[k] = (*random >> 10) % 2 ? ' ' : bytes[(*random >> 40) % (sizeof bytes - 1)];
    }
}

static void complain(Totals *totals, uint64_t seed, uint32_t test, const char *what, const Text *reason, const Text *text)
{
    printf("seed %llu test %u: %s\n%s%s\n", (unsigned long long)seed, test + 1, what, text_borrow(reason), text_borrow(text));
    totals->mismatches++;
}

static void check_test(AbsProgram *plain, uint64_t seed, const TestSuite *suite, uint32_t number, Totals *totals)
{
    Text text = {0}, reason = {0};
    EmitNames names = {.model = "M", .module = "T", .title = "test", .path = "generated.abs"};
    emit_abs(&suite->items[number], &names, &text);
    if (run(plain, text.data, text.length, &reason) != TEST_PASSED)
        complain(totals, seed, number, "does not pass", &reason, &text);
    if (change(&text)) {
        totals->changed++;
        text_reset(&reason);
        if (run(plain, text.data, text.length, &reason) != TEST_FAILED)
            complain(totals, seed, number, "passes although it was changed", &reason, &text);
    }
    uint64_t random = seed * 1000 + number;
    for (uint32_t i = 0; i < 5; i++) {
        damage(&text, &random);
        text_reset(&reason);
        run(plain, text.data, text.length, &reason);
    }
    totals->tests++;
    text_release(&text);
    text_release(&reason);
}

static void check_model(uint64_t seed, const char *solver, Totals *totals)
{
    Text text = {0};
    TestSuite suite = {.format = (TestFormat)(seed % 3)};
    GenerateStats stats = {.complete = true};
    AbsOptions options = {.dependence = DEPENDENCE_FIELDS, .without_main = true, .max_loop = 1 + seed % 3, .solver = {.solver = solver}};
    AbsOptions no_limits = {.dependence = DEPENDENCE_FIELDS, .without_main = true, .plain_inputs = true};
    models_write(seed, &text);
    AbsProgram *program = create(&text, &options), *plain = create(&text, &no_limits);
    StartState *context = make_context(program, seed);
    generate_tests(program, context, 0, REDUCTION_OPTIMAL, MOST_TESTS, NULL, &suite, &stats);
    for (uint32_t i = 0; i < suite.count; i++) {
        if (seed % 2)
            generate_tighten(program, context, suite.format, &suite.items[i]);
        check_test(plain, seed, &suite, i, totals);
    }
    totals->models++;
    suite_release(&suite);
    start_destroy(context);
    program_abs_destroy(program);
    program_abs_destroy(plain);
    text_release(&text);
}

int main(int argc, char **argv)
{
    Totals t = {0};
    if (argc != 3 && argc != 4) {
        fprintf(stderr, "usage: tcg_roundtrip FIRST COUNT [SOLVER]\n");
        return 2;
    }
    uint64_t first = strtoull(argv[1], NULL, 10), count = strtoull(argv[2], NULL, 10);
    for (uint64_t seed = first; seed < first + count && t.mismatches < 5; seed++)
        check_model(seed, argc == 4 ? argv[3] : NULL, &t);
    printf("%llu models, %llu tests, %llu of them changed, %llu mismatches\n", (unsigned long long)t.models, (unsigned long long)t.tests,
           (unsigned long long)t.changed, (unsigned long long)t.mismatches);
    return t.mismatches > 0;
}
