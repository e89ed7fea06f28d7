/* models.c - see models.h
 *
 * Design: methods call only later ones, so that every model ends. They are written from the
 * last to the first; each knows how many tasks it causes, and calls that would cause
 * too many are left out.
 */
#include "models.h"

#include "base/rng.h"

enum { MOST_TASKS = 4 };

typedef struct Writer {
    Rng rng;
    Text *text;
    uint32_t cost[MODEL_METHODS]; /* tasks that a call causes, itself included; the larger of the classes */
    uint32_t method;              /* being written */
    uint32_t spent;               /* tasks it causes so far */
    uint32_t names;               /* variables so far */
    unsigned depth;
} Writer;

static uint32_t below(Writer *w, uint32_t bound) { return rng_below(&w->rng, bound); }

static Text *open_line(Writer *w)
{
    text_add_fill(w->text, ' ', 8 + 4 * (int)w->depth);
    return w->text;
}

static const char *pick(Writer *w, const char *const *list, uint32_t count) { return list[below(w, count)]; }

static const char *number(Writer *w)
{
    static const char *const list[] = {"0", "1", "n", "x", "x + n", "1 - x", "case d { P(v) => v; _ => 2; }"};
    return pick(w, list, 7);
}

static const char *reference(Writer *w)
{
    static const char *const list[] = {"o", "next", "this", "o", "next", "null", "case d { R(r) => r; _ => o; }"};
    return pick(w, list, 7);
}

static const char *condition(Writer *w)
{
    static const char *const list[] = {"x == 0", "n > 0", "x == n", "x > n", "next == null", "next == o", "o == this", "o != null",
                                       "d == E", "d == P(n)", "d == R(o)", "x + n > 1", "next != this && n == 0"};
    return pick(w, list, 13);
}

/* ---- Statements ---------------------------------------------------------------------- */

static void add_block(Writer *w, uint32_t count);

/* A later method that there are tasks left for; MODEL_METHODS if none. */
static uint32_t callee(Writer *w)
{
    uint32_t method = w->method + 1 + below(w, MODEL_METHODS);
    if (method >= MODEL_METHODS || w->spent + w->cost[method] > MOST_TASKS)
        return MODEL_METHODS;
    w->spent += w->cost[method];
    return method;
}

static void add_call(Writer *w)
{
    uint32_t method = callee(w), id = w->names++, use = below(w, 5);
    if (method == MODEL_METHODS)
        return;
    text_add(open_line(w), "I t%u = %s;\n", id, below(w, 8) ? reference(w) : "new A()");
    open_line(w);
    if (below(w, 4))
        text_add(w->text, "if (t%u != null) ", id);
    text_add(w->text, "{ Fut<Int> f = t%u!m%u(%s, ", id, method, number(w));
    text_add(w->text, "%s);%s%s }\n", reference(w), use == 0 || use == 2 ? " await f?;" : "", use < 2 ? " x = f.get;" : "");
}

static void add_if(Writer *w)
{
    text_add(open_line(w), "if (%s) {\n", condition(w));
    w->depth++;
    add_block(w, 1 + below(w, 2));
    w->depth--;
    if (below(w, 2)) {
        text_add_string(open_line(w), "} else {\n");
        w->depth++;
        add_block(w, 1);
        w->depth--;
    }
    text_add_string(open_line(w), "}\n");
}

static void add_loop(Writer *w)
{
    uint32_t id = w->names++;
    text_add(open_line(w), "Int k%u = %s;\n", id, number(w));
    text_add(open_line(w), "while (k%u > 0) { x = x + %u; k%u = k%u - 1; }\n", id, below(w, 2), id, id);
}

static void add_statement(Writer *w)
{
    static const char *const data[] = {"E", "P(x)", "P(n)", "R(o)", "R(next)"};
    switch (below(w, w->depth < 2 ? 14 : 11)) {
    case 0: case 1: case 2: text_add(open_line(w), "x = %s;\n", number(w)); break;
    case 3: text_add(open_line(w), "next = %s;\n", reference(w)); break;
    case 4: text_add(open_line(w), "d = %s;\n", pick(w, data, 5)); break;
    case 5:
        if (below(w, 2))
            text_add_string(open_line(w), "suspend;\n");
        else
            text_add(open_line(w), "await %s;\n", condition(w));
        break;
    case 6: add_loop(w); break;
    case 7: case 8: case 9: case 10: add_call(w); break;
    default: add_if(w); break;
    }
}

static void add_block(Writer *w, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        add_statement(w);
}

/* ---- Classes --------------------------------------------------------------------------- */

static void add_method(Writer *w, uint32_t method)
{
    w->method = method;
    w->spent = 1;
    w->depth = 0;
    text_add(w->text, "    Int m%u(Int n, I o) {\n", method);
    add_block(w, 1 + below(w, 3));
    text_add(w->text, "        return %s;\n    }\n", number(w));
    if (w->spent > w->cost[method])
        w->cost[method] = w->spent;
}

static void add_class(Writer *w, char name)
{
    text_add(w->text, "class %c implements I {\n    Int x = 0;\n    I next = null;\n    D d = E;\n", name);
    for (uint32_t m = MODEL_METHODS; m-- > 0;)
        add_method(w, m);
    text_add_string(w->text, "}\n");
}

void models_write(uint64_t seed, Text *text)
{
    Writer w = {.rng = {seed}, .text = text};
    text_add_string(text, "module M;\ndata D = E | P(Int v) | R(I r);\n"
                          "interface I { Int m0(Int n, I o); Int m1(Int n, I o); Int m2(Int n, I o); }\n");
    add_class(&w, 'A');
    if (seed % 4 == 3)
        add_class(&w, 'B');
}
