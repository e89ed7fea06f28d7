/* generate.c - see generate.h
 *
 * Design: one class; see generator.h.
 */
#include "generate.h"

#include "../generator.h"

enum { METHODS = 5, FIELDS = 3 };

static const char *field(Generator *g)
{
    static const char *const names[] = {"x", "y", "z"};
    return names[below(g, FIELDS)];
}

/* ---- Conditions and values --------------------------------------------------------- */

static void add_value(Generator *g)
{
    switch (below(g, 6)) {
    case 0: text_add(g->text, "%u", below(g, 3)); break;
    case 4: text_add(g->text, "n - %s", field(g)); break;
    case 5: text_add_string(g->text, below(g, 2) ? "truncate(n / 2)" : "n % 2"); break;
    case 1: text_add(g->text, "%s + 1", field(g)); break;
    case 2: text_add(g->text, "%s", field(g)); break;
    default: text_add(g->text, "%s + %s", field(g), field(g)); break;
    }
}

static void add_condition(Generator *g)
{
    static const char *const relations[] = {"==", "!=", ">", "<="};
    text_add(g->text, "%s %s %u", below(g, 6) ? field(g) : "n", relations[below(g, 4)], below(g, 2));
    if (below(g, 4) == 0)
        text_add(g->text, " && %s %s %u", field(g), relations[below(g, 4)], below(g, 3));
}

/* ---- Calls ---------------------------------------------------------------------------- */

static const char *receiver(Generator *g)
{
    static const char *const names[] = {"this", "p", "p", "q"};
    return names[below(g, 4)];
}

static void begin_call(Generator *g, const char *object)
{
    if (*object != 't' && below(g, 12)) {
        indent(g);
        text_add(g->text, "if (%s != null) {\n", object);
        g->depth++;
    }
}

static void end_call(Generator *g, unsigned depth)
{
    if (g->depth > depth) {
        g->depth--;
        indent(g);
        text_add_string(g->text, "}\n");
    }
}

static void add_use_of_future(Generator *g, uint32_t number)
{
    indent(g);
    switch (below(g, 7)) {
    case 0:
    case 1: text_add(g->text, "%s = f%u.get;\n", field(g), number); break;
    case 2:
    case 3: text_add(g->text, "await f%u?; %s = f%u.get;\n", number, field(g), number); break;
    case 4: text_add(g->text, "await f%u?;\n", number); break;
    case 5: text_add(g->text, "await f%u? & %s > 0;\n", number, field(g)); break;
    default: text_add(g->text, "try %s = f%u.get; catch _ => %s = 7;\n", field(g), number, field(g)); break;
    }
}

static void add_call(Generator *g)
{
    uint32_t callee = choose_callee(g);
    const char *object = receiver(g);
    unsigned depth = g->depth;
    if (callee == METHODS)
        return;
    g->spent += g->cost[callee];
    begin_call(g, object);
    indent(g);
    switch (below(g, 6)) {
    case 0: text_add(g->text, "%s!m%u();\n", object, callee); break;
    case 1: text_add(g->text, "%s = await %s!m%u();\n", field(g), object, callee); break;
    case 2: text_add(g->text, "%s = %s.m%u();\n", field(g), object, callee); break;
    case 3: text_add(g->text, "f = %s!m%u();\n", object, callee); break;
    default:
        text_add(g->text, "Fut<Int> f%u = %s!m%u();\n", ++g->futures, object, callee);
        if (below(g, 2)) {
            indent(g);
            text_add(g->text, "%s = ", field(g));
            add_value(g);
            text_add_string(g->text, ";\n");
        }
        add_use_of_future(g, g->futures);
    }
    end_call(g, depth);
}

/* ---- Statements -------------------------------------------------------------------------- */

static void add_statement(Generator *g);

static void add_if(Generator *g)
{
    indent(g);
    text_add_string(g->text, "if (");
    add_condition(g);
    text_add_string(g->text, ") {\n");
    g->depth++;
    add_statement(g);
    g->depth--;
    indent(g);
    text_add_string(g->text, "}\n");
}

/* Loops end, or repeat a step that changes nothing. */
static void add_loop(Generator *g)
{
    const char *name = field(g);
    switch (below(g, 4)) {
    case 0: text_add(g->text, "while (%s < 2) { %s = %s + 1; }\n", name, name, name); break;
    case 1:
        text_add_string(g->text, "while (");
        add_condition(g);
        text_add_string(g->text, ") { suspend; }\n");
        break;
    default: text_add_string(g->text, "suspend;\n"); break;
    }
}

static void add_wait(Generator *g)
{
    indent(g);
    if (below(g, 4) == 0) {
        add_loop(g);
        return;
    }
    text_add_string(g->text, "await ");
    add_condition(g);
    text_add_string(g->text, ";\n");
}

static void add_rare(Generator *g)
{
    indent(g);
    switch (below(g, 6)) {
    case 5: text_add(g->text, "p = new%s C(this, q, %s);\n", below(g, 2) ? "" : " local", field(g)); break;
    case 0: text_add(g->text, "assert %s < 3;\n", field(g)); break;
    case 1: text_add(g->text, "%s = random(%u);\n", field(g), 2 + below(g, 2)); break;
    case 2: text_add(g->text, "if (%s > 1) die MyException;\n", field(g)); break;
    case 3: text_add(g->text, "if (%s == 2) throw MyException;\n", field(g)); break;
    default: text_add(g->text, "if (f != null) { await f?; %s = 4; }\n", field(g)); break;
    }
}

static void add_statement(Generator *g)
{
    uint32_t kind = below(g, 20);
    if (kind < 8) {
        indent(g);
        text_add(g->text, "%s = ", field(g));
        add_value(g);
        text_add_string(g->text, ";\n");
    } else if (kind < 14) {
        add_call(g);
    } else if (kind < 16 && g->depth < 2) {
        add_if(g);
    } else if (kind < 18) {
        add_wait(g);
    } else {
        add_rare(g);
    }
}

static void add_method(Generator *g, Text *text)
{
    g->text = text;
    g->spent = 1;
    text_add(text, "    Int m%u() {\n", g->method);
    for (uint32_t count = 1 + below(g, 4); count > 0; count--)
        add_statement(g);
    text_add(text, "        return %s;\n    }\n", field(g));
    g->cost[g->method] = g->spent;
}

/* ---- Models ----------------------------------------------------------------------------------- */

static void add_class(Generator *g, Text *text)
{
    text_add_string(text, "class C(I p, I q, Int n) implements I {\n"
                          "    Int x = 0; Int y = 1; Int z = 0; Fut<Int> f;\n");
    if (below(g, 3) == 0)
        text_add_string(text, "    recover { MyException => x = 5; }\n");
    for (g->method = METHODS; g->method-- > 0;)
        add_method(g, text);
    text_add_string(text, "    Int meet(I o) { p = o; return 0; }\n}\n");
}

static void add_main(Generator *g, Text *text)
{
    uint32_t objects = 2 + below(g, 3), tasks = 0;
    text_add(text, "{\n    %sInt n = 1;\n    %sBool b = True;\n    I o0 = new C(null, null, n);\n",
             below(g, 3) ? "" : "[Input] ", below(g, 5) ? "" : "[Input] ");
    for (uint32_t i = 1; i < objects; i++)
        text_add(text, "    I o%u = new%s C(o%u, o0, n + %u);\n", i, below(g, 4) ? "" : " local", below(g, i), below(g, 2));
    if (below(g, 3) == 0)
        text_add_string(text, "    if (b) n = n * 2;\n");
    if (below(g, 2)) {
        text_add(text, "    o0%smeet(o%u);\n", below(g, 2) ? "!" : ".", 1 + below(g, objects - 1));
        tasks++;
    }
    for (uint32_t calls = 2 + below(g, 3); calls > 0; calls--) {
        uint32_t callee = below(g, METHODS);
        tasks += g->cost[callee];
        if (tasks > MOST_TASKS)
            return;
        text_add(text, "    o%u!m%u();\n", below(g, objects), callee);
    }
}

static void add_model(Generator *g, const char *annotation, Text *text)
{
    text_add_string(text, "exception MyException;\ninterface I {\n");
    for (uint32_t i = 0; i < METHODS; i++)
        text_add(text, "    Int m%u();\n", i);
    text_add_string(text, "    Int meet(I o);\n}\n");
    text_add_string(text, annotation);
    add_class(g, text);
    add_main(g, text);
    text_add_string(text, "}\n");
}

void generate_model(uint64_t seed, Text *text)
{
    Generator g = generator_start(seed, METHODS, text);
    text_add_string(text, "module Generated;\n");
    add_model(&g, "", text);
}

/* By their place in the queue, their names, a field, and the length of the queue. */
const char *const GENERATED_SCHEDULERS[GENERATED_SCHEDULER_COUNT] = {"oldest(queue)", "newest(queue)", "byName(queue)",
                                                                     "turning(queue, x)", "middle(queue)"};

void generate_scheduled_model(uint64_t seed, uint32_t scheduler, Text *text)
{
    Generator g = generator_start(seed, METHODS, text);
    text_add_string(text, "module Generated;\nimport * from ABS.Scheduler;\n"
                          "def Process oldest(List<Process> queue) = head(queue);\n"
                          "def Process newest(List<Process> queue) = nth(queue, length(queue) - 1);\n"
                          "def Process better(Process a, Process b) = when method(b) < method(a) then b else a;\n"
                          "def Process byName(List<Process> queue) = foldl(better)(tail(queue), head(queue));\n"
                          "def Process turning(List<Process> queue, Int x) =\n"
                          "    when x % 2 == 0 then head(queue) else nth(queue, length(queue) - 1);\n"
                          "def Process middle(List<Process> queue) = nth(queue, truncate(length(queue) / 2));\n");
    Text annotation = {0};
    text_add(&annotation, "[Scheduler: %s]\n", GENERATED_SCHEDULERS[scheduler]);
    add_model(&g, text_borrow(&annotation), text);
    text_release(&annotation);
}
