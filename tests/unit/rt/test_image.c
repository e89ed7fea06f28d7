/* test_image.c - copies of memory that are put back: pieces, growable arrays, limits */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "rt/kernel/image.h"

static void pieces_come_back(void **state)
{
    (void)state;
    RtImage image = {0};
    char text[] = "before";
    int numbers[3] = {1, 2, 3};
    image_reset(&image);
    image_add(&image, text, sizeof text);
    image_add(&image, &numbers[1], sizeof numbers[1]);
    image_add(&image, numbers, 0);
    strcpy(text, "behind");
    memset(numbers, 0, sizeof numbers);
    image_put_back(&image);
    assert_string_equal(text, "before");
    assert_int_equal(numbers[0], 0);
    assert_int_equal(numbers[1], 2);
    numbers[1] = 7;
    image_put_back(&image);
    assert_int_equal(numbers[1], 2);
    image_release(&image);
}

static void elements_follow_their_array(void **state)
{
    (void)state;
    RtImage image = {0};
    VEC(int) items = {0};
    for (int i = 0; i < 8; i++)
        VEC_PUSH(&items, i);
    image_reset(&image);
    image_add(&image, &items.count, sizeof items.count);
    image_add_items(&image, &items.items, items.count * sizeof *items.items);
    for (int i = 0; i < 5000; i++)
        VEC_PUSH(&items, -1);
    items.items[3] = -1;
    image_put_back(&image);
    assert_int_equal(items.count, 8);
    assert_int_equal(items.items[3], 3);
    VEC_FREE(&items);
    image_release(&image);
}

static void too_much_is_noticed(void **state)
{
    (void)state;
    static char large[IMAGE_MOST];
    RtImage image = {0};
    image_reset(&image);
    image_add(&image, large, sizeof large / 2);
    assert_false(image_is_full(&image));
    image_add(&image, large, sizeof large / 2);
    image_add(&image, large, sizeof large / 2);
    assert_true(image_is_full(&image));
    image_add(&image, large, 1);
    assert_true(image_is_full(&image));
    image_reset(&image);
    assert_false(image_is_full(&image));
    image_add(&image, large, (size_t)1 << 33);
    assert_true(image_is_full(&image));
    image_release(&image);
}

static void all_become_void_at_once(void **state)
{
    (void)state;
    RtImage one = {0}, other = {0};
    image_reset(&one);
    assert_false(image_is_void(&one));
    image_void_all();
    image_reset(&other);
    assert_true(image_is_void(&one));
    assert_false(image_is_void(&other));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_come_back),
        cmocka_unit_test(elements_follow_their_array),
        cmocka_unit_test(too_much_is_noticed),
        cmocka_unit_test(all_become_void_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
