/* manual.c - see manual.h */
#include "manual/manual.h"

static void visit_option(ManualPage *page, const ManualOption *option, ManualVisit *visit)
{
    visit(option, page);
    page->group = option->group;
}

static void visit_own(ManualPage *page, ManualVisit *visit)
{
    ManualOption option = {.group = ""};
    for (const VerbRow *row = page->verb; row; row = verb_next_row(row)) {
        if (row->kind == ROW_GROUP)
            option.group = row->text;
        if (row->kind != ROW_OPTION)
            continue;
        option = (ManualOption){option.group, row->letter, row->text, row->argument, row->fallback, row->help};
        visit_option(page, &option, visit);
    }
}

static void visit_common(ManualPage *page, ManualVisit *visit)
{
    ManualOption option = {.group = ""};
    const Option *row;
    for (unsigned i = 0; (row = options_row(i)); i++) {
        if (row->kind == KIND_GROUP)
            option.group = row->name;
        if (!option_is_listed(row, page->verb->uses))
            continue;
        Text help = {0};
        option_write_help(row, &help);
        option = (ManualOption){option.group, row->letter, row->name, row->argument, row->fallback, help.data};
        visit_option(page, &option, visit);
        text_release(&help);
    }
}

void manual_options(const VerbRow *verb, ManualVisit *visit, FILE *file)
{
    ManualPage page = {file, verb, ""};
    visit_own(&page, visit);
    visit_common(&page, visit);
}
