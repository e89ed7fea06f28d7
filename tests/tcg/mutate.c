/* mutate.c - small errors in an ABS model, one at a time
 *
 * Usage: mutate MODEL.abs          how many there are
 *        mutate MODEL.abs NUMBER   the model with that error (from 1); what it is on standard error
 *
 * Errors are made in functions and methods, neither in the main block nor in the first values of
 * fields (tests begin with any state): another operator or constant, a condition turned round, a statement
 * left out or in another place, an await that does not release, a call that waits, arguments
 * in another order.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Mutator {
    const char *text;
    size_t end;       /* of what may be changed: where the main block begins */
    long wanted, count;
} Mutator;

typedef struct Change {
    const char *from, *to;
} Change;

/* Operators have blanks around them, which tells them from types. */
static const Change CHANGES[] = {
    {" + ", " - "},   {" - ", " + "},   {" * ", " + "},   {" < ", " <= "},  {" > ", " >= "},  {" <= ", " < "},
    {" >= ", " > "},  {" == ", " != "}, {" != ", " == "}, {" && ", " || "}, {" || ", " && "},
};

/* Answers whether the error is the one that is wanted, and then writes the model with it. */
static bool offer(Mutator *m, size_t at, size_t length, const char *replacement)
{
    if (++m->count != m->wanted)
        return false;
    unsigned line = 1;
    for (size_t i = 0; i < at; i++)
        line += m->text[i] == '\n';
    fprintf(stderr, "line %u: '%.*s' becomes '%s'\n", line, (int)length, m->text + at, replacement);
    fwrite(m->text, 1, at, stdout);
    fputs(replacement, stdout);
    fputs(m->text + at + length, stdout);
    return true;
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

static bool starts_word(const Mutator *m, size_t at, const char *word)
{
    size_t length = strlen(word);
    return strncmp(m->text + at, word, length) == 0 && !is_word(m->text[at + length]) && (at == 0 || !is_word(m->text[at - 1]));
}

static void change_operator(Mutator *m, size_t at)
{
    for (size_t i = 0; i < sizeof CHANGES / sizeof CHANGES[0]; i++)
        if (strncmp(m->text + at, CHANGES[i].from, strlen(CHANGES[i].from)) == 0)
            offer(m, at, strlen(CHANGES[i].from), CHANGES[i].to);
}

static void change_constant(Mutator *m, size_t at)
{
    char number[32];
    if (starts_word(m, at, "True"))
        offer(m, at, 4, "False");
    else if (starts_word(m, at, "False"))
        offer(m, at, 5, "True");
    else if (isdigit((unsigned char)m->text[at]) && !is_word(m->text[at - 1])) {
        char *end;
        long value = strtol(m->text + at, &end, 10);
        snprintf(number, sizeof number, "%ld", value + 1);
        offer(m, at, (size_t)(end - m->text) - at, number);
        snprintf(number, sizeof number, value ? "%ld" : "(%ld)", value - 1);
        offer(m, at, (size_t)(end - m->text) - at, number);
    }
}

/* if (c) -> if (!(c)), while the same */
static void negate_condition(Mutator *m, size_t at)
{
    char text[500];
    size_t open = at + (m->text[at] == 'i' ? 3 : 6), close = open;
    int depth = 0;
    if (m->text[open] != '(')
        return;
    do
        depth += m->text[close] == '(' ? 1 : m->text[close] == ')' ? -1 : 0;
    while (depth && m->text[++close]);
    snprintf(text, sizeof text, "(!%.*s)", (int)(close + 1 - open), m->text + open);
    offer(m, open, close + 1 - open, text);
}

/* A statement that is no declaration: its length with the semicolon, or 0. */
static size_t simple_statement(const Mutator *m, size_t at)
{
    static const char *const others[] = {"return", "skip", "if", "while", "else", "case", "def", "data", "try", "module", "export", "import"};
    size_t length = strcspn(m->text + at, ";{}");
    if (!islower((unsigned char)m->text[at]) || m->text[at + length] != ';')
        return 0;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (starts_word(m, at, others[i]))
            return 0;
    return length + 1;
}

static void change_statement(Mutator *m, size_t at)
{
    char text[500];
    size_t length = simple_statement(m, at), next = at + length + strspn(m->text + at + length, " \n\t"), second;
    if (length == 0)
        return;
    offer(m, at, length, "skip;");
    if (starts_word(m, at, "await") && m->text[at + length - 2] == '?') {
        snprintf(text, sizeof text, "%.*s.get;", (int)(length - 8), m->text + at + 6);
        offer(m, at, length, text);
    }
    if ((second = simple_statement(m, next)) > 0) {
        snprintf(text, sizeof text, "%.*s%.*s%.*s", (int)second, m->text + next, (int)(next - at - length), m->text + at + length,
                 (int)length, m->text + at);
        offer(m, at, next + second - at, text);
    }
}

/* o!m(x) -> o.m(x) */
static void change_call(Mutator *m, size_t at)
{
    if (m->text[at] == '!' && at > 0 && is_word(m->text[at - 1]) && islower((unsigned char)m->text[at + 1]))
        offer(m, at, 1, ".");
}

/* (a, b) -> (b, a) for two simple arguments */
static void swap_arguments(Mutator *m, size_t at)
{
    char a[100], b[100], text[210];
    int end = 0;
    if (m->text[at] != '(' || !is_word(m->text[at - 1]) || sscanf(m->text + at, "(%99[a-zA-Z0-9_.], %99[a-zA-Z0-9_.])%n", a, b, &end) != 2 || !end || strcmp(a, b) == 0)
        return;
    snprintf(text, sizeof text, "(%s, %s)", b, a);
    offer(m, at, (size_t)end, text);
}

static size_t find_main(const char *text)
{
    const char *at = strncmp(text, "{\n", 2) == 0 ? text : strstr(text, "\n{\n");
    return at ? (size_t)(at - text) : strlen(text);
}

/* Inside a method (two braces deep) or a function? */
static void run(Mutator *m)
{
    bool begins = true, function = false; /* `begins`: only blanks since the last statement */
    int depth = 0;
    for (size_t at = 0; at < m->end; at++) {
        char c = m->text[at];
        if (c == '/' && m->text[at + 1] == '/') {
            at += strcspn(m->text + at, "\n") - 1;
            continue;
        }
        function = depth == 0 && starts_word(m, at, "def") ? true : function && !(depth == 0 && c == ';');
        if (depth >= 2 || function) {
            if (begins && !isspace((unsigned char)c))
                change_statement(m, at);
            change_operator(m, at);
            change_constant(m, at);
            change_call(m, at);
            swap_arguments(m, at);
            if (starts_word(m, at, "if") || starts_word(m, at, "while"))
                negate_condition(m, at);
        }
        depth += c == '{' ? 1 : c == '}' ? -1 : 0;
        begins = c == ';' || c == '{' || c == '}' || (begins && isspace((unsigned char)c));
    }
}

int main(int argc, char **argv)
{
    static char text[1 << 20];
    FILE *file = argc > 1 ? fopen(argv[1], "r") : NULL;
    if (!file) {
        fprintf(stderr, "usage: mutate MODEL.abs [NUMBER]\n");
        return 2;
    }
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    Mutator mutator = {.text = text, .end = find_main(text), .wanted = argc > 2 ? atol(argv[2]) : -1};
    run(&mutator);
    if (argc == 2)
        printf("%ld\n", mutator.count);
    return argc > 2 && mutator.count < mutator.wanted;
}
