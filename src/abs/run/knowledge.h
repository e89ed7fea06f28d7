/* knowledge.h - which tasks a step can know to be over, and which objects to be found
 *
 * A step knows that a task is over if the end of the task happens before it: through messages, futures it read, and
 * conflicting accesses. This is the same for all members of a class, unlike whether the end merely came earlier. An
 * await on a future continues at once only if the task knows (ABS-4). In the same way a step knows that an object of
 * the start state has been found (bounds.h).
 */
#ifndef ABS_RUN_KNOWLEDGE_H
#define ABS_RUN_KNOWLEDGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "core/event.h"

/* A set of tasks and objects. Sets are shared and never change; NULL is the empty one. */
typedef struct Knowledge Knowledge;

/* What the last write to a resource, and the reads since, knew. */
typedef struct KnowledgeSlot {
    const Knowledge *written;
    const Knowledge *read;
} KnowledgeSlot;

/* Membership, and sets with one more member or the members of both. New sets are in the arena. `starter`: an object of
 * the start state. */
bool knowledge_has(const Knowledge *set, AgentId task);
const Knowledge *knowledge_add(Arena *arena, const Knowledge *set, AgentId task);
bool knowledge_has_object(const Knowledge *set, uint32_t starter);
const Knowledge *knowledge_add_object(Arena *arena, const Knowledge *set, uint32_t starter);
const Knowledge *knowledge_join(Arena *arena, const Knowledge *a, const Knowledge *b);

#endif
