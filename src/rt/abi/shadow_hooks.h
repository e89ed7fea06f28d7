/* shadow_hooks.h - the hooks of tracked code: expressions of its values
 *
 * A shadow is the number of an expression over the inputs, or 0 for a concrete value. The code
 * that the instrumenter inserts calls these functions only if some shadow is not 0. Values are
 * passed as two halves of 64 bits, low half first. `s` is a shadow, `s_x` that of `x`.
 */
#ifndef RT_ABI_SHADOW_HOOKS_H
#define RT_ABI_SHADOW_HOOKS_H

#include "rt/abi/hooks.h"

/* Operations on two values of one width. Comparisons come last. */
enum SennitShadowOp {
    SENNIT_SHADOW_ADD, SENNIT_SHADOW_SUB, SENNIT_SHADOW_MUL, SENNIT_SHADOW_UDIV, SENNIT_SHADOW_SDIV,
    SENNIT_SHADOW_UREM, SENNIT_SHADOW_SREM, SENNIT_SHADOW_AND, SENNIT_SHADOW_OR, SENNIT_SHADOW_XOR,
    SENNIT_SHADOW_SHL, SENNIT_SHADOW_LSHR, SENNIT_SHADOW_ASHR,
    SENNIT_SHADOW_EQ, SENNIT_SHADOW_NE, SENNIT_SHADOW_ULT, SENNIT_SHADOW_ULE, SENNIT_SHADOW_UGT,
    SENNIT_SHADOW_UGE, SENNIT_SHADOW_SLT, SENNIT_SHADOW_SLE, SENNIT_SHADOW_SGT, SENNIT_SHADOW_SGE
};
/* Operations that are intrinsics of the compiler. Those named overflow yield a pair: value, overflow; those named sat
 * are the first four of them, in the same order, with saturation. */
enum SennitShadowIntrinsic {
    SENNIT_SHADOW_BSWAP, SENNIT_SHADOW_ABS, SENNIT_SHADOW_SMAX, SENNIT_SHADOW_SMIN, SENNIT_SHADOW_UMAX,
    SENNIT_SHADOW_UMIN, SENNIT_SHADOW_CTPOP, SENNIT_SHADOW_CTLZ, SENNIT_SHADOW_CTTZ, SENNIT_SHADOW_BITREVERSE,
    SENNIT_SHADOW_FSHL, SENNIT_SHADOW_FSHR, SENNIT_SHADOW_SADD_OVERFLOW, SENNIT_SHADOW_UADD_OVERFLOW,
    SENNIT_SHADOW_SSUB_OVERFLOW, SENNIT_SHADOW_USUB_OVERFLOW, SENNIT_SHADOW_SMUL_OVERFLOW,
    SENNIT_SHADOW_UMUL_OVERFLOW, SENNIT_SHADOW_SADD_SAT, SENNIT_SHADOW_UADD_SAT, SENNIT_SHADOW_SSUB_SAT,
    SENNIT_SHADOW_USUB_SAT
};

enum SennitShadowCast { SENNIT_SHADOW_TRUNC, SENNIT_SHADOW_ZEXT, SENNIT_SHADOW_SEXT };

/* How shadows get from a caller to its callee and back. The caller stores them with the
 * callee's address; the callee uses them if that is its own address, and clears it. The same
 * holds for the result. */
enum { SENNIT_SHADOW_ARGS = 24, SENNIT_SHADOW_RESULTS = 8 };

/* Variable arguments by place, as va_arg finds them: registers for integers, words on the
 * stack after the named arguments. */
enum { SENNIT_SHADOW_REGISTERS = 6, SENNIT_SHADOW_WORDS = 32 };
typedef struct SennitShadowRest {
    uint32_t registers[SENNIT_SHADOW_REGISTERS];
    uint32_t words[SENNIT_SHADOW_WORDS];
    uint32_t count;     /* of words in this call */
} SennitShadowRest;

typedef struct SennitShadowCall {
    const void *callee;
    const void *returned;
    uint32_t results[SENNIT_SHADOW_RESULTS];
    uint32_t args[SENNIT_SHADOW_ARGS];
    SennitShadowRest rest;
} SennitShadowCall;
extern SennitShadowCall sennit_rt_shadow_call __attribute__((visibility("hidden")));

/* Not 0 where memory may have shadows; index: address / 64 modulo the size. An access of at
 * most 16 bytes needs to test its first byte only. */
enum { SENNIT_SHADOW_GRAIN = 6, SENNIT_SHADOW_MAP = 1 << 16 };
extern uint8_t sennit_rt_shadow_map[SENNIT_SHADOW_MAP] __attribute__((visibility("hidden")));

/* Does the program ask for inputs? Each function reads it to choose one of its versions. */
extern uint8_t sennit_rt_tracking __attribute__((visibility("hidden")));

/* -- values ------------------------------------------------------------------------------ */

uint32_t sennit_rt_shadow_binary(uint32_t op, uint32_t width, uint32_t sa, uint64_t a, uint64_t a_high, uint32_t sb,
                                 uint64_t b, uint64_t b_high);
uint32_t sennit_rt_shadow_cast(uint32_t cast, uint32_t from, uint32_t to, uint32_t s);
uint32_t sennit_rt_shadow_select(uint32_t width, uint32_t sc, uint64_t c, uint32_t sa, uint64_t a, uint64_t a_high,
                                 uint32_t sb, uint64_t b, uint64_t b_high);
/* code | part << 8. Operands that an intrinsic does not have are without shadow. */
uint32_t sennit_rt_shadow_intrinsic(uint32_t code, uint32_t width, uint32_t sa, uint64_t a, uint64_t a_high,
                                    uint32_t sb, uint64_t b, uint64_t b_high, uint32_t sc, uint64_t c, uint64_t c_high);
/* The address base + index * scale; index is sign-extended from `width` bits. */
uint32_t sennit_rt_shadow_index(uint32_t s_base, const void *base, uint32_t s_index, uint64_t index, uint32_t width,
                                uint64_t scale);
/* Concretises a value (floating point, a number that is too wide); `what` names it in the report. */
void sennit_rt_shadow_concrete(uint32_t s, uint64_t value, const char *what, const SennitSite *site);
/* The same for an argument of a function, unless that turns out to be instrumented. */
void sennit_rt_shadow_foreign(uint32_t s, uint64_t value, uint32_t width, const SennitSite *site, const char *callee);

/* Before a call of a function: concretises the memory that it can read through `p`, unless the function turns out to be
 * instrumented. */
void sennit_rt_shadow_reach(const void *p, const SennitSite *site, const char *callee);
/* Before a call through a pointer, for each argument: a value, and memory at `p` if it is not NULL. A tracked target
 * takes shadows; a modelled function gets every value separately; for any other target they are concretised. */
void sennit_rt_shadow_through(const void *target, uint32_t s, uint64_t value, const void *p, const SennitSite *site);
/* The section of the functions that take shadows of their arguments. */
#define SENNIT_TRACKED_SECTION "sennit_tracked"
/* Before something is written to a stream or a file: a value, and memory at `p` if it is not NULL. Both are
 * concretised, since a file can be read again, unless they are printed or written to a pipe. */
void sennit_rt_shadow_written(uint64_t stream, uint32_t s, uint64_t value, const void *p, const SennitSite *site,
                              const char *callee);

/* -- variable arguments ------------------------------------------------------------------- */

/* A function with variable arguments starts: keeps the shadows of its call, if they are its
 * own. After va_start(list): stores them for the memory that va_arg reads. */
void sennit_rt_shadow_rest(SennitShadowRest *kept, uint32_t mine);
void sennit_rt_shadow_va_start(const void *list, const SennitShadowRest *kept);

/* -- decisions ---------------------------------------------------------------------------- */

void sennit_rt_shadow_branch(uint32_t s, uint32_t value, const SennitSite *site);
/* `cases` in the order of the source: value and number of the successor; the default is 0. */
typedef struct SennitCase {
    uint64_t value, high;
    uint32_t target;
} SennitCase;
void sennit_rt_shadow_switch(uint32_t s, uint64_t value, uint64_t high, const SennitCase *cases, uint32_t count,
                             const SennitSite *site);
/* Before a division: decides whether the divisor is 0 and whether the quotient overflows; reports the bug if so. */
void sennit_rt_shadow_divide(uint32_t is_signed, uint32_t width, uint32_t sa, uint64_t a, uint64_t a_high, uint32_t sb,
                             uint64_t b, uint64_t b_high, const SennitSite *site);

/* Explores every value of an argument of a modelled function separately. */
void sennit_rt_shadow_decide(uint32_t s, uint64_t value, uint32_t is_pointer, const SennitSite *site);
/* Before signed arithmetic (add, sub, mul), if overflow is checked. */
extern uint8_t sennit_rt_check_overflow __attribute__((visibility("hidden")));
void sennit_rt_shadow_overflow(uint32_t op, uint32_t width, uint32_t sa, uint64_t a, uint64_t a_high, uint32_t sb,
                               uint64_t b, uint64_t b_high, const SennitSite *site);

/* -- memory ---------------------------------------------------------------------------------- */

/* Before an access through an address with a shadow: decides whether it is within its object, and which address it is
 * if several threads can access the memory, or if what is read or written has no expression (floating point,
 * structures). Answers the shadow that the address still has, 0 if the address was decided. */
enum { SENNIT_ACCESS_SHARED, SENNIT_ACCESS_PRIVATE, SENNIT_ACCESS_WITHOUT_EXPRESSION };
uint32_t sennit_rt_shadow_pointer(uint32_t s, const void *p, uint64_t size, uint32_t access, const SennitSite *site);
uint32_t sennit_rt_shadow_load(const void *p, uint32_t s_address, uint32_t width);
void sennit_rt_shadow_store(void *p, uint32_t s_address, uint32_t s, uint32_t width);
void sennit_rt_shadow_copy(void *to, const void *from, uint64_t size);
void sennit_rt_shadow_fill(void *to, uint32_t s_byte, uint64_t size);

/* The lifetime of a local variable begins whose address leaves its function, or that is indexed: it holds zeros. */
void sennit_rt_shadow_local(void *p, uint64_t size, const char *name);
/* With --unset: a local variable is uninitialised. */
void sennit_rt_shadow_unset(void *p, uint64_t size, const SennitSite *site);
/* Memory is loaded as a value of a type that has no expressions. */
void sennit_rt_shadow_untracked(const void *p, uint64_t size, const SennitSite *site);
/* A structure is passed by value in memory: the caller gets a token for the original, the
 * callee copies its shadows with it. */
uint32_t sennit_rt_shadow_byval_token(const void *original);
void sennit_rt_shadow_byval(void *copy, uint32_t token, uint64_t size);

/* In place of the hooks of the same names without `shadow`, with the shadows of the operands.
 * results[0] is the shadow of the value found. */
uint64_t sennit_rt_shadow_atomic_load(const void *p, uint32_t size, uint32_t order, const SennitSite *site);
void sennit_rt_shadow_atomic_store(void *p, uint64_t value, uint32_t size, uint32_t order, const SennitSite *site,
                                   uint32_t s);
uint64_t sennit_rt_shadow_atomic_rmw(void *p, uint32_t op, uint64_t value, uint32_t size, uint32_t order,
                                     uint32_t unused, const SennitSite *site, uint32_t s);
uint64_t sennit_rt_shadow_await(const void *p, uint32_t size, uint32_t order, uint32_t relation, uint64_t mask,
                                uint64_t operand, const SennitSite *site, uint32_t s_operand);
uint64_t sennit_rt_shadow_await_rmw(void *p, uint32_t op, uint64_t value, uint32_t size, uint32_t order,
                                    uint32_t relation, uint64_t mask, uint64_t operand, const SennitSite *site);
void sennit_rt_shadow_await_cas(void *p, uint64_t expected, uint64_t desired, uint32_t size, uint32_t order,
                                const SennitSite *site, uint32_t s_expected, uint32_t s_desired);
/* In place of sennit_rt_atomic_cas; results[0] is the shadow of the value found, results[1]
 * that of "they were equal". */
uint64_t sennit_rt_shadow_assume(const void *p, uint32_t size, uint32_t order, uint32_t relation, uint64_t mask,
                                 uint64_t operand, const SennitSite *site, uint32_t s_operand);
uint64_t sennit_rt_shadow_assume_rmw(void *p, uint32_t op, uint64_t value, uint32_t size, uint32_t order,
                                     uint32_t relation, uint64_t mask, uint64_t operand, const SennitSite *site,
                                     uint32_t s);
uint64_t sennit_rt_shadow_assume_cas(void *p, uint64_t expected, uint64_t desired, uint32_t size, uint32_t success,
                                     uint32_t failure, const SennitSite *site, uint32_t s_expected,
                                     uint32_t s_desired);
uint64_t sennit_rt_shadow_cas(void *p, uint64_t expected, uint64_t desired, uint32_t size, uint32_t success,
                              uint32_t failure, uint32_t weak, const SennitSite *site, uint32_t s_expected,
                              uint32_t s_desired);

#endif
