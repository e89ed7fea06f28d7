/* monitor.h - observers: code and variables that watch a program without being part of it
 *
 *     static int requests, answers;                           // variables of observers
 *     SENNIT_OBLIGATION(answered, "every request is answered");
 *
 *     sennit_observe(requests++);                             // where a request is sent
 *     sennit_hot(&answered);
 *     ...
 *     sennit_observe(sennit_assert(++answers <= requests));   // where it is answered
 *     sennit_cold(&answered);
 *
 * Observers see what all threads and actors tell them, in the order in which it happens. They order nothing: two
 * threads that both tell an observer something are not synchronised by it, and schedules differ by the order of
 * observers only if these access the same variables. A compiler other than `sennit cc` leaves them out. Guide:
 * docs/observers.md.
 */
#ifndef SENNIT_MONITOR_H
#define SENNIT_MONITOR_H

#ifdef __cplusplus
extern "C" {
#endif

/* What must happen sooner or later: SENNIT_OBLIGATION(variable, "text"); at file level. It is hot from sennit_hot to
 * sennit_cold. A program that ends, or waits forever, while it is hot has a bug. */
typedef struct sennit_obligation {
    const char *name;
    int hot;
    unsigned agent;                  /* these three are Sennit's */
    unsigned long site;
    struct sennit_obligation *next;
} sennit_obligation;
#define SENNIT_OBLIGATION(variable, text)                                                                  \
    static sennit_obligation variable = {text, 0, 0, 0, 0};                                                \
    __attribute__((constructor)) static void sennit_oblige_##variable(void) { sennit_oblige(&variable); } \
    _Static_assert(1, "")

#if defined __SENNIT__ || defined SENNIT_DRIVER

void sennit_observe_begin(void);
void sennit_observe_end(void);
void sennit_oblige(sennit_obligation *obligation);
void sennit_hot(sennit_obligation *obligation);
void sennit_cold(sennit_obligation *obligation);

/* Executes the statements as one step of an observer. They may change variables of observers only; what else they read
 * must be atomic, or ordered with all who write it. */
#define sennit_observe(...)     \
    do {                        \
        sennit_observe_begin(); \
        __VA_ARGS__;            \
        sennit_observe_end();   \
    } while (0)

#else

#define sennit_observe(...) ((void)0)
static inline void sennit_observe_begin(void) {}
static inline void sennit_observe_end(void) {}
static inline void sennit_oblige(sennit_obligation *obligation) { (void)obligation; }
static inline void sennit_hot(sennit_obligation *obligation) { (void)obligation; }
static inline void sennit_cold(sennit_obligation *obligation) { (void)obligation; }

#endif

#ifdef __cplusplus
}
#endif

#endif
