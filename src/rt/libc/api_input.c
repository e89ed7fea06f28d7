/* api_input.c - how programs ask for inputs: Sennit's own functions and those of SV-COMP; api_klee.c has KLEE's */
#include "rt/detect/bug.h"
#include "rt/inputs/concretise.h"
#include "rt/inputs/input.h"
#include "rt/inputs/shadow_call.h"
#include "rt/inputs/tracking.h"
#include "rt/libc/api_libc.h"

/* ---- Numbers ------------------------------------------------------------------------- */

static Bits give_number(const void *function, const char *name, const InputKind *kind)
{
    uint32_t shadow;
    Bits value = input_number(name ? name : "", kind, &shadow);
    if (kind->width > 64)
        shadow_give_wide_result(function, shadow);
    else
        shadow_give_result(function, shadow);
    return value;
}

/* Expressions have no floating point: the value is concretised. */
static uint64_t give_float(const char *name, uint32_t width)
{
    uint32_t shadow;
    uint64_t value = (uint64_t)input_number(name ? name : "", &(InputKind){.width = width}, &shadow);
    if (shadow)
        concretise_value(shadow_expr(shadow), value, "floating point");
    return value;
}

static float float_of(uint64_t bits)
{
    uint32_t word = (uint32_t)bits;
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

static double double_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

#define NAMED(type, function, bits, with_sign)                                                              \
    type sennit_rt_##function(const char *name)                                                             \
    {                                                                                                       \
        InputKind kind = {.width = bits, .is_signed = with_sign};                                           \
        return (type)give_number(CALLEE(sennit_rt_##function), name, &kind);                                 \
    }
#define UNNAMED(type, function, name, bits, with_sign)                                                      \
    type sennit_rt_##function(void)                                                                         \
    {                                                                                                       \
        InputKind kind = {.width = bits, .is_signed = with_sign};                                           \
        return (type)give_number(CALLEE(sennit_rt_##function), name, &kind);                                 \
    }
#define POINTER(function, name)                                                                             \
    void *sennit_rt_##function(void)                                                                        \
    {                                                                                                       \
        return (void *)(uintptr_t)give_number(CALLEE(sennit_rt_##function), name, &(InputKind){.width = 64}); \
    }
#include "rt/abi/inputs.def"

float sennit_rt_sennit_float(const char *name) { return float_of(give_float(name, 32)); }
double sennit_rt_sennit_double(const char *name) { return double_of(give_float(name, 64)); }
float sennit_rt___VERIFIER_nondet_float(void) { return float_of(give_float("float", 32)); }
double sennit_rt___VERIFIER_nondet_double(void) { return double_of(give_float("double", 64)); }

void sennit_rt_unknown_input(const char *function);

/* Called in place of an input function that is not defined (pass_inputs.c). */
void sennit_rt_unknown_input(const char *function)
{
    char what[120];
    snprintf(what, sizeof what, "%.60s, an unknown input function,", function);
    report_not_modelled(what);
}

/* ---- Memory ------------------------------------------------------------------------------ */

void sennit_rt_sennit_bytes(void *bytes, size_t size, const char *name)
{
    plain_write(address_of(bytes), size);
    input_bytes(name ? name : "", bytes, size);
}

void sennit_rt___VERIFIER_nondet_memory(void *bytes, size_t size) { sennit_rt_sennit_bytes(bytes, size, "memory"); }
