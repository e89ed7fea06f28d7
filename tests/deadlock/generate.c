/* generate.c - see generate.h
 *
 * Design: two classes that implement all methods; see abs/generator.h.
 */
#include "generate.h"

#include "../abs/generator.h"

enum { METHODS = 4, CLASSES = 2 };

/* ---- Names --------------------------------------------------------------------------- */

static void add_object(Generator *g)
{
    static const char *const names[] = {"this", "p", "p", "q", "o", "o"};
    if (g->objects && below(g, 4) == 0)
        text_add(g->text, "n%u", 1 + below(g, g->objects));
    else
        text_add_string(g->text, names[below(g, 6)]);
}

/* "p!m2(this, null)" */
static void add_call(Generator *g, const char *how, uint32_t callee)
{
    g->spent += g->cost[callee];
    add_object(g);
    text_add(g->text, "%sm%u(", how, callee);
    add_object(g);
    if (g->futures && below(g, 3) == 0)
        text_add(g->text, ", f%u)", 1 + below(g, g->futures));
    else
        text_add_string(g->text, below(g, 4) ? ", null)" : ", h)");
}

/* ---- Statements ------------------------------------------------------------------------- */

static void add_statement(Generator *g);

static void add_get(Generator *g)
{
    indent(g);
    text_add(g->text, "x = f%u.get;\n", 1 + below(g, g->futures));
}

static void add_async(Generator *g)
{
    uint32_t callee = choose_callee(g);
    if (callee == METHODS)
        return;
    indent(g);
    text_add(g->text, "Fut<Int> f%u = ", g->futures + 1);
    add_call(g, "!", callee);
    g->futures++;
    text_add_string(g->text, ";\n");
    switch (below(g, 6)) {
    case 0: break;
    case 1:
        indent(g);
        text_add(g->text, "await f%u?;\n", g->futures);
        break;
    case 2:
        indent(g);
        text_add(g->text, "f = f%u;\n", g->futures);
        break;
    default:
        if (below(g, 3) == 0)
            add_statement(g);
        indent(g);
        text_add(g->text, "x = f%u.get;\n", g->futures);
    }
}

static void add_sync(Generator *g)
{
    uint32_t callee = choose_callee(g);
    if (callee == METHODS)
        return;
    indent(g);
    text_add_string(g->text, below(g, 3) ? "x = " : "x = await ");
    add_call(g, g->text->data[g->text->length - 2] == 't' ? "!" : ".", callee);
    text_add_string(g->text, ";\n");
}

static void add_new(Generator *g)
{
    indent(g);
    text_add(g->text, "I n%u = new%s C%u(", g->objects + 1, below(g, 3) ? "" : " local", below(g, CLASSES));
    add_object(g);
    text_add_string(g->text, ", ");
    add_object(g);
    text_add_string(g->text, ");\n");
    g->objects++;
}

static void add_block(Generator *g, const char *head)
{
    uint32_t futures = g->futures, objects = g->objects;
    indent(g);
    text_add_string(g->text, head);
    g->depth++;
    add_statement(g);
    g->depth--;
    indent(g);
    text_add_string(g->text, "}\n");
    g->futures = futures;
    g->objects = objects;
}

static void add_rare(Generator *g)
{
    static const char *const texts[] = {
        "suspend;\n", "await x > 0;\n", "if (f != null) { x = f.get; }\n", "if (h != null) { x = h.get; }\n",
        "if (h != null) { await h?; }\n", "if (f != null) { await f?; x = f.get; }\n", "x = random(2);\n",
        "while (x == 0) { suspend; }\n", "p = o;\n", "if (x == 3) throw Oops;\n", "q = o;\n", "if (x == 1) die Oops;\n", "throw Oops;\n"};
    indent(g);
    text_add_string(g->text, texts[below(g, sizeof texts / sizeof *texts)]);
}

static void add_statement(Generator *g)
{
    uint32_t kind = below(g, 20);
    if (kind < 8)
        add_async(g);
    else if (kind < 10)
        add_sync(g);
    else if (kind < 12 && g->depth < 2)
        add_block(g, below(g, 3) ? "if (x > 0) {\n" : "try {\n");
    else if (kind < 13 && g->objects < 2)
        add_new(g);
    else if (kind < 15 && g->futures)
        add_get(g);
    else if (kind < 17)
        add_rare(g);
    else {
        indent(g);
        text_add(g->text, "x = %u;\n", below(g, 3));
    }
}

/* `try { ... }` blocks get their handler here. */
static void close_tries(Text *text, size_t from)
{
    Text copy = {0};
    unsigned open = 0, depth[8];
    size_t start = from;
    for (size_t i = from; i <= text->length; i++) {
        if (i < text->length && text->data[i] != '\n')
            continue;
        size_t indent = 0;
        while (start + indent < i && text->data[start + indent] == ' ')
            indent++;
        text_add_bytes(&copy, text->data + start, i - start);
        if (i - start - indent >= 3 && text->data[start + indent] == 't' && text->data[start + indent + 1] == 'r' &&
            text->data[start + indent + 2] == 'y')
            depth[open++] = (unsigned)indent;
        else if (open && i - start - indent == 1 && text->data[start + indent] == '}' && depth[open - 1] == indent) {
            text_add_string(&copy, " catch { _ => x = 7; }");
            open--;
        }
        if (i < text->length)
            text_add_string(&copy, "\n");
        start = i + 1;
    }
    text->length = from;
    text_add_bytes(text, copy.data, copy.length);
    text_release(&copy);
}

/* ---- Models ------------------------------------------------------------------------------- */

static void add_method(Generator *g, uint32_t *cost)
{
    size_t from = g->text->length;
    g->spent = 1;
    g->futures = g->objects = 0;
    g->depth = 0;
    text_add(g->text, "    Int m%u(I o, Fut<Int> h) {\n", g->method);
    for (uint32_t count = 1 + below(g, 3); count > 0; count--)
        add_statement(g);
    text_add_string(g->text, "        return x;\n    }\n");
    close_tries(g->text, from);
    if (*cost < g->spent)
        *cost = g->spent;
}

static void add_classes(Generator *g, Text *text)
{
    Text bodies[CLASSES] = {0};
    for (g->method = METHODS; g->method-- > 0;) {
        uint32_t cost = 0;
        for (uint32_t c = 0; c < CLASSES; c++) {
            g->text = &bodies[c];
            add_method(g, &cost);
        }
        g->cost[g->method] = cost;
    }
    for (uint32_t c = 0; c < CLASSES; c++) {
        text_add(text, "class C%u(I p, I q) implements I {\n    Int x = %u; Fut<Int> f;\n", c, below(g, 2));
        text_add_string(text, text_borrow(&bodies[c]));
        text_add_string(text, "    Unit meet(I o) { p = o; }\n}\n");
        text_release(&bodies[c]);
    }
}

static void add_main(Generator *g, Text *text)
{
    uint32_t objects = 2 + below(g, 2), tasks = 0;
    text_add(text, "{\n    I o0 = new C%u(null, null);\n", below(g, CLASSES));
    for (uint32_t i = 1; i < objects; i++)
        text_add(text, "    I o%u = new%s C%u(o%u, o0);\n", i, below(g, 5) ? "" : " local", below(g, CLASSES), below(g, i));
    if (below(g, 3)) {
        text_add(text, "    await o0!meet(o%u);\n", 1 + below(g, objects - 1));
        tasks++;
    }
    for (uint32_t calls = 2 + below(g, 3); calls > 0; calls--) {
        uint32_t callee = below(g, METHODS - 1);
        tasks += g->cost[callee];
        if (tasks > MOST_TASKS)
            return;
        text_add(text, "    o%u!m%u(o%u, null);\n", below(g, objects), callee, below(g, objects));
    }
}

/* ---- Triangles ------------------------------------------------------------------------------- */

/* Three objects that wait for each other through one that is suspended, and tasks that may kill
 * it: such a cycle can break. */
static void add_triangle(Generator *g, Text *text)
{
    static const char *const ends[] = {"skip;", "throw Oops;", "die Oops;", "if (x == 1) throw Oops;", "if (x > 0) die Oops;",
                                       "suspend; throw Oops;", "await x > 0; throw Oops;", "try die Oops; catch _ => skip;"};
    static const char *const recovers[] = {"", "", "    recover { Oops => x = 2; }\n", "    recover { _ => x = 1; }\n"};
    text_add(text, "interface J { Unit hold(J next, J far); Unit pass(J far); Unit touch(); Unit wake(J o); Unit hit(); Unit mend(); }\n"
                   "class T implements J {\n    Int x = %u;\n%s", below(g, 2), recovers[below(g, 4)]);
    text_add_string(text, "    Unit hold(J next, J far) { Fut<Unit> f = next!pass(far); f.get; }\n");
    text_add(text, "    Unit pass(J far) { Fut<Unit> f = far!touch(); %s }\n", below(g, 5) ? "await f?;" : "f.get;");
    text_add(text, "    Unit touch() { %s }\n", below(g, 3) ? "" : "x = 1;");
    text_add(text, "    Unit wake(J o) { Fut<Unit> f = o!touch(); %s f.get; }\n", below(g, 3) ? "" : "o!mend();");
    text_add(text, "    Unit hit() { %s }\n    Unit mend() { x = %u; }\n}\n", ends[below(g, 8)], below(g, 2));
    text_add_string(text, "{\n    J a = new T();\n    J b = new T();\n    J c = new T();\n"
                          "    a!hold(b, c);\n    c!wake(a);\n");
    text_add(text, "    %s!hit();\n", below(g, 4) ? "b" : "c");
    if (below(g, 2))
        text_add(text, "    b!mend();\n");
    text_add_string(text, "}\n");
}

void generate_model(uint64_t seed, Text *text)
{
    Generator g = generator_start(seed, METHODS, text);
    text_add_string(text, "module Generated;\nexception Oops;\n");
    if (seed % 16 == 7) {
        add_triangle(&g, text);
        return;
    }
    text_add_string(text, "interface I {\n    Unit meet(I o);\n");
    for (uint32_t i = 0; i < METHODS; i++)
        text_add(text, "    Int m%u(I o, Fut<Int> h);\n", i);
    text_add_string(text, "}\n");
    add_classes(&g, text);
    add_main(&g, text);
    text_add_string(text, "}\n");
}
