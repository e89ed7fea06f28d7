/* hooks.h - the calls that the instrumenter inserts into a program
 *
 * These signatures are the whole interface between instrumented code and the
 * runtime, together with shadow_hooks.h. The instrumenter (src/instr) declares them in the
 * IR by name; the runtime defines them. Each gets the place of the code it stands for.
 * Redirected library calls (pthread_*, malloc, ...) are listed in library.def.
 */
#ifndef RT_ABI_HOOKS_H
#define RT_ABI_HOOKS_H

#include <stdint.h>

/* A place in the program's source; a constant in the instrumented module. */
typedef struct SennitSite {
    const char *file;
    const char *function;
    uint32_t line;
    uint32_t column;
    uint32_t is_volatile; /* a plain access to a volatile object */
} SennitSite;

/* The place of the redirected library call that comes next; stored by
 * instrumented code before each such call. */
extern const SennitSite *sennit_rt_site __attribute__((visibility("hidden")));

/* Set by instrumented code before it calls what may have effects that no hook and no step shows. */
extern uint8_t sennit_rt_noise __attribute__((visibility("hidden")));

/* Set by sennit_rt_atomic_cas if `weak` was 1: the exchange failed for no reason. */
extern uint8_t sennit_rt_failed __attribute__((visibility("hidden")));

/* -- plain memory: before each load or store of instrumented code ---------- */
void sennit_rt_read1(const void *p, const SennitSite *site);
void sennit_rt_read2(const void *p, const SennitSite *site);
void sennit_rt_read4(const void *p, const SennitSite *site);
void sennit_rt_read8(const void *p, const SennitSite *site);
void sennit_rt_read_n(const void *p, uint64_t size, const SennitSite *site);
void sennit_rt_write1(void *p, const SennitSite *site);
void sennit_rt_write2(void *p, const SennitSite *site);
void sennit_rt_write4(void *p, const SennitSite *site);
void sennit_rt_write8(void *p, const SennitSite *site);
void sennit_rt_write_n(void *p, uint64_t size, const SennitSite *site);

/* Before an access to a local array or a constant with a computed index: is it inside the object? */
void sennit_rt_within(const void *p, uint64_t size, const void *object, uint64_t object_size, const char *name,
                      const SennitSite *site);
/* Before an access to an element of a field; `outside` is 1 if it is at an offset outside the field's `room` bytes. */
void sennit_rt_within_field(uint64_t outside, uint64_t offset, uint64_t size, uint64_t room, const SennitSite *site);
/* Red zones of local variables. guard_enter: a function starts, whose variables of fixed size take at least `frame`
 * bytes of the program's own stack; it passes the answer to guard_leave when it returns. guard: the red zone behind
 * this variable is inaccessible until then. guard_claim: a variable of variable size takes so much of the stack.
 * guard_cut: the stack shrinks, and variables below `stack` end. */
uint64_t sennit_rt_guard_enter(uint64_t frame, const SennitSite *site);
void sennit_rt_guard_claim(const void *p, uint64_t size, const SennitSite *site);
void sennit_rt_guard(const void *p, uint64_t size, uint64_t red_zone, const char *name);
void sennit_rt_guard_cut(const void *stack);
/* Behind a call of setjmp, with what it has returned. */
void sennit_rt_jump_set(const void *place, int32_t result);
void sennit_rt_guard_leave(uint64_t number);

/* Before a use of a variable of the C library that its functions change: its accesses are not checked. */
void sennit_rt_library_variable(const char *name, const SennitSite *site);

/* Before a store to a constant, which an optimiser may remove: reports the crash. */
void sennit_rt_constant_write(void *p, const SennitSite *site);
/* Before a division: the divisor is 0; the quotient overflows. */
#define SENNIT_QUOTIENT_OVERFLOWS "the smallest number is divided by -1: the quotient is too large"
void sennit_rt_divide(uint32_t zero, uint32_t overflows, const SennitSite *site);

/* -- atomics: replace the instruction. size is 1, 2, 4 or 8; order is C11's ---
 * (0 relaxed, 1 consume, 2 acquire, 3 release, 4 acq_rel, 5 seq_cst) */
uint64_t sennit_rt_atomic_load(const void *p, uint32_t size, uint32_t order, const SennitSite *site);
void sennit_rt_atomic_store(void *p, uint64_t value, uint32_t size, uint32_t order, const SennitSite *site);

enum SennitRmw {
    SENNIT_RMW_XCHG, SENNIT_RMW_ADD, SENNIT_RMW_SUB, SENNIT_RMW_AND, SENNIT_RMW_NAND,
    SENNIT_RMW_OR, SENNIT_RMW_XOR, SENNIT_RMW_MAX, SENNIT_RMW_MIN, SENNIT_RMW_UMAX, SENNIT_RMW_UMIN,
    /* on a float (size 4) or a double (size 8), given and returned as its bits */
    SENNIT_RMW_FADD, SENNIT_RMW_FSUB, SENNIT_RMW_FMAX, SENNIT_RMW_FMIN
};
/* `unused` is 1 if the program ignores the result: such updates may commute. */
uint64_t sennit_rt_atomic_rmw(void *p, uint32_t op, uint64_t value, uint32_t size, uint32_t order,
                              uint32_t unused, const SennitSite *site);
/* Returns the value found; success iff it equals `expected`, and if `weak` sennit_rt_failed is 0. */
uint64_t sennit_rt_atomic_cas(void *p, uint64_t expected, uint64_t desired, uint32_t size,
                              uint32_t success, uint32_t failure, uint32_t weak, const SennitSite *site);
void sennit_rt_atomic_fence(uint32_t order, const SennitSite *site);
/* 16 bytes and odd sizes (the generic library calls). */
void sennit_rt_atomic_load_n(uint64_t size, const void *p, void *result, uint32_t order, const SennitSite *site);
void sennit_rt_atomic_store_n(uint64_t size, void *p, const void *value, uint32_t order, const SennitSite *site);
void sennit_rt_atomic_xchg_n(uint64_t size, void *p, const void *value, void *result, uint32_t order,
                             const SennitSite *site);
uint32_t sennit_rt_atomic_cas_n(uint64_t size, void *p, void *expected, const void *desired,
                                uint32_t success, uint32_t failure, const SennitSite *site);

/* -- spin loops ---------------------------------------------------------------
 * A loop without side effects that repeats a single atomic load until
 * (value & mask) relation operand  (Relation of core/event.h): the load is replaced
 * by a blocking wait that returns the first satisfying value. */
uint64_t sennit_rt_atomic_await(const void *p, uint32_t size, uint32_t order, uint32_t relation,
                                uint64_t mask, uint64_t operand, const SennitSite *site);
/* The same for a loop that repeats a CAS until it succeeds: waits until the value is
 * `expected`, then stores `desired`. */
void sennit_rt_atomic_await_cas(void *p, uint64_t expected, uint64_t desired, uint32_t size,
                                uint32_t order, const SennitSite *site);
/* The same for a loop that repeats a read-modify-write until the value it finds lets it
 * leave, where every other iteration leaves memory unchanged (`while (xchg(&x, 1));`,
 * `while (fetch_or(&x, 1) & 1);`): waits until (value & mask) relation operand, then
 * performs the operation in the same step. Returns the value found. */
uint64_t sennit_rt_atomic_await_rmw(void *p, uint32_t op, uint64_t value, uint32_t size, uint32_t order,
                                    uint32_t relation, uint64_t mask, uint64_t operand,
                                    const SennitSite *site);
/* A load whose value the program assumes to satisfy (value & mask) relation operand before it does anything else
 * (`__VERIFIER_assume(atomic_load(&x) == 1)`): waits like await, but the program's own call of assume follows. It does
 * not wait where REL_TRUE is given or a wait is not possible. The same for a read-modify-write that would store every
 * other value back unchanged, and for an exchange that is assumed to succeed. They return the value found. */
uint64_t sennit_rt_atomic_assume(const void *p, uint32_t size, uint32_t order, uint32_t relation, uint64_t mask,
                                 uint64_t operand, const SennitSite *site);
uint64_t sennit_rt_atomic_assume_rmw(void *p, uint32_t op, uint64_t value, uint32_t size, uint32_t order,
                                     uint32_t relation, uint64_t mask, uint64_t operand, const SennitSite *site);
uint64_t sennit_rt_atomic_assume_cas(void *p, uint64_t expected, uint64_t desired, uint32_t size, uint32_t success,
                                     uint32_t failure, const SennitSite *site);
/* Any other loop without side effects. `enter` comes before the loop, `leave` on its exits,
 * `again` on its back edge if the thread's registers are the same as at the previous call,
 * `retry` if they are but for one that holds what a failed CAS has found, with whose first
 * value the loop began (otherwise `enter`). `again` waits until some location holds another value than the one
 * first read from it since the previous call; it returns at once if that is already so (the
 * loop read it twice). It also returns at once if the thread itself changed a value since then
 * (a CAS or an exchange that altered memory, a plain store), and if nothing was read.
 * Reads are atomic loads, failed CAS, read-modify-writes that left the value unchanged, and
 * plain reads, in either mode, so that a loop on a plain flag does not hang. */
void sennit_rt_spin_enter(const SennitSite *site);
void sennit_rt_spin_again(const SennitSite *site);
void sennit_rt_spin_retry(const SennitSite *site);
void sennit_rt_spin_leave(void);
/* On the back edge of every other loop that may take steps: waits if the iterations repeat (rt/spin/repeat.h). */
void sennit_rt_spin_repeat(const SennitSite *site);

/* -- loops, if their iterations are bounded: an iteration begins, the so-manieth ------------------- */
void sennit_rt_loop_iteration(uint32_t iterations, const SennitSite *site);

/* -- local variables that end with their function or block, if that is checked ---------------
 * A variable whose address escapes is a heap block; local_end frees it (NULL: its lifetime has not begun), at the
 * latest frame_leave, which gets what frame_enter answered. One of variable length has a place on the stack, and
 * is freed when frame_cut restores a stack that ends above it. */
void *sennit_rt_local(uint64_t size, uint64_t alignment, const SennitSite *site);
void sennit_rt_local_end(void *variable, const SennitSite *site);
void sennit_rt_local_place(void *variable, const void *place);
uint64_t sennit_rt_frame_enter(void);
void sennit_rt_frame_cut(uint64_t mark, const void *stack, const SennitSite *site);
void sennit_rt_frame_leave(uint64_t mark, const SennitSite *site);

/* -- code for searches that recognise states (sennit cc --states) ------------------
 * Call another hook with these arguments (what it does not have is 0): the frames and registers of the program are
 * known while it waits (rt/kernel/frame.h). */
uint64_t sennit_rt_framed(void (*hook)(void), uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e);
uint64_t sennit_rt_framed_many(void (*hook)(void), uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e,
                               uint64_t f, uint64_t g, uint64_t h, uint64_t i, uint64_t j);

/* -- whole-function atomicity (__VERIFIER_atomic_*) ------------------------------ */
void sennit_rt_atomic_section_begin(const SennitSite *site);
void sennit_rt_atomic_section_end(const SennitSite *site);

/* -- identities of threads ---------------------------------------------------------
 * The thread pointer, and the word at a distance from it (x86-64: %fs:offset). Where the value of errno is now, for
 * code that does nothing else with its address (__errno_location is redirected). */
uint64_t sennit_rt_thread_pointer(void);
uint64_t sennit_rt_thread_slot(uint64_t offset);
int *sennit_rt_errno_value(void);

/* -- memory intrinsics (llvm.memcpy and friends become these) ------------------- */
void *sennit_rt_memcpy(void *to, const void *from, uint64_t size);
void *sennit_rt_memmove(void *to, const void *from, uint64_t size);
void *sennit_rt_memset(void *to, int byte, uint64_t size);

/* -- the program's globals: records in section "sennit_globals" ------------------
 * The instrumenter emits one record for each writable, non-thread-local global it
 * defines. The runtime finds them between __start_ and __stop_sennit_globals. */
typedef struct SennitGlobal {
    void *address;
    uint64_t size;
    const char *name;
    const SennitSite *site; /* where it is declared, or NULL */
    const char *layout;     /* names of its parts (instr/module/layout.h), or NULL */
    uint64_t red_zone;      /* inaccessible bytes behind it                       */
} SennitGlobal;

/* -- __attribute__((destructor)): records in section "sennit_destructors" ---------
 * Every execution runs them; the process that explores ends without them. */
typedef struct SennitDestructor {
    void (*function)(void);
    uint64_t priority;
} SennitDestructor;

/* -- coverage: one record per module in section "sennit_cover" -------------------
 * Instrumented code sets bytes of `marks`; the points say what they mean. */
enum SennitCoverKind { SENNIT_COVER_LINE, SENNIT_COVER_FUNCTION, SENNIT_COVER_BRANCH };
typedef struct SennitCoverPoint {
    const SennitSite *site;
    uint32_t kind;          /* enum SennitCoverKind                                */
    uint32_t mark;
    uint32_t ordinal;       /* branches: number among those at the same place      */
    uint32_t outcome;       /* branches: which one (0: the condition holds)         */
    uint32_t target;        /* branches: the line it leads to                      */
    uint32_t reserved;
} SennitCoverPoint;
typedef struct SennitCover {
    uint8_t *marks;         /* aligned, padded to a multiple of 8 */
    const SennitCoverPoint *points;
    uint32_t mark_count;
    uint32_t point_count;
} SennitCover;

/* -- what is not seen: a record per place in section "sennit_unseen" ---------------
 * Instrumented code sets the mark, a byte in section "sennit_unseen_marks", before it gets there. A mark that is set
 * from the beginning stands for a function whose address is taken. */
typedef struct SennitUnseen {
    const char *name;       /* of the function called, or what else it is          */
    const SennitSite *site; /* NULL: unknown                                       */
    uint8_t *mark;
    uint64_t kind;          /* UnseenKind of core/unseen.h                         */
} SennitUnseen;

/* The program's own main, renamed by the instrumenter:
 * int sennit_user_main(int argc, char **argv, char **envp) with 0 to 3 parameters;
 * always called with three. */
int sennit_user_main(int argc, char **argv, char **envp);

/* Names of called functions that this module neither defines nor redirects: NUL-terminated
 * strings one after another in section "sennit_opaque"; empty strings are padding. Names of
 * the functions that instrumented modules define: the same in section "sennit_defined". Calls of
 * what is in the first and not in the second are opaque. Names of the redirected functions that
 * modules use: the same in section "sennit_redirected"; flags of `sennit cc`: in section "sennit_flags". What the
 * program's own modules use that they do not define, redirected or not, except pure functions: in "sennit_own". */

#endif
