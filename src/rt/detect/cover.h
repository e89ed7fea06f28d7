/* cover.h - coverage: what was executed in any execution of any process of the run
 *
 * The program sets bytes, the marks, in its own memory (SennitCover of hooks.h) if it was
 * compiled for coverage; after an execution they are added to a map in the region, which the
 * supervisor reads.
 */
#ifndef RT_DETECT_COVER_H
#define RT_DETECT_COVER_H

#include "base/region.h"
#include "core/program.h"

/* Before the first fork. */
void cover_init(Region *region);
/* At the start of an execution. */
void cover_reset(void);
/* Adds the marks set since the last call; true if one was set for the first time in the run.
 * Safe in a signal handler. */
bool cover_collect(void);

/* ---- For reports -------------------------------------------------------------------- */

typedef enum CoverKind { COVER_LINE, COVER_FUNCTION, COVER_BRANCH } CoverKind;

typedef struct CoverPoint {
    Place place;
    CoverKind kind;
    uint32_t ordinal;    /* of a branch among those at the same place  */
    uint32_t outcome;    /* of a branch; 0: its condition holds        */
    uint32_t target;     /* of a branch: the line it leads to          */
    bool hit;
} CoverPoint;

/* Was the program compiled for coverage? */
bool cover_exists(void);
/* Calls `each` for every point. Lines and functions may be listed more than once: they were
 * reached if one entry says so. */
void cover_each(void (*each)(void *context, const CoverPoint *point), void *context);

typedef struct CoverCount {
    uint32_t outcomes, taken; /* of branches */
} CoverCount;
CoverCount cover_count(void);

/* From now on each execution begins with no mark set, so that cover_outcomes can be asked
 * afterwards which outcomes its branches had: a byte for each, in the order of cover_each.
 * Not known for executions that crashed or ran in a process of their own. */
void cover_separate(void);
bool cover_is_separate(void);
void cover_outcomes(uint8_t *taken);

/* The map: bytes that are 0 or 1, with the same meaning in every process of this binary. */
uint8_t *cover_map(size_t *size);

#endif
