/* sarif.h - results of a run as SARIF 2.1.0 (Static Analysis Results Interchange Format, OASIS)
 *
 * Every kind of bug is a rule, every bug a result. An execution is written twice: first as one thread flow in
 * the order of execution, because viewers show only the first thread flow of the first code flow; then as a
 * code flow with a thread flow per thread.
 */
#ifndef REPORT_CI_SARIF_H
#define REPORT_CI_SARIF_H

#include "report/bugview.h"
#include "report/ci/sourceroot.h"
#include "report/cycleview.h"
#include "report/summary.h"

/* The result for a bug, an object on one line. `directory` is that of the run (see sourceroot.h). */
void sarif_write_bug(const BugView *view, const char *directory, Text *out);

/* The result for a deadlock cycle of which it is not known whether a schedule leads to it: a warning. */
void sarif_write_cycle(const CycleView *cycle, const char *directory, Text *out);

typedef struct SarifRun {
    const Summary *summary;
    const SourceRoot *root;
    double begin, end;        /* seconds since 1970 */
    const Text *results;      /* of the functions above; empty ones are left out */
    uint32_t result_count;
} SarifRun;

/* The whole file. */
void sarif_write(const SarifRun *run, Text *out);

/* The title and the description of a kind of bug, for rules. Never NULL. */
const char *sarif_rule_title(BugKind kind);
const char *sarif_rule_description(BugKind kind);

#endif
