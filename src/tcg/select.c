/* select.c - see select.h */
#include "tcg/select.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/mem.h"

static const char *const NAMES[] = {"all", "branches", "statements", "states"};

bool selection_find(const char *name, Selection *selection)
{
    for (int i = SELECTION_ALL; i <= SELECTION_STATES; i++)
        if (strcmp(name, NAMES[i]) == 0) {
            *selection = (Selection)i;
            return true;
        }
    return false;
}

/* ---- By what they reach ----------------------------------------------------------------- */

static uint32_t count_new(const TestCase *test, const uint64_t *reached, uint32_t first, uint32_t end)
{
    uint32_t count = 0;
    for (uint32_t item = first; item < end; item++)
        count += coverage_has(test, item) && !(reached[item / 64] >> item % 64 & 1);
    return count;
}

/* Chooses the test that adds most coverage, until none adds any. */
static void choose_reaching(const TestSuite *suite, uint32_t first, uint32_t end, bool *chosen)
{
    uint64_t *reached = mem_alloc((end / 64 + 1) * sizeof *reached);
    for (;;) {
        uint32_t best = 0, most = 0;
        for (uint32_t i = 0; i < suite->count; i++) {
            uint32_t count = count_new(&suite->items[i], reached, first, end);
            if (count > most) {
                best = i;
                most = count;
            }
        }
        if (most == 0)
            break;
        chosen[best] = true;
        for (uint32_t w = 0; w <= end / 64; w++)
            reached[w] |= suite->items[best].reached.items[w];
    }
    free(reached);
}

/* ---- By how they end ---------------------------------------------------------------------- */

static uint64_t hash_text(uint64_t hash, const char *text)
{
    for (; text && *text; text++)
        hash = map_mix(hash, (unsigned char)*text);
    return map_mix(hash, 1);
}

/* A hash of the final state as it is shown: objects with their fields, results. */
static uint64_t hash_end(const TestCase *test)
{
    uint64_t hash = hash_text(test->context, test->outcome);
    for (uint32_t i = 0; i < test->objects.count; i++) {
        const TestObject *object = &test->objects.items[i];
        hash = map_mix(hash_text(hash, object->name), object->dead);
        for (uint32_t f = 0; f < object->fields.count; f++)
            hash = hash_text(hash, object->fields.items[f].after.shown);
    }
    for (uint32_t i = 0; i < test->tasks.count; i++)
        hash = hash_text(map_mix(hash, test->tasks.items[i].end), test->tasks.items[i].result.shown);
    return hash >> 1;
}

static void choose_first(const TestSuite *suite, uint64_t (*key)(const TestCase *test), bool *chosen)
{
    Map seen = {0};
    for (uint32_t i = 0; i < suite->count; i++) {
        bool added;
        map_insert(&seen, key(&suite->items[i]), &added);
        chosen[i] = chosen[i] || added;
    }
    map_release(&seen);
}

static uint64_t hash_outcome(const TestCase *test) { return hash_text(test->context, test->outcome) >> 1; }

/* Chooses one test for each kind of bug in each context, unless one is chosen already. */
static void choose_bugs(const TestSuite *suite, bool *chosen)
{
    Map seen = {0};
    for (uint32_t round = 0; round < 2; round++)
        for (uint32_t i = 0; i < suite->count; i++) {
            bool added;
            if (strcmp(suite->items[i].outcome, "ok") == 0 || (round == 0 && !chosen[i]))
                continue;
            map_insert(&seen, hash_outcome(&suite->items[i]), &added);
            chosen[i] = chosen[i] || added;
        }
    map_release(&seen);
}

void select_tests(const CoverageMap *map, Selection selection, TestSuite *suite)
{
    bool *chosen = mem_alloc(suite->count + 1);
    uint32_t outcomes = coverage_outcomes(map), kept = 0;
    switch (selection) {
    case SELECTION_ALL: memset(chosen, true, suite->count); break;
    case SELECTION_BRANCHES: choose_reaching(suite, 0, outcomes, chosen); break;
    case SELECTION_STATEMENTS: choose_reaching(suite, outcomes, coverage_items(map), chosen); break;
    case SELECTION_STATES: choose_first(suite, hash_end, chosen); break;
    }
    choose_bugs(suite, chosen);
    for (uint32_t i = 0; i < suite->count; i++) {
        if (chosen[i])
            suite->items[kept++] = suite->items[i];
        else
            testcase_release(&suite->items[i]);
    }
    suite->count = kept;
    free(chosen);
}
