/* test_condition.c - conditions of paths: the same meaning in fewer words, by brute force */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "sym/expr/eval.h"
#include "tcg/condition.h"
#include "tcg/print_abs.h"

enum { INPUTS = 4, LOW = -2, HIGH = 3 }; /* x, y, z; b is a Boolean */

typedef struct World {
    ExprPool *pool;
    ExprId inputs[INPUTS];
    unsigned seed;
} World;

static void open_world(World *world, bool limited)
{
    static const char *const names[INPUTS] = {"x", "y", "z", "b"};
    InputRange range = {.low = (Bits)(SignedBits)LOW, .high = HIGH, .limited = true, .is_signed = true};
    world->pool = expr_pool_create(1 << 16);
    for (uint32_t i = 0; i < INPUTS; i++) {
        InputTable *table = world->pool->inputs;
        InputId id = limited && i < 3 ? input_make_limited(table, names[i], 0, SORT_INT, &range)
                                      : input_make(table, names[i], 0, i < 3 ? SORT_INT : SORT_BOOL);
        world->inputs[i] = expr_input(world->pool, id);
    }
}

static unsigned draw(World *world, unsigned below)
{
    world->seed = world->seed * 1103515245u + 12345u;
    return (world->seed >> 16) % below;
}

static ExprId draw_number(World *world, unsigned depth)
{
    static const ExprOp ops[] = {EXPR_IADD, EXPR_ISUB, EXPR_IMUL};
    if (depth == 0 || draw(world, 3) == 0)
        return draw(world, 2) ? world->inputs[draw(world, 3)] : expr_int(world->pool, (int)draw(world, 7) - 3);
    ExprOp op = ops[draw(world, 3)];
    ExprId a = draw_number(world, depth - 1), b = draw_number(world, depth - 1);
    return expr_binary(world->pool, op, a, b);
}

static ExprId draw_condition(World *world)
{
    static const ExprOp ops[] = {EXPR_ILT, EXPR_ILE, EXPR_EQ, EXPR_EQ};
    ExprId e = world->inputs[3];
    if (draw(world, 8)) {
        ExprOp op = ops[draw(world, 4)];
        ExprId a = draw_number(world, 2), b = draw_number(world, 1);
        e = expr_binary(world->pool, op, a, b);
    }
    if (draw(world, 8) == 0)
        e = expr_binary(world->pool, draw(world, 2) ? EXPR_AND : EXPR_OR, e, draw_condition(world));
    return draw(world, 2) ? expr_not(world->pool, e) : e;
}

/* Does a fact hold? Its terms are summed by hand. */
static bool fact_holds(Evaluator *evaluator, const Fact *fact)
{
    SignedBits sum = 0;
    Bits value;
    if (fact->relation == FACT_HOLDS)
        return evaluator_holds(evaluator, fact->whole);
    assert_true(fact->terms.items[0].factor > 0);
    for (uint32_t i = 0; i < fact->terms.count; i++) {
        assert_true(evaluator_get(evaluator, fact->terms.items[i].atom, &value));
        sum += fact->terms.items[i].factor * (SignedBits)value;
    }
    switch (fact->relation) {
    case FACT_EQ: return sum == fact->bound;
    case FACT_NE: return sum != fact->bound;
    case FACT_AT_MOST: return sum <= fact->bound;
    default: return sum >= fact->bound;
    }
}

typedef struct Case {
    ExprId conditions[6], value, question;
    uint32_t count;
    TestCondition *condition;
    bool decided, answer;
} Case;

/* One assignment: both sides agree; where they hold, replaced values are the same and answers are right. */
static bool check(World *world, const Case *c, Evaluator *evaluator)
{
    bool wanted = true, got = true;
    Bits before, after;
    for (uint32_t i = 0; i < c->count; i++)
        wanted = wanted && evaluator_holds(evaluator, c->conditions[i]);
    for (uint32_t i = 0; i < condition_count(c->condition); i++)
        got = got && fact_holds(evaluator, condition_get(c->condition, i));
    assert_int_equal(wanted, got);
    if (!wanted)
        return false;
    assert_true(evaluator_get(evaluator, c->value, &before));
    assert_true(evaluator_get(evaluator, condition_apply(c->condition, c->value), &after));
    assert_true(before == after);
    if (c->decided)
        assert_int_equal(evaluator_holds(evaluator, c->question), c->answer);
    (void)world;
    return true;
}

static uint32_t check_all(World *world, const Case *c)
{
    Assignment assignment = {0};
    Evaluator *evaluator = evaluator_create(world->pool);
    uint32_t found = 0;
    int margin = 2; /* outside of the ranges nothing is claimed; without ranges it is */
    const InputRange *range = &input_get(world->pool->inputs, (InputId){expr_get(world->pool, world->inputs[0])->word[0]})->range;
    int low = range->limited ? LOW : LOW - margin, high = range->limited ? HIGH : HIGH + margin;
    for (int x = low; x <= high; x++)
        for (int y = low; y <= high; y++)
            for (int z = low; z <= high; z++)
                for (int b = 0; b < 2; b++) {
                    int values[INPUTS] = {x, y, z, b};
                    for (uint32_t i = 0; i < INPUTS; i++)
                        assignment_set(&assignment, (InputId){expr_get(world->pool, world->inputs[i])->word[0]}, (Bits)(SignedBits)values[i]);
                    evaluator_use(evaluator, &assignment);
                    found += check(world, c, evaluator);
                }
    evaluator_destroy(evaluator);
    assignment_release(&assignment);
    return found;
}

static void conditions_keep_their_meaning(void **state)
{
    World world = {.seed = 1};
    uint32_t satisfiable = 0, before = 0, after = 0;
    (void)state;
    for (unsigned round = 0; round < 1500; round++) {
        open_world(&world, round % 2);
        Case c = {.count = 1 + draw(&world, 6), .condition = condition_create(world.pool)};
        for (uint32_t i = 0; i < c.count; i++) {
            c.conditions[i] = draw_condition(&world);
            condition_add(c.condition, c.conditions[i]);
        }
        c.value = draw_number(&world, 3);
        c.question = draw_condition(&world);
        condition_settle(c.condition);
        c.decided = condition_decides(c.condition, c.question, &c.answer);
        if (check_all(&world, &c)) {
            satisfiable++;
            before += c.count;
            after += condition_count(c.condition);
        }
        condition_destroy(c.condition);
        expr_pool_destroy(world.pool);
    }
    assert_true(satisfiable > 400);
    assert_true(after < before);
}

/* ---- As they are written -------------------------------------------------------------------- */

static char written[500];

/* Adds the conditions and compares what is left, facts separated by "; ". */
static void expect(World *world, const ExprId *conditions, uint32_t count, const char *wanted)
{
    TestCondition *condition = condition_create(world->pool);
    Text text = {0};
    for (uint32_t i = 0; i < count; i++)
        condition_add(condition, conditions[i]);
    condition_settle(condition);
    for (uint32_t i = 0; i < condition_count(condition); i++) {
        text_add_string(&text, i ? "; " : "");
        print_abs_fact(&(Wording){.pool = world->pool}, condition_get(condition, i), &text);
    }
    strncpy(written, text_borrow(&text), sizeof written - 1);
    text_release(&text);
    condition_destroy(condition);
    assert_string_equal(written, wanted);
}

#define EXPECT(wanted, ...) \
    expect(&world, (const ExprId[]){__VA_ARGS__}, sizeof((const ExprId[]){__VA_ARGS__}) / sizeof(ExprId), wanted)

static void facts_are_short(void **state)
{
    World world = {0};
    (void)state;
    open_world(&world, false);
    ExprPool *pool = world.pool;
    ExprId x = world.inputs[0], y = world.inputs[1], z = world.inputs[2], b = world.inputs[3];
#define INT(n) expr_int(pool, n)
#define LT(l, r) expr_binary(pool, EXPR_ILT, l, r)
#define LE(l, r) expr_binary(pool, EXPR_ILE, l, r)
#define EQ(l, r) expr_binary(pool, EXPR_EQ, l, r)
#define NOT(e) expr_not(pool, e)
#define ADD(l, r) expr_binary(pool, EXPR_IADD, l, r)
#define SUB(l, r) expr_binary(pool, EXPR_ISUB, l, r)
#define MUL(l, r) expr_binary(pool, EXPR_IMUL, l, r)
    EXPECT("x > 3", NOT(LE(x, INT(3))));
    EXPECT("x <= 3", NOT(LT(INT(3), x)));
    EXPECT("x < 0", LT(x, INT(0)));
    EXPECT("x <= y", NOT(LT(y, x)));
    EXPECT("x < y", LT(x, y), LT(x, y));
    EXPECT("x != 0", NOT(NOT(NOT(EQ(x, INT(0))))));
    EXPECT("x > 2", LT(INT(0), x), LT(INT(1), x), LT(INT(2), x));
    EXPECT("x == 1", LT(INT(0), x), NOT(LT(INT(1), x)));
    EXPECT("x > 1; x <= 7", LT(INT(0), x), NOT(EQ(x, INT(1))), LE(x, INT(7)), NOT(EQ(x, INT(9))));
    EXPECT("x == 1; y == 3", EQ(x, INT(1)), LT(x, y), EQ(SUB(SUB(y, x), x), INT(1)));
    EXPECT("x == y; x > 4", EQ(y, x), LT(INT(3), y), LT(INT(4), x));
    EXPECT("x > y; y > z", LT(y, x), LT(z, x), LT(z, y));
    EXPECT("x > 2 * y", LT(ADD(y, y), x));
    EXPECT("x + y > z + 2", LT(ADD(z, INT(2)), ADD(x, y)));
    EXPECT("y * x <= 5", LT(MUL(x, y), INT(6)));
    EXPECT("2 * x > 3 * y", LT(MUL(y, INT(6)), MUL(x, INT(4))));
    EXPECT("x > 1", LT(INT(3), MUL(x, INT(2))), LE(INT(2), x));
    EXPECT("b; x > 0", expr_binary(pool, EXPR_AND, b, LT(INT(0), x)));
    EXPECT("!b", NOT(b), NOT(b));
    EXPECT("!(b && x < y)", NOT(expr_binary(pool, EXPR_AND, b, LT(x, y))));
    EXPECT("b; x < y", b, expr_binary(pool, EXPR_OR, NOT(b), LT(x, y)));
    EXPECT("z == 0 || x < y", expr_binary(pool, EXPR_OR, LT(x, y), EQ(z, INT(0))));
    expr_pool_destroy(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conditions_keep_their_meaning),
        cmocka_unit_test(facts_are_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
