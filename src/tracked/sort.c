/* sort.c - sorting and searching with the program's comparison
 *
 * Insertion keeps the number of comparisons, hence of paths, small for the few elements
 * that can be explored, and it is stable, as is the merge sort of glibc.
 */
#include "tracked/tracked.h"

static void swap(unsigned char *a, unsigned char *b, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        unsigned char byte = a[i];
        a[i] = b[i];
        b[i] = byte;
    }
}

void sennit_tracked_qsort(void *array, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    unsigned char *items = array;
    for (size_t i = 1; i < count; i++)
        for (size_t k = i; k > 0 && compare(items + (k - 1) * size, items + k * size) > 0; k--)
            swap(items + (k - 1) * size, items + k * size, size);
}

void *sennit_tracked_bsearch(const void *key, const void *array, size_t count, size_t size,
                             int (*compare)(const void *, const void *))
{
    const unsigned char *items = array;
    while (count > 0) {
        size_t middle = count / 2;
        const unsigned char *item = items + middle * size;
        int order = compare(key, item);
        if (order == 0)
            return (void *)item;
        if (order > 0) {
            items = item + size;
            count -= middle + 1;
        } else {
            count = middle;
        }
    }
    return NULL;
}
