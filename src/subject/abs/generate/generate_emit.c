/* generate_emit.c - see generate_emit.h */
#include "subject/abs/generate/generate_emit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/run/rundir.h"
#include "base/path.h"
#include "subject/abs/generate/generate_json.h"
#include "subject/abs/testfile.h"
#include "tcg/emit.h"

/* ---- Names -------------------------------------------------------------------------------- */

/* "DB_register_getData_Test": the prefix of the modules and files of a suite. */
static void add_prefix(const GenerateRequest *request, Text *text)
{
    for (uint32_t i = 0; i < request->methods.count; i++) {
        const char *spec = request->methods.items[i], *name = strchr(spec, '.');
        size_t class = name ? (size_t)(name - spec) : strlen(spec);
        const char *before = i ? request->methods.items[i - 1] : "";
        if (strncmp(before, spec, class + 1) != 0)
            text_add(text, "%.*s_", (int)class, spec);
        if (name)
            text_add(text, "%.*s_", (int)strcspn(name + 1, ":"), name + 1);
    }
    text_add_string(text, text->length ? "Test" : "Suite_Test");
}

/* The module that has the class of the first object. */
static const char *module_of(const Model *model, const TestCase *test)
{
    for (uint32_t i = 0; test->objects.count && i < model->classes.count; i++)
        if (strcmp(model->classes.items[i]->decl.name.text, test->objects.items[0].class) == 0)
            return model->classes.items[i]->decl.module->name.text;
    return "Model";
}

static void add_abs(const Generated *g, uint32_t number, const char *prefix, Text *text)
{
    Text module = {0}, title = {0}, path = {0};
    const TestCase *test = &g->suite->items[number];
    text_add(&module, "%s%03u", prefix, number + 1);
    for (uint32_t i = 0; i < test->tasks.count; i++)
        text_add(&title, "%s%s", i ? ", " : "", test->tasks.items[i].name);
    text_add(&title, " %u", number + 1);
    if (g->request->out)
        path_add_relative(g->request->out, g->request->paths[0], &path);
    else
        text_add_string(&path, g->request->paths[0]);
    EmitNames names = {.module = text_borrow(&module), .title = text_borrow(&title), .path = text_borrow(&path),
                       .model = module_of(g->model, test)};
    emit_abs(test, &names, text);
    text_release(&module);
    text_release(&title);
    text_release(&path);
}

/* ---- Confirming -------------------------------------------------------------------------------- */

static bool confirm_all(const Generated *g, const char *prefix, Error *error)
{
    TestSemantics semantics = {.free_time = g->request->options->time != 0};
    AbsProgram *program = testfile_load_model(g->request->paths, g->request->path_count, semantics, error);
    Text text = {0};
    bool good = program != NULL;
    for (uint32_t i = 0; good && i < g->suite->count; i++) {
        text_reset(&text);
        add_abs(g, i, prefix, &text);
        good = testfile_confirm(program, &text, error);
    }
    text_release(&text);
    program_abs_destroy(program);
    return good;
}

/* ---- Writing ---------------------------------------------------------------------------------- */

bool generate_emit_prepare(const GenerateRequest *request, Error *error)
{
    if (!request->out)
        return true;
    if (mkdir(request->out, 0777) != 0 && errno != EEXIST)
        return error_set(error, EXIT_USAGE, "cannot create the directory %s: %s", request->out, strerror(errno));
    if (access(request->out, W_OK | X_OK) != 0)
        return error_set(error, EXIT_USAGE, "cannot write to %s: %s", request->out, strerror(errno));
    return true;
}

static void put(const Generated *g, RunDir *dir, const char *name, const Text *text)
{
    if (g->request->out)
        rundir_write(dir, name, text);
    else if (!g->request->quiet_tests)
        fwrite(text_borrow(text), 1, text->length, stdout);
}

static void write_abs(const Generated *g, RunDir *dir, const char *prefix)
{
    bool one_file = g->request->emit == EMIT_XUNIT;
    Text text = {0}, name = {0};
    if (g->request->out)
        testfile_remove_old(g->request->out, prefix);
    for (uint32_t i = 0; i < g->suite->count; i++) {
        add_abs(g, i, prefix, &text);
        if (!g->request->out || one_file)
            text_add_string(&text, i + 1 < g->suite->count ? "\n" : "");
        if (one_file)
            continue;
        text_reset(&name);
        text_add(&name, "%s%03u.abs", prefix, i + 1);
        put(g, dir, text_borrow(&name), &text);
        text_reset(&text);
    }
    text_reset(&name);
    text_add(&name, "%ss.abs", prefix);
    if (one_file)
        put(g, dir, text_borrow(&name), &text);
    text_release(&name);
    text_release(&text);
}

static void write_text(const Generated *g, RunDir *dir)
{
    Text text = {0};
    for (uint32_t i = 0; i < g->suite->count; i++)
        emit_text(&g->suite->items[i], g->suite->format, i, &text);
    put(g, dir, "tests.txt", &text);
    text_release(&text);
}

static void write_json(const Generated *g, RunDir *dir)
{
    Text text = {0};
    generate_json(g, &text);
    put(g, dir, "tests.json", &text);
    text_release(&text);
}

static void write_tests(const Generated *g, const char *prefix, RunDir *dir)
{
    switch (g->request->emit) {
    case EMIT_TEXT: write_text(g, dir); break;
    case EMIT_JSON: write_json(g, dir); break;
    case EMIT_ABS:
    case EMIT_XUNIT: write_abs(g, dir, prefix); break;
    }
}

static void write_tree(const Generated *g, RunDir *dir)
{
    for (unsigned dot = 0; dot < 2; dot++) {
        Text text = {0};
        interleaving_tree_write(g->tree, dot, &text);
        rundir_write(dir, dot ? "tree.dot" : "tree.txt", &text);
        text_release(&text);
    }
}

static void write_coverage(const Generated *g, RunDir *dir)
{
    char directory[4096];
    Text lcov = {0}, missing = {0};
    const char *here = getcwd(directory, sizeof directory) ? directory : ".";
    coverage_write_lcov(g->coverage, here, &lcov);
    coverage_write_uncovered(g->coverage, here, &missing);
    rundir_write(dir, "coverage.info", &lcov);
    rundir_write(dir, "uncovered.txt", &missing);
    text_release(&lcov);
    text_release(&missing);
}

static bool write_all(const Generated *g, const char *prefix, Error *error)
{
    RunDir dir = {0};
    Text run = {0};
    generate_json_run(g, &run);
    if (g->request->out)
        rundir_open(&dir, g->request->out);
    if (g->request->out || !g->request->json)
        write_tests(g, prefix, &dir);
    if (g->request->json)
        text_write_all(STDOUT_FILENO, text_borrow(&run), run.length);
    if (g->request->out) {
        if (g->request->emit != EMIT_JSON)
            write_json(g, &dir); /* for other programs, whatever people asked for */
        rundir_write(&dir, "run.json", &run);
        write_coverage(g, &dir);
        if (g->request->tree_dot)
            write_tree(g, &dir);
        if (dir.failed)
            error_set(error, EXIT_USAGE, "%s", dir.problem);
    }
    bool good = !dir.failed;
    text_release(&run);
    rundir_close(&dir);
    return good;
}

bool generate_emit(const Generated *g, Error *error)
{
    Text prefix = {0};
    add_prefix(g->request, &prefix);
    bool is_text = g->request->emit == EMIT_TEXT; /* not read back */
    bool good =
        (is_text || confirm_all(g, text_borrow(&prefix), error)) && write_all(g, text_borrow(&prefix), error);
    text_release(&prefix);
    return good;
}
