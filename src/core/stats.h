/* stats.h - the statistics of a search: sums, differences, text */
#ifndef CORE_STATS_H
#define CORE_STATS_H

#include "base/text.h"
#include "core/explore.h"

/* The names of all counts, separated by blanks. */
extern const char stats_names[];

/* Adds the counts of `part`; the estimate is unchanged. */
void stats_add(ExploreStats *sum, const ExploreStats *part);
/* What was counted since `before`; maxima are those of `now`. */
ExploreStats stats_since(const ExploreStats *now, const ExploreStats *before);

/* " executions=12 ...", without zeros; reading fails if it is not such a text. */
void stats_write(const ExploreStats *stats, Text *text);
bool stats_read(ExploreStats *stats, const char *text, size_t size);

#endif
