/* message.h - the writes of atomic objects under weak memory, in coherence order
 *
 * A location is an atomic object: some lanes of a word. Its messages are the writes of this execution, the initial
 * value first; memory holds the value of the last one. If it holds another, plain code has written it since
 * (atomic_init, memset, another variable in the same place on the stack). Then everything that was written before
 * happens before that, and that happens before whatever comes next, or there is a data race: the location begins anew,
 * under another name, with what memory holds as its initial value. If the value is the same by chance, only the last
 * message can be read, for the same reason. Freed memory is not used again in an execution: what is known of it stays.
 *
 * Nothing here exists under sequential consistency. What there is of an execution is transient.
 */
#ifndef RT_WEAK_MESSAGE_H
#define RT_WEAK_MESSAGE_H

#include "rt/memory/word.h"

#define MESSAGE_INITIAL UINT32_MAX

/* One write. */
typedef struct WeakMessage WeakMessage;
struct WeakMessage {
    WeakMessage *older;  /* in coherence order; NULL for the initial value                       */
    WeakMessage *read;   /* of an update: what it read; else NULL                                 */
    WeakMessage *own;    /* the previous one of the same thread                                   */
    uint64_t hidden;     /* its value, inverted: the search for leaks must not take it for a pointer */
    uint32_t shadow;     /* expression of the value, or 0                                         */
    uint32_t event;      /* the position of its step, or MESSAGE_INITIAL                          */
    AgentId strand;      /* that wrote it                                                         */
    uint32_t width;      /* for the race detector: numbers in `sent` and `released`, see race_clock.c */
    uint32_t *sent;      /* released by its thread into this location, up to it                   */
    uint32_t *released;  /* what an acquire load of it gets: `sent` and, of an update, what it read */
};

typedef struct WeakWriter WeakWriter;

typedef struct WeakLocation WeakLocation;
struct WeakLocation {
    WeakLocation *next;  /* in the same word */
    WeakMessage *last;
    WeakWriter *writers;
    uint64_t resource;   /* its name         */
    uint32_t count;      /* of messages      */
    uint8_t lanes;       /* of its first word */
    uint8_t size;        /* 1 to 8, or 16: then all of the next word belongs to it */
};

static inline uint64_t message_value(const WeakMessage *message) { return ~message->hidden; }
static inline void message_set(WeakMessage *message, uint64_t value) { message->hidden = ~value; }

/* The location, made on first use from what memory holds, or begun anew. Ends the exploration if it overlaps
 * another one, or is accessed by steps that are not weak. */
WeakLocation *message_location(Word word);
/* NULL if there was no access yet. */
WeakLocation *message_find(Word word);
/* What the location is called if it is accessed next. */
uint64_t message_name(Word word);
/* The kth before the last; there must be as many. */
WeakMessage *message_before_last(const WeakLocation *location, uint32_t k);
/* The step being executed writes a value right behind `older`. Memory is not changed. */
WeakMessage *message_add(WeakLocation *location, WeakMessage *older, uint64_t value, uint32_t shadow);

/* A step that is not weak accesses the word: an atomic section, a visible plain access. */
void message_refuse_strong(Word word);

#endif
