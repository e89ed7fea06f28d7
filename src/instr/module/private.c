/* private.c - see private.h */
#include "instr/module/private.h"

#include <string.h>

#include "instr/module/callee.h"

static LLVMOpcode opcode_of(LLVMValueRef value)
{
    if (LLVMIsAInstruction(value))
        return LLVMGetInstructionOpcode(value);
    return LLVMIsAConstantExpr(value) ? LLVMGetConstOpcode(value) : (LLVMOpcode)0;
}

/* The object or value that the pointer was computed from. */
static LLVMValueRef root_of(LLVMValueRef pointer)
{
    for (;;) {
        LLVMOpcode opcode = opcode_of(pointer);
        if (opcode != LLVMGetElementPtr && opcode != LLVMBitCast && opcode != LLVMAddrSpaceCast)
            return pointer;
        pointer = LLVMGetOperand(pointer, 0);
    }
}

/* Calls that access memory through a pointer and do not keep it. */
static bool forgets_pointers(LLVMValueRef call)
{
    LLVMValueRef callee = callee_of(call);
    if (!callee)
        return false;
    bool is_intrinsic = name_begins(module_name_of(callee), "llvm.");
    if (is_intrinsic && LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMPointerTypeKind)
        return true;
    static const char *const names[] = {"__atomic_", "nanosleep", "thrd_sleep", "sennit_rt_within",
                                        "sennit_rt_shadow_", "sennit_rt_atomic_", "sennit_rt_local_place"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (name_begins(module_name_of(callee), names[i]))
            return true;
    return false;
}

static bool has_attribute(LLVMValueRef call, unsigned argument, const char *name)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    return LLVMGetCallSiteEnumAttribute(call, argument + 1, kind) != NULL;
}

/* byval copies the memory; sret is filled by the callee, which cannot keep the pointer. */
static bool is_borrowed_argument(LLVMValueRef call, LLVMValueRef pointer)
{
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
        if (LLVMGetOperand(call, i) == pointer && !has_attribute(call, i, "byval") &&
            !has_attribute(call, i, "sret"))
            return false;
    return LLVMGetCalledValue(call) != pointer;
}

static bool address_stays(LLVMValueRef pointer);

static bool use_keeps_address(LLVMValueRef user, LLVMValueRef pointer)
{
    switch (opcode_of(user)) {
    case LLVMLoad:
    case LLVMICmp:
        return true;
    case LLVMStore:
        return LLVMGetOperand(user, 0) != pointer;
    case LLVMAtomicRMW:
        return LLVMGetOperand(user, 1) != pointer;
    case LLVMAtomicCmpXchg:
        return LLVMGetOperand(user, 1) != pointer && LLVMGetOperand(user, 2) != pointer;
    case LLVMGetElementPtr:
    case LLVMBitCast:
        return address_stays(user);
    case LLVMCall:
        return forgets_pointers(user) || is_borrowed_argument(user, pointer);
    default:
        return false;
    }
}

static bool address_stays(LLVMValueRef pointer)
{
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use))
        if (!use_keeps_address(LLVMGetUser(use), pointer))
            return false;
    return true;
}

static bool is_byval_parameter(LLVMValueRef value)
{
    if (!LLVMIsAArgument(value))
        return false;
    LLVMValueRef function = LLVMGetParamParent(value);
    unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
    for (unsigned i = 0; i < LLVMCountParams(function); i++)
        if (LLVMGetParam(function, i) == value)
            return LLVMGetEnumAttributeAtIndex(function, i + 1, kind) != NULL;
    return false;
}

LLVMValueRef private_root(LLVMValueRef pointer) { return root_of(pointer); }

bool private_constant(LLVMValueRef pointer)
{
    LLVMValueRef root = root_of(pointer);
    return LLVMIsAGlobalVariable(root) && LLVMIsGlobalConstant(root);
}

static bool is_private_root(LLVMValueRef root)
{
    if (LLVMIsAAllocaInst(root) || is_byval_parameter(root))
        return address_stays(root);
    return private_constant(root);
}

bool private_pointer(Map *known, LLVMValueRef pointer)
{
    LLVMValueRef root = root_of(pointer);
    if (!known)
        return is_private_root(root);
    bool added;
    uint64_t *answer = map_insert(known, map_key(root), &added);
    if (added)
        *answer = is_private_root(root);
    return *answer;
}
