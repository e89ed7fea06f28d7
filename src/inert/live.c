/* live.c - actors without exploration: threads of one process, messages through queues
 *
 * `sennit run` and the tests that `--tests` writes link this instead of the explorer. One lock guards everything: such
 * programs are small, and it makes "all actors are idle" a simple count.
 */
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sennit/actor.h"

typedef struct Letter Letter;
struct Letter {
    Letter *next;
    sennit_pid from;
    int tag;
    size_t size;
    unsigned char bytes[];
};

typedef struct Timer Timer;
struct Timer {
    Timer *next;
    int tag;
    struct timespec deadline;
};

typedef struct Live {
    pthread_t thread;
    pthread_cond_t arrived;
    void (*body)(void *argument);
    void *argument;
    Letter *first, **end;
    bool is_actor, held, daemon, waiting, ended;
    Timer *timers;
    size_t last_size;
    int last_tag;
    char name[24];
} Live;

enum { MOST_ACTORS = 4096 };

static struct {
    pthread_mutex_t lock;
    pthread_cond_t quiet;
    Live *actors[MOST_ACTORS]; /* by pid; 0 is none, 1 is main */
    unsigned count;
    unsigned active;           /* actors that neither wait nor have ended   */
    bool dirty;                /* something happened since all were idle    */
} live = {.lock = PTHREAD_MUTEX_INITIALIZER, .quiet = PTHREAD_COND_INITIALIZER};

static _Thread_local sennit_pid self_pid;

/* ---- Trouble ----------------------------------------------------------------------- */

static _Noreturn void fail(const char *what)
{
    fprintf(stderr, "sennit: %s\n", what);
    exit(2);
}

static void *must_alloc(size_t size)
{
    void *block = calloc(1, size);
    if (!block)
        fail("out of memory");
    return block;
}

/* ---- Actors --------------------------------------------------------------------------- */

static Live *add_party(void)
{
    if (live.count + 1 >= MOST_ACTORS)
        fail("more than 4094 actors");
    Live *actor = must_alloc(sizeof *actor);
    pthread_cond_init(&actor->arrived, NULL);
    actor->end = &actor->first;
    live.actors[++live.count] = actor;
    return actor;
}

static void run_at_exit(void)
{
    if (live.dirty && (self_pid == 0 || self_pid == 1))
        sennit_run();
}

static void need_main(void)
{
    if (live.count)
        return;
    add_party();
    self_pid = 1;
    atexit(run_at_exit);
}

sennit_pid sennit_self(void)
{
    pthread_mutex_lock(&live.lock);
    need_main();
    pthread_mutex_unlock(&live.lock);
    return self_pid ? self_pid : 1;
}

static Live *self_actor(const char *what)
{
    Live *self = self_pid ? live.actors[self_pid] : NULL;
    if (!self || !self->is_actor)
        fail(what);
    return self;
}

static void leave_active(void)
{
    if (--live.active == 0)
        pthread_cond_broadcast(&live.quiet);
}

static void end_actor(void *argument)
{
    Live *self = argument;
    pthread_mutex_lock(&live.lock);
    self->ended = true;
    leave_active();
    pthread_mutex_unlock(&live.lock);
}

static void *enter(void *argument)
{
    self_pid = (sennit_pid)(uintptr_t)argument;
    Live *self = live.actors[self_pid];
    pthread_cleanup_push(end_actor, self);
    self->body(self->argument);
    pthread_cleanup_pop(1);
    return NULL;
}

static void start(sennit_pid pid)
{
    Live *actor = live.actors[pid];
    actor->held = false;
    if (pthread_create(&actor->thread, NULL, enter, (void *)(uintptr_t)pid) != 0)
        fail("cannot create a thread");
    pthread_detach(actor->thread);
}

sennit_pid sennit_spawn(const char *name, void (*body)(void *argument), void *argument)
{
    pthread_mutex_lock(&live.lock);
    need_main();
    Live *actor = add_party();
    sennit_pid pid = live.count;
    snprintf(actor->name, sizeof actor->name, "%s", name ? name : "actor");
    actor->is_actor = true;
    actor->body = body;
    actor->argument = argument;
    actor->held = !self_pid || !live.actors[self_pid]->is_actor;
    live.active++;
    live.dirty = true;
    if (!actor->held)
        start(pid);
    pthread_mutex_unlock(&live.lock);
    return pid;
}

void sennit_exit(void)
{
    self_actor("sennit_exit outside an actor");
    pthread_exit(NULL);
}

void sennit_daemon(void) { self_actor("sennit_daemon outside an actor")->daemon = true; }

/* ---- Faults: there are none ---------------------------------------------------------------- */

void sennit_restart(void (*body)(void *argument), void *argument) { (void)body, (void)argument; }
void sennit_lose(sennit_pid from, sennit_pid to, int tag, unsigned most)
{
    (void)from, (void)to, (void)tag, (void)most;
}
void sennit_duplicate(sennit_pid from, sennit_pid to, int tag, unsigned most)
{
    (void)from, (void)to, (void)tag, (void)most;
}
void sennit_crash(sennit_pid actor, unsigned most) { (void)actor, (void)most; }
void sennit_durable(void *bytes, size_t size) { (void)bytes, (void)size; }
void sennit_volatile(void *bytes, size_t size) { (void)bytes, (void)size; }
void sennit_sync(void) {}
void sennit_link(sennit_pid a, sennit_pid b) { (void)a, (void)b; }
void sennit_cut(sennit_pid a, sennit_pid b) { (void)a, (void)b; }
void sennit_heal(sennit_pid a, sennit_pid b) { (void)a, (void)b; }

/* ---- Running -------------------------------------------------------------------------------- */

int sennit_run(void)
{
    int waiting = 0;
    pthread_mutex_lock(&live.lock);
    need_main();
    if (self_pid && live.actors[self_pid]->is_actor)
        fail("sennit_run in an actor");
    for (sennit_pid pid = 2; pid <= live.count; pid++)
        if (live.actors[pid]->held)
            start(pid);
    while (live.active > 0)
        pthread_cond_wait(&live.quiet, &live.lock);
    live.dirty = false;
    for (sennit_pid pid = 2; pid <= live.count; pid++)
        waiting += live.actors[pid]->waiting && !live.actors[pid]->daemon;
    pthread_mutex_unlock(&live.lock);
    return waiting;
}

/* ---- Sending ----------------------------------------------------------------------------- */

static void wake(Live *actor)
{
    if (actor->waiting) {
        actor->waiting = false;
        live.active++;
    }
    pthread_cond_signal(&actor->arrived);
}

void sennit_send_tag(sennit_pid to, int tag, const void *message, size_t size)
{
    pthread_mutex_lock(&live.lock);
    need_main();
    if (to == 0 || to > live.count || !live.actors[to]->is_actor)
        fail("a message to a pid that is not an actor");
    Live *actor = live.actors[to];
    live.dirty = true;
    if (!actor->ended) {
        Letter *letter = must_alloc(sizeof *letter + size);
        letter->from = self_pid ? self_pid : 1;
        letter->tag = tag;
        letter->size = size;
        memcpy(letter->bytes, message, size);
        *actor->end = letter;
        actor->end = &letter->next;
        wake(actor);
    }
    pthread_mutex_unlock(&live.lock);
}

void sennit_send(sennit_pid to, const void *message, size_t size) { sennit_send_tag(to, 0, message, size); }

void sennit_send_on(sennit_pid to, unsigned queue, const void *message, size_t size)
{
    (void)queue;
    sennit_send_tag(to, 0, message, size);
}

void sennit_broadcast(const sennit_pid *to, unsigned count, int tag, const void *message, size_t size)
{
    for (unsigned i = 0; i < count; i++)
        sennit_send_tag(to[i], tag, message, size);
}

/* ---- Receiving ------------------------------------------------------------------------------ */

static bool matches(const sennit_match *match, const Letter *letter)
{
    return (!match->from || match->from == letter->from) &&
           (match->tag == SENNIT_ANY_TAG || match->tag == letter->tag) &&
           (!match->suits || match->suits(letter->bytes, letter->size, match->argument));
}

static Letter *take(Live *self, const sennit_match *match)
{
    for (Letter **link = &self->first; *link; link = &(*link)->next) {
        Letter *letter = *link;
        if (!matches(match, letter))
            continue;
        *link = letter->next;
        if (self->end == &letter->next)
            self->end = link;
        return letter;
    }
    return NULL;
}

/* False after the time-out. An actor that can time out is not idle. */
static bool wait_for_mail(Live *self, const struct timespec *deadline)
{
    if (deadline)
        return pthread_cond_timedwait(&self->arrived, &live.lock, deadline) != ETIMEDOUT;
    self->waiting = true;
    leave_active();
    while (self->waiting)
        pthread_cond_wait(&self->arrived, &live.lock);
    return true;
}

static struct timespec deadline_in(int milliseconds)
{
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    time.tv_sec += milliseconds / 1000;
    time.tv_nsec += milliseconds % 1000 * 1000000L;
    if (time.tv_nsec >= 1000000000) {
        time.tv_sec++;
        time.tv_nsec -= 1000000000;
    }
    return time;
}

/* ---- Timers: only their actor uses them ------------------------------------------------------ */

void sennit_timer_cancel(int tag)
{
    Timer **link = &self_actor("sennit_timer_cancel outside an actor")->timers, *timer;
    while ((timer = *link) && timer->tag != tag)
        link = &timer->next;
    if (!timer)
        return;
    *link = timer->next;
    free(timer);
}

void sennit_timer(int tag, unsigned milliseconds)
{
    Live *self = self_actor("sennit_timer outside an actor");
    sennit_timer_cancel(tag);
    Timer *timer = must_alloc(sizeof *timer);
    *timer = (Timer){self->timers, tag, deadline_in((int)milliseconds)};
    self->timers = timer;
}

static bool is_earlier(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec != b->tv_sec ? a->tv_sec < b->tv_sec : a->tv_nsec < b->tv_nsec;
}

/* The first timer to run out of those that the match accepts. */
static const Timer *next_timer(const Live *self, const sennit_match *match)
{
    const Timer *first = NULL;
    if (match->from && match->from != self_pid)
        return NULL;
    for (const Timer *timer = self->timers; timer; timer = timer->next) {
        if (match->tag != SENNIT_ANY_TAG && match->tag != timer->tag)
            continue;
        if (match->suits && !match->suits("", 0, match->argument))
            continue;
        if (!first || is_earlier(&timer->deadline, &first->deadline))
            first = timer;
    }
    return first;
}

static Letter *run_out(const Timer *timer)
{
    Letter *letter = must_alloc(sizeof *letter);
    *letter = (Letter){.from = self_pid, .tag = timer->tag};
    sennit_timer_cancel(timer->tag);
    return letter;
}

/* ---- Receiving ------------------------------------------------------------------------------- */

sennit_pid sennit_receive_match(const sennit_match *match, void *buffer, size_t size)
{
    Live *self = self_actor("a receive outside an actor");
    struct timespec deadline = deadline_in(match->milliseconds < 0 ? 0 : match->milliseconds);
    const struct timespec *until = match->milliseconds < 0 ? NULL : &deadline;
    const Timer *timer = next_timer(self, match);
    Letter *letter;
    bool in_time = true;
    if (timer && until && is_earlier(until, &timer->deadline))
        timer = NULL;
    pthread_mutex_lock(&live.lock);
    while (!(letter = take(self, match)) && in_time)
        in_time = wait_for_mail(self, timer ? &timer->deadline : until);
    pthread_mutex_unlock(&live.lock);
    if (!letter && timer)
        letter = run_out(timer);
    if (!letter)
        return 0;
    if (letter->size > size)
        fail("a message larger than the buffer");
    memcpy(buffer, letter->bytes, letter->size);
    self->last_size = letter->size;
    self->last_tag = letter->tag;
    sennit_pid from = letter->from;
    free(letter);
    return from;
}

static const sennit_match anything = {.tag = SENNIT_ANY_TAG, .milliseconds = SENNIT_FOR_EVER};

sennit_pid sennit_receive(void *buffer, size_t size) { return sennit_receive_match(&anything, buffer, size); }

sennit_pid sennit_receive_from(sennit_pid from, void *buffer, size_t size)
{
    sennit_match match = anything;
    match.from = from;
    return sennit_receive_match(&match, buffer, size);
}

sennit_pid sennit_receive_tag(int tag, void *buffer, size_t size)
{
    sennit_match match = anything;
    match.tag = tag;
    return sennit_receive_match(&match, buffer, size);
}

sennit_pid sennit_receive_if(sennit_predicate *suits, const void *argument, size_t argument_size, void *buffer,
                             size_t size)
{
    sennit_match match = {.tag = SENNIT_ANY_TAG, .suits = suits, .argument = argument, .argument_size = argument_size,
                          .milliseconds = SENNIT_FOR_EVER};
    return sennit_receive_match(&match, buffer, size);
}

sennit_pid sennit_receive_timed(unsigned milliseconds, void *buffer, size_t size)
{
    sennit_match match = anything;
    match.milliseconds = (int)milliseconds;
    return sennit_receive_match(&match, buffer, size);
}

sennit_pid sennit_try_receive(void *buffer, size_t size) { return sennit_receive_timed(0, buffer, size); }

size_t sennit_message_size(void) { return self_actor("sennit_message_size outside an actor")->last_size; }
int sennit_message_tag(void) { return self_actor("sennit_message_tag outside an actor")->last_tag; }

void sennit_serve(const sennit_handler *handlers, void *state, size_t size)
{
    Live *self = self_actor("sennit_serve outside an actor");
    void *buffer = must_alloc(size ? size : 1);
    for (;;) {
        sennit_pid from = sennit_receive(buffer, size);
        const sennit_handler *handler = handlers;
        while (handler->handle && handler->tag != self->last_tag)
            handler++;
        if (!handler->handle)
            fail("a message for which there is no handler");
        handler->handle(from, buffer, self->last_size, state);
    }
}

void sennit_describe(sennit_kind *kind) { (void)kind; }
