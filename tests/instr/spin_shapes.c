/* spin_shapes.c - each function is a loop; its last comment says what must become of it:
 * await (relation mask operand), await_cas, await_rmw, block, none
 * Checked by check_spin, which counts the hooks in each function.
 */
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

struct node { _Atomic(struct node *) next; atomic_bool locked; int value; };

atomic_int x, y;
atomic_uint u;
_Atomic char c8;
_Atomic unsigned char u8;
_Atomic short s16;
_Atomic uint64_t w64;
atomic_bool flag;
atomic_flag tas = ATOMIC_FLAG_INIT;
_Atomic(struct node *) head;
_Atomic double real;
int plain;
volatile int vflag;
void opaque(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int __VERIFIER_atomic_take(void);
int __VERIFIER_atomic_take(void) { return plain ? 0 : (plain = 1); }

/* ---- one load, one comparison ---- */
void eq_const(void) { while (atomic_load(&x) != 3) ; }                         /* await EQ ffffffff 3 */
void ne_zero(void) { while (!atomic_load(&x)) ; }                              /* await NE ffffffff 0 */
void eq_zero(void) { while (atomic_load(&x)) sched_yield(); }                  /* await EQ ffffffff 0 */
void swapped(void) { while (3 != atomic_load(&x)) ; }                          /* await EQ ffffffff 3 */
void less(int n) { while (atomic_load(&x) < n) ; }                             /* await SGE ffffffff arg */
void less_unsigned(unsigned n) { while (atomic_load(&u) < n) ; }               /* await UGE ffffffff arg */
void greater_const(void) { while (atomic_load(&x) > 5) usleep(1); }            /* await SLE ffffffff 5 */
void greater_eq(void) { while (atomic_load(&x) >= -2) ; }                      /* await SLT ffffffff fffffffe */
int odd(void) { int s; do { s = atomic_load(&x); } while (s & 1); return s; }  /* await EQ 1 0 */
int assigned(void) { int v; while ((v = atomic_load(&x)) == 0) ; return v; }   /* await NE ffffffff 0 */
void relaxed(void) { while (atomic_load_explicit(&x, memory_order_relaxed) == 0) ; }  /* await NE ffffffff 0 */
void builtin(int *p) { while (__atomic_load_n(p, __ATOMIC_ACQUIRE) == 0) ; }   /* await NE ffffffff 0 */
void boolean(void) { while (!atomic_load(&flag)) ; }                           /* await NE 1 0 */
void boolean_off(void) { while (atomic_load(&flag) == true) thrd_yield(); }    /* await NE 1 1 */
void implicit(void) { while (!flag) ; }                                        /* await NE 1 0 */
void expects(void) { while (unlikely(!atomic_load(&flag))) ; }                 /* await NE 1 0 */
void expects_more(void) { while (likely(atomic_load(&x) != 2)) ; }             /* await EQ ffffffff 2 */
void narrow(void) { while (c8 != 'q') ; }                                      /* await EQ ff 71 */
void narrow_negative(void) { while (c8 != -1) ; }                              /* await EQ ff ff */
void narrow_less(void) { while (c8 < 7) ; }                                    /* await SGE ff 7 */
void narrow_unsigned(void) { while (u8 < 200) ; }                              /* await UGE ff c8 */
void narrow_arg(unsigned char n) { while (u8 != n) ; }                         /* await EQ ff arg */
void narrow_short(short n) { while (s16 < n) ; }                               /* await SGE ffff arg */
void wide(uint64_t n) { while (w64 != n) ; }                                   /* await EQ ffffffffffffffff arg */
void masked(void) { while ((atomic_load(&x) & 0xf0) != 0x30) ; }               /* await EQ f0 30 */
void high_half(void) { while ((w64 >> 32) != 5) ; }                            /* await EQ ffffffff00000000 500000000 */
void low_half(void) { while ((uint16_t)w64 != 5) ; }                           /* await EQ ffff 5 */
void bit_test(void) { while (!((atomic_load(&x) >> 3) & 1)) ; }                /* await NE 8 0 */
void pointer(void) { while (!atomic_load(&head)) ; }                           /* await NE ffffffffffffffff 0 */
struct node *chase(struct node *n) { struct node *k; while (!(k = atomic_load(&n->next))) ; return k; }  /* await NE ffffffffffffffff 0 */
void pointer_is(struct node *n) { while (atomic_load(&head) != n) ; }          /* await EQ ffffffffffffffff arg */
void field(struct node *n) { while (atomic_load(&n->locked)) ; }               /* await EQ 1 0 */
void indexed(atomic_int *a, int i) { while (a[i] == 0) ; }                     /* await NE ffffffff 0 */
void ticket(void) { int my = atomic_fetch_add(&x, 1); while (atomic_load(&y) != my) ; }  /* await EQ ffffffff arg */
void sum(int n) { while (atomic_load(&x) != n + 1) ; }                         /* await EQ ffffffff arg */
void endless(void) { for (;;) { if (atomic_load(&x) == 1) break; } }           /* await EQ ffffffff 1 */
void returns(void) { for (;;) { if (atomic_load(&x) == 1) return; sched_yield(); } }  /* await EQ ffffffff 1 */
void gotos(void) { again: if (atomic_load(&x) != 1) goto again; }              /* await EQ ffffffff 1 */
void continues(void) { for (;;) { if (x != 1) continue; break; } }             /* await EQ ffffffff 1 */
void pauses(void) { while (!flag) __builtin_ia32_pause(); }                    /* await NE 1 0 */
void asm_pause(void) { while (!flag) __asm__ volatile("pause" ::: "memory"); } /* await NE 1 0 */
static inline void relax(void) { __asm__ volatile("rep; nop" ::: "memory"); }
void inline_relax(void) { while (!flag) relax(); }                             /* await NE 1 0 */
void sleeps(void) { struct timespec t = {0, 1000}; while (!flag) nanosleep(&t, NULL); }  /* await NE 1 0 */
void sleeps_inside(void) { while (!flag) { struct timespec t = {0, 1000}; nanosleep(&t, NULL); } }  /* await NE 1 0 */
void yields_first(void) { do { sched_yield(); } while (!flag); }               /* await NE 1 0 */
void fenced(void) { while (!flag) atomic_thread_fence(memory_order_acquire); } /* await NE 1 0 */
void twice_same(void) { for (;;) { int v = x; if (v == 1) break; if (v != 1) continue; } }  /* await EQ ffffffff 1 */
void and_invariant(int n) { while (n && x == 0) ; }                       /* block */

/* ---- compare and swap, exchange ---- */
void cas_lock(void) { int e = 0; while (!atomic_compare_exchange_strong(&x, &e, 1)) e = 0; }  /* await_cas */
void cas_weak(void) { int e; do { e = 0; } while (!atomic_compare_exchange_weak(&x, &e, 1)); }  /* await_cas */
void cas_fresh(void) { for (;;) { int e = 0; if (atomic_compare_exchange_strong(&x, &e, 1)) break; sched_yield(); } }  /* await_cas */
void cas_args(int a, int b) { int e = a; while (!atomic_compare_exchange_strong(&x, &e, b)) e = a; }  /* await_cas */
void cas_pointer(struct node *n) { struct node *e = NULL; while (!atomic_compare_exchange_strong(&head, &e, n)) e = NULL; }  /* await_cas */
void sync_bool(int *p) { while (!__sync_bool_compare_and_swap(p, 0, 1)) ; }    /* await_cas */
void sync_val(int *p) { while (__sync_val_compare_and_swap(p, 0, 1) != 0) ; }  /* await_cas */
void sync_val_plain(int *p) { while (__sync_val_compare_and_swap(p, 0, 1)) ; } /* await_cas */
void gnu_cas(int *p) { int e = 0; while (!__atomic_compare_exchange_n(p, &e, 1, 0, 5, 5)) e = 0; }  /* await_cas */
void flag_lock(void) { while (atomic_flag_test_and_set(&tas)) ; }              /* await_rmw XCHG NE ff 1 */
void flag_yield(void) { while (atomic_flag_test_and_set_explicit(&tas, memory_order_acquire)) sched_yield(); }  /* await_rmw XCHG NE ff 1 */
void exchange(void) { while (atomic_exchange(&x, 1)) ; }                       /* await_rmw XCHG NE ffffffff 1 */
void exchange_is(void) { while (atomic_exchange(&x, 1) == 1) ; }               /* await_rmw XCHG NE ffffffff 1 */
void sync_lock(int *p) { while (__sync_lock_test_and_set(p, 1)) ; }            /* await_rmw XCHG NE ffffffff 1 */
void bool_exchange(void) { while (atomic_exchange(&flag, true)) ; }            /* await_rmw XCHG NE ff 1 */
void or_bit(void) { while (atomic_fetch_or(&x, 4) & 4) ; }                     /* await_rmw OR NE 4 4 */
void and_bit(void) { while (!(atomic_fetch_and(&x, ~4) & 4)) ; }               /* await_rmw AND NE 4 0 */

/* ---- other waits ---- */
void two_loads(void) { while (x == 0 || y == 0) ; }                            /* block */
void same_twice(void) { while (x == 0 && x != 5) ; }                           /* block */
void value_in_phi(void) { int v = 0; while (v == 0) v = x; }                   /* block */
void two_exits(void) { for (;;) { int v = x; if (v == 1) break; if (v == 2) return; } }  /* block */
void switched(void) { for (;;) switch (x) { case 1: case 2: return; default: ; } }  /* block */
void plain_flag(void) { while (!plain) ; }                                     /* block */
void volatile_flag(void) { while (!vflag) sched_yield(); }                     /* block */
void plain_limit(struct node *n) { while (x != n->value) ; }                   /* block */
int seqlock(void) { int s, d; do { s = x; d = y; } while (s != x); return d; } /* block */
static bool ready(void) { return x == 1; }
void helper(void) { while (!ready()) ; }                                       /* await EQ ffffffff 1 */
static bool try_lock(void) { int e = 0; return atomic_compare_exchange_strong(&x, &e, 1); }
void helper_cas(void) { while (!try_lock()) sched_yield(); }                   /* await_cas */
static inline int get(atomic_int *p) { return atomic_load_explicit(p, memory_order_acquire); }
static inline bool is_free(atomic_int *p) { return get(p) == 0; }
void nested_helpers(void) { while (!is_free(&x)) relax(); }                    /* await EQ ffffffff 0 */
static int cas(int *p, int old, int new) { return __atomic_compare_exchange_n(p, &old, new, 0, 5, 5); }
void wrapped_cas(int *p) { while (!cas(p, 0, 1)) ; }                           /* await_cas */
static int test_and_set(int *p) { return __sync_lock_test_and_set(p, 1); }
void wrapped_exchange(int *p) { while (test_and_set(p) == 1) sched_yield(); }  /* await_rmw XCHG NE ffffffff 1 */
void backoff(void) { unsigned d = 1; while (!flag) { usleep(d); d = d < 64 ? d * 2 : d; } }  /* block */
void delay(void) { while (!flag) for (int i = 0; i < 10; i++) relax(); }       /* block */
void floating(void) { while (real < 1.0) ; }                                   /* block */
void all_set(atomic_int *a, int n) { bool all; do { all = true; for (int i = 0; i < n; i++) if (!a[i]) all = false; } while (!all); }  /* block */
void moving(void) { for (;;) { struct node *n = head; if (n && n->locked) break; } }  /* block */
void forever(void) { for (;;) (void)atomic_load(&x); }                         /* block */
void computed_exit(int n) { while (x + n != 7) ; }                             /* block */
void own_compare(void) { while ((uint32_t)w64 != (uint32_t)(w64 >> 32)) ; }    /* block */
void add_zero(void) { while (atomic_fetch_add(&x, 0) != 1) ; }                 /* block */
void exchange_two(void) { while (atomic_exchange(&x, 2) == 1) ; }              /* block */
void loops_on_success(void) { int e = 1; while (atomic_compare_exchange_strong(&x, &e, 0)) e = 1; }  /* block */

void looks_under_mutex(pthread_mutex_t *m) { for (;;) { pthread_mutex_lock(m); int v = plain; pthread_mutex_unlock(m); if (v) break; } }  /* block */
static int looked(pthread_spinlock_t *l) { pthread_spin_lock(l); int v = plain; pthread_spin_unlock(l); return v; }
void looks_under_spin(pthread_spinlock_t *l) { while (!looked(l)) sched_yield(); }  /* block */
void looks_holding(pthread_mutex_t *m) { while (!plain) { pthread_mutex_unlock(m); pthread_mutex_lock(m); } }  /* block */
static void must_hold(int c) { if (!c) abort(); }
void checks_under_mutex(pthread_mutex_t *m) { for (;;) { pthread_mutex_lock(m); int v = plain; pthread_mutex_unlock(m); must_hold(v < 2); if (v) break; } }  /* block */
void counts_under_mutex(pthread_mutex_t *m) { for (int i = 0; i < 9; i++) { pthread_mutex_lock(m); pthread_mutex_unlock(m); } }  /* none */
void tries_mutex(pthread_mutex_t *m) { while (pthread_mutex_trylock(m) != 0) sched_yield(); }  /* block */
void tries_spin(pthread_spinlock_t *l) { while (pthread_spin_trylock(l)) ; }   /* block */
void tries_sem(sem_t *s) { while (sem_trywait(s)) ; }                          /* block */
void atomic_stores(void) { while (x == 0) y = 1; }                             /* block */
void polite(void) { while (x) if (y) { u = 0; while (y) ; u = 1; } }           /* await EQ ffffffff 0 and block */

void stores(void) { while (x == 0) plain = 1; }                                /* block */
void counts_memory(void) { while (x == 0) plain++; }                           /* block */
void section(void) { int v; do { __VERIFIER_atomic_begin(); v = plain; __VERIFIER_atomic_end(); } while (!v); }  /* block */
void section_function(void) { while (!__VERIFIER_atomic_take()) ; }            /* block */
void section_stores(void) { for (;;) { __VERIFIER_atomic_begin(); if (!plain) break; __VERIFIER_atomic_end(); } plain = 1; __VERIFIER_atomic_end(); }  /* block */

/* ---- assumptions ---- */
extern void __VERIFIER_assume(int), sennit_assume(int), klee_assume(unsigned long);
void assumes(void) { __VERIFIER_assume(atomic_load(&x) == 3); }                /* assume EQ ffffffff 3 */
int assumes_later(int n) { int v = atomic_load(&x); sennit_assume(v < n); return v; }  /* assume SLT ffffffff arg */
void assumes_flag(void) { klee_assume(atomic_load(&flag)); }                   /* assume NE 1 0 */
void assumes_sum(int n) { __VERIFIER_assume(7 - (atomic_load(&x) + n) == 2); } /* assume EQ ffffffff arg */
void assumes_second(int n) { __VERIFIER_assume(n == 1 && atomic_load(&x) > 4); }  /* assume SGT ffffffff 4 */
void assumes_unless(int n) { int v = atomic_load(&x); __VERIFIER_assume(n == 1 || v == 4); }  /* assume arg ffffffff 4 */
void assumes_loop(void) { while (!atomic_load(&x)) __VERIFIER_assume(0); }     /* assume NE ffffffff 0 */
void assumes_exchange(void) { __VERIFIER_assume(!atomic_exchange(&x, 1)); }    /* assume_rmw NE ffffffff 1 */
void assumes_bit(void) { __VERIFIER_assume(!(atomic_fetch_or(&x, 4) & 4)); }   /* assume_rmw NE 4 4 */
void assumes_cas(void) { int e = 2; __VERIFIER_assume(atomic_compare_exchange_strong(&x, &e, 3)); }  /* assume_cas */
void assumes_two(void) { int v = atomic_load(&x); __VERIFIER_assume(v == 1 || v == 4); }  /* none */
void assumes_add(void) { __VERIFIER_assume(atomic_fetch_add(&x, 1) == 4); }    /* none */
void assumes_after(void) { int v = atomic_load(&x); plain = v; __VERIFIER_assume(v); }  /* none */
void assumes_sometimes(int n) { int v = atomic_load(&x); if (v) __VERIFIER_assume(n); }  /* assume arg ffffffff 0 */

/* ---- loads that each iteration repeats ---- */
struct counter { int other; atomic_int value; };
int keeps(void) { int v = atomic_load(&x); while (!atomic_compare_exchange_strong(&x, &v, v + 1)) ; return v; }  /* retry */
int keeps_weak(void) { int v = atomic_load(&x); do if (v > 3) return 0; while (!atomic_compare_exchange_weak(&x, &v, v + 1)); return 1; }  /* retry */
struct node *keeps_pointer(struct node *n) { struct node *v = atomic_load(&n->next); do if (!v) break; while (!atomic_compare_exchange_strong(&n->next, &v, NULL)); return v; }  /* retry */
void keeps_member(struct counter *c) { int v = atomic_load(&c->value); while (!atomic_compare_exchange_strong(&c->value, &v, v + 1)) ; }  /* retry */
void asks_first(void) { int v = atomic_load(&x); while (v && !atomic_compare_exchange_strong(&x, &v, v - 1)); }  /* retry */
void asks_twice(void) { int v = atomic_load(&x); while (v > 0 && v < 9 && !atomic_compare_exchange_strong(&x, &v, v - 1)); }  /* retry */
void not_always(void) { int v = atomic_load(&x); while (v == 7 || !atomic_compare_exchange_strong(&x, &v, v - 1)); }  /* block */
void loads_again(void) { int v = atomic_load(&x); while (!atomic_compare_exchange_strong(&x, &v, v + 1)) v = atomic_load(&x); }  /* retry */
void keeps_relaxed(void) { int v = atomic_load_explicit(&x, memory_order_relaxed); while (!atomic_compare_exchange_strong_explicit(&x, &v, v + 1, memory_order_release, memory_order_relaxed)) ; }  /* retry */
void orders_less(void) { int v = atomic_load_explicit(&x, memory_order_acquire); while (!atomic_compare_exchange_strong_explicit(&x, &v, v + 1, memory_order_release, memory_order_relaxed)) ; }  /* block */
int first_kept(void) { int v = atomic_load(&x), n = v; while (!atomic_compare_exchange_strong(&x, &v, v + 1)) ; return n; }  /* block */
int tested_once(void) { int v = atomic_load(&x); if (v > 3) return 0; while (!atomic_compare_exchange_strong(&x, &v, v + 1)) ; return 1; }  /* block */
void elsewhere(struct counter *c) { int v = atomic_load(&x); while (!atomic_compare_exchange_strong(&c->value, &v, v + 1)) ; }  /* block */
void stores_between(void) { int v = atomic_load(&x); plain = 1; while (!atomic_compare_exchange_strong(&x, &v, v + 1)) ; }  /* block */

/* ---- not waits ---- */
void counted(int n) { for (int i = 0; i < n && !x; i++) ; }                    /* none */
void bounded(void) { int tries = 100; while (!flag && tries-- > 0) ; }         /* none */
void retry(void) { int e = 0; while (!atomic_compare_exchange_strong(&x, &e, e + 1)) ; }  /* block */
void stale_expected(void) { int e = 0; while (!atomic_compare_exchange_strong(&x, &e, 1)) ; }  /* block */
void calls(void) { while (x == 0) opaque(); }                                  /* none */
void volatile_local(void) { volatile int i = 0; while (x == 0) i++; }          /* none */
int count_rounds(void) { int n = 0; while (x == 0) n++; return n; }            /* none */
void walk(struct node *n) { while (n) n = atomic_load(&n->next); }             /* block */
int walk_plain(int *a) { while (*a) a++; return *a; }                          /* none */
void adds(void) { while (atomic_fetch_add(&x, 1) != 5) ; }                     /* block */
void toggles(void) { while (atomic_fetch_xor(&x, 1)) ; }                       /* block */
void unlock_in_loop(pthread_mutex_t *m) { while (x == 0) { pthread_mutex_unlock(m); pthread_mutex_lock(m); } }  /* block */
void reads_clock(void) { while (x == 0) if (time(NULL) > 5) break; }           /* none */
void asm_effect(void) { while (x == 0) __asm__ volatile("fnstcw %0" : "+m"(plain)); }      /* none */
void asm_atomic(void) { while (x == 0) __asm__ volatile("lock; incl %0" : "+m"(plain)); }  /* block */
