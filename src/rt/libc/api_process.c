/* api_process.c - the end of a program: exit, abort, assertions, assumptions; random numbers
 *
 * The process that explores does not end: the thread that ends the program stops, and the
 * other threads continue, since whatever they do could have come before.
 */
#include <ctype.h>
#include <string.h>

#include "rt/detect/bug.h"
#include "rt/inputs/branch.h"
#include "rt/inputs/shadow_call.h"
#include "rt/inputs/tracking.h"
#include "rt/io/pipe.h"
#include "rt/kernel/calls.h"
#include "rt/kernel/node.h"
#include "rt/kernel/process.h"
#include "rt/kernel/step.h"
#include "rt/kernel/thread.h"
#include "rt/libc/api_libc.h"
#include "rt/process/children.h"
#include "rt/sync/hidden.h"
#include "rt/sync/lifetime.h"
#include "rt/sync/observe.h"
#include "rt/sync/section.h"

/* ---- Exit handlers -------------------------------------------------------------- */

typedef enum HandlerKind { HANDLER_ATEXIT, HANDLER_ON_EXIT, HANDLER_QUICK } HandlerKind;

typedef struct Handler {
    HandlerKind kind;
    union {
        void (*plain)(void);
        void (*with_status)(int status, void *argument);
    } function;
    void *argument;
} Handler;

enum { MAX_HANDLERS = 256 };

typedef struct Handlers {
    Handler items[MAX_HANDLERS];
    uint32_t count;
} Handlers;

/* Of the program, or of each node. */
static Handlers at_exit_of[RT_NODES];
/* Those of constructors, which run once per process: every execution starts with these handlers. */
static Handlers early_of[RT_NODES];

static void reset_random(void);

void libc_init_handlers(void)
{
    if (!node_count())
        node_keep(&at_exit_of[0], sizeof at_exit_of[0]);
}


static void restore_handlers(unsigned node)
{
    const Handlers *early = &early_of[node];
    at_exit_of[node].count = early->count;
    memcpy(at_exit_of[node].items, early->items, early->count * sizeof *early->items);
}

void libc_restore_handlers(void) { restore_handlers(node_self()); }

void libc_reset(void)
{
    for (unsigned node = 0; node <= node_count(); node++)
        restore_handlers(node);
    reset_random();
    libc_reset_environment();
    libc_reset_hidden();
    libc_reset_jumps();
}

static int add_handler(Handler handler)
{
    Handlers *handlers = rt.self ? &at_exit_of[node_self()] : &early_of[node_self()];
    hidden_write(HIDDEN_EXIT_HANDLERS);
    if (handlers->count == MAX_HANDLERS)
        return -1;
    handlers->items[handlers->count++] = handler;
    return 0;
}

int sennit_rt_atexit(void (*function)(void))
{
    return add_handler((Handler){.kind = HANDLER_ATEXIT, .function.plain = function});
}

int sennit_rt_at_quick_exit(void (*function)(void))
{
    return add_handler((Handler){.kind = HANDLER_QUICK, .function.plain = function});
}

int sennit_rt_on_exit(void (*function)(int, void *), void *argument)
{
    return add_handler((Handler){.kind = HANDLER_ON_EXIT, .function.with_status = function, .argument = argument});
}

static bool adds_handlers(void)
{
    return calls_are_listed() &&
           (calls_contain("atexit") || calls_contain("at_quick_exit") || calls_contain("on_exit"));
}

static bool may_add_handlers(void)
{
    static enum { UNKNOWN, NO, YES } answer;
    if (UNLIKELY(answer == UNKNOWN))
        answer = adds_handlers() ? YES : NO;
    return answer == YES;
}

/* Newest first; a handler may add handlers. */
static void run_handlers(int status, bool quick)
{
    if (may_add_handlers())
        hidden_write(HIDDEN_EXIT_HANDLERS);
    Handlers *handlers = &at_exit_of[node_self()];
    while (handlers->count) {
        Handler handler = handlers->items[--handlers->count];
        if (quick != (handler.kind == HANDLER_QUICK))
            continue;
        if (handler.kind == HANDLER_ON_EXIT)
            handler.function.with_status(status, handler.argument);
        else
            handler.function.plain();
    }
}

/* ---- Destructors ------------------------------------------------------------------ */

extern const SennitDestructor __start_sennit_destructors[] __attribute__((weak));
extern const SennitDestructor __stop_sennit_destructors[] __attribute__((weak));

/* Large priorities run first, of equal ones the last. */
static bool runs_before(const SennitDestructor *a, const SennitDestructor *b)
{
    return a->priority != b->priority ? a->priority > b->priority : a > b;
}

/* NULL: the first. */
static const SennitDestructor *find_next(const SennitDestructor *last)
{
    const SennitNode *node = node_self() ? node_get(node_self()) : NULL;
    const SennitDestructor *begin = node ? node->destructors : __start_sennit_destructors;
    const SennitDestructor *end = node ? node->destructors_end : __stop_sennit_destructors;
    const SennitDestructor *next = NULL;
    for (const SennitDestructor *d = begin; d && d < end; d++)
        if ((!last || runs_before(last, d)) && (!next || runs_before(d, next)))
            next = d;
    return next;
}

static void run_destructors(void)
{
    CallFrame frame = rt.frame;
    for (const SennitDestructor *d = find_next(NULL); d; d = find_next(d)) {
        rt.frame.base = 0; /* code of the program again */
        d->function();
    }
    rt.frame = frame;
}

/* ---- Exit ------------------------------------------------------------------------ */

/* Whether the status is 0 may be symbolic, and decides whether it is a bug. */
static void decide_status(uint32_t shadow, int status)
{
    if (!shadow || rt.options.ignore_exit_code)
        return;
    ExprPool *pool = tracking.pool;
    ExprId low = expr_binary(pool, EXPR_AND, shadow_expr(shadow), expr_const(pool, 32, 0xff));
    branch_decide(expr_binary(pool, EXPR_NE, low, expr_const(pool, 32, 0)), (status & 0xff) != 0);
}

void libc_return(int status)
{
    if (tracking.on && sennit_rt_shadow_call.returned == (const void *)(uintptr_t)sennit_user_main)
        decide_status(sennit_rt_shadow_call.results[0], status);
}

static void decide_argument(const void *function, int status)
{
    uint32_t shadow = 0;
    if (tracking.on)
        shadow_take_arguments(function, &shadow, 1);
    decide_status(shadow, status);
}

/* The node of the running thread ends with this status, and its sockets with it. Its other threads must not continue
 * beside what others see of that: from here on they take no step on sockets. (node.h) */
static _Noreturn void end_node(int status)
{
    const char *name = node_get(node_self())->name;
    if (status && !rt.ex->status)
        rt.ex->status = status;
    if (status && !rt.options.ignore_exit_code)
        report_note(BUG_EXIT_CODE, "node %s ends with exit status %d", name, status);
    if (node_may_end()) {
        step_begin(OP_NODE_END, node_resource(node_self()));
        step_wait();
        *node_running(node_self()) = 0;
        step_value(0, 1, 0);
        step_done();
    }
    node_note_end();
    pipe_close_sockets();
    lifetime_kill();
}

/* Others may wait for what the process has, and for its end. */
static _Noreturn void end_process(int status)
{
    if (!process_is_single())
        report_not_modelled("the end of a process with several threads beside other processes");
    if (rt.self->section_depth)
        section_abandon(rt.self);
    pipe_close_all();
    children_end(status);
}

void libc_end_by(int signal) { end_process(signal); }

static _Noreturn void end_program(int status)
{
    if (node_self())
        end_node(status & 0xff);
    if (process_self())
        end_process((status & 0xff) << 8);
    rt.ex->status = status & 0xff;
    if ((status & 0xff) && !rt.options.ignore_exit_code)
        report_note(BUG_EXIT_CODE, "the program ends with exit status %d", status & 0xff);
    observe_check_exit();
    if (process_count() > 1)
        end_process((status & 0xff) << 8);
    if (rt.self->section_depth)
        section_abandon(rt.self);
    thread_stop();
}

void libc_exit(int status)
{
    run_handlers(status, false);
    run_destructors();
    if (rt.options.show_output)
        fflush(NULL);
    end_program(status);
}

void sennit_rt_exit(int status)
{
    if (!rt.self)
        exit(status);
    decide_argument((const void *)(uintptr_t)sennit_rt_exit, status);
    libc_exit(status);
}

void sennit_rt__exit(int status)
{
    if (!rt.self)
        _exit(status);
    decide_argument((const void *)(uintptr_t)sennit_rt__exit, status);
    end_program(status);
}

void sennit_rt__Exit(int status) { sennit_rt__exit(status); }

void sennit_rt_quick_exit(int status)
{
    if (!rt.self)
        quick_exit(status);
    run_handlers(status, true);
    end_program(status);
}

/* ---- Assertions and aborts ---------------------------------------------------------- */

static bool is_assumption(const SennitSite *site)
{
    return site && site->function && !strcmp(site->function, "assume_abort_if_not");
}

/* In the idiom assume_abort_if_not(condition) of verification tasks, abort means that an assumption fails. */
void sennit_rt_abort(void)
{
    if (!rt.self)
        abort();
    if (is_assumption(sennit_rt_site))
        thread_stop_assumed();
    rt.ex->status = 128 + SIGABRT;
    report_bug(BUG_CRASH, "abort() was called");
}

/* Finds the name in what assert() passes, "void *client(void *)": the identifier before the parameters, if these are
 * the first and last thing in parentheses; else the whole, as of functions that return pointers to functions. */
static const char *find_function_name(const char *function, int *length)
{
    const char *open = strchr(function, '('), *begin = open, *end = open;
    *length = (int)strlen(function);
    for (int depth = 0; end && *end; end++) {
        depth += (*end == '(') - (*end == ')');
        if (depth == 0)
            break;
    }
    if (!open || !*end || end[1])
        return function;
    while (begin > function && (isalnum((unsigned char)begin[-1]) || begin[-1] == '_'))
        begin--;
    if (begin == open)
        return function;
    *length = (int)(open - begin);
    return begin;
}

static _Noreturn void fail_assertion(const char *text, const char *function)
{
    int length;
    if (rt.ex) /* else before main */
        rt.ex->status = 128 + SIGABRT;
    if (rt.options.show_output)
        fflush(stdout);
    if (function) {
        const char *name = find_function_name(function, &length);
        report_bug(BUG_ASSERTION, "assertion `%s' failed in %.*s", text, length, name);
    }
    report_bug(BUG_ASSERTION, "assertion `%s' failed", text);
}

void sennit_rt___assert_fail(const char *text, const char *file, unsigned line, const char *function)
{
    if (!rt.self)
        __assert_fail(text, file, line, function);
    fail_assertion(text, function);
}

void sennit_rt___assert_perror_fail(int error, const char *file, unsigned line, const char *function)
{
    if (!rt.self)
        __assert_perror_fail(error, file, line, function);
    fail_assertion(strerror(error), function);
}

void sennit_rt___assert(const char *text, const char *file, int line)
{
    if (!rt.self)
        __assert_fail(text, file, (unsigned)line, NULL);
    fail_assertion(text, NULL);
}

void sennit_rt___stack_chk_fail(void)
{
    if (!rt.self)
        abort();
    report_bug(BUG_CRASH, "stack smashing detected");
}

void sennit_rt_reach_error(void)
{
    if (!rt.self)
        abort();
    report_bug(BUG_ASSERTION, "reach_error() was reached");
}

void sennit_rt___VERIFIER_error(void) { sennit_rt_reach_error(); }

void sennit_rt___VERIFIER_assume(int condition)
{
    shadow_assume((const void *)(uintptr_t)sennit_rt___VERIFIER_assume, condition);
    if (!condition && rt.self)
        thread_stop_assumed();
}

/* ---- Shifts that C leaves undefined ----------------------------------------------------- */

/* How the compiler describes a type and the two operands of a shift. */
typedef struct TypeChecked {
    uint16_t kind; /* 0: an integer                              */
    uint16_t info; /* of an integer: signed?, log2 of the width  */
    char name[];
} TypeChecked;

struct ShiftChecked {
    const char *file;
    uint32_t line, column;
    const TypeChecked *value, *amount;
};

static unsigned width_of(const TypeChecked *type) { return 1u << (type->info >> 1); }

/* An operand is passed by value, or by its address if it is wider than a register. */
static SignedBits operand(const TypeChecked *type, uintptr_t handed)
{
    unsigned width = width_of(type);
    Bits value = handed;
    if (width > 64)
        memcpy(&value, (const void *)handed, sizeof value);
    return type->info & 1 ? bits_signed(bits_cut(value, (Sort)width), (Sort)width)
                          : (SignedBits)bits_cut(value, (Sort)width);
}

void sennit_rt___ubsan_handle_shift_out_of_bounds_abort(void *data, void *value, void *amount)
{
    const struct ShiftChecked *checked = data;
    if (!rt.self)
        abort();
    unsigned width = width_of(checked->value);
    SignedBits number = operand(checked->value, (uintptr_t)value);
    SignedBits places = operand(checked->amount, (uintptr_t)amount);
    if (places < 0 || places >= (SignedBits)width)
        report_bug(BUG_OVERFLOW, "a number of %u bits is shifted by %lld", width, (long long)places);
    if (number < 0)
        report_bug(BUG_OVERFLOW, "%lld << %lld shifts a negative number", (long long)number, (long long)places);
    report_bug(BUG_OVERFLOW, "%lld << %lld is too large for %u bits", (long long)number, (long long)places, width);
}

/* ---- Pseudo-random numbers: the same in every execution -------------------------------- */

static struct {
    uint64_t rand, rand48;
} seeds;

void libc_init_random(void) { node_keep(&seeds, sizeof seeds); }

static void reset_random(void)
{
    seeds.rand = 1;
    seeds.rand48 = 0x1234abcd330eull;
}

/* A linear congruential generator, its upper bits. */
static uint32_t next_random(void)
{
    seeds.rand = seeds.rand * 6364136223846793005ull + 1442695040888963407ull;
    return (uint32_t)(seeds.rand >> 33);
}

static uint64_t next_random48(void)
{
    hidden_write(HIDDEN_RANDOM48);
    seeds.rand48 = (seeds.rand48 * 0x5deece66dull + 0xb) & 0xffffffffffffull;
    return seeds.rand48;
}

int sennit_rt_rand(void) { return (int)sennit_rt_random(); }
void sennit_rt_srand(unsigned seed) { sennit_rt_srandom(seed); }

long sennit_rt_random(void)
{
    hidden_write(HIDDEN_RANDOM);
    return (long)(next_random() & RAND_MAX);
}

void sennit_rt_srandom(unsigned seed)
{
    hidden_write(HIDDEN_RANDOM);
    seeds.rand = seed;
}

char *sennit_rt_initstate(unsigned seed, char *state, size_t size)
{
    if (rt.self)
        report_not_modelled("initstate");
    return initstate(seed, state, size);
}

char *sennit_rt_setstate(char *state)
{
    if (rt.self)
        report_not_modelled("setstate");
    return setstate(state);
}

unsigned short *sennit_rt_seed48(unsigned short seed[3])
{
    if (rt.self)
        report_not_modelled("seed48");
    return seed48(seed);
}

void sennit_rt_lcong48(unsigned short parameters[7])
{
    if (rt.self)
        report_not_modelled("lcong48");
    lcong48(parameters);
}

double sennit_rt_drand48(void) { return (double)next_random48() / (double)(1ull << 48); }
long sennit_rt_lrand48(void) { return (long)(next_random48() >> 17); }
long sennit_rt_mrand48(void) { return (int32_t)(next_random48() >> 16); }

void sennit_rt_srand48(long seed)
{
    hidden_write(HIDDEN_RANDOM48);
    seeds.rand48 = ((uint64_t)seed << 16 | 0x330e) & 0xffffffffffffull;
}
