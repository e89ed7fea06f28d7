/* api_libc.h - the C library as the program sees it: the functions that calls are redirected to
 *
 * One prototype per REDIRECT of library.def, with the signature of the function it
 * stands for.
 */
#ifndef RT_LIBC_API_LIBC_H
#define RT_LIBC_API_LIBC_H

#include <arpa/inet.h>
#include <assert.h>
#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <error.h>
#include <fcntl.h>
#include <fenv.h>
#include <ftw.h>
#include <getopt.h>
#include <glob.h>
#include <grp.h>
#include <locale.h>
#include <malloc.h>
#include <netdb.h>
#include <poll.h>
#include <pwd.h>
#include <sched.h>
#include <search.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/shm.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <syslog.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#include <wchar.h>

#include "rt/kernel/runtime.h"
#include "rt/libc/api.h"
#include "rt/libc/libc.h"
#include "rt/sync/plain.h"

/* Functions that no header of the system declares, or only sometimes. */
extern long __sennit_system_call(long number, long a, long b, long c, long d, long e, long f);
extern unsigned long __sennit_time_stamp(void);
extern unsigned long __sennit_random_number(void);
extern void cfree(void *p);
extern int _IO_putc(int c, FILE *stream);
extern void __assert(const char *text, const char *file, int line);
extern void __stack_chk_fail(void);
extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_error(void);
extern void reach_error(void);
extern void __ubsan_handle_shift_out_of_bounds_abort(void *checked, void *value, void *amount); /* as gcc declares it */
#define NAMED(type, function, bits, is_signed) extern type function(const char *name);
#define UNNAMED(type, function, name, bits, is_signed) extern type function(void);
#define POINTER(function, name) extern void *function(void);
#include "rt/abi/inputs.def"
extern void sennit_reached(const char *goal);
extern float sennit_float(const char *name);
extern double sennit_double(const char *name);
extern void sennit_bytes(void *bytes, size_t size, const char *name);
extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_nondet_memory(void *bytes, size_t size);
extern void klee_make_symbolic(void *object, size_t size, const char *name);
extern int klee_range(int begin, int end, const char *name);
extern void klee_assume(uintptr_t condition);
extern void klee_silent_exit(int status);
extern void klee_abort(void);
extern void klee_report_error(const char *file, int line, const char *message, const char *suffix);
extern void klee_prefer_cex(void *object, uintptr_t condition);
extern void klee_open_merge(void);
extern void klee_close_merge(void);
extern void klee_warning(const char *message);
extern void klee_warning_once(const char *message);
extern unsigned klee_is_symbolic(uintptr_t value);
extern float klee_get_valuef(float value);
extern double klee_get_valued(double value);
extern long klee_get_valuel(long value);
extern long long klee_get_valuell(long long value);
extern int32_t klee_get_value_i32(int32_t value);
extern int64_t klee_get_value_i64(int64_t value);
extern size_t klee_get_obj_size(void *object);
extern void klee_check_memory_access(const void *address, size_t size);
extern int klee_get_errno(void);
extern int klee_is_replay(void);
extern void klee_posix_prefer_cex(void *object, uintptr_t condition);
extern void klee_merge(void);
extern void klee_set_forking(unsigned enable);
extern void klee_mark_global(void *object);
extern void klee_stack_trace(void);
extern void klee_print_expr(const char *message, ...);
extern uintptr_t klee_choose(uintptr_t options);
extern void (*bsd_signal(int number, void (*handler)(int)))(int);
extern int _IO_getc(FILE *stream);
extern char *gets(char *text);
extern ssize_t __getdelim(char **line, size_t *size, int delimiter, FILE *stream);
extern char *__strdup(const char *text);
extern char *__strndup(const char *text, size_t limit);
extern int __asprintf_chk(char **result, int flag, const char *format, ...);
extern int __vasprintf_chk(char **result, int flag, const char *format, va_list args);
extern int __printf_chk(int flag, const char *format, ...);
extern int __vprintf_chk(int flag, const char *format, va_list args);
extern int __fprintf_chk(FILE *stream, int flag, const char *format, ...);
extern int __vfprintf_chk(FILE *stream, int flag, const char *format, va_list args);
extern _Noreturn void __longjmp_chk(jmp_buf place, int value);
extern void *__memcpy_chk(void *to, const void *from, size_t size, size_t room);
extern void *__memmove_chk(void *to, const void *from, size_t size, size_t room);
extern void *__memset_chk(void *to, int byte, size_t size, size_t room);
extern char *__strcpy_chk(char *to, const char *from, size_t room);
extern char *__stpcpy_chk(char *to, const char *from, size_t room);
extern char *__strncpy_chk(char *to, const char *from, size_t size, size_t room);
extern char *__strcat_chk(char *to, const char *from, size_t room);
extern char *__strncat_chk(char *to, const char *from, size_t size, size_t room);
extern int __sprintf_chk(char *to, int flag, size_t room, const char *format, ...);
extern int __vsprintf_chk(char *to, int flag, size_t room, const char *format, va_list args);
extern int __snprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, ...);
extern int __vsnprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, va_list args);

#define REDIRECT(name) extern __typeof__(name) sennit_rt_##name;
#define LIBRARY_PROTOTYPES
#define PURE(name)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#include "rt/abi/library.def"
#pragma GCC diagnostic pop
#undef LIBRARY_PROTOTYPES
#undef REDIRECT
#undef PURE

#endif
