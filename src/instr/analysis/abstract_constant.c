/* abstract_constant.c - see abstract_constant.h */
#include "instr/analysis/abstract_constant.h"

#include "base/mem.h"

static void store_initial(PointsTo *a, AbsAtom where, LLVMValueRef constant);

/* ---- Variables and functions -------------------------------------------------------------- */

static uint32_t object_of_global(PointsTo *a, LLVMValueRef global)
{
    uint64_t *found = map_find(&a->globals, map_key(global));
    if (found)
        return (uint32_t)*found;
    bool is_function = LLVMIsAFunction(global) != NULL;
    uint32_t object = abstract_memory_create(&a->memory, is_function ? OBJECT_FUNCTION : OBJECT_GLOBAL, global,
                                             !LLVMIsThreadLocal(global));
    *map_insert(&a->globals, map_key(global), NULL) = object;
    if (is_function)
        return object;
    if (LLVMIsDeclaration(global) || LLVMIsExternallyInitialized(global))
        abstract_memory_get(&a->memory, object)->foreign = true; /* a variable of external code */
    else if (LLVMGetInitializer(global))
        store_initial(a, (AbsAtom){.object = object}, LLVMGetInitializer(global));
    return object;
}

/* ---- Initial values -------------------------------------------------------------------------- */

static void store_elements(PointsTo *a, AbsAtom where, LLVMValueRef constant, LLVMTypeRef type, uint64_t count)
{
    enum { MOST_ELEMENTS = 256 };
    bool is_struct = LLVMGetTypeKind(type) == LLVMStructTypeKind;
    uint64_t size = is_struct ? 0 : LLVMABISizeOfType(a->module->layout, LLVMGetElementType(type));
    if (count > MOST_ELEMENTS) {
        abstract_memory_get(&a->memory, where.object)->foreign = true;
        if (LLVMIsAConstantDataSequential(constant))
            return;
    }
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef element = LLVMGetAggregateElement(constant, i);
        uint64_t offset = is_struct ? LLVMOffsetOfElement(a->module->layout, type, i) : size * i;
        if (element)
            store_initial(a, atom_moved(where, (int64_t)offset), element);
    }
}

static void store_initial(PointsTo *a, AbsAtom where, LLVMValueRef constant)
{
    LLVMTypeRef type = LLVMTypeOf(constant);
    if (LLVMIsNull(constant)) {
        abstract_memory_begin_zero(&a->memory, where, LLVMABISizeOfType(a->module->layout, type));
    } else if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
        store_elements(a, where, constant, type, LLVMCountStructElementTypes(type));
    } else if (LLVMGetTypeKind(type) == LLVMArrayTypeKind) {
        store_elements(a, where, constant, type, LLVMGetArrayLength2(type));
    } else {
        AbsValue to = {0}, value = {0};
        abstract_value_join(&value, abstract_constant_get(a, constant));
        abstract_value_add(&to, where);
        abstract_memory_store(&a->memory, &to, module_size_of(a->module, type), &value);
        abstract_value_release(&to);
        abstract_value_release(&value);
    }
}

/* ---- Constants --------------------------------------------------------------------------------- */

static void add_gep(PointsTo *a, LLVMValueRef gep, AbsValue *value)
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    const AbsValue *base = abstract_constant_get(a, LLVMGetOperand(gep, 0));
    int64_t distance = 0;
    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(gep); i++) {
        int64_t index = LLVMConstIntGetSExtValue(LLVMGetOperand(gep, i));
        if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            distance += (int64_t)LLVMOffsetOfElement(a->module->layout, type, (unsigned)index);
            type = LLVMStructGetTypeAtIndex(type, (unsigned)index);
        } else {
            type = i > 1 ? LLVMGetElementType(type) : type;
            distance += index * (int64_t)LLVMABISizeOfType(a->module->layout, type);
        }
    }
    for (uint32_t i = 0; i < base->atoms.count; i++)
        abstract_value_add(value, atom_moved(base->atoms.items[i], distance));
}

static void add_expression(PointsTo *a, LLVMValueRef constant, AbsValue *value)
{
    switch (LLVMGetConstOpcode(constant)) {
    case LLVMGetElementPtr: add_gep(a, constant, value); break;
    case LLVMIntToPtr: case LLVMPtrToInt: case LLVMBitCast: case LLVMAddrSpaceCast:
        abstract_value_join(value, abstract_constant_get(a, LLVMGetOperand(constant, 0)));
        break;
    default:
        for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(constant); i++)
            abstract_value_join(value, abstract_constant_get(a, LLVMGetOperand(constant, i)));
        abstract_value_add_numbers(value);
    }
}

static void fill(PointsTo *a, LLVMValueRef constant, AbsValue *value)
{
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(constant));
    if (LLVMIsAGlobalAlias(constant))
        abstract_value_join(value, abstract_constant_get(a, LLVMAliasGetAliasee(constant)));
    else if (LLVMIsAGlobalValue(constant))
        abstract_value_add(value, (AbsAtom){.object = object_of_global(a, constant)});
    else if (LLVMIsAConstantInt(constant) && LLVMGetIntTypeWidth(LLVMTypeOf(constant)) <= 64)
        abstract_value_add_number(value, LLVMConstIntGetSExtValue(constant));
    else if (LLVMIsAConstantExpr(constant))
        add_expression(a, constant, value);
    else if (LLVMIsNull(constant) && (kind == LLVMPointerTypeKind || kind == LLVMIntegerTypeKind))
        abstract_value_add_number(value, 0);
    else
        abstract_value_add_numbers(value);
}

const AbsValue *abstract_constant_get(PointsTo *a, LLVMValueRef constant)
{
    uint64_t *found = map_find(&a->constants, map_key(constant));
    if (found)
        return (const AbsValue *)(uintptr_t)*found;
    AbsValue *value = mem_alloc(sizeof *value);
    *map_insert(&a->constants, map_key(constant), NULL) = map_key(value);
    fill(a, constant, value);
    return value;
}

void abstract_constant_release(PointsTo *a)
{
    for (uint32_t i = 0; i < a->constants.room; i++)
        if (a->constants.entries[i].key != MAP_NO_KEY && a->constants.entries[i].value) {
            abstract_value_release((AbsValue *)(uintptr_t)a->constants.entries[i].value);
            free((AbsValue *)(uintptr_t)a->constants.entries[i].value);
        }
    map_release(&a->constants);
}
