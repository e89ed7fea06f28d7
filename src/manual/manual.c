/* manual.c - see manual.h */
#include "manual/manual.h"

static void visit_own(const VerbRow *verb, void (*visit)(const ManualOption *option, FILE *file), FILE *file)
{
    const char *group = "";
    for (const VerbRow *row = verb; row; row = verb_next_row(row)) {
        if (row->kind == ROW_GROUP)
            group = row->text;
        if (row->kind == ROW_OPTION)
            visit(&(ManualOption){group, row->letter, row->text, row->argument, row->fallback, row->help, false}, file);
    }
}

void manual_options(const VerbRow *verb, void (*visit)(const ManualOption *option, FILE *file), FILE *file)
{
    const char *group = "";
    const Option *option;
    visit_own(verb, visit, file);
    for (unsigned i = 0; (option = options_row(i)); i++) {
        if (option->kind == KIND_GROUP)
            group = option->name;
        else if (option_is_listed(option, verb->uses))
            visit(&(ManualOption){group, option->letter, option->name, option->argument, option->fallback,
                                  option->help, option->use & USE_MODEL}, file);
    }
}
