/* test_labelpool.c - equal labels are stored once, and the pool gives its memory back */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/tree/labelpool.h"

static Label label_of(const Touch *touch, const Literal *choices, uint16_t choice_count)
{
    return (Label){.agent = 1, .index = 7, .touches = touch, .touch_count = 1, .choices = choices,
                   .choice_count = choice_count, .filter = label_filter_bit(touch->resource)};
}

static void test_stored_once(void **state)
{
    (void)state;
    Region *region = region_create(1 << 20);
    LabelPool pool = {.region = region};
    Touch touch = {.resource = 64, .lanes = 15, .mode = 1}, same = touch, beside = touch;
    beside.companion = true;
    Literal first = {.taken = 0}, second = {.taken = 1};
    Label a = label_of(&touch, &first, 1), b = label_of(&same, &first, 1), companion = label_of(&beside, &first, 1),
          other = label_of(&touch, &second, 1);
    const Label *kept = labelpool_keep(&pool, &a);
    assert_ptr_not_equal(kept, &a);
    assert_ptr_equal(labelpool_keep(&pool, &b), kept);
    assert_ptr_not_equal(labelpool_keep(&pool, &companion), kept); /* equal for the search, not for what is sent */
    assert_ptr_not_equal(labelpool_keep(&pool, &other), kept);
    assert_int_equal(pool.count, 3);
    labelpool_drop(&pool, kept);
    assert_ptr_equal(labelpool_keep(&pool, &a), kept); /* it was kept twice */
    labelpool_release(&pool);
    assert_int_equal(region_used(region), 0);
    region_destroy(region);
}

/* More labels than the first table has slots: all are found again, and the last drop of each forgets it. */
static void test_many(void **state)
{
    (void)state;
    enum { MANY = 1000 };
    Region *region = region_create(1 << 24);
    LabelPool pool = {.region = region};
    const Label *kept[MANY];
    for (int round = 0; round < 2; round++)
        for (uint64_t i = 0; i < MANY; i++) {
            Touch touch = {.resource = i * 8, .lanes = 1, .mode = 2};
            Label label = label_of(&touch, NULL, 0);
            const Label *found = labelpool_keep(&pool, &label);
            assert_true(round == 0 || found == kept[i]);
            assert_int_equal(found->touches[0].resource, i * 8);
            kept[i] = found;
        }
    assert_int_equal(pool.count, MANY);
    for (int i = 0; i < 2 * MANY; i++)
        labelpool_drop(&pool, kept[i % MANY]);
    assert_int_equal(pool.count, 0);
    labelpool_release(&pool);
    assert_int_equal(region_used(region), 0);
    region_destroy(region);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stored_once),
        cmocka_unit_test(test_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
