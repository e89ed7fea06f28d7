/* decisions.h - which decisions of a model went which way in the executions of a search */
#ifndef SUBJECT_ABS_DECISIONS_H
#define SUBJECT_ABS_DECISIONS_H

#include "abs/program/program_abs.h"
#include "base/region.h"
#include "report/json.h"
#include "report/style.h"

/* In the region: the workers note what they see. */
typedef struct Decisions {
    uint32_t count;       /* from 1                                     */
    uint8_t *told;        /* what other processes have heard of         */
    uint8_t *counted;     /* the same as words                          */
    uint8_t covered[];    /* COVERED_*                                  */
} Decisions;

/* Lets the program note its decisions. */
Decisions *decisions_watch(Region *region, AbsProgram *program);

/* Has each gone both ways? */
bool decisions_all_covered(const Decisions *decisions);

/* For other processes, a line "decision NUMBER WAYS" each: what is new, or all. And such a line. */
void decisions_tell(Decisions *decisions, bool all, Text *out);
/* As words " 3t 5f": what is new since the last call. Answers how many there are if each has gone both ways. */
uint32_t decisions_reached(Decisions *decisions, Text *words);
bool decisions_hear(Decisions *decisions, const char *line);

/* How many have, and the others with what they never did. `finished`: nothing is left to be
 * explored, so they cannot. */
void decisions_write(const Decisions *decisions, AbsProgram *program, bool finished, Text *out);
void decisions_write_json(const Decisions *decisions, AbsProgram *program, bool finished, Text *out);

#endif
