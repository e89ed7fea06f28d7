/* testcase.c - see testcase.h */
#include "tcg/testcase.h"

#include <string.h>

void testcase_forget(TestCase *test)
{
    for (uint32_t i = 0; i < test->objects.count; i++)
        VEC_FREE(&test->objects.items[i].fields);
    for (uint32_t i = 0; i < test->tasks.count; i++)
        VEC_FREE(&test->tasks.items[i].arguments);
    VEC_FREE(&test->objects);
    VEC_FREE(&test->tasks);
    VEC_FREE(&test->futures);
    VEC_FREE(&test->constraints);
}

void testcase_release(TestCase *test)
{
    testcase_forget(test);
    VEC_FREE(&test->inputs);
    VEC_FREE(&test->steps);
    VEC_FREE(&test->reached);
    VEC_FREE(&test->choices);
    arena_release(&test->arena);
}

void suite_release(TestSuite *suite)
{
    for (uint32_t i = 0; i < suite->count; i++)
        testcase_release(&suite->items[i]);
    VEC_FREE(suite);
}

const char *testcase_keep(TestCase *test, const char *text)
{
    return arena_copy(&test->arena, text, strlen(text));
}

const char *testcase_take(TestCase *test, Text *text)
{
    const char *copy = testcase_keep(test, text_borrow(text));
    text_reset(text);
    return copy;
}

/* "0.1 random": the task, then the name. */
bool testcase_is_drawn(const TestInput *input)
{
    return input->name[0] >= '0' && input->name[0] <= '9';
}
