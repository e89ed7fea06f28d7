/* unseen.h - what the runtime does not see of the program: which opaque calls, which assembly ran
 *
 * Two ways to add to the list: instrumented code sets a mark before the place (instr/module/unseen.h), or the runtime
 * calls unseen_note. What was noted in any process of the run takes the word "exhaustive" from the verdict.
 */
#ifndef RT_DETECT_UNSEEN_H
#define RT_DETECT_UNSEEN_H

#include <stddef.h>
#include <stdint.h>

#include "base/region.h"
#include "core/unseen.h"

/* Before the first fork. */
void unseen_init(Region *region);
/* After an execution: adds its marks to those of the run. Safe in a signal handler. */
void unseen_collect(void);

struct SennitSite;

/* Notes that something at this place (NULL: unknown) was not seen; once for each kind, name and place. The name has
 * at most 63 characters and neither starts nor ends with a blank. */
void unseen_note(UnseenKind kind, const char *name, const struct SennitSite *site);

/* ---- For reports: of all processes of the run ------------------------------------------------ */

typedef void UnseenEach(void *context, UnseenKind kind, const char *name, uint64_t site);

/* Calls `each` for what was noted and for the marks set, without opaque calls that turned out to be harmless. */
void unseen_each(UnseenEach *each, void *context);
/* The same for what was noted only; and adds what another process noted. */
void unseen_each_note(UnseenEach *each, void *context);
void unseen_add(UnseenKind kind, const char *name, uint64_t site);
/* The marks: bytes that are 0 or 1, with the same meaning in every process of this binary. */
uint8_t *unseen_map(size_t *size);

#endif
