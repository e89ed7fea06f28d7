/* model_coverage.c - see model_coverage.h */
#include "subject/abs/model_coverage.h"

#include "abs/syntax/source.h"

typedef struct Collector {
    AbsProgram *program;
    const Image *image;
    const Marks *marks;
    CodeCoverage *coverage;
} Collector;

/* "Server.handle", "sum": as long as the model lives. */
static const char *name_of(const Collector *collector, const Code *code)
{
    if (code->kind != CODE_METHOD)
        return code->name;
    Text name = {0};
    text_add(&name, "%s.%s", code->class->name, code->name);
    const char *kept = arena_copy(&program_abs_model(collector->program)->arena, name.data, name.length + 1);
    text_release(&name);
    return kept;
}

static void add_point(const Collector *collector, CoverageKind kind, SrcPos pos, const char *name, bool hit)
{
    SourcePlace place = source_place(&collector->image->model->sources, pos);
    CoveragePoint point = {.kind = kind, .file = place.file->name, .function = name, .line = place.line,
                           .column = place.column, .hit = hit};
    coverage_add(collector->coverage, &point);
}

static bool is_of_user(const Collector *collector, SrcPos pos)
{
    return pos != SRCPOS_NONE && !source_place(&collector->image->model->sources, pos).file->library;
}

/* The return behind the last statement of a method, which is not in the source. */
static bool is_implied(const Code *code, uint32_t instr)
{
    return code->kind == CODE_METHOD && code->places[instr] == code->places[code->count - 1];
}

/* A statement counts with the line it begins on, an expression of a function with its own. */
static void add_code(const Collector *collector, const Code *code)
{
    bool reached = false, is_function = code->kind != CODE_LAMBDA && code->kind != CODE_GUARD;
    const char *name = name_of(collector, code);
    for (uint32_t i = 0; i < code->count; i++) {
        if (!is_of_user(collector, code->places[i]))
            continue;
        bool hit = marks_has(collector->marks, &code->instrs[i]);
        SrcPos pos = code->stmts[i] == SRCPOS_NONE ? code->places[i] : code->stmts[i];
        if (!is_implied(code, i))
            add_point(collector, COVERAGE_LINE, pos, name, hit);
        reached |= hit;
    }
    if (is_function && is_of_user(collector, code->pos))
        add_point(collector, COVERAGE_FUNCTION, code->pos, name, reached);
}

static void add_decision(const Collector *collector, const CodeDecision *decision, uint8_t covered)
{
    SourcePlace place = source_place(&collector->image->model->sources, decision->pos);
    const char *name = name_of(collector, decision->code);
    for (unsigned outcome = 0; outcome < 2; outcome++) {
        uint8_t wanted = outcome ? COVERED_FALSE : COVERED_TRUE;
        CoveragePoint point = {.kind = COVERAGE_BRANCH, .file = place.file->name, .function = name,
                               .line = place.line, .column = place.column, .outcome = outcome,
                               .what = decision->kind, .words = decision_outcome(decision, wanted),
                               .hit = covered & wanted};
        coverage_add(collector->coverage, &point);
    }
}

void model_coverage_read(AbsProgram *program, const Marks *marks, const DecisionCoverage *decisions,
                         CodeCoverage *coverage)
{
    const Image *image = program_abs_machine(program)->image;
    Collector collector = {program, image, marks, coverage};
    *coverage = (CodeCoverage){0};
    for (uint32_t i = 0; i < image->codes.count; i++)
        add_code(&collector, image->codes.items[i]);
    for (uint32_t i = 1; i < image->decisions.count; i++)
        add_decision(&collector, &image->decisions.items[i], decisions->covered[i]);
    coverage_sort(coverage);
}
