/* coverage.c - see coverage.h */
#include "subject/c/coverage.h"

#include "rt/detect/cover.h"
#include "rt/program/program_c.h"

static void add_point(void *context, const CoverPoint *point)
{
    static const CoverageKind kinds[] = {[COVER_LINE] = COVERAGE_LINE, [COVER_FUNCTION] = COVERAGE_FUNCTION,
                                         [COVER_BRANCH] = COVERAGE_BRANCH};
    CoveragePoint own = {.file = point->place.file, .function = point->place.function, .line = point->place.line,
                         .column = point->place.column, .kind = kinds[point->kind], .ordinal = point->ordinal,
                         .outcome = point->outcome, .target = point->target, .hit = point->hit};
    coverage_add(context, &own);
}

bool coverage_read(SearchRecord *record, CodeCoverage *coverage)
{
    (void)record;
    *coverage = (CodeCoverage){0};
    if (!cover_exists())
        return false;
    cover_each(add_point, coverage);
    coverage_sort(coverage);
    return true;
}

void coverage_count_branches(SearchRecord *record, uint32_t *ways, uint32_t *taken)
{
    (void)record;
    CoverCount count = cover_count();
    *ways = count.outcomes;
    *taken = count.taken;
}
