/* sync_state.h - threads and the objects by which they synchronise, as parts of the program's state */
#ifndef RT_PROGRAM_SYNC_STATE_H
#define RT_PROGRAM_SYNC_STATE_H

#include "base/fingerprint.h"

/* Adds the objects of this execution, by what they mean, and what the primitives know of each thread. */
void sync_state_add(Fingerprint *state);

#endif
