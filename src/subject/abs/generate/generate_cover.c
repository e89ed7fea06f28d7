/* generate_cover.c - see generate_cover.h */
#include "subject/abs/generate/generate_cover.h"

#include "subject/abs/model_coverage.h"
#include "tcg/generate.h"

void generate_cover(AbsProgram *program, StartState *const *starts, const TestSuite *suite, CodeCoverage *coverage)
{
    Region *region = region_create((size_t)1 << 30);
    DecisionCoverage *decisions = decision_coverage_create(region, program);
    Marks *marks = marks_create(region, program_abs_machine(program)->image);
    program_abs_mark(program, marks);
    for (uint32_t i = 0; i < suite->count; i++)
        generate_repeat(program, starts[suite->items[i].context], &suite->items[i]);
    model_coverage_read(program, marks, decisions, coverage);
    program_abs_cover(program, NULL);
    region_destroy(region);
}
