/* shadow_call.c - shadows of arguments and results, for modelled functions and uninstrumented code */
#include "rt/inputs/shadow_call.h"

#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "rt/abi/modelled.h"
#include "rt/detect/symbols.h"
#include "rt/inputs/assume.h"
#include "rt/inputs/concretise.h"
#include "rt/inputs/shadow_memory.h"
#include "rt/inputs/tracking.h"
#include "rt/io/pipe.h"

SennitShadowCall sennit_rt_shadow_call;

void shadow_take_arguments(const void *function, uint32_t *shadows, unsigned count)
{
    bool mine = sennit_rt_shadow_call.callee == function;
    for (unsigned i = 0; i < count; i++)
        shadows[i] = mine ? sennit_rt_shadow_call.args[i] : 0;
    sennit_rt_shadow_call.callee = NULL;
}

void shadow_give_result(const void *function, uint32_t shadow)
{
    sennit_rt_shadow_call.results[0] = shadow;
    sennit_rt_shadow_call.returned = function;
}

void shadow_give_wide_result(const void *function, uint32_t shadow)
{
    for (unsigned half = 0; half < 2; half++)
        sennit_rt_shadow_call.results[half] =
            shadow ? expr_extract(tracking.pool, shadow_expr(shadow), 64 * half, (Sort)64).id : 0;
    sennit_rt_shadow_call.returned = function;
}

uint32_t shadow_argument(const void *function, unsigned n)
{
    uint32_t shadows[SENNIT_SHADOW_ARGS];
    if (!tracking.on)
        return 0;
    shadow_take_arguments(function, shadows, n + 1);
    return shadows[n];
}

void shadow_keep(void *const *kept, uint32_t shadow)
{
    if (tracking.on)
        shadow_memory_put(address_of(kept), shadow, 64);
}

void shadow_pass(const void *function, void *const *kept)
{
    if (!tracking.on)
        return;
    sennit_rt_shadow_call.callee = function;
    sennit_rt_shadow_call.args[0] = shadow_memory_get(address_of(kept), kept, 64);
}

uint32_t shadow_result(const void *function)
{
    uint32_t shadow = sennit_rt_shadow_call.returned == function ? sennit_rt_shadow_call.results[0] : 0;
    sennit_rt_shadow_call.returned = NULL;
    return tracking.on ? shadow : 0;
}

void shadow_assume(const void *function, int condition)
{
    uint32_t shadow;
    if (!tracking.on)
        return;
    shadow_take_arguments(function, &shadow, 1);
    if (shadow)
        assume_condition(expr_binary(tracking.pool, EXPR_NE, shadow_expr(shadow), expr_const(tracking.pool, 32, 0)),
                        condition != 0);
}

/* ---- Structures passed by value ------------------------------------------------------------ */

/* The caller passes a number that the callee turns into the address of the original. Nothing else
 * happens in between, so a few entries suffice. */
enum { ORIGINALS = 32 };
static struct {
    uint64_t address[ORIGINALS];
    uint32_t next;
} originals;

uint32_t sennit_rt_shadow_byval_token(const void *original)
{
    if (!shadow_memory_used())
        return 0;
    uint32_t number = originals.next++ % ORIGINALS;
    originals.address[number] = address_of(original);
    return number + 1;
}

void sennit_rt_shadow_byval(void *copy, uint32_t token, uint64_t size)
{
    if (token)
        shadow_memory_copy(address_of(copy), originals.address[token - 1], size);
}

/* ---- Variable arguments --------------------------------------------------------------------- */

void sennit_rt_shadow_rest(SennitShadowRest *kept, uint32_t mine)
{
    *kept = mine ? sennit_rt_shadow_call.rest : (SennitShadowRest){0};
}

/* Memory at the place holds the value of an argument. */
static void put_argument(uint64_t place, uint32_t shadow)
{
    if (shadow)
        shadow_memory_put(place, shadow, expr_sort(tracking.pool, shadow_expr(shadow)));
    else
        shadow_memory_clear(place, 8);
}

static bool has_two_words(uint32_t shadow)
{
    return shadow && expr_sort(tracking.pool, shadow_expr(shadow)) > 64;
}

static void put_arguments(uint64_t place, const uint32_t *shadows, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i += has_two_words(shadows[i]) ? 2 : 1)
        put_argument(place + 8 * i, shadows[i]);
}

/* A va_list of the System V ABI for x86-64. */
typedef struct VariableList {
    uint32_t general_offset, floating_offset;
    uint64_t stack, registers;
} VariableList;

void sennit_rt_shadow_va_start(const void *list, const SennitShadowRest *kept)
{
    const VariableList *begin = list;
    put_arguments(begin->registers, kept->registers, begin->general_offset / 8, SENNIT_SHADOW_REGISTERS);
    put_arguments(begin->stack, kept->words, 0, kept->count);
}

/* ---- Uninstrumented code -------------------------------------------------------------------------- */

extern const char __start_sennit_defined[] __attribute__((weak));
extern const char __stop_sennit_defined[] __attribute__((weak));

/* Does an instrumented module define the function? */
static bool is_instrumented(const char *name)
{
    for (const char *at = __start_sennit_defined; at && at < __stop_sennit_defined; at += strlen(at) + 1)
        if (strcmp(at, name) == 0)
            return true;
    return false;
}

void sennit_rt_shadow_foreign(uint32_t s, uint64_t value, uint32_t width, const SennitSite *site, const char *callee)
{
    char what[40];
    (void)width;
    if (is_instrumented(callee))
        return;
    sennit_rt_site = site;
    snprintf(what, sizeof what, "argument of %s", callee);
    concretise_value(shadow_expr(s), value, what);
}

/* The size of what the function fills without reading it; 0 for other functions. */
static size_t size_of_filled(const char *callee)
{
    static const struct { const char *name; size_t size; } fillers[] = {
        {"pthread_attr_init", sizeof(pthread_attr_t)},
        {"pthread_mutexattr_init", sizeof(pthread_mutexattr_t)},
        {"pthread_condattr_init", sizeof(pthread_condattr_t)},
        {"pthread_rwlockattr_init", sizeof(pthread_rwlockattr_t)},
        {"pthread_barrierattr_init", sizeof(pthread_barrierattr_t)},
        {"sigemptyset", sizeof(sigset_t)},
        {"sigfillset", sizeof(sigset_t)},
    };
    for (unsigned i = 0; i < sizeof fillers / sizeof fillers[0]; i++)
        if (strcmp(callee, fillers[i].name) == 0)
            return fillers[i].size;
    return 0;
}

void sennit_rt_shadow_reach(const void *p, const SennitSite *site, const char *callee)
{
    char what[40];
    if (!rt.self || !shadow_memory_used() || is_instrumented(callee))
        return;
    size_t filled = size_of_filled(callee);
    if (filled) {
        shadow_memory_clear(address_of(p), filled);
        return;
    }
    sennit_rt_site = site;
    snprintf(what, sizeof what, "memory that %s may read", callee);
    concretise_reached(p, what);
}

/* ---- Calls through pointers ------------------------------------------------------------------- */

extern const char __start_sennit_tracked[] __attribute__((weak));
extern const char __stop_sennit_tracked[] __attribute__((weak));

static bool is_tracked(const void *target)
{
    return address_of(target) >= address_of(__start_sennit_tracked) &&
           address_of(target) < address_of(__stop_sennit_tracked);
}

void sennit_rt_shadow_through(const void *target, uint32_t s, uint64_t value, const void *p, const SennitSite *site)
{
    static const char prefix[] = "sennit_rt_";
    if (!rt.self || is_tracked(target) || (!s && !shadow_memory_used()))
        return;
    const char *name = symbols_find(address_of(target), NULL);
    if (name && strncmp(name, prefix, sizeof prefix - 1) == 0) {
        name += sizeof prefix - 1;
        if (!modelled_concretises(name)) {
            if (s && !modelled_tracks(name))
                sennit_rt_shadow_decide(s, value, p != NULL, site);
            return;
        }
    }
    name = name ? name : "a library function";
    if (s)
        sennit_rt_shadow_foreign(s, value, 0, site, name);
    if (p)
        sennit_rt_shadow_reach(p, site, name);
}

/* ---- Output --------------------------------------------------------------------------- */

static bool is_printed(uint64_t stream)
{
    return stream == STDOUT_FILENO || stream == STDERR_FILENO || stream == address_of(stdout) ||
           stream == address_of(stderr);
}

void sennit_rt_shadow_written(uint64_t stream, uint32_t s, uint64_t value, const void *p, const SennitSite *site,
                              const char *callee)
{
    if (!rt.self || is_printed(stream) || (stream <= INT_MAX && pipe_find((int)stream)))
        return;
    if (s)
        sennit_rt_shadow_foreign(s, value, 0, site, callee);
    if (p)
        sennit_rt_shadow_reach(p, site, callee);
}
