/* klee.h - the functions of KLEE that programs call, as Sennit implements them */
#ifndef SENNIT_KLEE_H
#define SENNIT_KLEE_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The object becomes an input: every path that some contents lead to is explored. */
void klee_make_symbolic(void *object, size_t size, const char *name);
/* An input from `begin` up to `end` - 1; an input that may be any int. */
int klee_range(int begin, int end, const char *name);
int klee_int(const char *name);

/* Excludes inputs for which the condition is 0. */
void klee_assume(uintptr_t condition);
/* End the path: the first without an error, the others with one. */
void klee_silent_exit(int status);
void klee_abort(void);
void klee_report_error(const char *file, int line, const char *message, const char *suffix);

/* One of 0 .. options - 1. */
uintptr_t klee_choose(uintptr_t options);

unsigned klee_is_symbolic(uintptr_t value);
/* One of the values that are possible here; the others are not explored, which the verdict says. */
float klee_get_valuef(float value);
double klee_get_valued(double value);
long klee_get_valuel(long value);
long long klee_get_valuell(long long value);
int32_t klee_get_value_i32(int32_t value);
int64_t klee_get_value_i64(int64_t value);
/* The size of the block or array at the address. */
size_t klee_get_obj_size(void *object);
/* Reads the bytes, so that an invalid access is reported. */
void klee_check_memory_access(const void *address, size_t size);
int klee_get_errno(void);
int klee_is_replay(void);

/* Without effect. */
void klee_prefer_cex(void *object, uintptr_t condition);
void klee_posix_prefer_cex(void *object, uintptr_t condition);
void klee_open_merge(void);
void klee_close_merge(void);
void klee_merge(void);
void klee_set_forking(unsigned enable);
void klee_mark_global(void *object);
void klee_stack_trace(void);
void klee_print_expr(const char *message, ...);
void klee_warning(const char *message);
void klee_warning_once(const char *message);

#define klee_assert(condition) assert(condition)

#ifdef __cplusplus
}
#endif

#endif
