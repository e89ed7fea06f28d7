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
 * observers only if these access the same variables.
 *
 *     sennit_always(in_order, answers <= requests);           // properties of all states, at file level
 *     sennit_leads_to(served, requests > 0, answers > 0);
 *
 *     enum { IDLE, ASKED };                                   // an automaton that is told events
 *     static int next(int state, int event, long who) { return event == ASK ? ASKED : IDLE; }
 *     SENNIT_MONITOR(grants, "who asks is granted", next, ASKED);
 *     sennit_tell(&grants, ASK, 0);
 *
 * A compiler other than `sennit cc` leaves all of that out. Guide: docs/observers.md.
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

/* A property of the states of a program; at file level. It is looked at in the first state, and behind every step that
 * changes what it has read there: variables of observers, and atomic ones. */
typedef struct sennit_property {
    const char *name, *text;
    void (*look)(struct sennit_property *property);
    int obliges;
    sennit_obligation obligation;
} sennit_property;

/* The expression holds in every state; in none; in some state of every execution; after every state in which the first
 * one holds, or in it, there is one in which the second one does. */
#define sennit_always(variable, expression)                                                                     \
    SENNIT_PROPERTY(variable, #expression, 0, 0, if (!(expression)) sennit_property_fails(property))
#define sennit_never(variable, expression)                                                                      \
    SENNIT_PROPERTY(variable, "never " #expression, 0, 0, if (expression) sennit_property_fails(property))
#define sennit_eventually(variable, expression)                                                                 \
    SENNIT_PROPERTY(variable, #variable, 1, 1, if (expression) sennit_property_owes(property, 0))
#define sennit_leads_to(variable, first, second)                                                                \
    SENNIT_PROPERTY(variable, #variable, 1, 0,                                                                  \
                    if (second) sennit_property_owes(property, 0);                                              \
                    else if (first) sennit_property_owes(property, 1))

#define SENNIT_PROPERTY(variable, text, obliges, owed, ...)                                                     \
    static void sennit_look_##variable(sennit_property *property) { __VA_ARGS__; }                              \
    static sennit_property variable = {#variable, text, sennit_look_##variable, obliges, {text, owed, 0, 0, 0}}; \
    __attribute__((constructor)) static void sennit_declare_##variable(void) { sennit_declare(&variable); }     \
    _Static_assert(1, "")

/* An automaton that is told events, with a number (who? which?): next(state, event, number) is the state behind one,
 * SENNIT_REFUSED if it must not happen there. The first state is 0. Behind the function stand the hot states, 0 .. 63:
 * something must happen sooner or later that leads to another one. */
enum { SENNIT_REFUSED = -1 };
typedef struct sennit_monitor {
    sennit_obligation obligation;
    int (*next)(int state, int event, long number);
    unsigned long long hot;
    int state;
} sennit_monitor;
#define SENNIT_MONITOR(variable, text, function, ...)                                                           \
    static sennit_monitor variable = {{text, 0, 0, 0, 0}, function, 0, 0};                                      \
    __attribute__((constructor)) static void sennit_watch_##variable(void)                                      \
    {                                                                                                           \
        const int hot[] = {-1, __VA_ARGS__};                                                                    \
        for (unsigned i = 1; i < sizeof hot / sizeof *hot; i++)                                                 \
            variable.hot |= 1ull << hot[i];                                                                     \
        variable.obligation.hot = (int)(variable.hot & 1);                                                      \
        sennit_oblige(&variable.obligation);                                                                    \
    }                                                                                                           \
    _Static_assert(1, "")

#if defined __SENNIT__ || defined SENNIT_DRIVER

void sennit_declare(sennit_property *property);
void sennit_property_fails(sennit_property *property);
void sennit_property_owes(sennit_property *property, int owes);
void sennit_refused(const sennit_monitor *monitor, const char *event);

#define sennit_tell(monitor, event, number)                              \
    do {                                                                 \
        sennit_observe_begin();                                          \
        sennit_note_event(monitor, event, #event, (long)(number));      \
        sennit_observe_end();                                            \
    } while (0)

void sennit_observe_begin(void);
void sennit_observe_end(void);
void sennit_oblige(sennit_obligation *obligation);
/* The next step of the calling thread, or the next receive of the calling actor, is strongly fair: in an execution
 * without end it is taken if it is possible again and again. Other steps are, if they are possible all the time. */
void sennit_strong(void);
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

static inline void sennit_note_event(sennit_monitor *monitor, int event, const char *name, long number)
{
    int state = monitor->next(monitor->state, event, number);
    if (state < 0)
        sennit_refused(monitor, name);
    monitor->state = state;
    if (monitor->hot >> state & 1)
        sennit_hot(&monitor->obligation);
    else
        sennit_cold(&monitor->obligation);
}

#else

#define sennit_observe(...) ((void)0)
#define sennit_tell(monitor, event, number) ((void)0)
static inline void sennit_strong(void) {}
static inline void sennit_refused(const sennit_monitor *monitor, const char *event) { (void)monitor, (void)event; }
static inline void sennit_declare(sennit_property *property) { (void)property; }
static inline void sennit_property_fails(sennit_property *property) { (void)property; }
static inline void sennit_property_owes(sennit_property *property, int owes) { (void)property, (void)owes; }
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
