/* completion.c - completion of verbs, options and their values in bash, zsh and fish */
#include <string.h>

#include "manual/manual.h"

/* The words of "a|b|c" separated by blanks; nothing if the argument is not a choice of plain words. */
static bool is_choice(const char *argument)
{
    return strchr(argument, '|') && !argument[strspn(argument, "abcdefghijklmnopqrstuvwxyz-|")];
}

static void write_words(const char *argument, FILE *file)
{
    for (; *argument; argument++)
        fputc(*argument == '|' ? ' ' : *argument, file);
}

/* What kind of file an argument is, by its placeholder. */
static bool is_file(const char *argument) { return strcmp(argument, "FILE") == 0; }
static bool is_directory(const char *argument) { return strcmp(argument, "DIR") == 0; }

/* ---- bash ------------------------------------------------------------------------------- */

static void write_bash_word(const ManualOption *option, ManualPage *page)
{
    FILE *file = page->file;
    if (*option->name)
        fprintf(file, " --%s%s", option->name, *option->argument ? "=" : "");
    if (option->letter)
        fprintf(file, " -%c", option->letter);
}

static void write_bash_value(const ManualOption *option, ManualPage *page)
{
    FILE *file = page->file;
    bool known = is_choice(option->argument) || is_file(option->argument) || is_directory(option->argument);
    if (!*option->name || !known)
        return;
    fprintf(file, "            --%s) ", option->name);
    if (is_choice(option->argument)) {
        fprintf(file, "COMPREPLY=($(compgen -W '");
        write_words(option->argument, file);
        fprintf(file, "' -- \"$value\"))");
    } else {
        fprintf(file, "COMPREPLY=($(compgen -%c -- \"$value\"))", is_file(option->argument) ? 'f' : 'd');
    }
    fprintf(file, "; return ;;\n");
}

void completion_write_bash(FILE *file)
{
    fprintf(file, "# Completion of sennit in bash; generated from the tables of options and verbs.\n"
                  "_sennit() {\n"
                  "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} name= value=\n"
                  "    COMPREPLY=()\n"
                  "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
                  "        COMPREPLY=($(compgen -W '--help --version");
    for (const VerbRow *verb = verb_next(NULL); verb; verb = verb_next(verb))
        fprintf(file, " %s", verb->text);
    fprintf(file, "' -- \"$word\"))\n"
                  "        return\n"
                  "    fi\n"
                  "    # bash splits --name=value into three words at \"=\"\n"
                  "    if [ \"$before\" = = ]; then name=${COMP_WORDS[COMP_CWORD-2]} value=$word\n"
                  "    elif [ \"$word\" = = ]; then name=$before\n"
                  "    fi\n"
                  "    case ${COMP_WORDS[1]} in\n");
    for (const VerbRow *verb = verb_next(NULL); verb; verb = verb_next(verb)) {
        fprintf(file, "    %s)\n        case $name in\n", verb->text);
        manual_options(verb, write_bash_value, file);
        fprintf(file, "        esac\n        [[ $word = -* ]] && COMPREPLY=($(compgen -W '--help");
        manual_options(verb, write_bash_word, file);
        fprintf(file, "' -- \"$word\")) ;;\n");
    }
    fprintf(file, "    esac\n"
                  "    [[ ${#COMPREPLY[@]} = 1 && ${COMPREPLY[0]} = *= ]] && compopt -o nospace\n"
                  "}\n"
                  "complete -o default -F _sennit sennit\n");
}

/* ---- zsh -------------------------------------------------------------------------------- */

/* A description inside '...' of _arguments: brackets, colons and quotes have a meaning there. */
static void write_zsh_text(const char *text, FILE *file)
{
    for (; *text; text++) {
        if (strchr("[]:\\", *text))
            fputc('\\', file);
        if (*text == '\'')
            fprintf(file, "'\\''");
        else if (*text != '`')
            fputc(*text, file);
    }
}

static void write_zsh_value(const ManualOption *option, FILE *file)
{
    fprintf(file, ":");
    write_zsh_text(option->argument, file);
    if (is_choice(option->argument)) {
        fprintf(file, ":(");
        write_words(option->argument, file);
        fputc(')', file);
    } else {
        fprintf(file, is_file(option->argument) ? ":_files" : is_directory(option->argument) ? ":_files -/" : ": ");
    }
}

static void write_zsh_spec(const ManualOption *option, const char *name, FILE *file)
{
    fprintf(file, "            '%s[", name);
    write_zsh_text(option->help, file);
    fputc(']', file);
    if (*option->argument)
        write_zsh_value(option, file);
    fprintf(file, "' \\\n");
}

static void write_zsh_option(const ManualOption *option, ManualPage *page)
{
    FILE *file = page->file;
    char name[64];
    if (option->letter) {
        snprintf(name, sizeof name, "-%c%s", option->letter, *option->argument ? "+" : "");
        write_zsh_spec(option, name, file);
    }
    if (*option->name) {
        snprintf(name, sizeof name, "--%s%s", option->name, *option->argument ? "=" : "");
        write_zsh_spec(option, name, file);
    }
}

void completion_write_zsh(FILE *file)
{
    fprintf(file, "#compdef sennit\n"
                  "# Completion of sennit in zsh; generated from the tables of options and verbs.\n"
                  "_sennit() {\n"
                  "    if (( CURRENT == 2 )); then\n"
                  "        local -a verbs=(\n");
    for (const VerbRow *verb = verb_next(NULL); verb; verb = verb_next(verb)) {
        fprintf(file, "            '%s:", verb->text);
        write_zsh_text(verb->help, file);
        fprintf(file, "'\n");
    }
    fprintf(file, "        )\n"
                  "        _describe verb verbs\n"
                  "        return\n"
                  "    fi\n"
                  "    local verb=$words[2]\n"
                  "    (( CURRENT-- )); shift words\n"
                  "    case $verb in\n");
    for (const VerbRow *verb = verb_next(NULL); verb; verb = verb_next(verb)) {
        fprintf(file, "    %s)\n        _arguments \\\n", verb->text);
        manual_options(verb, write_zsh_option, file);
        fprintf(file, "            '--help[print the options and exit]' '*:file:_files' ;;\n");
    }
    fprintf(file, "    esac\n}\n_sennit \"$@\"\n");
}

/* ---- fish ------------------------------------------------------------------------------- */

static void write_fish_text(const char *text, FILE *file)
{
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\')
            fputc('\\', file);
        fputc(*text, file);
    }
}

static void write_fish_option(const ManualOption *option, ManualPage *page)
{
    FILE *file = page->file;
    fprintf(file, "complete -c sennit -n '__fish_seen_subcommand_from %s'", page->verb->text);
    if (option->letter)
        fprintf(file, " -s %c", option->letter);
    if (*option->name)
        fprintf(file, " -l %s", option->name);
    if (*option->argument)
        fprintf(file, is_file(option->argument) || is_directory(option->argument) ? " -r" : " -x");
    if (is_choice(option->argument)) {
        fprintf(file, " -a '");
        write_words(option->argument, file);
        fputc('\'', file);
    }
    fprintf(file, " -d '");
    write_fish_text(option->help, file);
    fprintf(file, "'\n");
}

void completion_write_fish(FILE *file)
{
    fprintf(file, "# Completion of sennit in fish; generated from the tables of options and verbs.\n");
    for (const VerbRow *verb = verb_next(NULL); verb; verb = verb_next(verb)) {
        fprintf(file, "complete -c sennit -n __fish_use_subcommand -a %s -d '", verb->text);
        write_fish_text(verb->help, file);
        fprintf(file, "'\n");
    }
    for (const VerbRow *verb = verb_next(NULL); verb; verb = verb_next(verb))
        manual_options(verb, write_fish_option, file);
}
