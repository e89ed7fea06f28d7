/* cmd_test.c - `sennit test`: compiles a program and explores it, or explores a model */
#include "cli/testrun.h"
#include "cli/verbs.h"

int cmd_test(int argc, char **argv)
{
    static const TestVerb verb = {
        .name = "test", .uses = USE_TEST, .task = "", .covers = true, .run_models = models_explore};
    return testrun(&verb, argc, argv);
}
