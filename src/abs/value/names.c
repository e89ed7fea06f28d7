/* names.c - see names.h
 *
 * Design: the children of a creator form a list, searched in order of age. The table only grows; a lock protects
 * insertion, since several processes may share it.
 */
#include "abs/value/names.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/map.h"
#include "base/mem.h"
#include "core/execution.h"

enum {
    LONGEST_START = 16,                 /* characters of a path that is abbreviated */
    LONGEST_PATH = 256,                 /* with the end of the text                 */
    DEEPEST_SHOWN = LONGEST_PATH / 2    /* each level takes two characters or more  */
};

struct NameTable {
    atomic_flag lock;
    _Atomic uint32_t task_count;
    _Atomic uint32_t object_count;
    TaskName tasks[EXECUTION_MAX_AGENTS];
    ObjectName objects[NAMES_MAX_OBJECTS];
};

/* ---- Lifecycle --------------------------------------------------------------- */

NameTable *names_create(void)
{
    NameTable *names =
        mmap(NULL, sizeof *names, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (names == MAP_FAILED)
        mem_exhausted(sizeof *names);
    names->task_count = names->object_count = 1;
    names->tasks[0] = (TaskName){.creator = AGENT_NONE, .first_child = AGENT_NONE, .next_sibling = AGENT_NONE,
                                 .hash = 0x5a17};
    return names;
}

void names_destroy(NameTable *names)
{
    if (names)
        munmap(names, sizeof *names);
}

/* ---- Numbers ------------------------------------------------------------------- */

AgentId names_find_task(const NameTable *names, AgentId creator, uint32_t nth)
{
    AgentId task = names->tasks[creator].first_child;
    while (task != AGENT_NONE && names->tasks[task].nth != nth)
        task = names->tasks[task].next_sibling;
    return task;
}

static uint32_t find_object(const NameTable *names, AgentId creator, uint32_t nth)
{
    uint32_t object = names->tasks[creator].last_object;
    while (object && names->objects[object].nth != nth)
        object = names->objects[object].next_sibling;
    return object;
}

static void take_lock(NameTable *names)
{
    while (atomic_flag_test_and_set_explicit(&names->lock, memory_order_acquire))
        ;
}

static void give_lock(NameTable *names)
{
    atomic_flag_clear_explicit(&names->lock, memory_order_release);
}

static AgentId add_task(NameTable *names, AgentId creator, uint32_t nth)
{
    AgentId task = names->task_count;
    if (task == EXECUTION_MAX_AGENTS)
        return AGENT_NONE;
    const TaskName *parent = &names->tasks[creator];
    names->tasks[task] = (TaskName){.creator = creator, .nth = nth, .depth = parent->depth + 1,
                                      .shown = parent->depth < DEEPEST_SHOWN ? task : parent->shown,
                                    .first_child = AGENT_NONE, .next_sibling = AGENT_NONE,
                                    .hash = map_mix(parent->hash, nth)};
    AgentId *link = &names->tasks[creator].first_child;
    while (*link != AGENT_NONE)
        link = &names->tasks[*link].next_sibling;
    *link = task;
    names->task_count = task + 1;
    return task;
}

AgentId names_task(NameTable *names, AgentId creator, uint32_t nth)
{
    AgentId task = names_find_task(names, creator, nth);
    if (task != AGENT_NONE)
        return task;
    take_lock(names);
    task = names_find_task(names, creator, nth);
    if (task == AGENT_NONE)
        task = add_task(names, creator, nth);
    give_lock(names);
    return task;
}

static uint32_t add_object(NameTable *names, AgentId creator, uint32_t nth)
{
    uint32_t object = names->object_count;
    if (object == NAMES_MAX_OBJECTS)
        return 0;
    TaskName *parent = &names->tasks[creator];
    names->objects[object] = (ObjectName){.creator = creator, .nth = nth, .next_sibling = parent->last_object,
                                          .hash = map_mix(~parent->hash, nth)};
    parent->last_object = object;
    names->object_count = object + 1;
    return object;
}

uint32_t names_object(NameTable *names, AgentId creator, uint32_t nth)
{
    uint32_t object = find_object(names, creator, nth);
    if (object)
        return object;
    take_lock(names);
    object = find_object(names, creator, nth);
    if (!object)
        object = add_object(names, creator, nth);
    give_lock(names);
    return object;
}

const TaskName *names_task_name(const NameTable *names, AgentId task) { return &names->tasks[task]; }
const ObjectName *names_object_name(const NameTable *names, uint32_t object) { return &names->objects[object]; }

/* ---- Order ------------------------------------------------------------------------ */

static int compare_numbers(uint32_t a, uint32_t b)
{
    return a < b ? -1 : a > b;
}

int names_compare_tasks(const NameTable *names, AgentId a, AgentId b)
{
    const TaskName *tasks = names->tasks;
    uint32_t depth_a = tasks[a].depth, depth_b = tasks[b].depth;
    if (a == b)
        return 0;
    for (uint32_t d = depth_a; d > depth_b; d--)
        a = tasks[a].creator;
    for (uint32_t d = depth_b; d > depth_a; d--)
        b = tasks[b].creator;
    if (a == b)
        return compare_numbers(depth_a, depth_b);
    while (tasks[a].creator != tasks[b].creator) {
        a = tasks[a].creator;
        b = tasks[b].creator;
    }
    return compare_numbers(tasks[a].nth, tasks[b].nth);
}

int names_compare_objects(const NameTable *names, uint32_t a, uint32_t b)
{
    if (a == b || !a || !b)
        return compare_numbers(a, b);
    const ObjectName *x = &names->objects[a], *y = &names->objects[b];
    if (x->creator == y->creator)
        return compare_numbers(x->nth, y->nth);
    return names_compare_tasks(names, x->creator, y->creator);
}

/* ---- Paths ---------------------------------------------------------------------------- */

/* ".12", as far as there is room. */
static char *add_number(char *text, const char *end, uint32_t number)
{
    char digits[12];
    uint32_t count = 0;
    do
        digits[count++] = (char)('0' + number % 10);
    while (number /= 10);
    digits[count++] = '.';
    while (count > 0 && text < end)
        *text++ = digits[--count];
    return text;
}

static AgentId find_by_hash(const NameTable *names, const char *digits)
{
    char *end;
    uint64_t hash = strtoull(digits, &end, 16);
    for (AgentId task = 0; *end == '\0' && task < names->task_count; task++)
        if (names->tasks[task].hash == hash)
            return task;
    return AGENT_NONE;
}

/* Too long a path becomes "0.2.1.1~", with the hash of the name. */
static void abbreviate(const NameTable *names, AgentId task, char *text, size_t size)
{
    char tail[24];
    size_t length = (size_t)snprintf(tail, sizeof tail, "~%016llx", (unsigned long long)names->tasks[task].hash);
    size_t kept = size > 2 * length ? strlen(text) < LONGEST_START ? strlen(text) : LONGEST_START : 1;
    while (kept > 1 && text[kept] != '.')
        kept--;
    snprintf(text + kept, size - kept, "%s", tail);
}

/* What is below the ancestor that is shown would not fit. */
static void print_path(const NameTable *names, AgentId task, char *text, size_t size)
{
    AgentId named = task, path[DEEPEST_SHOWN];
    char *begin = text;
    uint32_t depth = 0;
    for (task = names->tasks[task].shown; task != 0; task = names->tasks[task].creator)
        path[depth++] = task;
    size = size < LONGEST_PATH ? size : LONGEST_PATH;
    char *end = text + size - 1;
    if (text < end)
        *text++ = '0';
    while (depth > 0 && text < end)
        text = add_number(text, end, names->tasks[path[--depth]].nth);
    *text = '\0';
    if (text == end && size > 2)
        abbreviate(names, named, begin, size);
}

void names_print_task(const NameTable *names, AgentId task, char *text, size_t size)
{
    if (task < names->task_count)
        print_path(names, task, text, size);
    else
        snprintf(text, size, "?");
}

AgentId names_parse_task(NameTable *names, const char *path)
{
    AgentId task = 0;
    const char *hash = strchr(path, '~');
    if (*path++ != '0')
        return AGENT_NONE;
    if (hash)
        return find_by_hash(names, hash + 1);
    while (*path == '.' && task != AGENT_NONE) {
        char *end;
        unsigned long nth = strtoul(path + 1, &end, 10);
        bool is_clock = task == 0 && nth == 0; /* the agent that lets time pass */
        if (end == path + 1 || (nth == 0 && !is_clock) || nth >= UINT32_MAX)
            return AGENT_NONE;
        task = names_task(names, task, (uint32_t)nth);
        path = end;
    }
    return *path ? AGENT_NONE : task;
}
