/* klee.h - the functions of KLEE that programs call, as Sennit understands them */
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
/* An input from `begin` up to, but not with, `end`; any int. */
int klee_range(int begin, int end, const char *name);
int klee_int(const char *name);

/* Other inputs are of no interest. */
void klee_assume(uintptr_t condition);
/* The path ends here, which is no error; which is one. */
void klee_silent_exit(int status);
void klee_abort(void);
void klee_report_error(const char *file, int line, const char *message, const char *suffix);

unsigned klee_is_symbolic(uintptr_t value);

/* Without effect. */
void klee_prefer_cex(void *object, uintptr_t condition);
void klee_open_merge(void);
void klee_close_merge(void);
void klee_warning(const char *message);
void klee_warning_once(const char *message);

#define klee_assert(condition) assert(condition)

#ifdef __cplusplus
}
#endif

#endif
