/* nodes.c - see nodes.h
 *
 * Arguments and environment are copies, restored at the start of every execution, since programs may change them.
 */
#include "rt/program/nodes.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "rt/detect/bug.h"
#include "rt/inputs/tracking.h"
#include "rt/kernel/node.h"
#include "rt/kernel/thread.h"
#include "rt/libc/libc.h"
#include "rt/libc/signals.h"
#include "rt/sync/keys.h"
#include "rt/sync/lifetime.h"

/* Texts that the program may change, and what they were. */
typedef struct TextList {
    const char *const *given;
    char **texts, **pointers;
    uint32_t count;
} TextList;

static struct {
    TextList arguments, environment;
} nodes[RT_NODES];

static void make_list(TextList *list, const char *const *given)
{
    *list = (TextList){.given = given};
    while (given[list->count])
        list->count++;
    list->texts = mem_alloc((list->count + 1) * sizeof *list->texts);
    list->pointers = mem_alloc((list->count + 1) * sizeof *list->pointers);
    for (uint32_t i = 0; i < list->count; i++)
        list->texts[i] = mem_copy_string(given[i]);
}

static char **restore_list(TextList *list)
{
    for (uint32_t i = 0; i < list->count; i++)
        list->pointers[i] = strcpy(list->texts[i], list->given[i]);
    list->pointers[list->count] = NULL;
    return list->pointers;
}

/* ---- Before the first execution ----------------------------------------------------------- */

static void construct(unsigned node)
{
    const SennitNode *self = node_get(node);
    char **arguments = restore_list(&nodes[node].arguments), **environment = restore_list(&nodes[node].environment);
    node_switch(node);
    libc_begin_node(environment);
    for (void (*const *each)(int, char **, char **) = self->constructors; each < self->constructors_end; each++)
        (*each)(self->count, arguments, environment);
}

/* No node has a terminal: standard input is empty. */
static bool empty_input(Error *error)
{
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0)
        return error_set(error, EXIT_USAGE, "cannot open /dev/null");
    close(nothing);
    return true;
}

bool nodes_init(Error *error)
{
    if (!node_count())
        return true;
    if (tracking.on)
        return error_set(error, EXIT_USAGE, "a cluster with symbolic inputs is not supported");
    libc_init_environment();
    libc_init_hidden();
    libc_init_random();
    signals_init();
    libc_reset();
    node_begin();
    for (unsigned node = 1; node <= node_count(); node++) {
        make_list(&nodes[node].arguments, node_get(node)->arguments);
        make_list(&nodes[node].environment, node_get(node)->environment);
        construct(node);
    }
    node_settle();
    return empty_input(error);
}

/* ---- In an execution ------------------------------------------------------------------------ */

static void *run_node(void *argument)
{
    const SennitNode *self = argument;
    unsigned node = node_self();
    node_note_thread();
    char **arguments = restore_list(&nodes[node].arguments);
    libc_begin_node(restore_list(&nodes[node].environment));
    int status = self->main(self->count, arguments, environ);
    libc_exit(status);
}

void nodes_run(void)
{
    if (keys_made_early())
        report_not_modelled("pthread_key_create before main in a node of a cluster");
    for (unsigned node = 1; node <= node_count(); node++) {
        rt.self->node = (uint8_t)node;
        lifetime_create_own(run_node, (void *)(uintptr_t)node_get(node));
    }
    rt.self->node = 0;
    thread_leave();
}
