/* threads.c - threads, thread-locals, locks, conditions, spin loops of every kind, all at once */
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <threads.h>

enum { THREADS = 4, ROUNDS = 200 };
static _Thread_local int mine = 7;
static __thread struct { int a[3]; } own = {{1, 2, 3}};
extern _Thread_local int far;
_Thread_local int far = 5;
static int counters[8];
static atomic_int cas, ticket, owner, ttas, bits, xchg;
static atomic_flag flag = ATOMIC_FLAG_INIT;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int turn;
static sem_t sem;
static bool try_cas(void) { int e = 0; return atomic_compare_exchange_strong(&cas, &e, 1); }

static void lock(int kind)
{
    int e = 0, my;
    switch (kind) {
    case 0: while (!atomic_compare_exchange_weak(&cas, &e, 1)) e = 0; break;
    case 1: my = atomic_fetch_add(&ticket, 1); while (atomic_load(&owner) != my) sched_yield(); break;
    case 2: for (;;) { while (ttas) sched_yield(); if (!atomic_exchange(&ttas, 1)) break; } break;
    case 3: while (atomic_fetch_or(&bits, 4) & 4) sched_yield(); break;
    case 4: while (atomic_exchange(&xchg, 1)) sched_yield(); break;
    case 5: while (atomic_flag_test_and_set(&flag)) sched_yield(); break;
    case 6: while (!try_cas()) sched_yield(); break;
    default: while (pthread_mutex_trylock(&mutex)) sched_yield(); break;
    }
}

static void unlock(int kind)
{
    switch (kind) {
    case 0: case 6: cas = 0; break;
    case 1: atomic_fetch_add(&owner, 1); break;
    case 2: ttas = 0; break;
    case 3: atomic_fetch_and(&bits, ~4); break;
    case 4: xchg = 0; break;
    case 5: atomic_flag_clear(&flag); break;
    default: pthread_mutex_unlock(&mutex); break;
    }
}

static void *work(void *arg)
{
    int number = (int)(long)arg;
    for (int kind = 0; kind < 8; kind++)
        for (int i = 0; i < ROUNDS; i++) {
            if (kind == 6) continue;
            lock(kind);
            counters[kind]++;
            unlock(kind);
        }
    for (int i = 0; i < ROUNDS; i++) { lock(6); counters[6]++; unlock(6); }
    mine += number; own.a[1] += number; far += number;
    pthread_mutex_lock(&mutex);
    while (turn != number)
        pthread_cond_wait(&cond, &mutex);
    printf("thread %d: %d %d %d\n", number, mine, own.a[1], far);
    turn++;
    pthread_cond_broadcast(&cond);
    pthread_mutex_unlock(&mutex);
    sem_post(&sem);
    return (void *)(long)(number * number);
}

static int c11(void *arg) { *(int *)arg += mine; return 5; }

int main(void)
{
    pthread_t threads[THREADS];
    long total = 0;
    sem_init(&sem, 0, 0);
    int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) = pthread_create;
    for (long i = 0; i < THREADS; i++)
        create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++) {
        void *result;
        sem_wait(&sem);
        pthread_join(threads[i], &result);
        total += (long)result;
    }
    thrd_t t;
    int value = 1, code = 0;
    thrd_create(&t, c11, &value);
    thrd_join(t, &code);
    printf("total %ld c11 %d %d mine %d\n", total, value, code, mine);
    for (int kind = 0; kind < 8; kind++)
        printf("%d%c", counters[kind], kind < 7 ? ' ' : '\n');
    return 0;
}
