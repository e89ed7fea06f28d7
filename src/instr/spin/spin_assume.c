/* spin_assume.c - see spin.h
 *
 * From the atomic instruction on the code is walked as it would be executed, along both ways of a branch, until
 * something else than arithmetic comes. What is computed on the way is copied to the instruction, so that a value of
 * the next iteration of a loop is not taken for one of this: what depends on the value found behind the instruction,
 * everything else before it. Where a way ends with a failed assumption, the value found is of no use. (SPIN-21)
 */
#include <string.h>

#include "instr/module/bits.h"
#include "instr/module/callee.h"
#include "instr/module/condition.h"
#include "instr/module/hook.h"
#include "instr/module/private.h"
#include "instr/module/site.h"
#include "instr/spin/spin.h"
#include "rt/abi/hooks.h"

enum { MAX_WALKED = 200, MAX_FORKS = 12 };

/* A value as the code means it, and its copy. */
typedef struct PathValue {
    LLVMValueRef from, to;
} PathValue;

typedef struct AssumeWalk {
    Module *module;
    LLVMValueRef source; /* the atomic instruction                    */
    LLVMValueRef behind; /* the instruction that follows it           */
    VEC(PathValue) copies;    /* on the way so far, the newest last        */
    ValueList made;      /* all copies that were built                */
    ValueList dependent; /* those that depend on the value found      */
    uint32_t walked, forks;
} AssumeWalk;

/* When the value found may be of use: always, never, or if `before` holds, which is computed before the instruction
 * (NULL: false), or the condition, if there is one. It may be of use more often than it is. */
typedef struct Use {
    enum { USE_ALWAYS, USE_NEVER, USE_SOMETIMES } kind;
    LLVMValueRef before;
    bool has_condition;
    Condition condition;
} Use;

static Use always(void) { return (Use){.kind = USE_ALWAYS}; }

static bool lists(const ValueList *list, LLVMValueRef value)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (list->items[i] == value)
            return true;
    return false;
}

/* ---- Copies ------------------------------------------------------------------- */

static LLVMValueRef current(const AssumeWalk *walk, LLVMValueRef value)
{
    for (uint32_t i = walk->copies.count; i-- > 0;)
        if (walk->copies.items[i].from == value)
            return walk->copies.items[i].to;
    return value;
}

static bool depends(const AssumeWalk *walk, LLVMValueRef value)
{
    return value == walk->source || lists(&walk->dependent, value);
}

static void bind(AssumeWalk *walk, LLVMValueRef from, LLVMValueRef to)
{
    PathValue copy = {from, to};
    VEC_PUSH(&walk->copies, copy);
}

static bool is_arithmetic(LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMZExt:
    case LLVMSExt:
    case LLVMTrunc:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMBitCast:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMICmp:
    case LLVMSelect:
    case LLVMFreeze:
    case LLVMExtractValue:
    case LLVMGetElementPtr:
        return true;
    default:
        return false;
    }
}

/* What was built, other than by copying; constants are not. */
static LLVMValueRef keep(AssumeWalk *walk, LLVMValueRef value)
{
    if (LLVMIsAInstruction(value) && !lists(&walk->made, value))
        VEC_PUSH(&walk->made, value);
    return value;
}

/* Of found + a == b makes found == b - a, likewise with - and ^: the value found is compared with what is known before.
 * False if the comparison has another form. */
static bool move_over(AssumeWalk *walk, LLVMValueRef compare)
{
    LLVMBuilderRef builder = walk->module->builder;
    unsigned side = depends(walk, LLVMGetOperand(compare, 0)) ? 0 : 1;
    LLVMValueRef sum = LLVMGetOperand(compare, side), other = LLVMGetOperand(compare, 1 - side);
    if (!lists(&walk->dependent, sum) || depends(walk, other) || LLVMGetNumOperands(sum) != 2)
        return false;
    LLVMValueRef a = LLVMGetOperand(sum, 0), b = LLVMGetOperand(sum, 1);
    LLVMOpcode opcode = LLVMGetInstructionOpcode(sum);
    bool first = depends(walk, a);
    LLVMValueRef known = first ? b : a;
    if (depends(walk, known))
        return false;
    LLVMPositionBuilderBefore(builder, walk->source);
    if (opcode == LLVMXor)
        other = LLVMBuildXor(builder, other, known, "");
    else if (opcode == LLVMAdd)
        other = LLVMBuildSub(builder, other, known, "");
    else if (opcode == LLVMSub)
        other = first ? LLVMBuildAdd(builder, other, known, "") : LLVMBuildSub(builder, known, other, "");
    else
        return false;
    LLVMSetOperand(compare, side, first ? a : b);
    LLVMSetOperand(compare, 1 - side, keep(walk, other));
    return true;
}

static void simplify(AssumeWalk *walk, LLVMValueRef compare)
{
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(compare);
    while ((predicate == LLVMIntEQ || predicate == LLVMIntNE) && move_over(walk, compare))
        continue;
}

/* The same operation on the current operands; constants are folded. */
static LLVMValueRef build_copy(const AssumeWalk *walk, LLVMValueRef i)
{
    LLVMBuilderRef builder = walk->module->builder;
    LLVMValueRef first = current(walk, LLVMGetOperand(i, 0));
    if (LLVMIsACastInst(i))
        return LLVMBuildCast(builder, LLVMGetInstructionOpcode(i), first, LLVMTypeOf(i), "");
    if (LLVMIsAICmpInst(i))
        return LLVMBuildICmp(builder, LLVMGetICmpPredicate(i), first, current(walk, LLVMGetOperand(i, 1)), "");
    if (LLVMIsABinaryOperator(i))
        return LLVMBuildBinOp(builder, LLVMGetInstructionOpcode(i), first, current(walk, LLVMGetOperand(i, 1)), "");
    LLVMValueRef made = LLVMInstructionClone(i);
    for (int k = 0; k < LLVMGetNumOperands(i); k++)
        LLVMSetOperand(made, (unsigned)k, current(walk, LLVMGetOperand(i, (unsigned)k)));
    LLVMInsertIntoBuilder(builder, made);
    return made;
}

static void copy(AssumeWalk *walk, LLVMValueRef i)
{
    bool dependent = false;
    for (int k = 0; k < LLVMGetNumOperands(i); k++)
        dependent |= depends(walk, current(walk, LLVMGetOperand(i, (unsigned)k)));
    LLVMPositionBuilderBefore(walk->module->builder, dependent ? walk->behind : walk->source);
    LLVMValueRef made = keep(walk, build_copy(walk, i));
    if (dependent && LLVMIsAInstruction(made))
        VEC_PUSH(&walk->dependent, made);
    if (LLVMIsAICmpInst(made))
        simplify(walk, made);
    bind(walk, i, made);
}

static LLVMValueRef build_not(AssumeWalk *walk, LLVMValueRef boolean)
{
    LLVMPositionBuilderBefore(walk->module->builder, walk->source);
    return keep(walk, LLVMBuildXor(walk->module->builder, boolean, LLVMConstInt(walk->module->i1, 1, 0), ""));
}

static LLVMValueRef build_or(AssumeWalk *walk, LLVMValueRef a, LLVMValueRef b)
{
    if (!a || !b)
        return a ? a : b;
    LLVMPositionBuilderBefore(walk->module->builder, walk->source);
    return keep(walk, LLVMBuildOr(walk->module->builder, a, b, ""));
}

/* ---- Uses ----------------------------------------------------------------------- */

static Use use_if(const Condition *condition, bool holds)
{
    Use use = {.kind = USE_SOMETIMES, .has_condition = true, .condition = *condition};
    if (!holds)
        use.condition.relation = condition_negate(condition->relation);
    return use;
}

static Use use_if_before(LLVMValueRef boolean) { return (Use){.kind = USE_SOMETIMES, .before = boolean}; }

/* One or the other. Of two conditions there is no single one, so nothing is known. */
static Use either(AssumeWalk *walk, Use a, Use b)
{
    if (a.kind == USE_ALWAYS || b.kind == USE_NEVER)
        return a;
    if (b.kind == USE_ALWAYS || a.kind == USE_NEVER)
        return b;
    if (a.has_condition && b.has_condition && !condition_equal(&a.condition, &b.condition))
        return always();
    Use use = a.has_condition ? a : b;
    use.before = build_or(walk, a.before, b.before);
    return use;
}

/* `first` holds, and behind it the value is of this use. */
static Use both(Use first, Use use) { return use.kind == USE_ALWAYS ? first : use; }

/* ---- The walk --------------------------------------------------------------------- */

static LLVMValueRef resolve(const Resolver *resolver, LLVMValueRef value)
{
    (void)resolver;
    return value;
}

/* What a boolean on the way says. MEANS_UNKNOWN: nothing about the value found. */
static Meaning meaning_of(const AssumeWalk *walk, LLVMValueRef boolean)
{
    static const Resolver plain = {resolve};
    Meaning meaning = condition_meaning(&plain, boolean);
    if (meaning.kind == MEANS_CONDITION &&
        (meaning.condition.source != walk->source ||
         (meaning.condition.operand && depends(walk, meaning.condition.operand))))
        meaning.kind = MEANS_UNKNOWN;
    return meaning;
}

static bool is_assumption(LLVMValueRef call)
{
    static const char *const names[] = {"__VERIFIER_assume", "sennit_assume", "klee_assume", "assume_abort_if_not",
                                        NULL};
    return name_is_one_of(callee_name(call), names) && LLVMGetNumArgOperands(call) == 1 &&
           LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, 0))) == LLVMIntegerTypeKind;
}

/* It passes if its argument is not 0. */
static Use at_assumption(AssumeWalk *walk, LLVMValueRef call)
{
    LLVMBuilderRef builder = walk->module->builder;
    LLVMValueRef argument = current(walk, LLVMGetOperand(call, 0));
    bool dependent = depends(walk, argument);
    LLVMPositionBuilderBefore(builder, dependent ? walk->behind : walk->source);
    LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(argument));
    LLVMValueRef holds = keep(walk, LLVMBuildICmp(builder, LLVMIntNE, argument, zero, ""));
    Meaning meaning = meaning_of(walk, holds);
    if (meaning.kind == MEANS_CONSTANT)
        return (Use){.kind = meaning.constant ? USE_ALWAYS : USE_NEVER};
    if (meaning.kind == MEANS_CONDITION)
        return use_if(&meaning.condition, meaning.constant);
    return dependent ? always() : use_if_before(holds);
}

static Use walk_from(AssumeWalk *walk, LLVMValueRef i);

/* The phis of a block get their values at the same time. */
static Use walk_edge(AssumeWalk *walk, LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
    uint32_t first = walk->copies.count, count = 0;
    LLVMValueRef i = LLVMGetFirstInstruction(to);
    ValueList values = {0};
    for (; LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i))
        for (unsigned k = 0; k < LLVMCountIncoming(i); k++)
            if (LLVMGetIncomingBlock(i, k) == from) {
                VEC_PUSH(&values, current(walk, LLVMGetIncomingValue(i, k)));
                break;
            }
    for (LLVMValueRef phi = LLVMGetFirstInstruction(to); phi != i; phi = LLVMGetNextInstruction(phi))
        bind(walk, phi, values.items[count++]);
    VEC_FREE(&values);
    Use use = walk_from(walk, i);
    walk->copies.count = first;
    return use;
}

static Use walk_fork(AssumeWalk *walk, LLVMValueRef branch)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(branch);
    LLVMBasicBlockRef yes = LLVMGetSuccessor(branch, 0), no = LLVMGetSuccessor(branch, 1);
    LLVMValueRef boolean = current(walk, LLVMGetCondition(branch));
    Meaning meaning = meaning_of(walk, boolean);
    if (meaning.kind == MEANS_CONSTANT)
        return walk_edge(walk, block, meaning.constant ? yes : no);
    if (++walk->forks > MAX_FORKS || (meaning.kind == MEANS_UNKNOWN && depends(walk, boolean)))
        return always();
    Use then = walk_edge(walk, block, yes), otherwise = walk_edge(walk, block, no);
    if (meaning.kind == MEANS_CONDITION)
        return either(walk, both(use_if(&meaning.condition, meaning.constant), then),
                      both(use_if(&meaning.condition, !meaning.constant), otherwise));
    return either(walk, both(use_if_before(boolean), then),
                  both(use_if_before(build_not(walk, boolean)), otherwise));
}

static bool is_silent(LLVMValueRef i)
{
    return LLVMIsACallInst(i) &&
           (name_begins(callee_name(i), "llvm.dbg.") || name_begins(callee_name(i), "llvm.lifetime."));
}

static Use walk_from(AssumeWalk *walk, LLVMValueRef i)
{
    for (; i && i != walk->source && ++walk->walked <= MAX_WALKED; i = LLVMGetNextInstruction(i)) {
        if (LLVMIsABranchInst(i) && LLVMIsConditional(i))
            return walk_fork(walk, i);
        if (LLVMIsABranchInst(i))
            return walk_edge(walk, LLVMGetInstructionParent(i), LLVMGetSuccessor(i, 0));
        if (LLVMIsACallInst(i) && is_assumption(i))
            return at_assumption(walk, i);
        if (is_arithmetic(i))
            copy(walk, i);
        else if (name_begins(callee_name(i), "llvm.expect"))
            bind(walk, i, current(walk, LLVMGetOperand(i, 0)));
        else if (!is_silent(i))
            break;
    }
    return always();
}

/* ---- The instruction ------------------------------------------------------------- */

static void erase_unused(AssumeWalk *walk)
{
    for (uint32_t i = walk->made.count; i-- > 0;)
        if (!LLVMGetFirstUse(walk->made.items[i]))
            LLVMInstructionEraseFromParent(walk->made.items[i]);
}

/* What other inputs, or another way, would have computed may be undefined here. */
static LLVMValueRef defined(AssumeWalk *walk, LLVMValueRef value)
{
    return lists(&walk->made, value) ? LLVMBuildFreeze(walk->module->builder, value, "") : value;
}

static LLVMValueRef relation_argument(AssumeWalk *walk, const Use *use)
{
    Module *m = walk->module;
    LLVMValueRef relation = module_i32(m, use->condition.relation);
    if (!use->before)
        return relation;
    return LLVMBuildSelect(m->builder, defined(walk, use->before), module_i32(m, REL_TRUE), relation, "");
}

static void replace(LLVMValueRef instruction, LLVMValueRef by)
{
    LLVMReplaceAllUsesWith(instruction, by);
    LLVMInstructionEraseFromParent(instruction);
}

static LLVMValueRef size_of(const AssumeWalk *walk)
{
    return module_i32(walk->module, condition_source_bits(walk->source) / 8);
}

static void assume_load(AssumeWalk *walk, const Use *use)
{
    Module *m = walk->module;
    LLVMValueRef load = walk->source, operand = module_i64(m, use->condition.constant);
    LLVMPositionBuilderBefore(m->builder, load);
    if (use->condition.operand)
        operand = bits_pack(m, defined(walk, use->condition.operand));
    LLVMValueRef args[] = {LLVMGetOperand(load, 0), size_of(walk), hook_order(m, LLVMGetOrdering(load)),
                           relation_argument(walk, use), module_i64(m, use->condition.mask), operand,
                           site_of(m, load)};
    LLVMValueRef word = hook_call(m, m->i64, "atomic_assume", args, 7);
    replace(load, bits_unpack(m, word, LLVMTypeOf(load)));
}

static void assume_rmw(AssumeWalk *walk, const Use *use)
{
    Module *m = walk->module;
    LLVMValueRef rmw = walk->source;
    Use wait = *use;
    int op;
    if (!spin_rmw_wait(rmw, &use->condition, &op, &wait.condition))
        return;
    LLVMPositionBuilderBefore(m->builder, rmw);
    LLVMValueRef args[] = {LLVMGetOperand(rmw, 0), module_i32(m, (uint64_t)op), bits_pack(m, LLVMGetOperand(rmw, 1)),
                           size_of(walk), hook_order(m, LLVMGetOrdering(rmw)), relation_argument(walk, &wait),
                           module_i64(m, wait.condition.mask), module_i64(m, wait.condition.constant),
                           site_of(m, rmw)};
    LLVMValueRef word = hook_call(m, m->i64, "atomic_assume_rmw", args, 9);
    replace(rmw, bits_unpack(m, word, LLVMTypeOf(rmw)));
}

/* A weak exchange that fails for no reason fails in vain, too. */
static void assume_cas(AssumeWalk *walk, const Use *use)
{
    Module *m = walk->module;
    LLVMValueRef cas = walk->source, expected = LLVMGetOperand(cas, 1);
    if (use->before || !spin_cas_succeeds(&use->condition, cas))
        return;
    LLVMPositionBuilderBefore(m->builder, cas);
    LLVMValueRef wanted = bits_pack(m, expected);
    LLVMValueRef args[] = {LLVMGetOperand(cas, 0), wanted, bits_pack(m, LLVMGetOperand(cas, 2)), size_of(walk),
                           hook_order(m, LLVMGetCmpXchgSuccessOrdering(cas)),
                           hook_order(m, LLVMGetCmpXchgFailureOrdering(cas)), site_of(m, cas)};
    LLVMValueRef found = hook_call(m, m->i64, "atomic_assume_cas", args, 7);
    LLVMValueRef success = LLVMBuildICmp(m->builder, LLVMIntEQ, found, wanted, "");
    LLVMValueRef pair = LLVMBuildInsertValue(m->builder, LLVMGetPoison(LLVMTypeOf(cas)),
                                             bits_unpack(m, found, LLVMTypeOf(expected)), 0, "");
    replace(cas, LLVMBuildInsertValue(m->builder, pair, success, 1, ""));
}

static bool is_candidate(LLVMValueRef i)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
    bool atomic = (opcode == LLVMLoad && LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic) ||
                  opcode == LLVMAtomicRMW || opcode == LLVMAtomicCmpXchg;
    unsigned bits = atomic ? condition_source_bits(i) : 0;
    return bits >= 8 && bits <= 64 && (bits & (bits - 1)) == 0 && !private_pointer(NULL, LLVMGetOperand(i, 0));
}

static void treat(Module *m, LLVMValueRef source)
{
    AssumeWalk walk = {.module = m, .source = source, .behind = LLVMGetNextInstruction(source)};
    LLVMOpcode opcode = LLVMGetInstructionOpcode(source);
    Use use = walk_from(&walk, walk.behind);
    if (use.kind == USE_SOMETIMES && use.has_condition) {
        if (opcode == LLVMLoad)
            assume_load(&walk, &use);
        else if (opcode == LLVMAtomicRMW)
            assume_rmw(&walk, &use);
        else
            assume_cas(&walk, &use);
    }
    erase_unused(&walk);
    VEC_FREE(&walk.copies);
    VEC_FREE(&walk.made);
    VEC_FREE(&walk.dependent);
}

bool spin_assumes(LLVMValueRef function)
{
    ValueList list = module_instructions(function);
    bool found = false;
    for (uint32_t i = 0; i < list.count && !found; i++)
        found = LLVMIsACallInst(list.items[i]) && is_assumption(list.items[i]);
    VEC_FREE(&list);
    return found;
}

void spin_assume(Module *m, LLVMValueRef function)
{
    if (!spin_assumes(function))
        return;
    ValueList list = module_instructions(function);
    for (uint32_t i = 0; i < list.count; i++)
        if (is_candidate(list.items[i]))
            treat(m, list.items[i]);
    VEC_FREE(&list);
}
