/* lockscan.c - see lockscan.h */
#include "instr/analysis/lockscan.h"

#include <llvm-c/Support.h>
#include <string.h>

#include "instr/analysis/lockgraph.h"
#include "instr/module/site.h"

/* ---- Preparing ------------------------------------------------------------------------------- */

static void free_attributes(LLVMValueRef function)
{
    static const char *const names[] = {"optnone", "noinline"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        LLVMRemoveEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                       LLVMGetEnumAttributeKindForName(names[i], strlen(names[i])));
}

/* Variables become registers, and loops with a known number of iterations are unrolled, so that `&forks[i]` is one
 * lock in each iteration. Nothing else is optimised. */
static bool prepare(Module *m, Error *error)
{
    static const char *const limits[] = {"sennit-instr", "-unroll-threshold=20000", "-unroll-max-count=64",
                                         "-unroll-max-iteration-count-to-analyze=0"};
    LLVMParseCommandLineOptions(sizeof limits / sizeof *limits, limits, NULL);
    for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            free_attributes(f);
    return module_run_passes(m, "function(mem2reg,loop(loop-rotate,loop-unroll-full))", error);
}

/* ---- Words -------------------------------------------------------------------------------------- */

static void add_object(const PointsTo *p, AbsAtom atom, Text *out)
{
    const Object *object = abstract_memory_get(&p->memory, atom.object);
    SiteText site;
    if (atom.object < OBJECT_FIRST) {
        text_add_string(out, "an unknown lock");
        return;
    }
    switch (object->kind) {
    case OBJECT_GLOBAL:
        text_add(out, "@%s+%lld/%u", module_name_of(object->value), (long long)atom.offset, atom.stride);
        break;
    case OBJECT_HEAP:
        site_read(object->value, &site);
        text_add(out, "the heap block of line %u", site.line);
        break;
    case OBJECT_LOCAL:
        text_add(out, "a variable of %s",
                 module_name_of(LLVMGetBasicBlockParent(LLVMGetInstructionParent(object->value))));
        break;
    case OBJECT_THREAD:
        text_add(out, "the end of %s", module_name_of(p->threads.items[object->number].root->function->value));
        break;
    case OBJECT_FUNCTION: text_add_string(out, "a function"); break;
    }
    if (object->kind != OBJECT_GLOBAL && object->kind != OBJECT_THREAD && (atom.offset || atom.stride))
        text_add(out, "+%lld%s", (long long)atom.offset, atom.stride ? ".." : "");
}

static void add_lock(const PointsTo *p, const AbsValue *lock, Text *out)
{
    const char *separator = "";
    uint32_t shown = 0;
    for (uint32_t i = 0; i < lock->atoms.count; i++) {
        if (lock->atoms.items[i].object == OBJECT_NUMBER)
            continue;
        if (shown++ == 4) {
            text_add_string(out, " or others");
            return;
        }
        text_add_string(out, separator);
        add_object(p, lock->atoms.items[i], out);
        separator = " or ";
    }
    if (!shown)
        text_add_string(out, "an unknown lock");
}

static void add_wait(const LockGraph *graph, const LockWait *before, const LockWait *wait, Text *out)
{
    static const char *const kinds[] = {"lock", "join", "ended"};
    SiteText site, taken = {0};
    const LockEntry *held = lockgraph_asked(before, wait);
    site_read(wait->call, &site);
    text_add(out, "wait\t%s\t%s\t%u\t%u\t%s\t%s\t", kinds[wait->kind], site.file, site.line, site.column, site.function,
             module_name_of(wait->entry));
    if (wait->kind == WAIT_NEVER)
        text_add_string(out, "nothing");
    else
        add_lock(graph->pointsto, &wait->target, out);
    text_add_string(out, "\t");
    if (held) {
        site_read(held->taken->call, &taken);
        add_lock(graph->pointsto, &held->taken->lock, out);
    }
    text_add(out, "\t%u\n", taken.line);
}

static void add_cycle(const LockGraph *graph, const StaticCycle *cycle, Text *out)
{
    static const char *const states[] = {"open", "gated", "apart"};
    text_add(out, "cycle\t%s\t", states[cycle->state]);
    if (cycle->gate)
        add_lock(graph->pointsto, &cycle->gate->lock, out);
    text_add_string(out, "\n");
    for (uint32_t i = 0; i < cycle->waits.count; i++) {
        uint32_t before = cycle->waits.items[i ? i - 1 : cycle->waits.count - 1];
        add_wait(graph, &graph->waits.items[before], &graph->waits.items[cycle->waits.items[i]], out);
    }
}

/* ---- Limits of the analysis -------------------------------------------------------------------------- */

static bool is_resolved(const AbsValue *target)
{
    bool some = false;
    for (uint32_t i = 0; i < target->atoms.count; i++) {
        if (target->atoms.items[i].object == OBJECT_UNKNOWN)
            return false;
        some |= target->atoms.items[i].object != OBJECT_NUMBER;
    }
    return some;
}

static void add_unresolved(LLVMValueRef call, Text *out)
{
    SiteText site;
    site_read(call, &site);
    text_add(out, "unresolved\t%s\t%u\n", site.file, site.line);
}

static void add_limits(const LockGraph *graph, Text *out)
{
    const PointsTo *p = graph->pointsto;
    for (uint32_t i = 0; i < p->unresolved.count; i++)
        add_unresolved(p->unresolved.items[i], out);
    for (uint32_t i = 0; i < graph->waits.count; i++) {
        const LockWait *wait = &graph->waits.items[i];
        if (wait->kind != WAIT_NEVER && !is_resolved(&wait->target))
            add_unresolved(wait->call, out);
    }
    if (graph->cut)
        text_add_string(out, "cut\n");
    if (p->other_waits)
        text_add_string(out, "other-waits\n");
}

bool lockscan(Module *m, Text *out, Error *error)
{
    if (!prepare(m, error))
        return false;
    PointsTo *pointsto = pointsto_create(m);
    if (!pointsto)
        return error_set(error, EXIT_USAGE, "%s: no main function to start the analysis at", m->input);
    LockSets *sets = locksets_create(pointsto);
    LockGraph *graph = lockgraph_create(pointsto, sets);
    text_add(out, "locks\t1\t%u\t%u\t%u\n", pointsto->contexts.count, pointsto->threads.count, graph->waits.count);
    add_limits(graph, out);
    for (uint32_t i = 0; i < graph->cycles.count; i++)
        add_cycle(graph, &graph->cycles.items[i], out);
    lockgraph_destroy(graph);
    locksets_destroy(sets);
    pointsto_destroy(pointsto);
    return true;
}
