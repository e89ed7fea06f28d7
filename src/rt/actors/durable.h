/* durable.h - what an actor's memory holds after a crash
 *
 * An actor that starts again finds the bytes that it declared durable as they were when it last called sennit_sync, and
 * those that it declared volatile as they were when it declared them. Other memory keeps its bytes.
 */
#ifndef RT_ACTORS_DURABLE_H
#define RT_ACTORS_DURABLE_H

#include "rt/actors/actor.h"

void durable_add(Actor *actor, void *bytes, size_t size, bool synced);
/* The actor's durable bytes, as they are now, survive from now on. */
void durable_sync(Actor *actor);
/* The actor has crashed. */
void durable_restore(Actor *actor);
/* Adds what a crash would leave. */
void durable_add_state(Fingerprint *print, const Actor *actor);

#endif
