/* cover.c - see cover.h
 *
 * An edge whose target has no other predecessor is marked by its target; any other edge of a branch gets a block of
 * its own. So every mark is a store of a constant to a constant address. A block without calls that ends in a branch
 * is marked by its edges. Edges to a failing assertion are not counted: they should never be taken.
 */
#include "instr/passes/cover.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "instr/module/callee.h"
#include "instr/module/edge.h"
#include "instr/module/site.h"
#include "rt/abi/hooks.h"

/* ---- Types ------------------------------------------------------------------ */

enum { NO_MARK = UINT32_MAX };

/* A block of the source. */
typedef struct CoverBlock {
    uint32_t line;       /* its first line, 0: unknown                           */
    LLVMValueRef branch; /* place of its branch, or NULL                         */
    uint32_t ordinal;    /* among the branches at that place                     */
    bool fails;          /* it reports a failed assertion                        */
    bool needed;         /* its own mark stands for an edge                      */
    uint32_t marks[2];   /* it was executed iff one of these is set, or NO_MARK  */
} CoverBlock;

/* A line or a function of the source and the block that is executed iff it is reached. */
typedef struct CoverLine {
    LLVMValueRef site;
    uint32_t block;
    bool is_function;
} CoverLine;

struct CoverPlan {
    VEC(CoverBlock) blocks;
    VEC(CoverLine) lines;
    ValueList points;    /* SennitCoverPoint of each line, function and edge */
    uint32_t marks;      /* allocated so far                                 */
    LLVMValueRef array;  /* placeholder for the marks until their number is known */
    unsigned tag;        /* kind of metadata that carries the number         */
};

static unsigned tag_kind(const Module *m)
{
    static const char tag[] = "sennit.cover";
    return LLVMGetMDKindIDInContext(m->context, tag, sizeof tag - 1);
}

static unsigned forgotten_kind(const Module *m)
{
    static const char tag[] = "sennit.cover.forgotten";
    return LLVMGetMDKindIDInContext(m->context, tag, sizeof tag - 1);
}

/* ---- Points ----------------------------------------------------------------- */

static void add_point(Module *m, CoverPlan *plan, enum SennitCoverKind kind, LLVMValueRef site, uint32_t mark,
                      uint32_t ordinal, uint32_t outcome, uint32_t target)
{
    LLVMValueRef fields[] = {site, module_i32(m, kind), module_i32(m, mark), module_i32(m, ordinal),
                             module_i32(m, outcome), module_i32(m, target), module_i32(m, 0)};
    VEC_PUSH(&plan->points, LLVMConstStructInContext(m->context, fields, 7, 0));
}

static uint32_t line_of(LLVMValueRef instruction)
{
    LLVMMetadataRef location = LLVMInstructionGetDebugLoc(instruction);
    return location ? LLVMDILocationGetLine(location) : 0;
}

static bool is_debug_note(LLVMValueRef instruction)
{
    return name_begins(callee_name(instruction), "llvm.dbg.");
}

/* One entry for each run of instructions on the same line. */
static void note_lines(Module *m, CoverPlan *plan, LLVMBasicBlockRef block, uint32_t number)
{
    uint32_t last = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        uint32_t line = is_debug_note(i) ? 0 : line_of(i);
        if (!line || line == last)
            continue;
        if (!plan->blocks.items[number].line)
            plan->blocks.items[number].line = line;
        VEC_PUSH(&plan->lines, ((CoverLine){.site = site_of(m, i), .block = number}));
        last = line;
    }
}

/* ---- Numbering -------------------------------------------------------------- */

static bool reports_failure(LLVMBasicBlockRef block)
{
    static const char *const names[] = {"__assert_fail", "sennit_assert_failed", "__assert_rtn", "__assert"};
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        for (unsigned n = 0; n < sizeof names / sizeof *names; n++)
            if (strcmp(callee_name(i), names[n]) == 0)
                return true;
    return false;
}

/* A check inserted by the front end, not part of the source. */
static bool is_added(LLVMValueRef end)
{
    static const char kind[] = "nosanitize";
    return LLVMGetMetadata(end, LLVMGetMDKindIDInContext(LLVMGetTypeContext(LLVMTypeOf(end)), kind, sizeof kind - 1)) !=
           NULL;
}

static bool is_branch(LLVMValueRef end)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(end);
    return !is_added(end) && (opcode == LLVMSwitch || (opcode == LLVMBr && LLVMIsConditional(end))) &&
           LLVMGetNumSuccessors(end) > 1 && !LLVMIsConstant(LLVMGetOperand(end, 0));
}

/* How many earlier branches of the function, whose blocks start at `first`, have this place. */
static uint32_t count_same(const CoverPlan *plan, uint32_t first, LLVMValueRef site)
{
    uint32_t count = 0;
    for (uint32_t i = first; i < plan->blocks.count; i++)
        count += plan->blocks.items[i].branch == site;
    return count;
}

static void tag_end(Module *m, const CoverPlan *plan, LLVMValueRef end, uint32_t number)
{
    LLVMMetadataRef value = LLVMValueAsMetadata(module_i32(m, number));
    LLVMMetadataRef node = LLVMMDNodeInContext2(m->context, &value, 1);
    LLVMSetMetadata(end, plan->tag, LLVMMetadataAsValue(m->context, node));
}

static void number_block(Module *m, CoverPlan *plan, LLVMBasicBlockRef block, uint32_t first)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    uint32_t number = plan->blocks.count;
    CoverBlock entry = {.fails = reports_failure(block), .marks = {NO_MARK, NO_MARK}};
    if (is_branch(end) && line_of(end)) {
        entry.branch = site_of(m, end);
        entry.ordinal = count_same(plan, first, entry.branch);
    }
    VEC_PUSH(&plan->blocks, entry);
    note_lines(m, plan, block, number);
    tag_end(m, plan, end, number);
}

static void number_function(Module *m, CoverPlan *plan, LLVMValueRef function)
{
    uint32_t first = plan->blocks.count;
    VEC_PUSH(&plan->lines, ((CoverLine){site_of_function(m, function), first, true}));
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        number_block(m, plan, b, first);
}

CoverPlan *cover_plan(Module *m)
{
    CoverPlan *plan = mem_alloc(sizeof *plan);
    plan->tag = tag_kind(m);
    for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && LLVMGetSubprogram(f))
            number_function(m, plan, f);
    return plan;
}

void cover_forget_branch(Module *m, LLVMBasicBlockRef block)
{
    LLVMMetadataRef node = LLVMMDNodeInContext2(m->context, NULL, 0);
    LLVMSetMetadata(LLVMGetBasicBlockTerminator(block), forgotten_kind(m), LLVMMetadataAsValue(m->context, node));
}

/* ---- Marks ------------------------------------------------------------------ */

static CoverBlock *find_block(const CoverPlan *plan, LLVMBasicBlockRef block)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block), node = end ? LLVMGetMetadata(end, plan->tag) : NULL;
    if (!node)
        return NULL;
    LLVMValueRef value;
    LLVMGetMDNodeOperands(node, &value);
    return &plan->blocks.items[LLVMConstIntGetZExtValue(value)];
}

/* After phis and local variables, which must come first. */
static uint32_t put_mark(Module *m, CoverPlan *plan, LLVMBasicBlockRef block)
{
    uint32_t mark = plan->marks++;
    LLVMValueRef place = LLVMGetFirstInstruction(block);
    while (LLVMIsAPHINode(place) || LLVMIsAAllocaInst(place))
        place = LLVMGetNextInstruction(place);
    LLVMPositionBuilderBefore(m->builder, place);
    LLVMSetCurrentDebugLocation2(m->builder, NULL);
    LLVMValueRef index = module_i64(m, mark);
    LLVMBuildStore(m->builder, LLVMConstInt(m->i8, 1, 0), LLVMConstGEP2(m->i8, plan->array, &index, 1));
    return mark;
}

static uint32_t count_ways_in(LLVMBasicBlockRef block)
{
    uint32_t count = 0;
    for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); u; u = LLVMGetNextUse(u))
        count++;
    return count;
}

static bool seen_before(LLVMValueRef end, unsigned i)
{
    for (unsigned k = 0; k < i; k++)
        if (LLVMGetSuccessor(end, k) == LLVMGetSuccessor(end, i))
            return true;
    return false;
}

/* The block of the source that an edge leads to, skipping blocks that passes have inserted. */
static const CoverBlock *find_target(const CoverPlan *plan, LLVMBasicBlockRef block)
{
    for (unsigned hops = 0; hops < 4; hops++) {
        const CoverBlock *found = find_block(plan, block);
        LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
        if (found || LLVMGetNumSuccessors(end) != 1)
            return found;
        block = LLVMGetSuccessor(end, 0);
    }
    return NULL;
}

/* Is the block's end reached whenever its start is? A thread may stop in a call. */
static bool runs_through(LLVMBasicBlockRef block)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
        bool atomic =
            opcode == LLVMAtomicRMW || opcode == LLVMAtomicCmpXchg || opcode == LLVMFence ||
            ((opcode == LLVMLoad || opcode == LLVMStore) && LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic);
        if (atomic || (opcode == LLVMCall && !is_debug_note(i)))
            return false;
    }
    return true;
}

/* Does the branch have several successors, not counting failing assertions? */
static bool has_outcomes(const Module *m, const CoverPlan *plan, LLVMBasicBlockRef block, const CoverBlock *entry)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    unsigned count = 0;
    if (!entry->branch || !is_branch(end) || LLVMGetMetadata(end, forgotten_kind(m)))
        return false;
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
        const CoverBlock *target = find_target(plan, LLVMGetSuccessor(end, i));
        count += !seen_before(end, i) && target && !target->fails;
    }
    return count > 1;
}

/* The marks of its two edges show whether the block was executed; it needs none of its own. */
static bool is_marked_by_edges(LLVMBasicBlockRef block, const CoverBlock *entry)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    return !entry->needed && LLVMGetNumSuccessors(end) == 2 && LLVMGetSuccessor(end, 0) != block &&
           LLVMGetSuccessor(end, 1) != block && runs_through(block);
}

/* The mark of the edge to `target`: that of its only target, or one on the edge. */
static uint32_t mark_edge(Module *m, CoverPlan *plan, LLVMBasicBlockRef from, LLVMBasicBlockRef target)
{
    CoverBlock *entry = find_block(plan, target);
    if (count_ways_in(target) > 1)
        return put_mark(m, plan, edge_split(m, from, target));
    if (!entry)
        return put_mark(m, plan, target);
    if (entry->marks[0] == NO_MARK || entry->marks[1] != NO_MARK)
        entry->marks[0] = put_mark(m, plan, target);
    entry->needed = true;
    return entry->marks[0];
}

static void mark_branch(Module *m, CoverPlan *plan, LLVMBasicBlockRef block, CoverBlock *entry, bool by_edges)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
        const CoverBlock *target = find_target(plan, LLVMGetSuccessor(end, i));
        if (seen_before(end, i) || !target || target->fails)
            continue;
        uint32_t line = target->line, mark = mark_edge(m, plan, block, LLVMGetSuccessor(end, i));
        if (by_edges)
            entry->marks[i] = mark;
        add_point(m, plan, SENNIT_COVER_BRANCH, entry->branch, mark, entry->ordinal, i, line);
    }
}

/* A block that merely continues the one before it. */
static bool continues(const CoverPlan *plan, LLVMBasicBlockRef block, uint32_t *mark)
{
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
    LLVMValueRef jump = use && !LLVMGetNextUse(use) ? LLVMIsABranchInst(LLVMGetUser(use)) : NULL;
    if (!jump || LLVMIsConditional(jump))
        return false;
    LLVMBasicBlockRef before = LLVMGetInstructionParent(jump);
    const CoverBlock *entry = find_block(plan, before);
    if (!entry || entry->marks[0] == NO_MARK || entry->marks[1] != NO_MARK || !runs_through(before))
        return false;
    *mark = entry->marks[0];
    return true;
}

static void mark_one(Module *m, CoverPlan *plan, LLVMBasicBlockRef block)
{
    CoverBlock *entry = find_block(plan, block);
    bool branches = has_outcomes(m, plan, block, entry), by_edges = branches && is_marked_by_edges(block, entry);
    if (!by_edges && entry->marks[0] == NO_MARK && !continues(plan, block, &entry->marks[0]))
        entry->marks[0] = put_mark(m, plan, block);
    if (branches)
        mark_branch(m, plan, block, entry, by_edges);
}

static void untag(Module *m, const CoverPlan *plan, LLVMValueRef end)
{
    LLVMSetMetadata(end, plan->tag, NULL);
    LLVMSetMetadata(end, forgotten_kind(m), NULL);
}

static void mark_function(Module *m, CoverPlan *plan, LLVMValueRef function)
{
    VEC(LLVMBasicBlockRef) list = {0};
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        if (find_block(plan, b))
            VEC_PUSH(&list, b);
    for (uint32_t i = 0; i < list.count; i++)
        mark_one(m, plan, list.items[i]);
    for (uint32_t i = 0; i < list.count; i++)
        untag(m, plan, LLVMGetBasicBlockTerminator(list.items[i]));
    VEC_FREE(&list);
}

/* ---- The table for the runtime --------------------------------------------------- */

static LLVMValueRef make_marks(Module *m, const CoverPlan *plan)
{
    LLVMTypeRef type = LLVMArrayType2(m->i8, (plan->marks + 7) / 8 * 8);
    LLVMValueRef marks = LLVMAddGlobal(m->llvm, type, "sennit_cover_marks");
    LLVMSetInitializer(marks, LLVMConstNull(type));
    LLVMSetLinkage(marks, LLVMInternalLinkage);
    LLVMSetAlignment(marks, 64);
    return marks;
}

static void add_lines(Module *m, CoverPlan *plan)
{
    for (uint32_t i = 0; i < plan->lines.count; i++) {
        const CoverLine *line = &plan->lines.items[i];
        const uint32_t *marks = plan->blocks.items[line->block].marks;
        for (unsigned k = 0; k < 2 && marks[k] != NO_MARK; k++)
            add_point(m, plan, line->is_function ? SENNIT_COVER_FUNCTION : SENNIT_COVER_LINE, line->site, marks[k], 0,
                      0, 0);
    }
}

static void list_points(Module *m, CoverPlan *plan, LLVMValueRef marks)
{
    LLVMValueRef array = LLVMConstArray2(LLVMTypeOf(plan->points.items[0]), plan->points.items, plan->points.count);
    LLVMValueRef fields[] = {marks, module_constant(m, array, NULL, 8), module_i32(m, plan->marks),
                             module_i32(m, plan->points.count)};
    LLVMValueRef record = LLVMConstStructInContext(m->context, fields, 4, 0);
    VEC_PUSH(&m->used, module_constant(m, record, "sennit_cover", 8));
}

void cover_insert(Module *m, CoverPlan *plan)
{
    plan->array = LLVMAddGlobal(m->llvm, m->i8, "sennit_cover_array");
    for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f; f = LLVMGetNextFunction(f))
        mark_function(m, plan, f);
    add_lines(m, plan);
    if (plan->points.count) {
        LLVMValueRef marks = make_marks(m, plan);
        LLVMReplaceAllUsesWith(plan->array, marks);
        list_points(m, plan, marks);
    }
    LLVMDeleteGlobal(plan->array);
    VEC_FREE(&plan->blocks);
    VEC_FREE(&plan->lines);
    VEC_FREE(&plan->points);
    free(plan);
}
