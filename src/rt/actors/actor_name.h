/* actor_name.h - messages and steps of actors as text, for reports */
#ifndef RT_ACTORS_ACTOR_NAME_H
#define RT_ACTORS_ACTOR_NAME_H

#include "rt/actors/actor.h"

void actor_name_message(const Message *message, char *text, size_t size);
/* A step of an actor or a message, whose first access is given. */
void actor_name_step(uint16_t op, const Access *access, char *text, size_t size);

#endif
