/* csuite.c - see csuite.h */
#include "cgen/csuite.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "cgen/ctype.h"
#include "host/subprocess.h"

extern const char csuite_check_h[], csuite_check_h_end[];

/* ---- Tests ------------------------------------------------------------------------------- */

static int is_trace(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return strncmp(entry->d_name, "test", 4) == 0 && length > 6 && strcmp(entry->d_name + length - 6, ".trace") == 0;
}

static bool has_threads(const Trace *trace)
{
    for (uint32_t i = 0; i < trace->step_count; i++)
        if (strcmp(trace->steps[i].agent, "0") != 0)
            return true;
    return false;
}

/* Without Sennit a bug may show in many ways, or not at all. */
static char *why_skipped(const Trace *trace)
{
    Text reason = {0};
    if (strcmp(trace->kind, "test") != 0)
        text_add(&reason, "it shows a bug (%s); repeat it with sennit replay", trace->kind);
    else if (has_threads(trace))
        text_add_string(&reason, "it depends on the schedule; repeat it with sennit replay");
    char *copy = reason.length ? mem_copy_string(reason.data) : NULL;
    text_release(&reason);
    return copy;
}

static bool read_cases(CSuite *suite, Error *error)
{
    struct dirent **entries;
    int count = scandir(suite->directory, &entries, is_trace, alphasort);
    bool good = count >= 0 || error_set(error, EXIT_USAGE, "cannot read %s: %s", suite->directory, strerror(errno));
    Text path = {0};
    for (int i = 0; i < count; i++) {
        text_reset(&path);
        text_add(&path, "%s/%s", suite->directory, entries[i]->d_name);
        Trace *trace = good ? trace_read(path.data, error) : NULL;
        good = trace != NULL;
        if (good)
            VEC_PUSH(&suite->cases, ((SuiteCase){.number = (uint32_t)strtoul(entries[i]->d_name + 4, NULL, 10),
                                                 .trace = trace,
                                                 .skipped = why_skipped(trace)}));
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    text_release(&path);
    return good;
}

void csuite_release(CSuite *suite)
{
    for (uint32_t i = 0; i < suite->cases.count; i++) {
        trace_destroy(suite->cases.items[i].trace);
        free(suite->cases.items[i].skipped);
        VEC_FREE(&suite->cases.items[i].notes);
    }
    VEC_FREE(&suite->cases);
    text_release(&suite->records[0]);
    text_release(&suite->records[1]);
}

/* ---- The program ----------------------------------------------------------------------------- */

static void add_result_type(const CSuite *suite, int type, Text *text)
{
    int base = ctype_kind(suite->info, type) == CTYPE_POINTER ? ctype_base(suite->info, ctype_strip(suite->info, type))
                                                              : DEBUG_NONE;
    if (base != DEBUG_NONE && ctype_is_const(suite->info, base))
        text_add_string(text, "const ");
    ctype_spell(suite->info, type, text);
}

static const char *result_variable(const CSuite *suite)
{
    int type;
    Text name = {0};
    bool taken = false;
    for (uint32_t nth = 1; ctype_parameter(suite->info, suite->function, nth, &type); nth++) {
        text_reset(&name);
        ctype_parameter_name(suite->info, suite->function, nth, &name);
        taken = taken || strcmp(name.data, "result") == 0;
    }
    text_release(&name);
    return taken ? "returned" : "result";
}

static void add_known_blocks(const ArgumentBlockList *blocks, Text *text)
{
    for (uint32_t i = 0; i < blocks->count; i++) {
        const ArgumentBlock *block = &blocks->items[i];
        text_add(text,
                 block->base == DEBUG_NONE ? "    sennit_know(%s, %u);\n" : "    sennit_know(%s, %u * sizeof *%s);\n",
                 block->variable, block->count, block->variable);
    }
}

static bool add_case(const CSuite *suite, const SuiteCase *test, bool noting, Text *text, Error *error)
{
    ArgumentWriter w = {.info = suite->info,
                        .options = suite->options,
                        .function = suite->function,
                        .given = test->trace,
                        .indent = 4,
                        .text = text,
                        .error = error};
    int type = DEBUG_NONE;
    const char *variable = result_variable(suite);
    text_add(text, "\nstatic void test_%u(void)\n{\n", test->number);
    bool good = arguments_write(&w);
    if (noting)
        add_known_blocks(&w.blocks, text);
    text_add_string(text, "    ");
    ctype_parameter(suite->info, suite->function, 0, &type);
    if (type != DEBUG_NONE) {
        add_result_type(suite, type, text);
        text_add(text, "%s = ", variable);
    }
    text_add(text, "%s(%s);\n", suite->options->function, text_borrow(&w.call));
    ResultWriter results = {
        .info = suite->info, .blocks = &w.blocks, .notes = noting ? NULL : &test->notes, .text = text, .indent = 4};
    size_t before = text->length;
    if (type != DEBUG_NONE)
        results_write_returned(&results, variable, type);
    if (type != DEBUG_NONE && text->length == before)
        text_add(text, "    (void)%s;\n", variable);
    results_write_blocks(&results);
    text_add_string(text, "}\n");
    arguments_release(&w);
    return good;
}

static void add_table(const CSuite *suite, Text *text)
{
    text_add_string(text, "\nstatic const SennitTest tests[] = {\n");
    for (uint32_t i = 0; i < suite->cases.count; i++) {
        const SuiteCase *test = &suite->cases.items[i];
        if (test->skipped)
            text_add(text, "    {%u, NULL, 0, \"%s\"},\n", test->number, test->skipped);
        else
            text_add(text, "    {%u, test_%u, %d, NULL},\n", test->number, test->number, test->status);
    }
    text_add_string(text, "};\n\nint main(int argc, char **argv)\n{\n"
                          "    return sennit_run(tests, sizeof tests / sizeof *tests, argc, argv);\n}\n");
}

/* Of a word in a comment: a shell reads the same, and the comment does not end. */
static void add_quoted(const char *word, Text *text)
{
    Text quoted = {0};
    text_add_word(&quoted, word);
    for (const char *at = text_borrow(&quoted); *at; at++) {
        text_add_bytes(text, at, 1);
        if (at[0] == '*' && at[1] == '/')
            text_add_string(text, "''");
    }
    text_release(&quoted);
}

/* The command is the one for the directory that `sennit generate` was called in, with the flags it was given. */
static void add_header(const CSuite *suite, const char *include, Text *text)
{
    const char *name = suite->options->function;
    Words words = {0};
    compile_add_meaning(suite->words, &words);
    compile_add_link(suite->words, &words);
    text_add(text,
             "/* Tests of %s, written by `sennit generate`. They do not need Sennit:\n"
             " *     cc -o %s_tests ", name, name);
    add_quoted(suite->directory, text);
    text_add(text, "/%s_tests.c", name);
    for (uint32_t i = 0; i < words.count; i++) {
        text_add_string(text, " ");
        add_quoted(words.items[i], text);
    }
    text_add(text, " && ./%s_tests\n */\n#include \"sennit_check.h\"\n\n"
                   "/* Record what the function frees. */\n#define free sennit_free\n#define realloc sennit_realloc\n"
                   "#define main main_of_the_source\n#include \"%s\"\n#undef main\n#undef realloc\n#undef free\n",
             name, include);
    VEC_FREE(&words);
}

static bool add_program(const CSuite *suite, const char *include, bool noting, Text *text, Error *error)
{
    bool good = true;
    add_header(suite, include, text);
    for (uint32_t i = 0; good && i < suite->cases.count; i++)
        good = suite->cases.items[i].skipped || add_case(suite, &suite->cases.items[i], noting, text, error);
    add_table(suite, text);
    return good;
}

/* ---- Files and programs ------------------------------------------------------------------------- */

static bool write_in(const CSuite *suite, const char *name, const char *ending, const char *bytes, size_t size,
                     Error *error)
{
    Text path = {0};
    text_add(&path, "%s/%s%s", suite->directory, name, ending);
    bool good = scratch_write(path.data, bytes, size, error);
    text_release(&path);
    return good;
}

const char *csuite_compile(CSuite *suite, const char *source, const char *define, Error *error)
{
    Installation installation;
    Words arguments = {0};
    Text include = {0};
    const char *program = scratch_name(suite->scratch, "suite", "", error);
    if (!program || !installation_find(&installation, error))
        return NULL;
    text_add(&include, "-I%s", suite->directory);
    VEC_PUSH(&arguments, include.data);
    if (define)
        VEC_PUSH(&arguments, define);
    VEC_PUSH(&arguments, source);
    compile_add_link(suite->words, &arguments);
    VEC_PUSH(&arguments, "-pthread");
    VEC_PUSH(&arguments, "-lm");
    VEC_PUSH(&arguments, "-o");
    VEC_PUSH(&arguments, program);
    Compilation compilation = {.installation = &installation, .words = suite->words, .deadline = suite->deadline};
    *error = (Error){.code = EXIT_USAGE};
    bool good = compile_source(&compilation, arguments.items, arguments.count, error);
    VEC_FREE(&arguments);
    text_release(&include);
    if (!good && error->code != EXIT_BUDGET)
        error_set(error, EXIT_USAGE, "the tests of %s do not compile", suite->options->function);
    return good ? program : NULL;
}

/* The exit status, or 128 + signal; -1: the program cannot be run, or not in time. */
static int run_program(const CSuite *suite, const char *const *argv, Error *error)
{
    Subprocess result;
    if (!subprocess_run_until(argv, true, suite->deadline, &result, error))
        return -1;
    return result.late ? error_set(error, EXIT_BUDGET, "there was no time to run it"), -1 : result.status;
}

/* ---- Notes ---------------------------------------------------------------------------------------- */

static SuiteCase *find_case(CSuite *suite, uint32_t number)
{
    for (uint32_t i = 0; i < suite->cases.count; i++)
        if (suite->cases.items[i].number == number)
            return &suite->cases.items[i];
    return NULL;
}

/* "test 4", then lines "name<tab>value", the last of which is the status. Of the second record only what the first
 * one has too is kept. */
static void read_record(CSuite *suite, Text *record, bool second)
{
    SuiteCase *test = NULL;
    NoteList seen = {0};
    char *rest = record->data, *line;
    while (rest && (line = strsep(&rest, "\n"))) {
        unsigned number;
        char *tab = strchr(line, '\t');
        if (!tab && sscanf(line, "test %u", &number) == 1) {
            test = find_case(suite, number);
            seen.count = 0;
        }
        if (!tab || !test)
            continue;
        *tab = '\0';
        if (strcmp(line, "status") != 0) {
            VEC_PUSH(&seen, ((Note){line, tab + 1}));
            continue;
        }
        test->status = atoi(tab + 1);
        uint32_t kept = 0;
        for (uint32_t i = 0; second && i < test->notes.count; i++)
            for (uint32_t k = 0; k < seen.count; k++)
                if (strcmp(test->notes.items[i].name, seen.items[k].name) == 0 &&
                    strcmp(test->notes.items[i].value, seen.items[k].value) == 0) {
                    test->notes.items[kept++] = test->notes.items[i];
                    break;
                }
        for (uint32_t i = 0; !second && i < seen.count; i++)
            VEC_PUSH(&test->notes, seen.items[i]);
        if (second)
            test->notes.count = kept;
    }
    VEC_FREE(&seen);
}

/* Runs all tests and records what they do; fresh memory is filled with `garbage`. */
static bool record(CSuite *suite, const char *program, const char *garbage, Text *text, Error *error)
{
    const char *path = scratch_name(suite->scratch, "record", "", error);
    setenv("MALLOC_PERTURB_", garbage, 1);
    bool good = path && run_program(suite, (const char *[]){program, path, NULL}, error) >= 0;
    unsetenv("MALLOC_PERTURB_");
    int fd = good ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    good = good && ((fd >= 0 && text_add_file(text, fd)) ||
                    error_set(error, EXIT_INTERNAL, "cannot read %s: %s", path, strerror(errno)));
    if (fd >= 0)
        close(fd);
    return good;
}

static bool take_notes(CSuite *suite, Error *error)
{
    static const char *const garbage[] = {"85", "204"};
    Text text = {0};
    const char *source = scratch_name(suite->scratch, "noting", ".c", error), *program = NULL;
    bool good = source && add_program(suite, suite->options->source, true, &text, error) &&
                scratch_write(source, text.data, text.length, error);
    if (good)
        program = csuite_compile(suite, source, "-DSENNIT_RECORD", error);
    good = program != NULL;
    for (unsigned i = 0; good && i < 2; i++) {
        good = record(suite, program, garbage[i], &suite->records[i], error);
        if (good)
            read_record(suite, &suite->records[i], i > 0);
    }
    text_release(&text);
    return good;
}

/* A test terminated by a signal is skipped: under Sennit it behaves differently. */
static void skip_crashes(CSuite *suite)
{
    for (uint32_t i = 0; i < suite->cases.count; i++)
        if (!suite->cases.items[i].skipped && suite->cases.items[i].status > 128)
            suite->cases.items[i].skipped = mem_copy_string("a signal terminates it without Sennit");
}

static uint32_t count_run(const CSuite *suite)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < suite->cases.count; i++)
        count += !suite->cases.items[i].skipped;
    return count;
}

bool csuite_make(CSuite *suite, Error *error)
{
    Text text = {0}, path = {0};
    bool good =
        read_cases(suite, error) &&
        write_in(suite, "sennit_check", ".h", csuite_check_h, (size_t)(csuite_check_h_end - csuite_check_h), error) &&
        take_notes(suite, error);
    if (good)
        skip_crashes(suite);
    good = good && add_program(suite, suite->include, false, &text, error) &&
           write_in(suite, suite->options->function, "_tests.c", text.data, text.length, error);
    text_add(&path, "%s/%s_tests.c", suite->directory, suite->options->function);
    const char *program = good ? csuite_compile(suite, path.data, NULL, error) : NULL;
    suite->runnable = count_run(suite);
    int status = program && suite->runnable ? run_program(suite, (const char *[]){program, NULL}, error) : -1;
    suite->confirmed = status == 0;
    bool late = error->code == EXIT_BUDGET && *error->text;
    if (late)
        unlink(path.data); /* whether its tests pass is not known */
    text_release(&text);
    text_release(&path);
    return program != NULL && !late;
}
