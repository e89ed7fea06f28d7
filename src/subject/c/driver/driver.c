/* driver.c - runs the program on the inputs of one test, without Sennit
 *
 *     driver N       runs test N and compares how it ends: exit status 0 if as expected, 77
 *                    if it ends differently and that may be due to the order of threads
 *     driver --list  the tests and what is expected of them
 *
 * The functions that request inputs return values of the table in tests.h. They are weak: a
 * program may define its own. Each test runs in a process of its own.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define WEAK __attribute__((weak))

/* ---- The table ------------------------------------------------------------------ */

__extension__ typedef unsigned __int128 Number; /* negative ones wrap around */
#define WIDE(high, low) ((Number)(high) << 64 | (low))

typedef struct DriverValue {
    const char *name;         /* "x", "x#2" (requested again), "x@0.1" (by another thread) */
    Number number;
    const char *bytes;        /* or these, if not NULL */
    unsigned long size;
} DriverValue;

enum { ENDS, FAILS, UNSEEN }; /* with a status; by a bug; by a bug that only Sennit detects */

typedef struct Test {
    unsigned number;
    const DriverValue *values;
    unsigned count;
    int expects;              /* ENDS, FAILS or UNSEEN                                     */
    int status;
    bool threads;             /* more than one: the outcome may depend on their order      */
    const char *outcome;
} Test;

#include "tests.h"

enum { TEST_COUNT = sizeof tests / sizeof tests[0] };

/* ---- Looking up -------------------------------------------------------------------- */

static const Test *current;
static bool *used;
static __thread bool is_main_thread;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static bool is_called(const DriverValue *value, const char *name, bool by_main)
{
    size_t length = strlen(name);
    const char *rest = value->name + length;
    if (strncmp(value->name, name, length) != 0 || (*rest && *rest != '#' && *rest != '@'))
        return false;
    return (strchr(rest, '@') == NULL) == by_main;
}

/* The values of a name are used in the order in which they were requested. */
static const DriverValue *next_value(const char *name)
{
    const DriverValue *found = NULL;
    if (!name || !*name)
        name = "input";
    pthread_mutex_lock(&lock);
    for (int strict = 1; strict >= 0 && !found; strict--)
        for (unsigned i = 0; i < current->count && !found; i++)
            if (!used[i] && is_called(&current->values[i], name, strict ? is_main_thread : !is_main_thread)) {
                found = &current->values[i];
                used[i] = true;
            }
    pthread_mutex_unlock(&lock);
    return found;
}

static Number number_of(const char *name)
{
    const DriverValue *value = next_value(name);
    return value ? value->number : 0;
}

/* ---- What programs call ---------------------------------------------------------------- */

#define NAMED(type, function, bits, is_signed)                                   \
    WEAK type function(const char *name);                                        \
    WEAK type function(const char *name) { return (type)number_of(name); }
#define UNNAMED(type, function, name, bits, is_signed)                           \
    WEAK type function(void);                                                    \
    WEAK type function(void) { return (type)number_of(name); }
#define POINTER(function, name)                                                  \
    WEAK void *function(void);                                                   \
    WEAK void *function(void) { return (void *)(uintptr_t)number_of(name); }
#include "inputs.def"

#define FLOAT(type, function, parameter, name)                                   \
    WEAK type function(parameter);                                               \
    WEAK type function(parameter)                                                \
    {                                                                            \
        unsigned long long bits = (unsigned long long)number_of(name);           \
        type value;                                                              \
        memcpy(&value, &bits, sizeof value);                                     \
        return value;                                                            \
    }
FLOAT(float, sennit_float, const char *name, name)
FLOAT(double, sennit_double, const char *name, name)
FLOAT(float, __VERIFIER_nondet_float, void, "float")
FLOAT(double, __VERIFIER_nondet_double, void, "double")

WEAK void sennit_bytes(void *bytes, unsigned long size, const char *name);
WEAK void sennit_bytes(void *bytes, unsigned long size, const char *name)
{
    const DriverValue *value = next_value(name);
    memset(bytes, 0, size);
    if (value && value->bytes)
        memcpy(bytes, value->bytes, value->size < size ? value->size : size);
}

WEAK void __VERIFIER_nondet_memory(void *bytes, size_t size);
WEAK void __VERIFIER_nondet_memory(void *bytes, size_t size) { sennit_bytes(bytes, size, "memory"); }
WEAK void klee_make_symbolic(void *bytes, size_t size, const char *name);
WEAK void klee_make_symbolic(void *bytes, size_t size, const char *name) { sennit_bytes(bytes, size, name); }

WEAK int klee_range(int begin, int end, const char *name);
WEAK int klee_range(int begin, int end, const char *name)
{
    return begin == end - 1 ? begin : (int)number_of(name);
}

WEAK unsigned sennit_choose(unsigned options);
WEAK unsigned sennit_choose(unsigned options)
{
    return options < 2 ? 0 : (unsigned)number_of("choose");
}

/* An assumption fails only if the order of threads is not that of the test. */
static void assume(bool condition)
{
    if (!condition)
        _exit(77);
}

WEAK void sennit_assume(int condition);
WEAK void sennit_assume(int condition) { assume(condition); }
WEAK void __VERIFIER_assume(int condition);
WEAK void __VERIFIER_assume(int condition) { assume(condition); }
WEAK void klee_assume(uintptr_t condition);
WEAK void klee_assume(uintptr_t condition) { assume(condition != 0); }
WEAK void klee_silent_exit(int status);
WEAK void klee_silent_exit(int status) { (void)status, assume(false); }

WEAK void sennit_assert_failed(const char *condition);
WEAK void sennit_assert_failed(const char *condition)
{
    fprintf(stderr, "assertion failed: %s\n", condition);
    abort();
}
WEAK void reach_error(void);
WEAK void reach_error(void) { sennit_assert_failed("reach_error()"); }
WEAK void __VERIFIER_error(void);
WEAK void __VERIFIER_error(void) { reach_error(); }
WEAK void klee_abort(void);
WEAK void klee_abort(void) { abort(); }
WEAK void klee_report_error(const char *file, int line, const char *message, const char *suffix);
WEAK void klee_report_error(const char *file, int line, const char *message, const char *suffix)
{
    (void)file, (void)line, (void)suffix;
    sennit_assert_failed(message);
}

WEAK void sennit_reached(const char *goal);
WEAK void sennit_reached(const char *goal) { (void)goal; }

/* Observers of one thread at a time; they may call each other. */
static pthread_mutex_t observers = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
WEAK void sennit_observe_begin(void);
WEAK void sennit_observe_begin(void) { pthread_mutex_lock(&observers); }
WEAK void sennit_observe_end(void);
WEAK void sennit_observe_end(void) { pthread_mutex_unlock(&observers); }
WEAK void sennit_oblige(void *obligation);
WEAK void sennit_oblige(void *obligation) { (void)obligation; }
WEAK void sennit_hot(void *obligation);
WEAK void sennit_hot(void *obligation) { (void)obligation; }
WEAK void sennit_cold(void *obligation);
WEAK void sennit_cold(void *obligation) { (void)obligation; }
WEAK void sennit_strong(void);
WEAK void sennit_strong(void) {}
WEAK void sennit_declare(void *property);
WEAK void sennit_declare(void *property) { (void)property; }
WEAK void sennit_property_fails(void *property);
WEAK void sennit_property_fails(void *property) { (void)property; }
WEAK void sennit_property_owes(void *property, int owes);
WEAK void sennit_property_owes(void *property, int owes) { (void)property, (void)owes; }
WEAK void sennit_refused(const void *monitor, const char *event);
WEAK void sennit_refused(const void *monitor, const char *event)
{
    (void)monitor;
    sennit_assert_failed(event);
}

WEAK void klee_prefer_cex(void *object, uintptr_t condition);
WEAK void klee_prefer_cex(void *object, uintptr_t condition) { (void)object, (void)condition; }
WEAK void klee_open_merge(void);
WEAK void klee_open_merge(void) {}
WEAK void klee_close_merge(void);
WEAK void klee_close_merge(void) {}
WEAK void klee_warning(const char *message);
WEAK void klee_warning(const char *message) { (void)message; }
WEAK void klee_warning_once(const char *message);
WEAK void klee_warning_once(const char *message) { (void)message; }
WEAK unsigned klee_is_symbolic(uintptr_t value);
WEAK unsigned klee_is_symbolic(uintptr_t value) { return (void)value, 0; }
WEAK uintptr_t klee_choose(uintptr_t options);
WEAK uintptr_t klee_choose(uintptr_t options) { return options < 2 ? 0 : (uintptr_t)number_of("choose"); }

#define SAME(function, type)                                                     \
    WEAK type function(type value);                                              \
    WEAK type function(type value) { return value; }
SAME(klee_get_valuef, float)
SAME(klee_get_valued, double)
SAME(klee_get_valuel, long)
SAME(klee_get_valuell, long long)
SAME(klee_get_value_i32, int32_t)
SAME(klee_get_value_i64, int64_t)

#define NOTHING(function, ...)                                                   \
    WEAK void function(__VA_ARGS__);                                             \
    WEAK void function(__VA_ARGS__) {}
NOTHING(klee_merge, void)
NOTHING(klee_stack_trace, void)
NOTHING(klee_set_forking, unsigned enable __attribute__((unused)))
NOTHING(klee_mark_global, void *object __attribute__((unused)))
NOTHING(klee_print_expr, const char *message __attribute__((unused)), ...)
NOTHING(klee_posix_prefer_cex, void *object __attribute__((unused)), uintptr_t condition __attribute__((unused)))
NOTHING(klee_check_memory_access, const void *address __attribute__((unused)), size_t size __attribute__((unused)))
WEAK int klee_get_errno(void);
WEAK int klee_get_errno(void) { return errno; }
WEAK int klee_is_replay(void);
WEAK int klee_is_replay(void) { return 0; } /* as in the run that found the test */
WEAK size_t klee_get_obj_size(void *object);
WEAK size_t klee_get_obj_size(void *object)
{
    (void)object;
    fprintf(stderr, "the size of an object is not known without Sennit\n");
    _exit(77);
}

static pthread_mutex_t section = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
WEAK void __VERIFIER_atomic_begin(void);
WEAK void __VERIFIER_atomic_begin(void) { pthread_mutex_lock(&section); }
WEAK void __VERIFIER_atomic_end(void);
WEAK void __VERIFIER_atomic_end(void) { pthread_mutex_unlock(&section); }

/* ---- Arguments, standard input, files ---------------------------------------------------- */

static const DriverValue *find(const char *name)
{
    for (unsigned i = 0; i < current->count; i++)
        if (strcmp(current->values[i].name, name) == 0)
            return &current->values[i];
    return NULL;
}

static void write_bytes(const char *path, const DriverValue *value)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(value->bytes, 1, value->size, file) != value->size || fclose(file) != 0) {
        perror(path);
        exit(2);
    }
}

static void provide_input(void)
{
    static const char prefix[] = "file:";
    const DriverValue *text = find("stdin");
    if (text) {
        char path[64];
        snprintf(path, sizeof path, "stdin-%ld", (long)getpid());
        write_bytes(path, text);
        if (!freopen(path, "rb", stdin))
            perror(path);
        unlink(path);
    }
    for (unsigned i = 0; i < current->count; i++)
        if (strncmp(current->values[i].name, prefix, sizeof prefix - 1) == 0)
            write_bytes(current->values[i].name + sizeof prefix - 1, &current->values[i]);
}

/* With a terminating zero byte. */
static char *copy_argument(const DriverValue *value)
{
    char *text = calloc(value->size + 1, 1);
    return memcpy(text, value->bytes, value->size);
}

static int make_arguments(char *program, char ***result)
{
    char **arguments = calloc(2 + FIXED_COUNT + current->count, sizeof *arguments);
    int count = 0;
    arguments[count++] = program;
    for (unsigned i = 0; i < FIXED_COUNT; i++)
        arguments[count++] = (char *)(uintptr_t)fixed_arguments[i];
    for (unsigned i = 1; i <= current->count; i++) {
        char name[32];
        snprintf(name, sizeof name, "arg%u", i);
        if (!find(name))
            break;
        arguments[count++] = copy_argument(find(name));
    }
    *result = arguments;
    return count;
}

/* ---- One test ------------------------------------------------------------------------------- */

int sennit_program_main(int argc, char **argv, char **envp);

static void run_here(char *program)
{
    char **arguments;
    used = calloc(current->count + 1, sizeof *used);
    is_main_thread = true;
    provide_input();
    int argc = make_arguments(program, &arguments);
    exit(sennit_program_main(argc, arguments, environ));
}

static int judge(int status)
{
    bool normal = WIFEXITED(status), failed = !normal || WEXITSTATUS(status) != 0;
    int code = normal ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    bool good = current->expects == UNSEEN || (current->expects == FAILS ? failed : code == current->status);
    printf("test %u: status %d; expected: %s%s\n", current->number, code, current->outcome,
           good ? "" : current->threads ? " (which depends on the order of threads)" : " (WRONG)");
    return good ? 0 : current->threads ? 77 : 1;
}

static int run(char *program)
{
    int status = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        run_here(program);
    if (child < 0 || waitpid(child, &status, 0) < 0) {
        perror("driver");
        return 2;
    }
    return judge(status);
}

int main(int argc, char **argv)
{
    bool lists = argc == 2 && strcmp(argv[1], "--list") == 0;
    for (unsigned i = 0; i < TEST_COUNT; i++) {
        if (lists)
            printf("%u: %s\n", tests[i].number, tests[i].outcome);
        else if (argc == 2 && tests[i].number == (unsigned)atoi(argv[1])) {
            current = &tests[i];
            return run(argv[0]);
        }
    }
    if (!lists)
        fprintf(stderr, "usage: driver NUMBER | --list\n");
    return lists ? 0 : 2;
}
