/* hooks.c - each function's last comment lists the hooks that must be called in it, in order
 *
 * Checked by check_hooks. Calls of models appear under their own names; "site" stands for
 * a place stored for a call through a pointer.
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

struct pair { int a, b; };
struct large { long v[8]; };
struct bits { unsigned a : 3, b : 7; };
union either { int i; float f; };

int global;
static long hidden;
const int constant = 3;
static const int table[] = {1, 2, 3, 4};
_Thread_local int tls;
volatile int vol;
char c1; short s2; long l8; float f4; double d8; long double ld16; void *p8; __int128 i16;
struct pair pr; struct large big; struct bits bf; union either un;
atomic_int ai; _Atomic char ac; _Atomic short as; _Atomic long al; _Atomic(void *) ap; _Atomic float af; _Atomic double ad;
atomic_bool ab; _Atomic struct pair apair; _Atomic struct large abig; _Atomic __int128 ai16;
void use(void *); void take_large(struct large); struct large give_large(void);
static inline int self(void) { return pthread_equal(pthread_self(), pthread_self()); }

/* ---- plain accesses ---- */
int load_global(void) { return global; }                               /* read4 */
void store_global(void) { global = 1; }                                /* write4 */
void increment(void) { global++; }                                     /* read4 write4 */
void twice(void) { global = 1; global = 2; }                           /* write4 write4 */
int repeat(void) { return global + global; }                           /* read4 read4 */
long load_hidden(void) { return hidden++; }                            /* read8 write8 */
int load_const(void) { return constant; }                              /* */
int load_table(int i) { return table[i & 3]; }                         /* within */
char load1(void) { return c1; }                                        /* read1 */
short load2(void) { return s2; }                                       /* read2 */
long load8(void) { return l8; }                                        /* read8 */
float loadf(void) { return f4; }                                       /* read4 */
double loadd(void) { return d8; }                                      /* read8 */
long double loadld(void) { return ld16; }                              /* read_n */
void *loadp(void) { return p8; }                                       /* read8 */
void store16(void) { i16 = 5; }                                        /* write_n */
int load_volatile(void) { return vol; }                                /* read4 */
void store_volatile(void) { vol = 1; }                                 /* write4 */
int load_tls(void) { return tls; }                                     /* read4 */
int load_static(void) { static int n; return ++n; }                    /* read4 write4 */
int deref(int *p) { return *p; }                                       /* read4 */
int deref2(int **p) { return **p; }                                    /* read8 read4 */
int conditional(int c) { return c ? global : 0; }                      /* read4 */
int guarded(int *p) { if (p) return *p; return 0; }                    /* read4 */
void bitfield(void) { bf.a = 3; }                                      /* read2 write2 */
float punned(void) { un.i = 5; return un.f; }                          /* write4 read4 */
int index_array(long *a, int i) { return (int)a[i]; }                  /* read8 */

/* ---- private memory ---- */
int local(int x) { int y = x; y++; return y; }                         /* */
int local_array(int i) { int a[4] = {1, 2, 3, 4}; return a[i & 3]; }   /* within */
int escaping_array(int i) { int a[4]; use(a); return a[i & 3]; }       /* guard_enter guard use within read4 guard_leave */
int local_struct(void) { struct pair p = {1, 2}; p.a++; return p.a + p.b; }  /* */
int local_pointer(void) { int x = 1; int *p = &x; *p = 2; return x; }  /* */
int escapes(void) { int x = 1; use(&x); return x; }                    /* write4 use read4 */
int half_pointer(int c) { int x = 1; int *p = c ? &x : &global; return *p; }  /* write4 read4 */
int local_volatile(void) { volatile int x = 1; return x; }             /* */
int variable_length(int n) { int a[n]; a[0] = 1; return a[n - 1]; }    /* guard_enter guard_claim guard within within guard_cut guard_leave */
int divides(int a, int b) { return a / b; }                            /* divide */
int divides_by_known(int a) { return a / 3; }                          /* */
int local_atomic(void) { atomic_int x = 0; x++; return x; }            /* */

/* ---- structures ---- */
struct pair copy_out(void) { return pr; }                              /* read8 */
void copy_in(struct pair p) { pr = p; }                                /* write8 */
void copy_large(struct large *a, struct large *b) { *a = *b; }         /* memcpy */
int read_through(struct large *a) { struct large l = *a; return (int)l.v[0]; }  /* read_n */
void zero(struct large *a) { *a = (struct large){0}; }                 /* write_n */
void pass_large(void) { take_large(big); }                             /* read_n take_large */
void get_large(void) { big = give_large(); }                           /* give_large write_n */
long by_value(struct large l) { return l.v[1]; }                       /* */
long by_value_escapes(struct large l) { use(&l); return l.v[1]; }      /* guard_enter guard write_n use read8 guard_leave */
void library_copy(char *a, char *b, size_t n) { memcpy(a, b, n); }     /* memcpy */
void library_move(char *a, char *b, size_t n) { memmove(a, b, n); }    /* memmove */
void library_fill(char *a, size_t n) { memset(a, 1, n); }              /* memset */

/* ---- atomics ---- */
int a_load(void) { return atomic_load(&ai); }                          /* atomic_load */
void a_store(void) { atomic_store(&ai, 1); }                           /* atomic_store */
int a_add(void) { return atomic_fetch_add(&ai, 1); }                   /* atomic_rmw */
void a_compound(void) { ai += 2; }                                     /* atomic_rmw:unused */
void a_increment(void) { ai++; }                                       /* atomic_rmw:unused */
int a_increment_used(void) { return ++ai; }                            /* atomic_rmw */
bool a_cas(int e) { return atomic_compare_exchange_strong(&ai, &e, 1); }  /* atomic_cas */
char a_char(void) { return ac; }                                       /* atomic_load */
void a_short(short v) { as = v; }                                      /* atomic_store */
long a_long(long v) { return atomic_exchange(&al, v); }                /* atomic_rmw */
void *a_pointer(void *v) { return atomic_exchange(&ap, v); }           /* atomic_rmw */
bool a_pointer_cas(void *e, void *v) { return atomic_compare_exchange_weak(&ap, &e, v); }  /* atomic_cas */
float a_float(float v) { af = v; return af; }                          /* atomic_store atomic_load */
void a_float_add(float *p) { __atomic_fetch_add(p, 1.0f, __ATOMIC_SEQ_CST); }  /* atomic_rmw:unused */
double a_double(double v) { return atomic_exchange(&ad, v); }          /* atomic_rmw */
bool a_bool(void) { return atomic_exchange(&ab, true); }               /* atomic_rmw */
struct pair a_pair(void) { return apair; }                             /* atomic_load */
void a_pair_store(struct pair p) { apair = p; }                        /* atomic_store */
struct large a_large(void) { return abig; }                            /* atomic_load_n */
void a_large_store(struct large *p) { abig = *p; }                     /* read_n atomic_store_n */
__int128 a_wide(void) { return ai16; }                                 /* atomic_load_n */
void a_wide_store(void) { ai16 = 1; }                                  /* atomic_store_n */
__int128 a_wide_exchange(void) { return atomic_exchange(&ai16, 1); }   /* atomic_xchg_n */
bool a_wide_cas(__int128 e) { return atomic_compare_exchange_strong(&ai16, &e, 1); }  /* atomic_cas_n */
void a_fence(void) { atomic_thread_fence(memory_order_seq_cst); }      /* atomic_fence */
void a_signal_fence(void) { atomic_signal_fence(memory_order_seq_cst); }  /* */
int gnu_load(int *p) { return __atomic_load_n(p, __ATOMIC_ACQUIRE); }  /* atomic_load */
void gnu_generic(int *p, int *v) { __atomic_store(p, v, __ATOMIC_SEQ_CST); }  /* read4 atomic_store */
int gnu_nand(int *p) { return __atomic_fetch_nand(p, 3, __ATOMIC_SEQ_CST); }  /* atomic_rmw */
int gnu_max(int *p) { return __atomic_fetch_max(p, 3, __ATOMIC_SEQ_CST); }  /* atomic_rmw */
int sync_add(int *p) { return __sync_add_and_fetch(p, 1); }            /* atomic_rmw */
int sync_val(int *p) { return __sync_val_compare_and_swap(p, 1, 2); }  /* atomic_cas */
void sync_release(int *p) { __sync_lock_release(p); }                  /* atomic_store */
void sync_all(void) { __sync_synchronize(); }                          /* atomic_fence */
bool test_and_set(char *p) { return __atomic_test_and_set(p, __ATOMIC_SEQ_CST); }  /* atomic_rmw */

/* ---- calls ---- */
void *allocates(void) { return malloc(4); }                            /* malloc */
void frees(void *p) { free(p); }                                       /* free */
void locks(pthread_mutex_t *m) { pthread_mutex_lock(m); pthread_mutex_unlock(m); }  /* pthread_mutex_lock pthread_mutex_unlock */
void asserts(int x) { assert(x == 1); }                                /* __assert_fail */
void *address(void) { return pthread_mutex_lock; }                     /* */
int through(int (*f)(int)) { return f(1); }                            /* site */
int inline_pure(void) { return self(); }                               /* self */
void posts(sem_t *s) { sem_post(s); }                                  /* sem_post */
void c11(mtx_t *m) { mtx_lock(m); }                                    /* mtx_lock */
int variadic(int n, ...) { va_list v; va_start(v, n); int r = va_arg(v, int); va_end(v); return r; }  /* read4 */
int jumps(jmp_buf b) { return setjmp(b); }                             /* _setjmp jump_set */
int __VERIFIER_atomic_both(void) { if (global) return 1; global = 2; return 0; }  /* atomic_section_begin read4 write4 atomic_section_end */
