/* actor_state.h - the state of actors and of messages on their way
 *
 * Messages are known by what they are, not by their numbers: what an actor sent before is no part of the state. A
 * message that can never be received any more, like the time-out of a receive that is over, is none either. (ACT-12)
 */
#ifndef RT_ACTORS_ACTOR_STATE_H
#define RT_ACTORS_ACTOR_STATE_H

#include "base/fingerprint.h"
#include "rt/actors/actor.h"

/* Adds everything about actors but memory. */
void actor_state_add(Fingerprint *state);
/* A name of a message in this state: those with the same name are equal, and so are their orders. */
uint64_t actor_state_alias(const Message *message);
/* The part of the stack above a frame, the arguments of the call in it, and errno. */
void actor_state_add_frame(Fingerprint *print, const Thread *thread, const CallFrame *frame, int error);

#endif
