/* coverage.c - see coverage.h */
#include "tcg/coverage.h"

#include <stdlib.h>
#include <string.h>

#include "abs/syntax/source.h"
#include "base/map.h"
#include "base/mem.h"

struct CoverageMap {
    AbsProgram *program;
    const Image *image;
    bool *reachable;      /* by code                    */
    uint8_t *decided;     /* by decision: COVERED_*     */
    Map executed;         /* instructions               */
    Map statements;       /* position -> number         */
    VEC(bool) counted;    /* by statement: is reachable */
    uint32_t decisions;   /* number 0 is none           */
};

/* ---- Statements ------------------------------------------------------------------------- */

/* The number of an instruction's statement; NULL if it has none, or belongs to the library. */
static const uint64_t *statement_of(const CoverageMap *map, const Code *code, uint32_t instr)
{
    return code->stmts[instr] == SRCPOS_NONE ? NULL : map_find(&map->statements, code->stmts[instr]);
}

static void number_statements(CoverageMap *map)
{
    for (uint32_t c = 0; c < map->image->codes.count; c++) {
        const Code *code = map->image->codes.items[c];
        for (uint32_t i = 0; i < code->count; i++) {
            bool added;
            if (code->stmts[i] == SRCPOS_NONE ||
                source_place(&map->image->model->sources, code->stmts[i]).file->library)
                continue;
            uint64_t *number = map_insert(&map->statements, code->stmts[i], &added);
            if (added) {
                *number = map->counted.count;
                VEC_PUSH(&map->counted, false);
            }
        }
    }
}

CoverageMap *coverage_create(AbsProgram *program)
{
    CoverageMap *map = mem_alloc(sizeof *map);
    map->program = program;
    map->image = program_abs_machine(program)->image;
    map->decisions = map->image->decisions.count;
    map->reachable = mem_alloc(map->image->codes.count + 1);
    map->decided = mem_alloc(map->decisions + 1);
    number_statements(map);
    return map;
}

void coverage_destroy(CoverageMap *map)
{
    if (!map)
        return;
    free(map->reachable);
    free(map->decided);
    map_release(&map->executed);
    map_release(&map->statements);
    VEC_FREE(&map->counted);
    free(map);
}

/* ---- What can be reached ------------------------------------------------------------------ */

static void reach(CoverageMap *map, const Code *code);

static void reach_class(CoverageMap *map, const ClassCode *class)
{
    reach(map, class->init);
    reach(map, class->run);
    reach(map, class->recover);
}

static void reach_selector(CoverageMap *map, uint64_t selector)
{
    for (uint32_t c = 0; c < map->image->model->classes.count; c++)
        reach(map, map->image->classes[c].methods[selector]);
}

static void reach_from(CoverageMap *map, const Instr *instr)
{
    switch (instr->op) {
    case INSTR_CALL: case INSTR_TAIL_CALL: case INSTR_CLOSURE: case INSTR_SYNC_SELF: reach(map, instr->x.code); break;
    case INSTR_NEW: case INSTR_NEW_LOCAL: reach_class(map, instr->x.class); break;
    case INSTR_ASYNC: case INSTR_SYNC: reach_selector(map, instr->x.selector); break;
    case INSTR_AWAIT: reach(map, instr->x.guard->condition); break;
    default: break;
    }
}

static void reach(CoverageMap *map, const Code *code)
{
    if (!code || map->reachable[code->number])
        return;
    map->reachable[code->number] = true;
    for (uint32_t i = 0; i < code->count; i++) {
        const uint64_t *statement = statement_of(map, code, i);
        if (statement)
            map->counted.items[*statement] = true;
        reach_from(map, &code->instrs[i]);
    }
}

void coverage_add_start(CoverageMap *map, const StartState *start)
{
    for (uint32_t i = 0; i < start->tasks.count; i++)
        reach(map, start->tasks.items[i].method->code);
}

/* ---- Tests ---------------------------------------------------------------------------------- */

uint32_t coverage_outcomes(const CoverageMap *map) { return map->decisions * 2; }
uint32_t coverage_items(const CoverageMap *map) { return map->decisions * 2 + map->counted.count; }

void coverage_begin(CoverageMap *map)
{
    memset(map->decided, 0, map->decisions + 1);
    map_reset(&map->executed);
    program_abs_cover(map->program, map->decided);
    program_abs_trace_code(map->program, &map->executed);
}

static void set_item(TestCase *test, uint32_t item) { test->reached.items[item / 64] |= 1ull << item % 64; }

void coverage_end(CoverageMap *map, TestCase *test)
{
    uint32_t words = coverage_items(map) / 64 + 1;
    test->reached.count = 0;
    for (uint32_t i = 0; i < words; i++)
        VEC_PUSH(&test->reached, 0);
    for (uint32_t d = 1; d < map->decisions; d++)
        for (uint32_t way = 0; way < 2; way++)
            if (map->decided[d] >> way & 1)
                set_item(test, d * 2 + way);
    for (uint32_t c = 0; c < map->image->codes.count; c++) {
        const Code *code = map->image->codes.items[c];
        for (uint32_t i = 0; i < code->count; i++) {
            const uint64_t *statement =
                map_find(&map->executed, map_key(&code->instrs[i])) ? statement_of(map, code, i) : NULL;
            if (statement)
                set_item(test, coverage_outcomes(map) + (uint32_t)*statement);
        }
    }
    program_abs_cover(map->program, NULL);
    program_abs_trace_code(map->program, NULL);
}

static bool is_reached(const TestSuite *suite, const bool *chosen, uint32_t item)
{
    for (uint32_t i = 0; i < suite->count; i++)
        if ((!chosen || chosen[i]) && coverage_has(&suite->items[i], item))
            return true;
    return false;
}

void coverage_sum(const CoverageMap *map, const TestSuite *suite, const bool *chosen, TestCoverage *coverage)
{
    *coverage = (TestCoverage){0};
    for (uint32_t d = 1; d < map->decisions; d++) {
        if (!map->reachable[map->image->decisions.items[d].code->number])
            continue;
        coverage->all_outcomes += 2;
        coverage->outcomes += (uint32_t)is_reached(suite, chosen, d * 2) + is_reached(suite, chosen, d * 2 + 1);
    }
    for (uint32_t s = 0; s < map->counted.count; s++) {
        coverage->all_statements += map->counted.items[s];
        coverage->statements += map->counted.items[s] && is_reached(suite, chosen, coverage_outcomes(map) + s);
    }
}
