/* stats.h - adding up the counts of a search, and as text */
#ifndef CORE_STATS_H
#define CORE_STATS_H

#include "base/text.h"
#include "core/explore.h"

/* The names of all counts, separated by blanks. */
extern const char stats_names[];

/* Adds what `part` counted; the estimate is left alone. */
void stats_add(ExploreStats *sum, const ExploreStats *part);
/* What was counted since `before`; depths and the like are those of `now`. */
ExploreStats stats_since(const ExploreStats *now, const ExploreStats *before);

/* " executions=12 ...", without zeros; and back. False if it is not such a text. */
void stats_write(const ExploreStats *stats, Text *text);
bool stats_read(ExploreStats *stats, const char *text, size_t size);

#endif
