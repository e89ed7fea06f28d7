/* driver.c - see driver.h */
#include "cgen/driver.h"

static void add_bounds(ArgumentWriter *w)
{
    Text bounds = {0};
    arguments_write_bounds(w, &bounds);
    if (bounds.length)
        text_add_line(w->text, w->indent, "sennit_bounded(\"%s\");", bounds.data);
    text_release(&bounds);
}

bool driver_write(ArgumentWriter *w, const char *include)
{
    text_add(w->text,
             "/* Calls %s with symbolic inputs as arguments; written by `sennit generate`. */\n"
             "#pragma push_macro(\"main\")\n#undef main\n#define main sennit_main_of_the_source\n"
             "#include \"%s\"\n#undef main\n#pragma pop_macro(\"main\")\n\n"
             "#include <sennit/sennit.h>\n#include <stdlib.h>\n\nint main(void)\n{\n",
             w->options->function, include);
    w->indent = 4;
    bool good = arguments_write(w);
    add_bounds(w);
    text_add(w->text, "    %s(%s);\n    return 0;\n}\n", w->options->function, text_borrow(&w->call));
    return good;
}
