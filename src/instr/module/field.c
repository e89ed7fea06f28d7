/* field.c - see field.h */
#include "instr/module/field.h"

#include "instr/module/callee.h"
#include "instr/module/hook.h"
#include "instr/module/site.h"

static bool is_index(LLVMValueRef value)
{
    return LLVMIsAGetElementPtrInst(value) ||
           (LLVMIsAConstantExpr(value) && LLVMGetConstOpcode(value) == LLVMGetElementPtr);
}

static bool is_struct(LLVMTypeRef type) { return LLVMGetTypeKind(type) == LLVMStructTypeKind; }
static bool is_array(LLVMTypeRef type) { return LLVMGetTypeKind(type) == LLVMArrayTypeKind; }
static bool is_zero(LLVMValueRef value) { return LLVMIsAConstantInt(value) && LLVMConstIntGetZExtValue(value) == 0; }

/* ---- Which fields -------------------------------------------------------------------------- */

/* Does the value, or a constant operand of it, index this field of the structure? */
static bool chooses(LLVMValueRef value, LLVMTypeRef type, unsigned field)
{
    if (is_index(value) && LLVMGetGEPSourceElementType(value) == type && LLVMGetNumOperands(value) > 2 &&
        LLVMConstIntGetZExtValue(LLVMGetOperand(value, 2)) == field)
        return true;
    for (unsigned n = 0; n < (unsigned)LLVMGetNumOperands(value); n++)
        if (LLVMIsAConstantExpr(LLVMGetOperand(value, n)) && chooses(LLVMGetOperand(value, n), type, field))
            return true;
    return false;
}

static bool is_chosen(const Module *m, LLVMTypeRef type, unsigned field)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                if (chooses(i, type, field))
                    return true;
    return false;
}

static bool is_bytes(LLVMTypeRef type)
{
    LLVMTypeRef element = is_array(type) ? LLVMGetElementType(type) : type;
    return LLVMGetTypeKind(element) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(element) == 8;
}

/* Does another field follow? Bytes at the end that the module never accesses may be padding. */
static bool is_followed(const Module *m, LLVMTypeRef type, unsigned field)
{
    unsigned last = LLVMCountStructElementTypes(type) - 1;
    return field + 1 < last ||
           (field + 1 == last && (!is_bytes(LLVMStructGetTypeAtIndex(type, last)) || is_chosen(m, type, last)));
}

static bool is_union(LLVMTypeRef type)
{
    const char *name = LLVMGetStructName(type);
    return name && name_begins(name, "union.");
}

static bool is_checked(const Module *m, LLVMTypeRef type, unsigned field)
{
    LLVMTypeRef array = LLVMStructGetTypeAtIndex(type, field);
    return !is_union(type) && is_array(array) && LLVMGetArrayLength2(array) > 1 && is_followed(m, type, field);
}

/* ---- The path from an access to its field ----------------------------------------------------- */

/* The offset of an access from an object, collected from the access backwards. */
typedef struct AddressPath {
    Module *m;
    LLVMValueRef instruction;
    uint64_t size;
    LLVMValueRef variable; /* computed part of the offset; NULL: 0     */
    int64_t constant;      /* constant part                            */
} AddressPath;

static void add_index(AddressPath *path, LLVMValueRef index, uint64_t scale)
{
    LLVMBuilderRef builder = path->m->builder;
    if (LLVMIsAConstantInt(index)) {
        path->constant += LLVMConstIntGetSExtValue(index) * (int64_t)scale;
        return;
    }
    LLVMPositionBuilderBefore(builder, path->instruction);
    LLVMValueRef wide = LLVMBuildIntCast2(builder, index, path->m->i64, 1, "");
    LLVMValueRef bytes = LLVMBuildMul(builder, wide, module_i64(path->m, scale), "");
    path->variable = path->variable ? LLVMBuildAdd(builder, path->variable, bytes, "") : bytes;
}

/* The path has reached an array that is a field. */
static void compare(const AddressPath *path, LLVMTypeRef array)
{
    Module *m = path->m;
    uint64_t room = LLVMABISizeOfType(m->layout, array);
    if (room < path->size || (!path->variable && path->constant >= 0 && (uint64_t)path->constant <= room - path->size))
        return;
    LLVMPositionBuilderBefore(m->builder, path->instruction);
    LLVMValueRef offset = module_i64(m, (uint64_t)path->constant);
    if (path->variable)
        offset = LLVMBuildAdd(m->builder, path->variable, offset, "");
    LLVMValueRef outside = LLVMBuildICmp(m->builder, LLVMIntUGT, offset, module_i64(m, room - path->size), "");
    LLVMValueRef args[] = {LLVMBuildZExt(m->builder, outside, m->i64, ""), offset, module_i64(m, path->size),
                           module_i64(m, room), site_of(m, path->instruction)};
    hook_call(m, m->void_type, "within_field", args, 5);
}

static LLVMTypeRef part_of(LLVMTypeRef type, LLVMValueRef index)
{
    return is_struct(type) ? LLVMStructGetTypeAtIndex(type, (unsigned)LLVMConstIntGetZExtValue(index))
                           : LLVMGetElementType(type);
}

enum { MAX_DEPTH = 8 };

/* The indices of one instruction, from the last to the first. False for pointer arithmetic. */
static bool walk_back(AddressPath *path, LLVMValueRef pointer)
{
    LLVMTypeRef types[MAX_DEPTH] = {LLVMGetGEPSourceElementType(pointer)};
    int count = LLVMGetNumOperands(pointer) - 1; /* the first index selects among whole objects */
    if (count < 1 || count > MAX_DEPTH || !is_zero(LLVMGetOperand(pointer, 1)))
        return false;
    for (int i = 1; i < count; i++)
        types[i] = part_of(types[i - 1], LLVMGetOperand(pointer, (unsigned)i + 1));
    for (int i = count - 1; i > 0; i--) {
        LLVMValueRef index = LLVMGetOperand(pointer, (unsigned)i + 1);
        if (is_array(types[i - 1])) {
            add_index(path, index, LLVMABISizeOfType(path->m->layout, types[i]));
            continue;
        }
        unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
        if (is_array(types[i]) && is_checked(path->m, types[i - 1], field))
            compare(path, types[i]);
        path->constant += (int64_t)LLVMOffsetOfElement(path->m->layout, types[i - 1], field);
    }
    return true;
}

/* The type of the object at a constant address; NULL if unknown. */
static LLVMTypeRef type_at(LLVMValueRef address)
{
    if (LLVMIsAGlobalVariable(address))
        return LLVMGlobalGetValueType(address);
    if (!LLVMIsAConstantExpr(address) || !is_index(address))
        return NULL;
    LLVMTypeRef type = LLVMGetGEPSourceElementType(address);
    for (unsigned i = 2; i < (unsigned)LLVMGetNumOperands(address); i++)
        type = part_of(type, LLVMGetOperand(address, i));
    return type;
}

/* Clang folds constant addresses: that of a first field is that of its structure. */
static void check_first_field(const AddressPath *path, LLVMTypeRef array, LLVMTypeRef object)
{
    while (object && is_struct(object) && !is_union(object) && LLVMCountStructElementTypes(object) > 0) {
        LLVMTypeRef first = LLVMStructGetTypeAtIndex(object, 0);
        if (first == array && is_checked(path->m, object, 0))
            compare(path, array);
        object = first;
    }
}

void field_check(Module *m, LLVMValueRef instruction, LLVMValueRef pointer, uint64_t size)
{
    AddressPath path = {.m = m, .instruction = instruction, .size = size};
    while (is_index(pointer)) {
        LLVMValueRef outer = LLVMGetOperand(pointer, 0);
        if (!walk_back(&path, pointer))
            return;
        check_first_field(&path, LLVMGetGEPSourceElementType(pointer), type_at(outer));
        pointer = outer;
    }
}
