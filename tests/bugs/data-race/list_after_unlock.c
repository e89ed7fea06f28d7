// bug: data-race
// fixed: exhaustive
// The list is copied under the lock, but the nodes are read after it.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct node {
    int value;
    struct node *next;
} first = {1, NULL};
static struct node *head = &first;

static void *update(void *arg)
{
    pthread_mutex_lock(&lock);
    head->value = 2; // BUG
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    int sum = 0;
    pthread_create(&t, NULL, update, NULL);
    pthread_mutex_lock(&lock);
    struct node *list = head;
#ifndef FIXED
    pthread_mutex_unlock(&lock);
#endif
    for (; list; list = list->next)
        sum += list->value; // BUG
#ifdef FIXED
    pthread_mutex_unlock(&lock);
#endif
    pthread_join(t, NULL);
    return sum > 2;
}
