/* waitloop.h - loops that may wait for another thread: what ends them is read from memory that others change
 *
 * They are no locks to the analysis of lock orders. Only atomic and volatile accesses count: others do not see changes,
 * or race.
 */
#ifndef INSTR_ANALYSIS_WAITLOOP_H
#define INSTR_ANALYSIS_WAITLOOP_H

#include "instr/module/cfg.h"

/* Has the function such a loop? */
bool waitloop_in(const Cfg *cfg);

#endif
