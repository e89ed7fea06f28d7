/* testrun_build.c - a place for the test binary, and compiling it */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cc/cc.h"
#include "cli/testrun.h"
#include "report/source.h"

/* ---- A place for the binary --------------------------------------------------------- */

/* Can the directory hold a binary? Compilers report a full disk badly. */
static bool has_room(const char *directory)
{
    enum { BINARY_SIZE = 8 << 20 };
    Text path = {0};
    text_add(&path, "%s/.room", directory);
    int fd = open(path.data, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
    bool room = fd >= 0 && posix_fallocate(fd, 0, BINARY_SIZE) == 0;
    if (fd >= 0)
        close(fd);
    unlink(path.data);
    text_release(&path);
    return room;
}

static bool make_temporary(TestRequest *request, Error *error)
{
    const char *parent = getenv("TMPDIR");
    Text path = {0};
    text_add(&path, "%s/sennit-XXXXXX", parent && *parent ? parent : "/tmp");
    request->temporary = mkdtemp(path.data);
    return request->temporary ||
           error_set(error, EXIT_USAGE, "no place for the test binary: %s: %s", path.data, strerror(errno));
}

bool testrun_choose_place(TestRequest *request, Error *error)
{
    rundir_open(&request->dir, request->options.directory);
    if (!rundir_check(&request->dir, error))
        return false;
    rundir_forget(&request->dir);
    if (request->is_built)
        return true;
    bool good = has_room(request->dir.path);
    if (!good && !make_temporary(request, error))
        return false;
    const char *name = source_base_name(request->source);
    text_add(&request->binary, "%s/%.*s", good ? request->dir.path : request->temporary,
             (int)(strrchr(name, '.') - name), name);
    return true;
}

void testrun_remove_binary(TestRequest *request)
{
    if (request->locks.length)
        unlink(request->locks.data);
    unlink(request->binary.data);
    if (request->dir.path && !*request->options.directory)
        rmdir(request->dir.path);
    if (request->temporary)
        rmdir(request->temporary);
}

/* ---- Compiling ------------------------------------------------------------------------ */

static bool needs_flag(const TestRequest *request, CcFlag flag)
{
    const Options *options = &request->options;
    switch (flag) {
    case CC_FLAG_coverage: return options->coverage == COVERAGE_ON && request->verb->covers;
    case CC_FLAG_scope: return options->checks & CHECK_SCOPE;
    case CC_FLAG_shifts: return options->checks & CHECK_OVERFLOW;
    case CC_FLAG_unset: return options->unset;
    case CC_FLAG_unroll: return options->unroll;
    case CC_FLAG_states: return options->reduction == REDUCTION_STATES;
    case CC_FLAG_inputs: return options->sym_args.most || options->sym_stdin || *options->sym_file;
    case CC_FLAG_COUNT: break;
    }
    return false;
}

bool testrun_compile(TestRequest *request, Error *error)
{
    for (CcFlag flag = 0; flag < CC_FLAG_COUNT; flag++)
        if (needs_flag(request, flag))
            VEC_PUSH(&request->compile, (char *)(uintptr_t)cc_flag_word(flag));
    VEC_PUSH(&request->compile, "-o");
    VEC_PUSH(&request->compile, request->binary.data);
    VEC_PUSH(&request->compile, NULL);
    int status = cc_run((int)request->compile.count - 1, request->compile.items);
    if (status != 0 || access(request->binary.data, X_OK) < 0) {
        testrun_remove_binary(request);
        return error_set(error, EXIT_USAGE, "%s does not compile", request->source);
    }
    return true;
}

/* The first word is the verb, the last ones name the binary. */
void testrun_add_build(const TestRequest *request, Text *out)
{
    Text word = {0};
    text_add_string(&word, "--build=");
    for (uint32_t i = 1; i < request->compile.count && request->compile.items[i]; i++) {
        const char *item = request->compile.items[i];
        if (strcmp(item, "-o") == 0)
            i++;
        else if (!cc_is_own_flag(item))
            text_add(&word, "%s\n", item);
    }
    text_add_string(out, " ");
    options_quote(out, word.data);
    text_release(&word);
}
