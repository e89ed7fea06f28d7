/* portray_path.c - see portray_internal.h: the path condition and the steps */
#include "tcg/portray_internal.h"

#include <string.h>

#include "abs/run/inputs.h"
#include "abs/run/unknown.h"
#include "tcg/print_abs.h"

static const char CLASS_MARK[] = " class"; /* "A_1.next class": of the object that A_1.next means */

/* ---- Names of values ------------------------------------------------------------------------ */

static const StartPart *find_part(const Portrait *p, const char *path, size_t length)
{
    for (uint32_t i = 0; i < p->parts.count; i++)
        if (strncmp(p->parts.items[i].path, path, length) == 0 && !p->parts.items[i].path[length])
            return &p->parts.items[i];
    return NULL;
}

/* The length of the path in the name of an input that selects the class of an object; else 0. */
static size_t class_path(const char *name)
{
    size_t length = strlen(name), mark = sizeof CLASS_MARK - 1;
    return length > mark && strcmp(name + length - mark, CLASS_MARK) == 0 ? length - mark : 0;
}

/* The nth class that fits the reference. */
static bool word_class(const Portrait *p, const StartPart *part, SignedBits nth, Text *text)
{
    const Image *image = p->machine->image;
    for (uint32_t i = 0; part && i < image->model->classes.count; i++)
        if (unknown_fits(part->value, &image->classes[i]) && nth-- == 0) {
            text_add_string(text, image->classes[i].name);
            return true;
        }
    return false;
}

/* Adds the object with this identity: in the start state identities are inputs or numbers from 1, those of objects
 * created later are negative. */
static bool word_reference(const Portrait *p, SignedBits identity, Text *text)
{
    const Machine *machine = p->machine;
    Bits value;
    const TestObject *object = identity < 0 ? portray_find_object(p, (uint32_t)-identity) : NULL;
    for (uint32_t i = 0; identity > 0 && i < machine->starters.count && !object; i++) {
        const ModelObject *starter = &machine->objects[machine->starters.items[i]];
        if (expr_is_const(inputs_pool(machine->inputs), starter->identity, &value) && (SignedBits)value == identity)
            object = portray_find_object(p, machine->starters.items[i]);
    }
    if (identity && !object)
        return false;
    text_add_string(text, identity ? object->name : "null");
    return true;
}

/* Adds data as far as the path determines it to p->text, as portray_value does. */
static void word_data(Portrait *p, const StartPart *part)
{
    int view = p->view;
    bool ending = p->ending;
    p->view = FORMAT_CONSTRAINTS;
    p->ending = false;
    p->path = part->path;
    portray_value(p, part->value);
    p->view = view;
    p->ending = ending;
}

static bool word(void *context, const Input *input, SignedBits value, Text *text)
{
    Portrait *p = context;
    size_t class = class_path(input->name);
    const StartPart *part = find_part(p, input->name, class ? class : strlen(input->name));
    if (class)
        return word_class(p, part, value, text);
    if (!part)
        return false;
    if (unknown_is_reference(part->value))
        return word_reference(p, value, text);
    word_data(p, part);
    return true;
}

/* ---- The condition ----------------------------------------------------------------------------- */

void portray_open_condition(Portrait *p)
{
    const Archive *archive = inputs_archive(p->machine->inputs);
    ExprPool *pool = inputs_pool(p->machine->inputs);
    Transfer known = {0};
    p->condition = condition_create(pool);
    for (uint32_t i = 0; i < p->test->choices.count; i++) {
        const Literal *choice = &p->test->choices.items[i];
        if (!choice->condition)
            continue;
        ExprId condition = archive_get(archive, choice->condition, pool, &known);
        condition_add(p->condition, choice->taken ? expr_not(pool, condition) : condition);
    }
    condition_settle(p->condition);
    transfer_release(&known);
}

static Wording wording_of(Portrait *p)
{
    return (Wording){.pool = inputs_pool(p->machine->inputs), .word = word, .context = p};
}

/* A Boolean that the path decides and an input that it determines are shown as values. */
void portray_expr(Portrait *p, ExprId e)
{
    ExprPool *pool = inputs_pool(p->machine->inputs);
    Wording wording = wording_of(p);
    const ExprNode *node = expr_get(pool, e);
    const Input *input = node->op == EXPR_INPUT ? input_get(pool->inputs, (InputId){node->word[0]}) : NULL;
    ExprId left = condition_apply(p->condition, e);
    bool holds;
    Bits value;
    if (node->sort == SORT_BOOL && condition_decides(p->condition, e, &holds))
        text_add_string(&p->text, holds ? "True" : "False");
    else if (!input || !expr_is_const(pool, left, &value) || !word(p, input, (SignedBits)value, &p->text))
        print_abs_expr(&wording, left, &p->text);
}

/* Is it about a number, rather than only about references and data? */
static bool is_about_numbers(const Portrait *p, const ExprPool *pool, ExprId e)
{
    const ExprNode *node = expr_get(pool, e);
    if (node->op == EXPR_INPUT) {
        const Input *input = input_get(pool->inputs, (InputId){node->word[0]});
        return input->sort == SORT_INT && !class_path(input->name) && !find_part(p, input->name, strlen(input->name));
    }
    for (unsigned i = 0; i < expr_operands((ExprOp)node->op); i++)
        if (is_about_numbers(p, pool, expr_operand(node, i)))
            return true;
    return false;
}

/* Is the fact shown elsewhere? Nested data is shown with the data that contains it. */
static bool is_shown(const Portrait *p, const ExprPool *pool, const Fact *fact)
{
    const ExprNode *node = fact->terms.count == 1 ? expr_get(pool, fact->terms.items[0].atom) : NULL;
    const char *name = node && node->op == EXPR_INPUT ? input_get(pool->inputs, (InputId){node->word[0]})->name : NULL;
    const StartPart *part = name ? find_part(p, name, strlen(name)) : NULL;
    return part && part->nested && !unknown_is_reference(part->value);
}

void portray_condition(Portrait *p)
{
    const ExprPool *pool = inputs_pool(p->machine->inputs);
    Wording wording = wording_of(p);
    for (uint32_t i = 0; i < condition_count(p->condition); i++) {
        const Fact *fact = condition_get(p->condition, i);
        if (is_shown(p, pool, fact))
            continue;
        print_abs_fact(&wording, fact, &p->text);
        VEC_PUSH(&p->test->constraints, ((TestConstraint){.text = testcase_take(p->test, &p->text),
                                                          .numeric = is_about_numbers(p, pool, fact->whole)}));
    }
}

/* ---- Steps --------------------------------------------------------------------------------------- */

/* The choices of a step that are no decisions on inputs. */
static void add_delays(const TestCase *test, const TestStep *step, Text *text)
{
    const char *gap = "/";
    for (uint32_t i = 0; i < step->choice_count; i++) {
        const Literal *choice = &test->choices.items[step->first_choice + i];
        if (choice->condition)
            continue;
        text_add(text, "%s%u", gap, choice->taken);
        gap = ",";
    }
}

void portray_steps(Portrait *p, AbsProgram *program, const Execution *ex)
{
    Program *base = program_abs_program(program);
    char task[256];
    for (uint32_t i = 0; i < ex->event_count && i < p->test->steps.count; i++) {
        TestStep *step = &p->test->steps.items[i];
        const Task *agent = &p->machine->tasks[step->agent];
        const TestObject *object = agent->object ? portray_find_object(p, agent->object) : NULL;
        Place place = {0};
        base->ops->place(base, ex->events[i].site, &place);
        names_print_task(p->machine->names, step->agent, task, sizeof task);
        text_add_string(&p->text, task);
        add_delays(p->test, step, &p->text);
        step->task = testcase_take(p->test, &p->text);
        step->line = place.line;
        text_add(&p->text, object ? "%s.%s" : "start", object ? object->name : "",
                 agent->code->kind == CODE_INIT ? "init" : agent->code->name);
        step->name = testcase_take(p->test, &p->text);
    }
}

