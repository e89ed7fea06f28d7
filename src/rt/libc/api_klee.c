/* api_klee.c - the functions of KLEE that programs call */
#include <errno.h>

#include "rt/detect/bug.h"
#include "rt/inputs/assume.h"
#include "rt/inputs/branch.h"
#include "rt/inputs/concretise.h"
#include "rt/inputs/input.h"
#include "rt/inputs/shadow_address.h"
#include "rt/inputs/shadow_call.h"
#include "rt/inputs/tracking.h"
#include "rt/kernel/thread.h"
#include "rt/libc/api_libc.h"
#include "rt/memory/object_map.h"

/* ---- Inputs ------------------------------------------------------------------------- */

void sennit_rt_klee_make_symbolic(void *object, size_t size, const char *name)
{
    sennit_rt_sennit_bytes(object, size, name);
}

static Bits give_number(const void *function, const char *name, const InputKind *kind)
{
    uint32_t shadow;
    Bits value = input_number(name ? name : "", kind, &shadow);
    shadow_give_result(function, shadow);
    return value;
}

/* From `begin` up to `end` - 1. */
int sennit_rt_klee_range(int begin, int end, const char *name)
{
    if (begin >= end)
        report_bug(BUG_ASSERTION, "klee_range(%d, %d): the range is empty", begin, end);
    if (begin == end - 1)
        return begin;
    InputKind kind = {.width = 32, .is_signed = true, .low = begin, .high = (int64_t)end - 1, .first = (uint32_t)begin};
    return (int)give_number(CALLEE(sennit_rt_klee_range), name, &kind);
}

/* Below `options`, every value of which is explored if it is symbolic. */
uintptr_t sennit_rt_klee_choose(uintptr_t options)
{
    uint32_t shadow = shadow_argument(CALLEE(sennit_rt_klee_choose), 0);
    if (shadow)
        branch_pin(shadow_expr(shadow), options);
    if (options < 2)
        return 0;
    return (uintptr_t)give_number(CALLEE(sennit_rt_klee_choose), "choose",
                                  &(InputKind){.width = 64, .high = (int64_t)(options - 1)});
}

/* 64 bits wide, unlike other assumptions. */
void sennit_rt_klee_assume(uintptr_t condition)
{
    uint32_t shadow = 0;
    if (tracking.on)
        shadow_take_arguments(CALLEE(sennit_rt_klee_assume), &shadow, 1);
    if (shadow)
        assume_condition(expr_binary(tracking.pool, EXPR_NE, shadow_expr(shadow), expr_const(tracking.pool, 64, 0)),
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

/* ---- Values --------------------------------------------------------------------------- */

unsigned sennit_rt_klee_is_symbolic(uintptr_t value)
{
    (void)value;
    return shadow_argument(CALLEE(sennit_rt_klee_is_symbolic), 0) != 0;
}

/* One value of all that are possible: that of this execution. */
#define GET_VALUE(suffix, type)                                                            \
    type sennit_rt_klee_get_value##suffix(type value)                                      \
    {                                                                                      \
        uint32_t shadow = shadow_argument(CALLEE(sennit_rt_klee_get_value##suffix), 0);     \
        if (shadow)                                                                        \
            concretise_value(shadow_expr(shadow), (Bits)(SignedBits)value & (Bits)-1 >> (128 - 8 * sizeof value), \
                                "klee_get_value");                                         \
        return value;                                                                      \
    }
GET_VALUE(l, long)
GET_VALUE(ll, long long)
GET_VALUE(_i32, int32_t)
GET_VALUE(_i64, int64_t)
/* Floating point is never an expression. */
float sennit_rt_klee_get_valuef(float value) { return value; }
double sennit_rt_klee_get_valued(double value) { return value; }

/* ---- Memory --------------------------------------------------------------------------- */

size_t sennit_rt_klee_get_obj_size(void *object)
{
    ObjectRange range;
    if (!shadow_address_object(address_of(object), &range))
        report_not_modelled("klee_get_obj_size of a variable whose address is not used elsewhere");
    return range.size;
}

/* Checked as an access of the program. */
void sennit_rt_klee_check_memory_access(const void *address, size_t size) { plain_read(address_of(address), size); }

int sennit_rt_klee_get_errno(void) { return *sennit_rt_errno_value(); }
int sennit_rt_klee_is_replay(void) { return 0; }

/* ---- Advice for KLEE, which means nothing here ------------------------------------------- */

void sennit_rt_klee_prefer_cex(void *object, uintptr_t condition) { (void)object, (void)condition; }
void sennit_rt_klee_posix_prefer_cex(void *object, uintptr_t condition) { (void)object, (void)condition; }
void sennit_rt_klee_open_merge(void) {}
void sennit_rt_klee_close_merge(void) {}
void sennit_rt_klee_merge(void) {}
void sennit_rt_klee_set_forking(unsigned enable) { (void)enable; }
void sennit_rt_klee_mark_global(void *object) { (void)object; }
void sennit_rt_klee_stack_trace(void) {}
void sennit_rt_klee_warning(const char *message) { (void)message; }
void sennit_rt_klee_warning_once(const char *message) { (void)message; }
void sennit_rt_klee_print_expr(const char *message, ...) { (void)message; }
