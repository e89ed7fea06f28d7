/* archive.c - see archive.h
 *
 * Design: an expression pool that is never reset. Only nodes are added, and they never move, so reading needs no
 * lock; adding does. A worker that dies while it adds may leave the chains of the hash table broken: the next one
 * that gets the lock rebuilds them.
 */
#include "sym/session/archive.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/sharelock.h"
#include "sym/expr/print.h"

enum { MOST_NODES = 1 << 26, COUNTERS = 256 };

/* The counters of one process after another. */
typedef struct Counter {
    int process; /* that uses them now; 0: none */
    SymStats stats;
} Counter;

struct Archive {
    Sharelock lock;
    ExprPool *pool;
    uint64_t conditions;
    _Atomic uint64_t unknown;
    SymStats elsewhere;
    Counter counters[COUNTERS];
};

/* ---- Lifecycle ----------------------------------------------------------------- */

Archive *archive_create(void)
{
    Archive *archive = mmap(NULL, sizeof *archive, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (archive == MAP_FAILED)
        mem_exhausted(sizeof *archive);
    archive->pool = expr_pool_create(MOST_NODES);
    if (!archive->pool)
        mem_exhausted((size_t)MOST_NODES * sizeof(ExprNode));
    return archive;
}

void archive_destroy(Archive *archive)
{
    if (!archive)
        return;
    expr_pool_destroy(archive->pool);
    munmap(archive, sizeof *archive);
}

/* ---- The lock --------------------------------------------------------------------- */

static void enter(Archive *archive)
{
    if (!sharelock_acquire(&archive->lock))
        expr_pool_repair(archive->pool);
}

static void leave(Archive *archive)
{
    sharelock_release(&archive->lock);
}

static bool has_room(const Archive *archive, uint32_t nodes)
{
    return archive->pool->capacity - expr_count(archive->pool) > nodes;
}

/* ---- Conditions -------------------------------------------------------------------- */

uint32_t archive_put(Archive *archive, const ExprPool *pool, ExprId condition, Transfer *known)
{
    ExprId there = transfer_find(known, condition);
    if (!expr_is_none(there))
        return there.id;
    if (!has_room(archive, expr_count(pool)))
        return 0;
    enter(archive);
    uint32_t before = expr_count(archive->pool);
    there = transfer_copy(known, pool, condition, archive->pool);
    archive->conditions += expr_count(archive->pool) > before;
    leave(archive);
    return there.id;
}

static ExprId node_of(uint32_t condition)
{
    return (ExprId){condition & ~ARCHIVE_ASSUMPTION};
}

ExprId archive_get(const Archive *archive, uint32_t condition, ExprPool *pool, Transfer *known)
{
    ExprId here = transfer_find(known, node_of(condition));
    return expr_is_none(here) ? transfer_copy(known, archive->pool, node_of(condition), pool) : here;
}

void archive_print(const Archive *archive, uint32_t condition, char *text, size_t size)
{
    Text printed = {0};
    if (archive && !(condition >> 31))
        print_expr(archive->pool, node_of(condition), &printed);
    snprintf(text, size, "%s", text_borrow(&printed));
    text_release(&printed);
}

/* ---- Statistics -------------------------------------------------------------------------- */

static void add_layers(SolverStats *to, const SolverStats *from)
{
    for (int i = 0; i < LAYERS; i++) {
        to[i].queries += from[i].queries;
        to[i].sat += from[i].sat;
        to[i].unsat += from[i].unsat;
        to[i].unknown += from[i].unknown;
        to[i].nanoseconds += from[i].nanoseconds;
        to[i].cpu_nanoseconds += from[i].cpu_nanoseconds;
    }
}

static void add_counts(SymStats *to, const SymStats *from)
{
    add_layers(to->layers, from->layers);
    to->inputs += from->inputs;
    to->queries += from->queries;
    to->yes += from->yes;
}

static uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

/* Different processes may have the same conditions, so the total is at least the larger number. */
void archive_stats(const Archive *archive, SymStats *stats)
{
    *stats = archive->elsewhere;
    stats->unknown += atomic_load(&archive->unknown);
    stats->conditions = larger(stats->conditions, archive->conditions);
    for (int i = 0; i < COUNTERS; i++)
        add_counts(stats, &archive->counters[i].stats);
}

void archive_add_stats(Archive *archive, const SymStats *stats)
{
    add_counts(&archive->elsewhere, stats);
    archive->elsewhere.unknown += stats->unknown;
    archive->elsewhere.conditions = larger(archive->elsewhere.conditions, stats->conditions);
}

SymStats *archive_claim_stats(Archive *archive)
{
    SymStats *stats = NULL;
    enter(archive);
    for (int i = 0; i < COUNTERS && !stats; i++) {
        Counter *counter = &archive->counters[i];
        if (counter->process != 0 && (kill(counter->process, 0) == 0 || errno != ESRCH))
            continue;
        counter->process = getpid();
        stats = &counter->stats;
    }
    leave(archive);
    return stats;
}

void archive_return_stats(Archive *archive, SymStats *stats)
{
    for (int i = 0; i < COUNTERS; i++)
        if (&archive->counters[i].stats == stats)
            archive->counters[i].process = 0;
}

void archive_count_unknown(Archive *archive)
{
    atomic_fetch_add(&archive->unknown, 1);
}
