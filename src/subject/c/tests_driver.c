/* tests_driver.c - tests as a C program of their own, with CMake and ctest
 *
 * The driver itself and the headers it needs are files of this project, embedded as bytes
 * (driver_bytes.S); the table of inputs and the build file are generated here.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "subject/c/tests.h"

extern const char driver_text[], driver_text_end[], driver_inputs[], driver_inputs_end[];
extern const char driver_sennit_h[], driver_sennit_h_end[], driver_klee_h[], driver_klee_h_end[];
extern const char driver_monitor_h[], driver_monitor_h_end[];
extern const char driver_linearizable_h[], driver_linearizable_h_end[];
extern const char driver_actor_h[], driver_actor_h_end[], driver_actors[], driver_actors_end[];

/* ---- The table of inputs ------------------------------------------------------------- */

/* The value in a trace is a number, or bytes in quotes with \xNN. In C a hex escape would include
 * digits that follow it, so bytes are written in octal. */
static uint32_t write_bytes(const char *text, Text *out)
{
    uint32_t count = 0;
    text_add_string(out, "\"");
    for (const char *c = text + 1; *c && *c != '"'; c++, count++) {
        unsigned byte = (unsigned char)*c;
        if (c[0] == '\\' && c[1] == 'x' && c[2] && c[3]) {
            char digits[3] = {c[2], c[3], '\0'};
            byte = (unsigned)strtoul(digits, NULL, 16);
            c += 3;
        }
        if (byte >= 0x20 && byte < 0x7f && byte != '"' && byte != '\\' && byte != '?')
            text_add(out, "%c", (int)byte);
        else
            text_add(out, "\\%03o", byte);
    }
    text_add_string(out, "\"");
    return count;
}

static void write_string(const char *text, Text *out)
{
    text_add_string(out, "\"");
    for (const char *c = text; *c; c++)
        text_add(out, (unsigned char)*c < 0x20 || *c == '"' || *c == '\\' || *c == '?' ? "\\%03o" : "%c",
                 (unsigned char)*c);
    text_add_string(out, "\"");
}

/* Numbers of up to 128 bits; C has no constants for the larger ones. */
static void write_number(const char *text, Text *out)
{
    bool negative = *text == '-';
    unsigned __int128 value = 0;
    for (const char *c = text + negative; *c; c++)
        value = value * 10 + (unsigned)(*c - '0');
    bool small = value <= INT64_MAX;
    value = negative ? 0 - value : value;
    if (small)
        text_add(out, ", %sLL, 0, 0},\n", text);
    else
        text_add(out, ", WIDE(0x%llxULL, 0x%llxULL), 0, 0},\n", (unsigned long long)(value >> 64),
                 (unsigned long long)value);
}

static void write_value(const TraceInput *input, Text *out)
{
    text_add_string(out, "    {");
    write_string(input->name, out);
    if (input->value[0] == '"') {
        text_add_string(out, ", 0, ");
        uint32_t size = write_bytes(input->value, out);
        text_add(out, ", %u},\n", size);
    } else {
        write_number(input->value, out);
    }
}

/* Choices are decisions of the schedule; for the driver they are inputs too. */
static uint32_t write_choices(const Trace *trace, Text *out)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < trace->step_count; i++) {
        const TraceStep *step = &trace->steps[i];
        if (strncmp(step->text, "choose", 6) != 0 || step->choice_count != 1)
            continue;
        bool is_main = strcmp(step->agent, "0") == 0;
        text_add(out, "    {\"choose%s%s\", %u, 0, 0},\n", is_main ? "" : "@", is_main ? "" : step->agent,
                 trace->choices[step->first_choice].taken);
        count++;
    }
    return count;
}

static bool has_threads(const Trace *trace)
{
    for (uint32_t i = 0; i < trace->step_count; i++)
        if (strcmp(trace->steps[i].agent, "0") != 0)
            return true;
    return false;
}

/* Bugs that make a program fail also without Sennit. */
static bool fails_by_itself(const char *kind)
{
    static const char *const kinds[] = {"assertion", "crash", "division", "exit-code"};
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kind, kinds[i]) == 0)
            return true;
    return false;
}

static void write_row(const Trace *trace, uint32_t number, uint32_t values, Text *rows)
{
    static const char prefix[] = "ends with status ";
    bool ends = strcmp(trace->kind, "test") == 0;
    text_add(rows, "    {%u, values_%u, %u, %s, %ld, %s, ", number, number, values,
             ends                           ? "ENDS"
             : fails_by_itself(trace->kind) ? "FAILS"
                                            : "UNSEEN",
             ends ? strtol(trace->summary + sizeof prefix - 1, NULL, 10) & 255 : 0,
             has_threads(trace) ? "true" : "false");
    Text outcome = {0};
    text_add(&outcome, ends ? "%s" : "%s: %s", ends ? trace->summary : trace->kind, trace->summary);
    write_string(outcome.data, rows);
    text_add_string(rows, "},\n");
    text_release(&outcome);
}

static bool add_test(const char *directory, uint32_t number, Text *values, Text *rows, Error *error)
{
    Text path = {0};
    tests_name(directory, number, &path);
    Trace *trace = trace_read(path.data, error);
    text_release(&path);
    if (!trace)
        return false;
    text_add(values, "static const DriverValue values_%u[] = {\n", number);
    for (uint32_t i = 0; i < trace->input_count; i++)
        write_value(&trace->inputs[i], values);
    uint32_t count = trace->input_count + write_choices(trace, values);
    text_add_string(values, count ? "};\n" : "    {0, 0, 0, 0}\n};\n");
    write_row(trace, number, count, rows);
    trace_destroy(trace);
    return true;
}

static void write_arguments(const RunInfo *info, Text *out)
{
    text_add(out, "enum { FIXED_COUNT = %d };\nstatic const char *const fixed_arguments[] = {", info->argc - 1);
    for (int i = 1; i < info->argc; i++) {
        write_string(info->arguments[i], out);
        text_add_string(out, ", ");
    }
    text_add_string(out, "0};\n\n");
}

/* ---- The build file ----------------------------------------------------------------------- */

static bool is_source(const char *word)
{
    const char *dot = strrchr(word, '.');
    return word[0] != '-' && dot && strcmp(dot, ".c") == 0;
}

static void write_word(const RunInfo *info, const char *word, bool is_path, Text *out)
{
    text_add_string(out, "\n    \"");
    if (is_path && word[0] != '/')
        text_add(out, "%s/", info->directory);
    for (const char *c = word; *c; c++)
        text_add(out, strchr("\\\"$;", *c) ? "\\%c" : "%c", *c);
    text_add_string(out, "\"");
}

/* The words of the compiler's command line, one per line in --build: flags, or sources. */
static void write_words(const RunInfo *info, bool sources, Text *out)
{
    char *words = mem_copy_string(info->options.build), *rest = words;
    for (char *word; (word = strsep(&rest, "\n"));) {
        bool joined = strncmp(word, "-I", 2) == 0 && word[2] && word[2] != '/';
        if (!*word || is_source(word) != sources)
            continue;
        if (joined)
            text_add(out, "\n    \"-I%s/%s\"", info->directory, word + 2);
        else
            write_word(info, word, sources, out);
    }
    free(words);
}

static void write_build(const RunInfo *info, const uint32_t *numbers, uint32_t count, Text *out)
{
    text_add_string(out, "# Tests of " );
    text_add(out, "%s, found by exploring it. They run without Sennit:\n"
                  "#     cmake -B build && cmake --build build && ctest --test-dir build\n"
                  "cmake_minimum_required(VERSION 3.16)\nproject(tests C)\nfind_package(Threads REQUIRED)\n"
                  "set(SOURCES", info->name);
    write_words(info, true, out);
    text_add_string(out, "\n    CACHE STRING \"the program\")\nset(FLAGS");
    write_words(info, false, out);
    text_add_string(out,
                    "\n    CACHE STRING \"how it is compiled\")\n"
                    "if(NOT SOURCES)\n  message(FATAL_ERROR \"No program given: cmake -DSOURCES='a.c;b.c'\")\nendif()\n"
                    "add_library(program STATIC ${SOURCES})\n"
                    "target_compile_definitions(program PRIVATE main=sennit_program_main SENNIT_DRIVER)\n"
                    "target_compile_options(program PRIVATE ${FLAGS})\n"
                    "target_include_directories(program PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})\n"
                    "add_library(actors STATIC actors.c)\n"
                    "target_include_directories(actors PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})\n"
                    "add_executable(driver driver.c)\n"
                    "target_link_libraries(driver program actors Threads::Threads m)\n"
                    "enable_testing()\nforeach(number");
    for (uint32_t i = 0; i < count; i++)
        text_add(out, "%s%u", i % 16 ? " " : "\n    ", numbers[i]);
    text_add_string(out, ")\n  add_test(NAME test${number} COMMAND driver ${number})\n"
                         "  set_tests_properties(test${number} PROPERTIES SKIP_RETURN_CODE 77)\nendforeach()\n");
}

/* ---- All files --------------------------------------------------------------------------------- */

static bool write_text(const char *directory, const char *name, const char *bytes, size_t size, Error *error)
{
    Text path = {0};
    text_add(&path, "%s/%s", directory, name);
    bool good = tests_write_file(path.data, bytes, size, error);
    text_release(&path);
    return good;
}

static void make_folder(const char *directory, const char *name)
{
    Text path = {0};
    text_add(&path, "%s/%s", directory, name);
    mkdir(path.data, 0777); /* if it fails, so does writing into it */
    text_release(&path);
}

static bool write_fixed(const char *directory, Error *error)
{
    static const struct { const char *name, *begin, *end; } files[] = {
        {"driver.c", driver_text, driver_text_end},
        {"inputs.def", driver_inputs, driver_inputs_end},
        {"actors.c", driver_actors, driver_actors_end}, /* linked only into programs with actors */
        {"sennit/sennit.h", driver_sennit_h, driver_sennit_h_end},
        {"sennit/actor.h", driver_actor_h, driver_actor_h_end},
        {"sennit/monitor.h", driver_monitor_h, driver_monitor_h_end},
        {"sennit/linearizable.h", driver_linearizable_h, driver_linearizable_h_end},
        {"klee/klee.h", driver_klee_h, driver_klee_h_end}};
    make_folder(directory, "sennit");
    make_folder(directory, "klee");
    for (unsigned i = 0; i < sizeof files / sizeof *files; i++)
        if (!write_text(directory, files[i].name, files[i].begin, (size_t)(files[i].end - files[i].begin), error))
            return false;
    return true;
}

bool tests_write_driver(const RunInfo *info, const char *directory, const uint32_t *numbers, uint32_t count,
                        Error *error)
{
    Text table = {0}, rows = {0}, build = {0};
    bool good = count == 0 || write_fixed(directory, error);
    text_add_string(&table, "/* tests.h - the inputs of each test, and how it ends */\n");
    write_arguments(info, &table);
    for (uint32_t i = 0; i < count && good; i++)
        good = add_test(directory, numbers[i], &table, &rows, error);
    text_add(&table, "\nstatic const Test tests[] = {\n%s};\n", text_borrow(&rows));
    write_build(info, numbers, count, &build);
    good = good && (count == 0 || (write_text(directory, "tests.h", table.data, table.length, error) &&
                                   write_text(directory, "CMakeLists.txt", build.data, build.length, error)));
    text_release(&table);
    text_release(&rows);
    text_release(&build);
    return good;
}
