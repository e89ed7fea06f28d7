/* shadow_address.h - symbolic addresses
 *
 * A symbolic address has an origin: the address that indices were added to, and the stride. The object at the origin is
 * what it may point into: leaving it is a decision of its own, and a bug. Inside, what is read is an expression over
 * all places where the address may point, and a store changes each of them under the condition that it is the one.
 * Where several threads could observe the place, every place is explored separately, so that races are seen exactly. An
 * address without an origin is one of several pointers, for example from a table: each is explored separately.
 */
#ifndef RT_INPUTS_SHADOW_ADDRESS_H
#define RT_INPUTS_SHADOW_ADDRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct ObjectRange ObjectRange;

/* The heap block, variable or constant that contains the address; false if there is none. */
bool shadow_address_object(uint64_t address, ObjectRange *range);
/* Is this the access whose symbolic address was settled last, at one of several places? That it is inside its object
 * has been decided for all of them; deciding it for the place of this execution would be another decision for other
 * inputs. */
bool shadow_address_is_settled(uint64_t address, uint64_t size);

#endif
