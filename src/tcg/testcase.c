/* testcase.c - see testcase.h */
#include "tcg/testcase.h"

#include <stdlib.h>

void testcase_release(TestCase *test)
{
    for (uint32_t i = 0; i < test->inputs.count; i++)
        free(test->inputs.items[i].name);
    for (uint32_t i = 0; i < test->constraints.count; i++)
        free(test->constraints.items[i]);
    VEC_FREE(&test->inputs);
    VEC_FREE(&test->constraints);
    VEC_FREE(&test->steps);
    VEC_FREE(&test->choices);
    text_release(&test->trace);
    text_release(&test->initial);
    text_release(&test->final);
}

void suite_release(TestSuite *suite)
{
    for (uint32_t i = 0; i < suite->count; i++)
        testcase_release(&suite->items[i]);
    VEC_FREE(suite);
}
