/* shadow_call.c - expressions of arguments and results, for models and foreign code */
#include <string.h>

#include "rt/tracking.h"

SennitShadowCall sennit_rt_shadow_call;

void shadow_take_arguments(const void *model, uint32_t *shadows, unsigned count)
{
    bool mine = sennit_rt_shadow_call.callee == model;
    for (unsigned i = 0; i < count; i++)
        shadows[i] = mine ? sennit_rt_shadow_call.args[i] : 0;
    sennit_rt_shadow_call.callee = NULL;
}

void shadow_give_result(const void *model, uint32_t shadow)
{
    sennit_rt_shadow_call.results[0] = shadow;
    sennit_rt_shadow_call.returned = model;
}

void shadow_assume(const void *model, int condition)
{
    uint32_t shadow;
    if (!tracking.on)
        return;
    shadow_take_arguments(model, &shadow, 1);
    if (shadow)
        tracking_assume(expr_binary(tracking.pool, EXPR_NE, shadow_expr(shadow), expr_const(tracking.pool, 32, 0)), condition != 0);
}

/* ---- Structures passed by value ------------------------------------------------------------ */

/* The caller's original is told by a number that the callee turns into its address. Between
 * the two nothing else happens, so a few places suffice. */
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

/* ---- Foreign code ----------------------------------------------------------------------------- */

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
    tracking_concretise(shadow_expr(s), value, what);
}

/* What a thread returns gets to whoever joins it as it is. */
void tracking_drop_result(const void *function, uint64_t value)
{
    uint32_t shadow = sennit_rt_shadow_call.returned == function ? sennit_rt_shadow_call.results[0] : 0;
    sennit_rt_shadow_call.returned = NULL;
    if (shadow)
        tracking_concretise(shadow_expr(shadow), value, "result of a thread");
}

/* ---- Values without expressions ------------------------------------------------------------------ */

void sennit_rt_shadow_untracked(const void *p, uint64_t size, const SennitSite *site)
{
    sennit_rt_site = site;
    for (uint64_t at = 0; at < size; at += 8) {
        const uint8_t *bytes = (const uint8_t *)p + at;
        uint32_t width = 8 * (uint32_t)(size - at < 8 ? size - at : 8);
        uint64_t value = 0;
        uint32_t s = shadow_memory_get(address_of(bytes), bytes, width);
        memcpy(&value, bytes, width / 8);
        if (s)
            tracking_concretise(shadow_expr(s), value, "floating point");
    }
}
