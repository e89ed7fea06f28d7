/* coverage.c - see coverage.h */
#include "subject/c/coverage.h"

#include "rt/kernel/program_c.h"

static void add_point(void *context, const RtCoverPoint *point)
{
    static const CoverageKind kinds[] = {[RT_COVER_LINE] = COVERAGE_LINE, [RT_COVER_FUNCTION] = COVERAGE_FUNCTION,
                                         [RT_COVER_BRANCH] = COVERAGE_BRANCH};
    CoveragePoint own = {.file = point->place.file, .function = point->place.function, .line = point->place.line,
                         .column = point->place.column, .kind = kinds[point->kind], .ordinal = point->ordinal,
                         .outcome = point->outcome, .target = point->target, .hit = point->hit};
    coverage_add(context, &own);
}

bool coverage_read(CodeCoverage *coverage)
{
    *coverage = (CodeCoverage){0};
    if (!program_c_has_coverage())
        return false;
    program_c_each_cover(add_point, coverage);
    coverage_sort(coverage);
    return true;
}

void coverage_count_branches(uint32_t *ways, uint32_t *taken)
{
    RtCoverCount count = program_c_count_cover();
    *ways = count.outcomes;
    *taken = count.taken;
}
