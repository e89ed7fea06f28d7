/* Arena, map, intern table and text: what they promise and that they survive growth. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/intern.h"
#include "base/map.h"
#include "base/text.h"

static void arena_blocks_are_aligned_and_distinct(void **state)
{
    (void)state;
    Arena arena = {0};
    char *previous = NULL;
    for (size_t size = 1; size < 5000; size += 7) {
        char *block = arena_alloc(&arena, size);
        assert_int_equal((uintptr_t)block % 16, 0);
        memset(block, 0xaa, size);
        assert_ptr_not_equal(block, previous);
        previous = block;
    }
    arena_release(&arena);
}

static void arena_reuses_its_memory_after_a_reset(void **state)
{
    (void)state;
    Arena arena = {0};
    void *first = arena_alloc(&arena, 100);
    for (int i = 0; i < 10000; i++)
        arena_alloc(&arena, 100);
    assert_int_equal(arena_used(&arena), 10001 * 112);
    arena_reset(&arena);
    assert_int_equal(arena_used(&arena), 0);
    assert_ptr_equal(arena_alloc(&arena, 100), first);
    arena_release(&arena);
}

static void arena_gives_blocks_larger_than_a_chunk(void **state)
{
    (void)state;
    Arena arena = {0};
    char *large = arena_zero(&arena, 40 << 20);
    assert_int_equal(large[(40 << 20) - 1], 0);
    assert_string_equal(arena_copy(&arena, "abcdef", 3), "abc");
    arena_release(&arena);
}

static void map_finds_what_was_inserted(void **state)
{
    (void)state;
    Map map = {0};
    bool added;
    assert_null(map_find(&map, 5));
    for (uint64_t key = 0; key < 1000; key++) {
        *map_insert(&map, key * key, &added) = key;
        assert_true(added);
    }
    assert_int_equal(*map_insert(&map, 49, &added), 7);
    assert_false(added);
    assert_int_equal(map.count, 1000);
    assert_int_equal(*map_find(&map, 999 * 999), 999);
    assert_null(map_find(&map, 3));
    map_reset(&map);
    assert_null(map_find(&map, 49));
    map_release(&map);
}

static void intern_answers_the_same_pointer_for_equal_bytes(void **state)
{
    (void)state;
    Intern intern = {0};
    const char *abc = intern_make(&intern, "abcd", 3);
    char name[16];
    for (int i = 0; i < 1000; i++) {
        int length = snprintf(name, sizeof name, "n%d", i);
        intern_make(&intern, name, (size_t)length);
    }
    assert_string_equal(abc, "abc");
    assert_ptr_equal(intern_make(&intern, "abc", 3), abc);
    assert_ptr_not_equal(intern_make(&intern, "ab", 2), abc);
    assert_int_equal(intern.count, 1002);
    intern_release(&intern);
}

/* Simple formats go another way than the others. */
static void texts_are_what_printf_makes_of_them(void **state)
{
    (void)state;
    Text text = {0};
    char expected[1000];
    text_add(&text, "%s|%u|%d|%d|%c%%|%s|", "a", UINT32_MAX, INT32_MIN, 0, 'x', "");
    text_add(&text, "%5d|%-3s|%llu|%.2s", 7, "b", 1ull << 40, "cut");
    snprintf(expected, sizeof expected, "%s|%u|%d|%d|%c%%|%s|%5d|%-3s|%llu|%.2s", "a", UINT32_MAX, INT32_MIN, 0, 'x', "", 7, "b",
             1ull << 40, "cut");
    assert_string_equal(text_borrow(&text), expected);
    text_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arena_blocks_are_aligned_and_distinct),
        cmocka_unit_test(arena_reuses_its_memory_after_a_reset),
        cmocka_unit_test(arena_gives_blocks_larger_than_a_chunk),
        cmocka_unit_test(map_finds_what_was_inserted),
        cmocka_unit_test(intern_answers_the_same_pointer_for_equal_bytes),
        cmocka_unit_test(texts_are_what_printf_makes_of_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
