/* api_search.c - lists and tables of the program that library functions change (search.h) */
#include "rt/libc/api_libc.h"

typedef struct QueueElement {
    struct QueueElement *next, *previous;
} QueueElement;

static QueueElement *load(QueueElement *const *from)
{
    plain_read(address_of(from), sizeof *from);
    return *from;
}

void sennit_rt_insque(void *element, void *previous)
{
    QueueElement *self = element, *before = previous, *after = before ? load(&before->next) : NULL;
    if (before)
        PLAIN_STORE(&before->next, self);
    if (after)
        PLAIN_STORE(&after->previous, self);
    PLAIN_STORE(&self->next, after);
    PLAIN_STORE(&self->previous, before);
}

void sennit_rt_remque(void *element)
{
    QueueElement *self = element, *after = load(&self->next), *before = load(&self->previous);
    if (after)
        PLAIN_STORE(&after->previous, before);
    if (before)
        PLAIN_STORE(&before->next, after);
}

/* The function of the program reads the elements. */
void *sennit_rt_lsearch(const void *key, void *table, size_t *count, size_t size, comparison_fn_t compare)
{
    plain_read(address_of(count), sizeof *count);
    size_t used = *count;
    for (size_t i = 0; i < used; i++) {
        void *element = (char *)table + i * size;
        if (compare(key, element) == 0)
            return element;
    }
    void *added = sennit_rt_memcpy((char *)table + used * size, key, size);
    PLAIN_STORE(count, used + 1);
    return added;
}
