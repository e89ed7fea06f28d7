/* sarif_internal.h - what the files that write SARIF share */
#ifndef REPORT_CI_SARIF_INTERNAL_H
#define REPORT_CI_SARIF_INTERNAL_H

#include "report/ci/sourceroot.h"
#include "report/json.h"
#include "report/trace.h"

#define SARIF_BASE "SRCROOT"

/* A message object. What readers would take for a placeholder ("{0}") or a link ("[x](1)") is escaped. */
void sarif_add_message(Json *json, const char *key, const char *text);

/* Members of a location object: where, and in which function. */
void sarif_add_place(Json *json, const TracePlace *place, const SourceRoot *root);

#endif
