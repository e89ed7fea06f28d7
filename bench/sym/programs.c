/* programs.c - small programs whose branches depend on inputs, by the kinds of queries they ask */
#include "concolic.h"

enum { LARGEST = 16 };

/* ---- Orders: sorting ------------------------------------------------------------- */

static void bubble_sort(Run *run, int n)
{
    Value a[LARGEST];
    for (int i = 0; i < n; i++)
        a[i] = input(run, "a", (uint32_t)i, 32);
    for (int end = n - 1; end > 0; end--)
        for (int i = 0; i < end; i++)
            if (branch(run, apply(run, EXPR_SGT, a[i], a[i + 1]))) {
                Value t = a[i];
                a[i] = a[i + 1];
                a[i + 1] = t;
            }
}

/* ---- Sums: triangles -------------------------------------------------------------- */

static void triangle(Run *run, int size)
{
    (void)size;
    Value s[3];
    for (uint32_t i = 0; i < 3; i++) {
        s[i] = input(run, "side", i, 32);
        if (!branch(run, apply(run, EXPR_SGT, s[i], constant(32, 0))) ||
            !branch(run, apply(run, EXPR_SLT, s[i], constant(32, 10000))))
            return;
    }
    for (int i = 0; i < 3; i++)
        if (!branch(run, apply(run, EXPR_SGT, apply(run, EXPR_ADD, s[i], s[(i + 1) % 3]), s[(i + 2) % 3])))
            return;
    if (branch(run, apply(run, EXPR_EQ, s[0], s[1])))
        branch(run, apply(run, EXPR_EQ, s[1], s[2]));
    else if (!branch(run, apply(run, EXPR_EQ, s[1], s[2])))
        branch(run, apply(run, EXPR_EQ, s[0], s[2]));
}

/* ---- Bytes: comparing strings, matching, parsing ------------------------------------ */

static bool is_byte(Run *run, Value byte, char c)
{
    return branch(run, apply(run, EXPR_EQ, byte, constant(8, (Bits)c)));
}

static void string_compare(Run *run, int n)
{
    for (int i = 0; i < n; i++) {
        Value a = input(run, "a", (uint32_t)i, 8), b = input(run, "b", (uint32_t)i, 8);
        if (!branch(run, apply(run, EXPR_EQ, a, b))) {
            branch(run, apply(run, EXPR_ULT, a, b));
            return;
        }
        if (is_byte(run, a, 0))
            return;
    }
}

/* Patterns of letters, '.', '*' behind either, '^' and '$', against a fixed text. */
typedef struct Pattern {
    Run *run;
    Value bytes[LARGEST];
} Pattern;

static bool match_here(Pattern *p, int at, const char *text);

static bool match_byte(Pattern *p, int at, char c)
{
    return is_byte(p->run, p->bytes[at], '.') || is_byte(p->run, p->bytes[at], c);
}

static bool match_repeated(Pattern *p, int at, const char *text)
{
    do
        if (match_here(p, at + 2, text))
            return true;
    while (*text && match_byte(p, at, *text++));
    return false;
}

static bool match_here(Pattern *p, int at, const char *text)
{
    if (is_byte(p->run, p->bytes[at], 0))
        return true;
    if (is_byte(p->run, p->bytes[at + 1], '*'))
        return match_repeated(p, at, text);
    if (is_byte(p->run, p->bytes[at], '$') && is_byte(p->run, p->bytes[at + 1], 0))
        return *text == 0;
    return *text && match_byte(p, at, *text) && match_here(p, at + 1, text + 1);
}

static void regular_expression(Run *run, int n)
{
    Pattern p = {.run = run};
    for (int i = 0; i < LARGEST; i++)
        p.bytes[i] = i < n ? input(run, "pattern", (uint32_t)i, 8) : constant(8, 0);
    const char *text = "hello";
    if (is_byte(run, p.bytes[0], '^')) {
        match_here(&p, 1, text);
        return;
    }
    do
        if (match_here(&p, 0, text))
            return;
    while (*text++);
}

/* Sums and products of digits with brackets. */
typedef struct Parser {
    Run *run;
    Value bytes[LARGEST];
    int at;
    bool failed;
} Parser;

static bool parse_sum(Parser *p);

static bool accept(Parser *p, char c)
{
    bool found = is_byte(p->run, p->bytes[p->at], c);
    p->at += found;
    return found;
}

static bool parse_atom(Parser *p)
{
    if (accept(p, '('))
        return parse_sum(p) && accept(p, ')');
    Value byte = p->bytes[p->at], distance = apply(p->run, EXPR_SUB, byte, constant(8, '0'));
    p->at++;
    return branch(p->run, apply(p->run, EXPR_ULT, distance, constant(8, 10)));
}

static bool parse_product(Parser *p)
{
    if (!parse_atom(p))
        return false;
    while (accept(p, '*'))
        if (!parse_atom(p))
            return false;
    return true;
}

static bool parse_sum(Parser *p)
{
    if (!parse_product(p))
        return false;
    while (accept(p, '+') || accept(p, '-'))
        if (!parse_product(p))
            return false;
    return true;
}

static void expression_parser(Run *run, int n)
{
    Parser p = {.run = run};
    for (int i = 0; i < LARGEST; i++)
        p.bytes[i] = i < n ? input(run, "text", (uint32_t)i, 8) : constant(8, 0);
    if (parse_sum(&p))
        accept(&p, 0);
}

/* Four moves per step through a small maze, as long as the way is free. */
static void maze(Run *run, int n)
{
    static const char *const walls[] = {"+-+---+---+", "| |     |#|", "| | --+ | |", "| |   | | |",
                                        "| +-- | | |", "|     |   |", "+-----+---+"};
    int x = 1, y = 1;
    for (int i = 0; i < n; i++) {
        Value step = input(run, "step", (uint32_t)i, 8);
        if (is_byte(run, step, 'w'))
            y--;
        else if (is_byte(run, step, 's'))
            y++;
        else if (is_byte(run, step, 'a'))
            x--;
        else if (is_byte(run, step, 'd'))
            x++;
        else
            return;
        if (walls[y][x] == '#' || walls[y][x] != ' ')
            return;
    }
}

/* ---- Arithmetic: something for the solver behind ------------------------------------- */

static void checksum(Run *run, int n)
{
    Value sum = constant(16, 17);
    for (int i = 0; i < n; i++) {
        Value x = input(run, "word", (uint32_t)i, 16);
        sum = apply(run, EXPR_ADD, apply(run, EXPR_MUL, sum, constant(16, 31)), x);
        sum = apply(run, EXPR_XOR, sum, apply(run, EXPR_LSHR, sum, constant(16, 7)));
        branch(run, apply(run, EXPR_ULT, sum, constant(16, 20000)));
        branch(run, apply(run, EXPR_SLT, apply(run, EXPR_MUL, x, constant(16, 77)), sum));
    }
}

static void assume_between(Run *run, Value x, Bits low, Bits high, bool *holds)
{
    *holds = *holds && branch(run, apply(run, EXPR_ULE, constant(32, low), x)) &&
             branch(run, apply(run, EXPR_ULE, x, constant(32, high)));
}

static void greatest_divisor(Run *run, int n)
{
    bool good = true;
    Value a = input(run, "a", 0, 32), b = input(run, "b", 0, 32);
    assume_between(run, a, 1, (Bits)n, &good);
    assume_between(run, b, 1, (Bits)n, &good);
    while (good && branch(run, apply(run, EXPR_NE, b, constant(32, 0)))) {
        Value rest = apply(run, EXPR_UREM, a, b);
        a = b;
        b = rest;
    }
}

static void collatz(Run *run, int n)
{
    bool good = true;
    Value x = input(run, "x", 0, 32);
    assume_between(run, x, 1, (Bits)n, &good);
    for (int i = 0; i < 30 && good && branch(run, apply(run, EXPR_NE, x, constant(32, 1))); i++) {
        if (branch(run, apply(run, EXPR_NE, apply(run, EXPR_SREM, x, constant(32, 2)), constant(32, 0))))
            x = apply(run, EXPR_ADD, apply(run, EXPR_MUL, x, constant(32, 3)), constant(32, 1));
        else
            x = apply(run, EXPR_SDIV, x, constant(32, 2));
    }
}

/* ---- Bytes to groups of six bits ----------------------------------------------------------- */

static bool is_between(Run *run, Value byte, char low, char high)
{
    return branch(run, apply(run, EXPR_ULE, constant(8, (Bits)low), byte)) &&
           branch(run, apply(run, EXPR_ULE, byte, constant(8, (Bits)high)));
}

static void base64(Run *run, int n)
{
    for (int i = 0; i < n; i++) {
        Value byte = input(run, "text", (uint32_t)i, 8);
        if (is_byte(run, byte, 0) || is_byte(run, byte, '='))
            return;
        if (!is_between(run, byte, 'A', 'Z') && !is_between(run, byte, 'a', 'z') && !is_between(run, byte, '0', '9') &&
            !is_byte(run, byte, '+') && !is_byte(run, byte, '/'))
            continue;
    }
}

const Program programs[] = {
    {"bubble", bubble_sort, 4, 24, false},
    {"bubble", bubble_sort, 5, 120, false},
    {"bubble", bubble_sort, 6, 720, false},
    {"bubble", bubble_sort, 7, 5040, true},
    {"triangle", triangle, 3, 14, false},
    {"strcmp", string_compare, 8, 25, false},
    {"regexp", regular_expression, 5, 0, false},
    {"regexp", regular_expression, 7, 0, false},
    {"parser", expression_parser, 5, 0, false},
    {"parser", expression_parser, 8, 0, false},
    {"maze", maze, 8, 0, false},
    {"base64", base64, 4, 0, false},
    {"checksum", checksum, 4, 256, false},
    {"gcd", greatest_divisor, 50, 12, true},
    {"collatz", collatz, 199, 201, true},
};
const unsigned program_count = sizeof programs / sizeof programs[0];
