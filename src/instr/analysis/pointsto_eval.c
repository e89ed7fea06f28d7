/* pointsto_eval.c - the possible results of an instruction in a context; see pointsto_internal.h */
#include "instr/analysis/pointsto_internal.h"

#include "instr/analysis/abstract_constant.h"
#include "instr/analysis/abstract_fold.h"

/* ---- Objects and values ---------------------------------------------------------------------- */

uint32_t pointsto_allocation(PointsTo *a, Context *context, LLVMValueRef instruction, ObjectKind kind)
{
    bool added;
    uint64_t *slot = map_insert(&a->allocations, map_mix(map_key(instruction), context->number + 1), &added);
    if (added) {
        uint32_t object = abstract_memory_create(&a->memory, kind, instruction,
                                           context->single && !pointsto_is_repeated(context, instruction));
        *slot = object;
    }
    Object *object = abstract_memory_get(&a->memory, (uint32_t)*slot);
    if (object->single && !context->single) {
        object->single = false;
        a->changed = true;
    }
    return (uint32_t)*slot;
}

void pointsto_read(PointsTo *a, Context *context, LLVMValueRef operand, AbsValue *value)
{
    uint64_t *slot = map_find(&context->function->slots, map_key(operand));
    if (slot)
        abstract_value_join(value, &context->values[*slot]);
    else
        abstract_value_join(value, abstract_constant_get(a, operand));
}

AbsValue pointsto_operand(PointsTo *a, Context *context, LLVMValueRef instruction, unsigned number)
{
    AbsValue value = {0};
    pointsto_read(a, context, LLVMGetOperand(instruction, number), &value);
    return value;
}

void pointsto_add_address(AbsValue *value, uint32_t object) { abstract_value_add(value, (AbsAtom){.object = object}); }

static unsigned width_of(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 64;
}

static bool is_plain_number(LLVMValueRef value)
{
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(value));
    return kind == LLVMIntegerTypeKind || kind == LLVMPointerTypeKind;
}

/* ---- Instructions ---------------------------------------------------------------------------- */

static void evaluate_phi(PointsTo *a, Context *context, LLVMValueRef phi, AbsValue *result)
{
    LLVMBasicBlockRef here = LLVMGetInstructionParent(phi);
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
        uint32_t index = cfg_index(context->function->cfg, from);
        if (index != CFG_NONE && context->reached[index] && pointsto_goes_to(a, context, from, here))
            pointsto_read(a, context, LLVMGetIncomingValue(phi, i), result);
    }
}

/* Moves each base by one index. */
static AbsValue index_addresses(const AbsValue *base, const AbsValue *index, uint64_t scale)
{
    AbsValue moved = {0};
    for (uint32_t i = 0; i < base->atoms.count; i++) {
        for (uint32_t k = 0; k < index->atoms.count; k++) {
            AbsAtom by = index->atoms.items[k];
            bool known = by.object == OBJECT_NUMBER && by.stride == 0;
            abstract_value_add(&moved, known ? atom_moved(base->atoms.items[i], by.offset * (int64_t)scale)
                                       : atom_spread(base->atoms.items[i], scale));
        }
    }
    return moved;
}

static void evaluate_gep(PointsTo *a, Context *context, LLVMValueRef gep, AbsValue *result)
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    AbsValue value = pointsto_operand(a, context, gep, 0);
    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(gep); i++) {
        AbsValue index = pointsto_operand(a, context, gep, i), moved;
        if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            unsigned field = (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(gep, i));
            AbsValue distance = {0};
            abstract_value_add_number(&distance, (int64_t)LLVMOffsetOfElement(a->module->layout, type, field));
            moved = index_addresses(&value, &distance, 1);
            abstract_value_release(&distance);
            type = LLVMStructGetTypeAtIndex(type, field);
        } else {
            if (i > 1)
                type = LLVMGetElementType(type);
            moved = index_addresses(&value, &index, LLVMABISizeOfType(a->module->layout, type));
        }
        abstract_value_release(&index);
        abstract_value_release(&value);
        value = moved;
    }
    abstract_value_join(result, &value);
    abstract_value_release(&value);
}

static void evaluate_load(PointsTo *a, Context *context, LLVMValueRef load, AbsValue *result)
{
    AbsValue address = pointsto_operand(a, context, load, 0);
    abstract_memory_load(&a->memory, &address, module_size_of(a->module, LLVMTypeOf(load)), result);
    if (!is_plain_number(load) && !abstract_value_is_empty(result))
        abstract_value_add_numbers(result);
    abstract_value_release(&address);
}

static void evaluate_store(PointsTo *a, Context *context, LLVMValueRef store)
{
    AbsValue value = pointsto_operand(a, context, store, 0), address = pointsto_operand(a, context, store, 1);
    abstract_memory_store(&a->memory, &address, module_size_of(a->module, LLVMTypeOf(LLVMGetOperand(store, 0))),
                          &value);
    abstract_value_release(&value);
    abstract_value_release(&address);
}

/* Exchanges of any kind: the old value is the result, the new one is stored. */
static void evaluate_exchange(PointsTo *a, Context *context, LLVMValueRef exchange, unsigned operand, AbsValue *result)
{
    AbsValue address = pointsto_operand(a, context, exchange, 0),
             value = pointsto_operand(a, context, exchange, operand);
    uint64_t size = module_size_of(a->module, LLVMTypeOf(LLVMGetOperand(exchange, operand)));
    abstract_value_add_numbers(&value);
    abstract_memory_store(&a->memory, &address, size, &value);
    abstract_memory_load(&a->memory, &address, size, result);
    abstract_value_add_numbers(result);
    abstract_value_release(&address);
    abstract_value_release(&value);
}

/* Structures, vectors and floating point: any address among the operands may be in the result. */
static void mix_operands(PointsTo *a, Context *context, LLVMValueRef instruction, AbsValue *result)
{
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(instruction); i++)
        if (!LLVMIsABasicBlock(LLVMGetOperand(instruction, i)))
            pointsto_read(a, context, LLVMGetOperand(instruction, i), result);
    abstract_value_add_numbers(result);
}

static void evaluate_select(PointsTo *a, Context *context, LLVMValueRef select, AbsValue *result)
{
    AbsValue condition = pointsto_operand(a, context, select, 0);
    bool constant = abstract_value_is_constant(&condition);
    for (uint32_t i = 0; constant && i < condition.atoms.count; i++)
        pointsto_read(a, context, LLVMGetOperand(select, condition.atoms.items[i].offset ? 1 : 2), result);
    if (!constant && !abstract_value_is_empty(&condition)) {
        pointsto_read(a, context, LLVMGetOperand(select, 1), result);
        pointsto_read(a, context, LLVMGetOperand(select, 2), result);
    }
    abstract_value_release(&condition);
}

static void evaluate_two(PointsTo *a, Context *context, LLVMValueRef instruction, AbsValue *result)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    AbsValue left = pointsto_operand(a, context, instruction, 0), right = pointsto_operand(a, context, instruction, 1);
    unsigned width = width_of(LLVMGetOperand(instruction, 0));
    if (!is_plain_number(LLVMGetOperand(instruction, 0)))
        mix_operands(a, context, instruction, result);
    else if (opcode == LLVMICmp)
        abstract_fold_compare(&a->memory, LLVMGetICmpPredicate(instruction), width, &left, &right, result);
    else
        abstract_fold_binary(opcode, width, &left, &right, result);
    abstract_value_release(&left);
    abstract_value_release(&right);
}

static void evaluate_cast(PointsTo *a, Context *context, LLVMValueRef cast, AbsValue *result)
{
    AbsValue value = pointsto_operand(a, context, cast, 0);
    if (is_plain_number(cast) && is_plain_number(LLVMGetOperand(cast, 0)))
        abstract_fold_cast(LLVMGetInstructionOpcode(cast), width_of(LLVMGetOperand(cast, 0)), width_of(cast), &value,
                           result);
    else
        mix_operands(a, context, cast, result);
    abstract_value_release(&value);
}

void pointsto_evaluate(PointsTo *a, Context *context, LLVMValueRef instruction, AbsValue *result)
{
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMAlloca: pointsto_add_address(result, pointsto_allocation(a, context, instruction, OBJECT_LOCAL)); break;
    case LLVMPHI: evaluate_phi(a, context, instruction, result); break;
    case LLVMGetElementPtr: evaluate_gep(a, context, instruction, result); break;
    case LLVMLoad: evaluate_load(a, context, instruction, result); break;
    case LLVMStore: evaluate_store(a, context, instruction); break;
    case LLVMAtomicRMW: evaluate_exchange(a, context, instruction, 1, result); break;
    case LLVMAtomicCmpXchg: evaluate_exchange(a, context, instruction, 2, result); break;
    case LLVMSelect: evaluate_select(a, context, instruction, result); break;
    case LLVMCall: pointsto_call(a, context, instruction, result); break;
    case LLVMFreeze: pointsto_read(a, context, LLVMGetOperand(instruction, 0), result); break;
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMBitCast:
    case LLVMAddrSpaceCast: evaluate_cast(a, context, instruction, result); break;
    case LLVMICmp: case LLVMAdd: case LLVMSub: case LLVMMul: case LLVMUDiv: case LLVMSDiv: case LLVMURem: case LLVMSRem:
    case LLVMShl: case LLVMLShr: case LLVMAShr: case LLVMAnd: case LLVMOr: case LLVMXor:
        evaluate_two(a, context, instruction, result);
        break;
    case LLVMBr: case LLVMSwitch: case LLVMUnreachable: case LLVMIndirectBr: case LLVMFence: break;
    case LLVMRet:
        if (LLVMGetNumOperands(instruction))
            pointsto_read(a, context, LLVMGetOperand(instruction, 0), result);
        a->changed |= abstract_value_join(&context->result, result);
        break;
    default: mix_operands(a, context, instruction, result); break;
    }
}
