/* options_help.c - the options as --help shows them: by group, wrapped */
#include <string.h>

#include "app/options/option.h"

enum { COLUMN = 31, WIDTH = 100 };

/* Prints `text` from column COLUMN on, the first line without indentation. */
static void print_wrapped(const char *text, FILE *file)
{
    size_t room = WIDTH - COLUMN, length;
    for (; *text; text += length + strspn(text + length, " ")) {
        length = strlen(text);
        if (length > room) {
            for (length = room; length > 0 && text[length] != ' '; length--)
                ;
            if (length == 0) /* a word longer than a line */
                length = strcspn(text, " ");
        }
        fprintf(file, "%.*s\n", (int)length, text);
        if (text[length])
            fprintf(file, "%*s", COLUMN, "");
    }
}

void options_print_line(const char *left, const char *right, FILE *file)
{
    if (strlen(left) > COLUMN - 2)
        fprintf(file, "%s\n%*s", left, COLUMN, "");
    else
        fprintf(file, "%-*s", COLUMN, left);
    print_wrapped(right, file);
}

void option_write_help(const Option *option, Text *text)
{
    const char *programs = option_programs(option);
    text_add_string(text, option->help);
    if (programs)
        text_add(text, "; only %s", programs);
}

static void print_option(const Option *option, FILE *file)
{
    Text left = {0}, right = {0};
    bool flag = option->kind == KIND_FLAG;
    if (option->letter)
        text_add(&left, "  -%c, ", option->letter);
    else
        text_add_string(&left, "      ");
    text_add(&left, "--%s%s%s", option->name, flag ? "" : "=", flag ? "" : option->argument);
    option_write_help(option, &right);
    if (!flag && *option->fallback)
        text_add(&right, " [%s]", option->fallback);
    options_print_line(left.data, right.data, file);
    text_release(&left);
    text_release(&right);
}

void options_print(unsigned uses, FILE *file)
{
    const char *title = NULL;
    const Option *option;
    for (unsigned i = 0; (option = options_row(i)); i++) {
        if (option->kind == KIND_GROUP)
            title = option->name;
        if (!option_is_listed(option, uses))
            continue;
        if (title)
            fprintf(file, "\n%s:\n", title);
        title = NULL;
        print_option(option, file);
    }
}
