/* candidate.c - see candidate.h */
#include "subject/c/candidate.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "report/source.h"
#include "rt/detect/held.h"
#include "rt/kernel/resource.h"
#include "rt/memory/globals.h"

/* ---- Names of locks ---------------------------------------------------------------------------- */

/* "@variable+offset/stride": the lock's address; 0 if no variable, or more than one, has the name. */
static uint64_t read_lock(const char *text, char *name, size_t size, uint32_t *stride)
{
    const char *plus = strrchr(text, '+'), *slash = strrchr(text, '/');
    if (*text != '@' || !plus || !slash || slash < plus)
        return 0;
    snprintf(name, size, "%.*s", (int)(plus - text - 1), text + 1);
    *stride = (uint32_t)strtoul(slash + 1, NULL, 10);
    uint64_t address = globals_address(name);
    return address ? address + strtoull(plus + 1, NULL, 10) : 0;
}

static void add_lock_name(Program *program, const char *text, Text *out)
{
    char name[256], shown[256];
    uint32_t stride = 0;
    uint64_t address = read_lock(text, name, sizeof name, &stride);
    if (*text != '@')
        text_add_string(out, text);
    else if (address && !stride) {
        program->ops->resource_name(program, (uint64_t)RES_LOCK << 56 | address, LANES_ALL, shown, sizeof shown);
        text_add_string(out, shown);
    } else
        text_add(out, "%s%s", name, stride ? "[..]" : "");
}

/* Cuts the first of several locks, joined by " or ", off; NULL if there are no more. */
static char *next_lock(char **rest)
{
    char *first = *rest, *separator = first ? strstr(first, " or ") : NULL;
    *rest = separator ? separator + 4 : NULL;
    if (separator)
        *separator = '\0';
    return first;
}

static char *name_locks(Program *program, const char *text)
{
    Text out = {0};
    char *copy = mem_copy_string(text), *rest = copy;
    for (char *lock; (lock = next_lock(&rest));) {
        if (out.length)
            text_add_string(&out, " or ");
        add_lock_name(program, lock, &out);
    }
    free(copy);
    return out.data ? out.data : mem_copy_string("");
}

/* The addresses of the locks; none if one of them is unknown. */
static void read_locks(CycleWait *wait, const char *text)
{
    char name[256], *copy = mem_copy_string(text), *rest = copy;
    for (char *lock; (lock = next_lock(&rest));) {
        uint32_t stride = 0;
        uint64_t address = read_lock(lock, name, sizeof name, &stride);
        if (!address || stride || wait->lock_count == CYCLEWAIT_LOCKS) {
            wait->lock_count = 0;
            break;
        }
        wait->locks[wait->lock_count++] = address;
    }
    free(copy);
}

/* ---- Reading ------------------------------------------------------------------------------------- */

enum { FIELDS = 11 };

static uint32_t split(char *line, char **fields)
{
    uint32_t count = 0;
    for (char *rest = line, *word; count < FIELDS && (word = strsep(&rest, "\t"));)
        fields[count++] = word;
    for (uint32_t i = count; i < FIELDS; i++)
        fields[i] = "";
    return count;
}

static void read_wait(CycleCandidates *cycles, char **fields)
{
    CycleWait wait = {.kind = strcmp(fields[1], "join") == 0    ? CYCLEWAIT_JOIN
                              : strcmp(fields[1], "ended") == 0 ? CYCLEWAIT_ENDED
                                                                : CYCLEWAIT_LOCK,
                      .file = mem_copy_string(fields[2]),
                      .line = (uint32_t)strtoul(fields[3], NULL, 10),
                      .column = (uint32_t)strtoul(fields[4], NULL, 10),
                      .function = mem_copy_string(fields[5]),
                      .thread = mem_copy_string(fields[6]),
                      .requested = name_locks(cycles->program, fields[7]),
                      .held = name_locks(cycles->program, fields[8]),
                      .held_line = (uint32_t)strtoul(fields[9], NULL, 10)};
    read_locks(&wait, fields[7]);
    VEC_PUSH(&cycles->list.items[cycles->list.count - 1].waits, wait);
}

static void read_cycle(CycleCandidates *cycles, char **fields)
{
    CycleCandidate cycle = {.in_code = true, .gate = *fields[2] ? name_locks(cycles->program, fields[2]) : NULL};
    cycle.state = strcmp(fields[1], "gated") == 0   ? LOCKCYCLE_GATED
                  : strcmp(fields[1], "apart") == 0 ? LOCKCYCLE_ORDERED
                                                    : LOCKCYCLE_OPEN;
    VEC_PUSH(&cycles->list, cycle);
}

static void read_unknown(CycleCandidates *cycles, char **fields)
{
    enum { SHOWN = 3 };
    if (cycles->unknown_count++ < SHOWN)
        text_add(&cycles->unknown, "%s%s:%s", cycles->unknown_count > 1 ? ", " : "", source_base_name(fields[1]),
                 fields[2]);
}

static bool read_line(CycleCandidates *cycles, char *line)
{
    char *fields[FIELDS];
    uint32_t count = split(line, fields);
    if (strcmp(fields[0], "locks") == 0)
        cycles->scanned = strcmp(fields[1], "1") == 0;
    else if (strcmp(fields[0], "cut") == 0)
        cycles->cut = true;
    else if (strcmp(fields[0], "other-waits") == 0)
        cycles->other_waits = true;
    else if (strcmp(fields[0], "unresolved") == 0)
        read_unknown(cycles, fields);
    else if (strcmp(fields[0], "cycle") == 0)
        read_cycle(cycles, fields);
    else if (strcmp(fields[0], "wait") == 0 && count == FIELDS - 1 && cycles->list.count)
        read_wait(cycles, fields);
    else
        return *line == '\0';
    return cycles->scanned;
}

bool candidates_read(CycleCandidates *cycles, Program *program, const char *path, Error *error)
{
    Text text = {0};
    bool good = file_read(path, &text) || error_set(error, EXIT_USAGE, "%s: %s", path, strerror(errno));
    cycles->program = program;
    for (char *rest = text.data, *line; good && rest && (line = strsep(&rest, "\n"));)
        good = read_line(cycles, line) || error_set(error, EXIT_USAGE, "%s: not a list of lock orders", path);
    text_release(&text);
    return good;
}

bool candidates_are_complete(const CycleCandidates *cycles)
{
    return cycles->scanned && !cycles->cut && !cycles->unknown_count;
}

/* ---- Places ----------------------------------------------------------------------------------------- */

static bool is_at(Program *program, CycleWait *wait, uint64_t site)
{
    Place place = {0};
    if (wait->site)
        return wait->site == site;
    if (!program->ops->place(program, site, &place) || place.line != wait->line || place.column != wait->column ||
        strcmp(source_base_name(place.file), source_base_name(wait->file)) != 0)
        return false;
    wait->site = site;
    return true;
}

static bool may_request(const CycleWait *wait, uint64_t address)
{
    for (uint32_t i = 0; i < wait->lock_count; i++)
        if (wait->locks[i] == address)
            return true;
    return wait->lock_count == 0;
}

static bool is_wait(Program *program, CycleWait *wait, uint64_t site, uint64_t resource)
{
    return wait->kind != CYCLEWAIT_ENDED && may_request(wait, resource & 0xffffffffffffffull) &&
           is_at(program, wait, site);
}

bool candidate_has(CycleCandidates *cycles, CycleCandidate *cycle, uint64_t site, uint64_t resource)
{
    for (uint32_t i = 0; i < cycle->waits.count; i++)
        if (is_wait(cycles->program, &cycle->waits.items[i], site, resource))
            return true;
    return false;
}

static bool is_involved(const Finding *finding, AgentId agent)
{
    for (uint32_t i = 0; i < finding->agent_count; i++)
        if (finding->agents[i] == agent)
            return true;
    return finding->agent_count == FINDING_AGENTS; /* perhaps not all of them are listed */
}

static uint64_t requested_by(const Execution *ex, const Blocked *blocked)
{
    return held_requests(blocked->op, &ex->accesses[blocked->first_access], blocked->access_count);
}

static bool is_met(CycleCandidates *cycles, CycleWait *wait, const Execution *ex, const Finding *finding)
{
    for (uint32_t i = 0; i < ex->blocked_count; i++) {
        const Blocked *blocked = &ex->blocked[i];
        if (is_involved(finding, blocked->agent) &&
            is_wait(cycles->program, wait, blocked->site, requested_by(ex, blocked)))
            return true;
    }
    return wait->kind == CYCLEWAIT_ENDED;
}

bool candidate_matches(CycleCandidates *cycles, CycleCandidate *cycle, const Execution *ex, const Finding *finding,
                       bool *exactly)
{
    if (finding->kind != BUG_DEADLOCK)
        return false;
    for (uint32_t i = 0; i < cycle->waits.count; i++)
        if (!is_met(cycles, &cycle->waits.items[i], ex, finding))
            return false;
    *exactly = true;
    for (uint32_t i = 0; i < ex->blocked_count; i++)
        if (is_involved(finding, ex->blocked[i].agent))
            *exactly &= candidate_has(cycles, cycle, ex->blocked[i].site, requested_by(ex, &ex->blocked[i]));
    return true;
}

/* ---- Runs ------------------------------------------------------------------------------------------- */

/* Has the candidate the same places and locks as a cycle of executions? */
static bool covers(CycleCandidates *cycles, CycleCandidate *cycle, const LockOrder *order, const LockCycle *run)
{
    for (uint32_t i = 0; i < run->count; i++)
        if (!candidate_has(cycles, cycle, order->edges[run->edges[i]].site, order->edges[run->edges[i]].lock))
            return false;
    for (uint32_t i = 0; i < cycle->waits.count; i++) {
        bool met = false;
        for (uint32_t k = 0; k < run->count && !met; k++)
            met = is_wait(cycles->program, &cycle->waits.items[i], order->edges[run->edges[k]].site,
                          order->edges[run->edges[k]].lock);
        if (!met)
            return false;
    }
    return true;
}

static char *name_resource(Program *program, uint64_t resource)
{
    char name[256];
    program->ops->resource_name(program, resource, LANES_ALL, name, sizeof name);
    return mem_copy_string(name);
}

static CycleWait wait_of_edge(Program *program, const LockEdge *edge, uint32_t held)
{
    char name[256];
    Place place = {.file = "?", .function = "?"}, taken = {0};
    program->ops->place(program, edge->site, &place);
    program->ops->place(program, edge->held_sites[held], &taken);
    program->ops->agent_name(program, edge->agent, name, sizeof name);
    return (CycleWait){.file = mem_copy_string(place.file),
                       .function = mem_copy_string(place.function),
                       .line = place.line,
                       .column = place.column,
                       .thread = mem_copy_string(name),
                       .requested = name_resource(program, edge->lock),
                       .held = name_resource(program, edge->held[held]),
                       .held_line = taken.line,
                       .locks = {edge->lock & 0xffffffffffffffull},
                       .lock_count = 1,
                       .site = edge->site};
}

static void add_run(CycleCandidates *cycles, const LockOrder *order, const LockCycle *run)
{
    for (uint32_t i = 0; i < cycles->list.count; i++)
        if (covers(cycles, &cycles->list.items[i], order, run)) {
            cycles->list.items[i].in_runs = true;
            return;
        }
    if (run->state != LOCKCYCLE_OPEN && candidates_are_complete(cycles))
        return;
    CycleCandidate cycle = {.state = run->state, .in_runs = true};
    if (run->state == LOCKCYCLE_GATED)
        cycle.gate = name_resource(cycles->program, run->gate);
    for (uint32_t i = 0; i < run->count; i++)
        VEC_PUSH(&cycle.waits, wait_of_edge(cycles->program, &order->edges[run->edges[i]], run->held[i]));
    VEC_PUSH(&cycles->list, cycle);
}

void candidates_add_runs(CycleCandidates *cycles, const LockOrder *order)
{
    for (uint32_t i = 0; i < order->cycle_count; i++)
        add_run(cycles, order, &order->cycles[i]);
}

void candidates_release(CycleCandidates *cycles)
{
    for (uint32_t i = 0; i < cycles->list.count; i++) {
        CycleCandidate *cycle = &cycles->list.items[i];
        for (uint32_t k = 0; k < cycle->waits.count; k++) {
            CycleWait *wait = &cycle->waits.items[k];
            char *texts[] = {wait->file, wait->function, wait->thread, wait->requested, wait->held};
            for (unsigned t = 0; t < sizeof texts / sizeof *texts; t++)
                free(texts[t]);
        }
        free(cycle->gate);
        VEC_FREE(&cycle->waits);
    }
    VEC_FREE(&cycles->list);
    text_release(&cycles->unknown);
}
