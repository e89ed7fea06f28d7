/* actor.h - actors that send each other messages
 *
 * An actor is a function with its own stack. It owns its data, and communicates with others by
 * messages: a send copies the bytes and returns at once; a receive waits for a message.
 * `sennit test` explores every order in which messages can arrive (--channels= says what the
 * network guarantees; --lose=, --duplicate= and --crash= say which faults may happen, or the
 * program itself does);
 * `sennit run` runs the same program on threads. Guide: docs/actors.md.
 */
#ifndef SENNIT_ACTOR_H
#define SENNIT_ACTOR_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Names an actor; 0 is none. */
typedef unsigned sennit_pid;

/* -- Actors ------------------------------------------------------------------------------
 * A new actor that runs body(argument). Main, threads and actors may spawn. Actors that main
 * spawns start when main calls sennit_run: until then it may store their pids where all can
 * read them. The name is used in reports (its first 23 bytes). */
sennit_pid sennit_spawn(const char *name, void (*body)(void *argument), void *argument);
sennit_pid sennit_self(void);
/* Ends the calling actor, as returning from its body does. */
_Noreturn void sennit_exit(void);
/* The calling actor is a server: it is no deadlock if it still waits for messages at the end. */
void sennit_daemon(void);
/* After a crash the calling actor starts again with body(argument), instead of being stopped. */
void sennit_restart(void (*body)(void *argument), void *argument);
/* For main: lets the actors run until no message can be received any more. Afterwards main
 * may read everything they wrote. May be called again after more sends. Returning from main
 * does the same. Answers how many actors still wait that are no servers. */
int sennit_run(void);

/* -- Faults -------------------------------------------------------------------------------
 * Where faults may happen in one execution, and how often; main says so before it calls
 * sennit_run. `from` and `to` may be 0: any actor; `tag` may be SENNIT_ANY_TAG. The first call
 * that fits a message or an actor decides alone; what none fits is up to --lose, --duplicate and
 * --crash. What an actor sends to itself, and what main sends, is lost or doubled only if a call
 * names both actors, or main (its sennit_self()). */
void sennit_lose(sennit_pid from, sennit_pid to, int tag, unsigned most);
void sennit_duplicate(sennit_pid from, sennit_pid to, int tag, unsigned most);
void sennit_crash(sennit_pid actor, unsigned most);

/* What the calling actor finds when it starts again after a crash: durable bytes as they were
 * at its last sennit_sync (or at this call), volatile ones as they are at this call. Its stack is
 * gone; all other memory keeps its contents. A crash may happen before sennit_sync, too. */
void sennit_durable(void *bytes, size_t size);
void sennit_volatile(void *bytes, size_t size);
void sennit_sync(void);

/* Partitions: main names the links that may be cut before it calls sennit_run. While a link is
 * cut, what one of the two actors sends to the other is lost; messages on their way arrive. An
 * actor that cuts and heals does so at any time: every order with the sends is explored. */
void sennit_link(sennit_pid a, sennit_pid b);
void sennit_cut(sennit_pid a, sennit_pid b);
void sennit_heal(sennit_pid a, sennit_pid b);

/* -- Sending ------------------------------------------------------------------------------
 * Messages to an actor that has ended are ignored. */
void sennit_send(sennit_pid to, const void *message, size_t size);
void sennit_send_tag(sennit_pid to, int tag, const void *message, size_t size);
/* On a numbered queue; matters to --reduction=dcute only. */
void sennit_send_on(sennit_pid to, unsigned queue, const void *message, size_t size);

/* The same message to each of `count` actors, at once: the sender does not crash in between, and in causal channels
 * who has received it knows that all others will. Each may be lost or doubled by itself. */
void sennit_broadcast(const sennit_pid *to, unsigned count, int tag, const void *message, size_t size);

/* -- Receiving -----------------------------------------------------------------------------
 * All copy the message to `buffer`, whose size it must not exceed, and answer the sender. */
sennit_pid sennit_receive(void *buffer, size_t size);
sennit_pid sennit_receive_from(sennit_pid from, void *buffer, size_t size);
sennit_pid sennit_receive_tag(int tag, void *buffer, size_t size);

/* Is the message wanted? Must depend on nothing but the message and the bytes of `argument`. */
typedef int sennit_predicate(const void *message, size_t size, const void *argument);
/* `argument_size` bytes of `argument` are copied. */
sennit_pid sennit_receive_if(sennit_predicate *suits, const void *argument, size_t argument_size, void *buffer,
                             size_t size);

/* 0 if no message has arrived; and if none arrives in time. Both outcomes are explored
 * wherever a message might still be on its way. */
sennit_pid sennit_try_receive(void *buffer, size_t size);
sennit_pid sennit_receive_timed(unsigned milliseconds, void *buffer, size_t size);

/* Timers of the calling actor, named by tags. When one runs out, a message without bytes arrives
 * once, with its tag and from the actor itself. Starting it again, or cancelling it, takes back one
 * that has not arrived yet; so does a crash. Timers run out at any time and in any order, since
 * what happens between their starts takes time, too; --timeouts counts them. */
void sennit_timer(int tag, unsigned milliseconds);
void sennit_timer_cancel(int tag);

enum { SENNIT_FOR_EVER = -1 };
#define SENNIT_ANY_TAG (-2147483647 - 1)

/* All conditions of a receive. */
typedef struct sennit_match {
    sennit_pid from;           /* 0: any actor                  */
    int tag;                   /* SENNIT_ANY_TAG: any           */
    sennit_predicate *suits;   /* NULL: any                     */
    const void *argument;
    size_t argument_size;
    int milliseconds;          /* SENNIT_FOR_EVER: no time-out  */
} sennit_match;
sennit_pid sennit_receive_match(const sennit_match *match, void *buffer, size_t size);

/* Of the message that the calling actor received last. */
size_t sennit_message_size(void);
int sennit_message_tag(void);

/* -- Conversations -------------------------------------------------------------------------
 * Made of the functions above. */

/* Answers the message that was received last: to its sender `to`, with its tag. */
static inline void sennit_reply(sennit_pid to, const void *message, size_t size)
{
    sennit_send_tag(to, sennit_message_tag(), message, size);
}

/* Sends a request and waits for a message with its tag from that actor. */
static inline void sennit_call(sennit_pid to, int tag, const void *request, size_t request_size, void *reply,
                               size_t reply_size)
{
    sennit_match match = {to, tag, 0, 0, 0, SENNIT_FOR_EVER};
    sennit_send_tag(to, tag, request, request_size);
    sennit_receive_match(&match, reply, reply_size);
}

/* Receives messages with this tag until `quorum` different actors have sent one, whose pids are stored in `from` and
 * whose first messages in `messages`, `size` bytes for each. A wait of more than `milliseconds` ends it. Answers how
 * many actors there were. */
static inline unsigned sennit_receive_quorum(int tag, unsigned quorum, int milliseconds, sennit_pid *from,
                                             void *messages, size_t size)
{
    sennit_match match = {0, tag, 0, 0, 0, milliseconds};
    unsigned count = 0;
    while (count < quorum) {
        unsigned same = 0;
        from[count] = sennit_receive_match(&match, (char *)messages + count * size, size);
        if (!from[count])
            break;
        while (from[same] != from[count])
            same++;
        count += same == count;
    }
    return count;
}

/* -- Handlers -------------------------------------------------------------------------------
 * Receives messages in an endless loop and calls the handler for the tag of each; a message
 * without a handler is an error. The table ends with a NULL handler. A handler ends the loop with
 * sennit_exit(). `size` is the size of the largest message. */
typedef struct sennit_handler {
    int tag;
    void (*handle)(sennit_pid from, const void *message, size_t size, void *state);
} sennit_handler;
_Noreturn void sennit_serve(const sennit_handler *handlers, void *state, size_t size);

/* -- Reports ---------------------------------------------------------------------------------
 * SENNIT_MSG(Vote, SENNIT_FIELD(Vote, term), SENNIT_FIELD(Vote, granted)); at file level: the
 * fields of messages of this type are shown in reports. A field of a structure in it is
 * SENNIT_FIELD(Vote, id.number); SENNIT_ENUM(Vote, answer, "NO", "YES") shows a value by its name,
 * the first one is that of 0. If several types have the size of a
 * message, its type is the one with its tag (SENNIT_MSG_TAG), else the first. */
typedef struct sennit_field {
    const char *name;
    size_t offset, size;
    int is_signed;
    const char *const *names; /* of the values 0, 1, ..., ended by NULL; NULL: numbers are shown */
} sennit_field;
typedef struct sennit_kind {
    const char *name;
    size_t size;
    int tag;
    const sennit_field *fields;
    size_t count;
    const struct sennit_kind *next;
} sennit_kind;
void sennit_describe(sennit_kind *kind);

#define SENNIT_FIELD(type, field)                                                              \
    {#field, offsetof(type, field), sizeof(((type *)0)->field), (__typeof__(((type *)0)->field))-1 < 1, 0}
#define SENNIT_ENUM(type, field, ...) \
    {#field, offsetof(type, field), sizeof(((type *)0)->field), 0, (const char *const[]){__VA_ARGS__, 0}}
#define SENNIT_MSG_TAG(type, number, ...)                                                       \
    static const sennit_field sennit_fields_of_##type[] = {__VA_ARGS__};                        \
    static sennit_kind sennit_kind_of_##type = {#type, sizeof(type), number, sennit_fields_of_##type, \
        sizeof sennit_fields_of_##type / sizeof sennit_fields_of_##type[0], NULL};                  \
    __attribute__((constructor)) static void sennit_describe_##type(void) { sennit_describe(&sennit_kind_of_##type); } \
    _Static_assert(1, "")
#define SENNIT_MSG(type, ...) SENNIT_MSG_TAG(type, SENNIT_ANY_TAG, __VA_ARGS__)

#ifdef __cplusplus
}
#endif

#endif
