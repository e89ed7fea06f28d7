// bug: bounds
// fixed: exhaustive
// An element that does not exist is found through the list that contains it: the head of the list is a global of its own,
// and what lies in front of it is another variable.
#include <pthread.h>
#include <stddef.h>

struct link {
    struct link *next;
};

struct element {
    long value;
    struct link link;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct link heads[2] = {{&heads[0]}, {&heads[1]}};

static struct element *element_of(struct link *link)
{
    return (struct element *)((char *)link - offsetof(struct element, link));
}

static long sum(struct link *head)
{
    long total = 0;
    pthread_mutex_lock(&lock);
    for (struct link *link = head->next; link != head; link = link->next)
        total += element_of(link)->value; // BUG
    pthread_mutex_unlock(&lock);
    return total;
}

static void *join_lists(void *arg)
{
    pthread_mutex_lock(&lock);
#ifndef FIXED
    heads[1].next = heads[0].next;
#endif
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, join_lists, NULL);
    long total = sum(&heads[1]); // (BUG)
    pthread_join(t, NULL);
    return total != 0;
}
