/* spin_block.c - see spin.h
 *
 * Why this is correct: an iteration without side effects is a function of the loop's variables (the phis of its
 * header) and of the memory it reads. If the variables are the same at its end as at its start, repeating it changes
 * nothing until a location it has read changes. The variables are compared at run time, on the back edge.
 */
#include "instr/module/bits.h"
#include "instr/module/edge.h"
#include "instr/module/hook.h"
#include "instr/module/site.h"
#include "instr/spin/spin.h"

static LLVMBasicBlockRef header_of(const SpinLoop *spin)
{
    return cfg_block(spin->cfg, spin->loop->header);
}

/* ---- Which loops ---------------------------------------------------------- */

static bool is_comparable(LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    return kind == LLVMIntegerTypeKind || kind == LLVMPointerTypeKind || kind == LLVMFloatTypeKind ||
           kind == LLVMDoubleTypeKind;
}

/* Is `value` the phi plus something, at least on some path through the iteration? */
static bool is_step_of(LLVMValueRef value, LLVMValueRef phi, unsigned depth)
{
    if (LLVMIsAPHINode(value)) {
        bool found = false;
        for (unsigned i = 0; i < LLVMCountIncoming(value) && depth && value != phi; i++)
            found |= is_step_of(LLVMGetIncomingValue(value, i), phi, depth - 1);
        return found;
    }
    if (!LLVMIsABinaryOperator(value) && !LLVMIsAGetElementPtrInst(value))
        return false;
    LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
    bool steps = opcode == LLVMAdd || opcode == LLVMSub || opcode == LLVMGetElementPtr;
    return steps && (LLVMGetOperand(value, 0) == phi || LLVMGetOperand(value, 1) == phi);
}

/* i++ and the like. */
static bool counts(LLVMValueRef phi)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
        if (is_step_of(LLVMGetIncomingValue(phi, i), phi, 3))
            return true;
    return false;
}

static bool may_return_to_same_state(const SpinLoop *spin)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(header_of(spin)); LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i))
        if (!is_comparable(LLVMTypeOf(i)) || counts(i))
            return false;
    return true;
}

/* Walking a list is a quiet loop too; on plain memory only a wait for a volatile, or a bare wait for a flag, is
 * treated. */
static bool is_worth_it(const SpinLoop *spin)
{
    if (spin->effects->observers.count || spin->effects->tries || spin->effects->sections || spin->effects->locks)
        return true;
    if (spin->effects->volatile_loads)
        return true;
    return spin->effects->plain_reads && !LLVMIsAPHINode(LLVMGetFirstInstruction(header_of(spin)));
}

/* ---- Changing the loop ---------------------------------------------------- */

/* A variable that is uninitialised before the loop may have any value, and an optimiser may choose a different one at
 * every use: then the comparison would always find a change. */
static void freeze_uninitialised(LLVMBasicBlockRef header)
{
    for (LLVMValueRef phi = LLVMGetFirstInstruction(header); LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi))
        for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
            if (LLVMIsUndef(LLVMGetIncomingValue(phi, i)))
                LLVMSetOperand(phi, i, LLVMConstNull(LLVMTypeOf(phi)));
}

static LLVMValueRef compare(Module *m, LLVMValueRef a, LLVMValueRef b)
{
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(a));
    if (kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind) {
        LLVMTypeRef bits = kind == LLVMFloatTypeKind ? m->i32 : m->i64;
        a = LLVMBuildBitCast(m->builder, a, bits, "");
        b = LLVMBuildBitCast(m->builder, b, bits, "");
    }
    return LLVMBuildICmp(m->builder, LLVMIntEQ, a, b, "");
}

static LLVMValueRef incoming(LLVMValueRef phi, LLVMBasicBlockRef from)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
        if (LLVMGetIncomingBlock(phi, i) == from)
            return LLVMGetIncomingValue(phi, i);
    return phi;
}

/* Of each variable of the loop the instruction that loads it again; NULL for most. */
static ValueList list_reloads(const SpinLoop *spin)
{
    ValueList list = {0};
    for (LLVMValueRef i = LLVMGetFirstInstruction(header_of(spin)); LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i))
        VEC_PUSH(&list, spin_reload(spin, i));
    return list;
}

static bool any_reloads(const ValueList *reloads)
{
    for (uint32_t i = 0; i < reloads->count; i++)
        if (reloads->items[i])
            return true;
    return false;
}

/* What they have loaded in the iteration that ends with this block. */
static ValueList list_loaded(const SpinLoop *spin, const ValueList *reloads, LLVMBasicBlockRef latch)
{
    ValueList list = {0};
    for (uint32_t i = 0; i < reloads->count; i++)
        VEC_PUSH(&list, reloads->items[i] ? spin_loaded(spin, reloads->items[i], latch) : NULL);
    return list;
}

static LLVMValueRef compare_loaded(Module *m, LLVMValueRef value, LLVMValueRef loaded)
{
    return LLVMBuildICmp(m->builder, LLVMIntEQ, bits_pack(m, value), bits_pack(m, loaded), "");
}

/* Do the loop's variables, on this back edge, have their values of the start of the iteration? If `loaded` is given,
 * those that are loaded again may have the value loaded. NULL if there are no variables. */
static LLVMValueRef build_same_state(Module *m, LLVMBasicBlockRef header, LLVMBasicBlockRef edge,
                                     const ValueList *loaded)
{
    LLVMValueRef same = NULL;
    uint32_t variable = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(header); LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i)) {
        LLVMValueRef again = loaded ? loaded->items[variable++] : NULL, value = incoming(i, edge);
        LLVMValueRef equal = again ? compare_loaded(m, value, again) : compare(m, i, value);
        same = same ? LLVMBuildAnd(m->builder, same, equal, "") : equal;
    }
    return same;
}

static LLVMValueRef declare(Module *m, const char *name, LLVMTypeRef type)
{
    LLVMValueRef function = LLVMGetNamedFunction(m->llvm, name);
    return function ? function : LLVMAddFunction(m->llvm, name, type);
}

/* spin_again, or spin_retry if the state is that behind another load, or spin_enter if it has changed: one call of a
 * selected function, so that the edge needs no branches. */
static void call_again(Module *m, LLVMBasicBlockRef header, LLVMBasicBlockRef edge, const ValueList *loaded,
                       LLVMValueRef site)
{
    LLVMTypeRef type = LLVMFunctionType(m->void_type, &m->ptr, 1, 0);
    LLVMPositionBuilderBefore(m->builder, LLVMGetBasicBlockTerminator(edge));
    LLVMValueRef same = build_same_state(m, header, edge, NULL);
    LLVMValueRef target = declare(m, "sennit_rt_spin_again", type), other = declare(m, "sennit_rt_spin_enter", type);
    if (any_reloads(loaded))
        other = LLVMBuildSelect(m->builder, build_same_state(m, header, edge, loaded),
                                declare(m, "sennit_rt_spin_retry", type), other, "");
    if (same)
        target = LLVMBuildSelect(m->builder, same, target, other, "");
    LLVMBuildCall2(m->builder, type, target, &site, 1, "");
}

typedef struct Edge {
    LLVMBasicBlockRef from, to;
    enum { EDGE_ENTERS, EDGE_RETURNS, EDGE_LEAVES } kind;
} Edge;

typedef VEC(Edge) EdgeList;

static void add_edge(EdgeList *list, Edge edge)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (list->items[i].from == edge.from && list->items[i].to == edge.to)
            return;
    VEC_PUSH(list, edge);
}

static EdgeList list_edges(const SpinLoop *spin)
{
    EdgeList list = {0};
    const NaturalLoop *loop = spin->loop;
    const BlockList *before = cfg_predecessors(spin->cfg, loop->header);
    for (uint32_t i = 0; i < before->count; i++) {
        Edge edge = {.from = cfg_block(spin->cfg, before->items[i]), .to = header_of(spin),
                     .kind = loop->contains[before->items[i]] ? EDGE_RETURNS : EDGE_ENTERS};
        add_edge(&list, edge);
    }
    for (uint32_t b = 0; b < loop->blocks.count; b++) {
        const BlockList *after = cfg_successors(spin->cfg, loop->blocks.items[b]);
        for (uint32_t i = 0; i < after->count; i++) {
            Edge edge = {.from = cfg_block(spin->cfg, loop->blocks.items[b]),
                         .to = cfg_block(spin->cfg, after->items[i]), .kind = EDGE_LEAVES};
            if (!loop->contains[after->items[i]])
                add_edge(&list, edge);
        }
    }
    return list;
}

static void wait_before(Module *m, LLVMValueRef lock, LLVMValueRef site)
{
    LLVMPositionBuilderBefore(m->builder, lock);
    hook_call(m, m->void_type, "spin_again", &site, 1);
}

/* The loop may repeat after several iterations, or change something and take it back. */
static void call_repeat(Module *m, LLVMBasicBlockRef header, LLVMBasicBlockRef edge, LLVMValueRef site)
{
    if (!spin_repeat_is_possible(m, LLVMGetBasicBlockParent(header)))
        return;
    LLVMPositionBuilderBefore(m->builder, LLVMGetBasicBlockTerminator(edge));
    hook_call(m, m->void_type, "spin_repeat", &site, 1);
}

static void instrument_edge(const SpinLoop *spin, const Edge *edge, const ValueList *reloads, LLVMValueRef site)
{
    Module *m = spin->module;
    ValueList loaded = {0};
    if (edge->kind == EDGE_RETURNS)
        loaded = list_loaded(spin, reloads, edge->from);
    LLVMBasicBlockRef middle = edge_split(m, edge->from, edge->to);
    LLVMPositionBuilderBefore(m->builder, LLVMGetFirstInstruction(middle));
    if (edge->kind == EDGE_ENTERS)
        hook_call(m, m->void_type, "spin_enter", &site, 1);
    else if (edge->kind == EDGE_LEAVES)
        hook_call(m, m->void_type, "spin_leave", NULL, 0);
    else
        call_again(m, edge->to, middle, &loaded, site);
    if (edge->kind == EDGE_RETURNS)
        call_repeat(m, edge->to, middle, site);
    VEC_FREE(&loaded);
}

/* Edges out of a computed goto or into an exception handler cannot be split. */
static bool can_split(const EdgeList *edges)
{
    for (uint32_t i = 0; i < edges->count; i++) {
        LLVMOpcode end = LLVMGetInstructionOpcode(LLVMGetBasicBlockTerminator(edges->items[i].from));
        if (end != LLVMBr && end != LLVMSwitch)
            return false;
    }
    return true;
}

bool spin_block(const SpinLoop *spin)
{
    if (!is_worth_it(spin) || !may_return_to_same_state(spin))
        return false;
    EdgeList edges = list_edges(spin);
    bool done = can_split(&edges);
    LLVMValueRef place = LLVMGetBasicBlockTerminator(cfg_block(spin->cfg, spin->loop->latches.items[0]));
    LLVMValueRef site = site_of(spin->module, place);
    LLVMValueRef lock = done ? spin_rotate(spin) : NULL;
    if (done)
        freeze_uninitialised(header_of(spin));
    if (lock)
        wait_before(spin->module, lock, site);
    ValueList reloads = list_reloads(spin);
    for (uint32_t i = 0; i < edges.count && done; i++)
        if (!lock || edges.items[i].kind != EDGE_RETURNS)
            instrument_edge(spin, &edges.items[i], &reloads, site);
        else
            call_repeat(spin->module, edges.items[i].to,
                        edge_split(spin->module, edges.items[i].from, edges.items[i].to), site);
    VEC_FREE(&reloads);
    VEC_FREE(&edges);
    return done;
}
