/* api_input.c - how programs ask for inputs: Sennit's own functions and two dialects */
#include "rt/api_libc.h"
#include "rt/input.h"

/* ---- Numbers ------------------------------------------------------------------------- */

static uint64_t give_number(const void *model, const char *name, const InputKind *kind)
{
    uint32_t shadow;
    uint64_t value = input_number(name ? name : "", kind, &shadow);
    shadow_give_result(model, shadow);
    return value;
}

/* Expressions have no floating point: the value is taken as it is, which is counted. */
static uint64_t give_float(const char *name, uint32_t width)
{
    uint32_t shadow;
    uint64_t value = input_number(name ? name : "", &(InputKind){.width = width}, &shadow);
    if (shadow)
        tracking_concretise(shadow_expr(shadow), value, "floating point");
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
        return (type)give_number(MODEL(sennit_rt_##function), name, &kind);                                 \
    }
#define UNNAMED(type, function, name, bits, with_sign)                                                      \
    type sennit_rt_##function(void)                                                                         \
    {                                                                                                       \
        InputKind kind = {.width = bits, .is_signed = with_sign};                                           \
        return (type)give_number(MODEL(sennit_rt_##function), name, &kind);                                 \
    }
#include "rt/inputs.def"

float sennit_rt_sennit_float(const char *name) { return float_of(give_float(name, 32)); }
double sennit_rt_sennit_double(const char *name) { return double_of(give_float(name, 64)); }
float sennit_rt___VERIFIER_nondet_float(void) { return float_of(give_float("float", 32)); }
double sennit_rt___VERIFIER_nondet_double(void) { return double_of(give_float("double", 64)); }

void *sennit_rt___VERIFIER_nondet_pointer(void)
{
    return (void *)(uintptr_t)give_number(MODEL(sennit_rt___VERIFIER_nondet_pointer), "pointer", &(InputKind){.width = 64});
}

/* ---- Memory ------------------------------------------------------------------------------ */

void sennit_rt_sennit_bytes(void *bytes, size_t size, const char *name)
{
    plain_write(address_of(bytes), size);
    input_bytes(name ? name : "", bytes, size);
}

void sennit_rt___VERIFIER_nondet_memory(void *bytes, size_t size) { sennit_rt_sennit_bytes(bytes, size, "memory"); }

void sennit_rt_klee_make_symbolic(void *object, size_t size, const char *name)
{
    sennit_rt_sennit_bytes(object, size, name);
}

/* ---- KLEE ------------------------------------------------------------------------------ */

/* From `begin` up to, but not with, `end`. */
int sennit_rt_klee_range(int begin, int end, const char *name)
{
    if (begin >= end)
        report_bug(BUG_ASSERTION, "klee_range(%d, %d): there is no such number", begin, end);
    if (begin == end - 1)
        return begin;
    InputKind kind = {.width = 32, .is_signed = true, .low = begin, .high = (int64_t)end - 1, .first = (uint32_t)begin};
    return (int)give_number(MODEL(sennit_rt_klee_range), name, &kind);
}

/* 64 bits wide, unlike the assumptions of the others. */
void sennit_rt_klee_assume(uintptr_t condition)
{
    uint32_t shadow = 0;
    if (tracking.on)
        shadow_take_arguments(MODEL(sennit_rt_klee_assume), &shadow, 1);
    if (shadow)
        tracking_assume(expr_binary(tracking.pool, EXPR_NE, shadow_expr(shadow), expr_const(tracking.pool, 64, 0)),
                        condition != 0);
    if (!condition && rt.self)
        thread_stop_assumed();
}

/* The path ends here; that is no error. */
void sennit_rt_klee_silent_exit(int status)
{
    (void)status;
    if (rt.self)
        thread_stop_assumed();
}

void sennit_rt_klee_abort(void) { sennit_rt_abort(); }

void sennit_rt_klee_report_error(const char *file, int line, const char *message, const char *suffix)
{
    (void)file, (void)line, (void)suffix;
    report_bug(BUG_ASSERTION, "%s", message);
}

/* Advice for KLEE, which means nothing here. */
void sennit_rt_klee_prefer_cex(void *object, uintptr_t condition) { (void)object, (void)condition; }
void sennit_rt_klee_open_merge(void) {}
void sennit_rt_klee_close_merge(void) {}
void sennit_rt_klee_warning(const char *message) { (void)message; }
void sennit_rt_klee_warning_once(const char *message) { (void)message; }

unsigned sennit_rt_klee_is_symbolic(uintptr_t value)
{
    uint32_t shadow = 0;
    (void)value;
    if (tracking.on)
        shadow_take_arguments(MODEL(sennit_rt_klee_is_symbolic), &shadow, 1);
    return shadow != 0;
}
