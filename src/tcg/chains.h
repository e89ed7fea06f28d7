/* chains.h - chains of calls between methods, and methods that are independent on one object
 *
 * Computed from the code alone: a call may reach the method of that name in every class that has one. Two methods are
 * independent if neither writes a field that the other one accesses, and neither may block its object (get) nor kill
 * it (an exception): then all of their steps commute.
 */
#ifndef TCG_CHAINS_H
#define TCG_CHAINS_H

#include "abs/lower/ir.h"

typedef struct Chains Chains;

/* Analyses all code of the image (borrowed). With `whole_objects` all fields of an object count as one. The caller owns
 * the result. */
Chains *chains_create(const Image *image, bool whole_objects);
void chains_destroy(Chains *chains);

/* Do all steps of tasks with these codes on one object commute? */
bool chains_independent(const Chains *chains, const Code *a, const Code *b);
/* Does a chain of calls lead from a task with code `from` to one with code `to`? True if they are the same. */
bool chains_lead_to(const Chains *chains, const Code *from, const Code *to);
/* Does `from` call `to` directly, or start it by creating an object? */
bool chains_calls(const Chains *chains, const Code *from, const Code *to);
/* May a task with code `from`, or one at the end of a chain from it, create an object of the class? */
bool chains_create_class(const Chains *chains, const Code *from, const ClassCode *class);
/* Does any code read the result of a task? */
bool chains_use_results(const Chains *chains);

#endif
