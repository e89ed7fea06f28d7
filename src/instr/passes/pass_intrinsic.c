/* pass_intrinsic.c - intrinsics of processors
 *
 * Those that access single elements of a vector (masked loads and stores, gathers, scatters) become accesses to these
 * elements, which get hooks like any other. Fences, counters and random numbers become what assembly of the same kind
 * is translated to (instr/assembly). What may access shared memory and is not known here gets a mark.
 */
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "instr/assembly/asm_machine.h"
#include "instr/module/callee.h"
#include "instr/module/private.h"
#include "instr/module/unseen.h"
#include "instr/passes/passes.h"

enum { MAX_LANES = 64 };

static void replace(LLVMValueRef call, LLVMValueRef value)
{
    if (value)
        LLVMReplaceAllUsesWith(call, value);
    LLVMInstructionEraseFromParent(call);
}

/* ---- Vectors ---------------------------------------------------------------------- */

static unsigned lanes_of(LLVMValueRef vector) { return LLVMGetVectorSize(LLVMTypeOf(vector)); }

static LLVMTypeRef with_lanes(LLVMValueRef vector, unsigned lanes)
{
    return LLVMVectorType(LLVMGetElementType(LLVMTypeOf(vector)), lanes);
}

/* Its first lanes; those beyond its end are 0. */
static LLVMValueRef resize(Module *m, LLVMValueRef vector, unsigned lanes)
{
    LLVMValueRef indices[MAX_LANES];
    unsigned has = lanes_of(vector);
    if (lanes == has)
        return vector;
    for (unsigned i = 0; i < lanes; i++)
        indices[i] = LLVMConstInt(m->i32, i < has ? i : has, 0);
    return LLVMBuildShuffleVector(m->builder, vector, LLVMConstNull(LLVMTypeOf(vector)),
                                  LLVMConstVector(indices, lanes), "");
}

/* Which lanes are accessed: a mask of bits, or the signs of the elements of a vector. */
static LLVMValueRef bits_of_mask(Module *m, LLVMValueRef mask)
{
    LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(mask));
    unsigned lanes = lanes_of(mask);
    if (element == m->i1)
        return mask;
    unsigned width = (unsigned)LLVMSizeOfTypeInBits(m->layout, element);
    LLVMTypeRef numbers = LLVMVectorType(LLVMIntTypeInContext(m->context, width), lanes);
    LLVMValueRef signs = LLVMBuildBitCast(m->builder, mask, numbers, "");
    return LLVMBuildICmp(m->builder, LLVMIntSLT, signs, LLVMConstNull(numbers), "");
}

/* base + index * scale of each lane. */
static LLVMValueRef addresses(Module *m, LLVMValueRef base, LLVMValueRef index, LLVMValueRef scale, unsigned lanes)
{
    LLVMValueRef all = LLVMGetPoison(LLVMVectorType(m->ptr, lanes));
    LLVMValueRef factor = LLVMBuildIntCast2(m->builder, scale, m->i64, 0, "");
    for (unsigned i = 0; i < lanes; i++) {
        LLVMValueRef lane = LLVMConstInt(m->i32, i, 0);
        LLVMValueRef number = LLVMBuildExtractElement(m->builder, index, lane, "");
        number = LLVMBuildMul(m->builder, LLVMBuildIntCast2(m->builder, number, m->i64, 1, ""), factor, "");
        LLVMValueRef at = LLVMBuildGEP2(m->builder, m->i8, base, &number, 1, "");
        all = LLVMBuildInsertElement(m->builder, all, at, lane, "");
    }
    return all;
}

static LLVMValueRef call_masked(Module *m, const char *name, LLVMTypeRef types[2], LLVMValueRef args[4])
{
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMValueRef function = LLVMGetIntrinsicDeclaration(m->llvm, id, types, 2);
    return LLVMBuildCall2(m->builder, LLVMIntrinsicGetType(m->context, id, types, 2), function, args, 4, "");
}

/* Masked accesses are not aligned. */
static LLVMValueRef unaligned(Module *m) { return LLVMConstInt(m->i32, 1, 0); }

/* maskload(pointer, mask): lanes that are not read are 0. */
static void replace_load(Module *m, LLVMValueRef call)
{
    LLVMTypeRef types[] = {LLVMTypeOf(call), m->ptr};
    LLVMValueRef args[] = {LLVMGetOperand(call, 0), unaligned(m), bits_of_mask(m, LLVMGetOperand(call, 1)),
                           LLVMConstNull(LLVMTypeOf(call))};
    replace(call, call_masked(m, "llvm.masked.load", types, args));
}

static void store(Module *m, LLVMValueRef call, LLVMValueRef value, LLVMValueRef pointer, LLVMValueRef mask)
{
    LLVMTypeRef types[] = {LLVMTypeOf(value), m->ptr};
    LLVMValueRef args[] = {value, pointer, unaligned(m), bits_of_mask(m, mask)};
    call_masked(m, "llvm.masked.store", types, args);
    replace(call, NULL);
}

/* maskstore(pointer, mask, value) */
static void replace_store(Module *m, LLVMValueRef call)
{
    store(m, call, LLVMGetOperand(call, 2), LLVMGetOperand(call, 0), LLVMGetOperand(call, 1));
}

/* maskmovdqu(value, mask, pointer) */
static void replace_byte_store(Module *m, LLVMValueRef call)
{
    store(m, call, LLVMGetOperand(call, 0), LLVMGetOperand(call, 2), LLVMGetOperand(call, 1));
}

static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

/* gather(otherwise, base, index, mask, scale): results without an index are 0. */
static void replace_gather(Module *m, LLVMValueRef call)
{
    LLVMValueRef otherwise = LLVMGetOperand(call, 0), index = LLVMGetOperand(call, 2);
    unsigned all = lanes_of(otherwise), lanes = least(all, lanes_of(index));
    LLVMTypeRef types[] = {with_lanes(otherwise, lanes), LLVMVectorType(m->ptr, lanes)};
    LLVMValueRef args[] = {addresses(m, LLVMGetOperand(call, 1), index, LLVMGetOperand(call, 4), lanes), unaligned(m),
                           resize(m, bits_of_mask(m, LLVMGetOperand(call, 3)), lanes), resize(m, otherwise, lanes)};
    replace(call, resize(m, call_masked(m, "llvm.masked.gather", types, args), all));
}

/* scatter(base, mask, index, value, scale) */
static void replace_scatter(Module *m, LLVMValueRef call)
{
    LLVMValueRef value = LLVMGetOperand(call, 3), index = LLVMGetOperand(call, 2);
    unsigned lanes = least(lanes_of(value), lanes_of(index));
    LLVMTypeRef types[] = {with_lanes(value, lanes), LLVMVectorType(m->ptr, lanes)};
    LLVMValueRef args[] = {resize(m, value, lanes),
                           addresses(m, LLVMGetOperand(call, 0), index, LLVMGetOperand(call, 4), lanes), unaligned(m),
                           resize(m, bits_of_mask(m, LLVMGetOperand(call, 1)), lanes)};
    call_masked(m, "llvm.masked.scatter", types, args);
    replace(call, NULL);
}

static void replace_whole_load(Module *m, LLVMValueRef call)
{
    LLVMValueRef load = LLVMBuildLoad2(m->builder, LLVMTypeOf(call), LLVMGetOperand(call, 0), "");
    LLVMSetAlignment(load, 1);
    replace(call, load);
}

/* ---- Fences, counters, random numbers ---------------------------------------------------- */

static AsmMachine machine_at(Module *m, LLVMValueRef call) { return (AsmMachine){.m = m, .call = call}; }

static void replace_fence(Module *m, LLVMValueRef call, LLVMAtomicOrdering ordering)
{
    AsmMachine machine = machine_at(m, call);
    machine_fence(&machine, ordering);
    replace(call, NULL);
}

static void replace_full_fence(Module *m, LLVMValueRef call)
{
    replace_fence(m, call, LLVMAtomicOrderingSequentiallyConsistent);
}

static void replace_load_fence(Module *m, LLVMValueRef call) { replace_fence(m, call, LLVMAtomicOrderingAcquire); }

static void replace_store_fence(Module *m, LLVMValueRef call) { replace_fence(m, call, LLVMAtomicOrderingRelease); }

/* Counters of the processor show the virtual clock. */
static void replace_clock(Module *m, LLVMValueRef call)
{
    AsmMachine machine = machine_at(m, call);
    LLVMValueRef clock = machine_clock(&machine);
    LLVMTypeRef type = LLVMTypeOf(call);
    if (LLVMGetTypeKind(type) == LLVMStructTypeKind) /* with the number of the processor */
        clock = LLVMBuildInsertValue(m->builder, LLVMConstNull(type), clock, 0, "");
    replace(call, clock);
}

/* The number of the processor is 0, as everywhere. */
static void replace_processor(Module *m, LLVMValueRef call)
{
    (void)m;
    replace(call, LLVMConstNull(LLVMTypeOf(call)));
}

/* A number, and whether there was one: x86 says 1 then, AArch64 0. */
static void replace_random(Module *m, LLVMValueRef call)
{
    AsmMachine machine = machine_at(m, call);
    LLVMTypeRef type = LLVMTypeOf(call), number = LLVMStructGetTypeAtIndex(type, 0);
    LLVMTypeRef status = LLVMStructGetTypeAtIndex(type, 1);
    LLVMValueRef success = LLVMConstInt(status, name_begins(callee_name(call), "llvm.x86."), 0);
    LLVMValueRef drawn = LLVMBuildIntCast2(m->builder, machine_random(&machine), number, 0, "");
    LLVMValueRef pair = LLVMBuildInsertValue(m->builder, LLVMConstNull(type), drawn, 0, "");
    replace(call, LLVMBuildInsertValue(m->builder, pair, success, 1, ""));
}

/* ---- The table ----------------------------------------------------------------------------- */

static const struct {
    const char *prefix;
    void (*replace)(Module *m, LLVMValueRef call);
} known[] = {
    {"llvm.x86.avx.maskload.", replace_load},
    {"llvm.x86.avx2.maskload.", replace_load},
    {"llvm.x86.avx.maskstore.", replace_store},
    {"llvm.x86.avx2.maskstore.", replace_store},
    {"llvm.x86.sse2.maskmov.dqu", replace_byte_store},
    {"llvm.x86.avx2.gather.", replace_gather},
    {"llvm.x86.avx512.mask.gather", replace_gather},
    {"llvm.x86.avx512.mask.scatter", replace_scatter},
    {"llvm.x86.sse3.ldu.dq", replace_whole_load},
    {"llvm.x86.avx.ldu.dq.256", replace_whole_load},
    {"llvm.x86.sse2.mfence", replace_full_fence},
    {"llvm.x86.sse2.lfence", replace_load_fence},
    {"llvm.x86.sse.sfence", replace_store_fence},
    {"llvm.aarch64.dmb", replace_full_fence},
    {"llvm.aarch64.dsb", replace_full_fence},
    {"llvm.x86.rdtsc", replace_clock},
    {"llvm.readcyclecounter", replace_clock},
    {"llvm.readsteadycounter", replace_clock},
    {"llvm.x86.rdpid", replace_processor},
    {"llvm.x86.rdrand.", replace_random},
    {"llvm.x86.rdseed.", replace_random},
    {"llvm.aarch64.rndr", replace_random},
};

static void treat(Module *m, LLVMValueRef call)
{
    for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
        if (name_begins(callee_name(call), known[i].prefix)) {
            LLVMPositionBuilderBefore(m->builder, call);
            LLVMSetCurrentDebugLocation2(m->builder, LLVMInstructionGetDebugLoc(call));
            known[i].replace(m, call);
            return;
        }
}

/* ---- The pass ------------------------------------------------------------------------------- */

static unsigned attribute_kind(const char *name) { return LLVMGetEnumAttributeKindForName(name, strlen(name)); }

static LLVMAttributeRef find_attribute(LLVMValueRef function, const char *name)
{
    return LLVMGetEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, attribute_kind(name));
}

/* Headers of compilers wrap intrinsics in functions without places in the source. */
static bool has_wrapper(const Module *m)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && !LLVMGetSubprogram(f) && find_attribute(f, "alwaysinline"))
            return true;
    return false;
}

static void treat_all(Module *m, LLVMValueRef function)
{
    ValueList list = module_instructions(function);
    for (uint32_t i = 0; i < list.count; i++)
        treat(m, list.items[i]);
    VEC_FREE(&list);
}

static bool has_masked(LLVMValueRef function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (name_begins(callee_name(i), "llvm.masked."))
                return true;
    return false;
}

/* No pass of LLVM changes functions that are not to be optimised. */
static ValueList allow_changes(const ValueList *functions)
{
    ValueList changed = {0};
    for (uint32_t i = 0; i < functions->count; i++)
        if (find_attribute(functions->items[i], "optnone")) {
            LLVMRemoveEnumAttributeAtIndex(functions->items[i], (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                           attribute_kind("optnone"));
            VEC_PUSH(&changed, functions->items[i]);
        }
    return changed;
}

static void forbid_changes(const Module *m, const ValueList *functions)
{
    LLVMAttributeRef optnone = LLVMCreateEnumAttribute(m->context, attribute_kind("optnone"), 0);
    for (uint32_t i = 0; i < functions->count; i++)
        LLVMAddAttributeAtIndex(functions->items[i], (LLVMAttributeIndex)LLVMAttributeFunctionIndex, optnone);
}

/* Knowing no processor, the pass turns all masked accesses into branches around accesses to single elements. */
static bool split_masked(Module *m, const ValueList *functions, Error *error)
{
    if (!functions->count)
        return true;
    ValueList changed = allow_changes(functions);
    bool done = module_run_passes(m, "function(scalarize-masked-mem-intrin)", error);
    forbid_changes(m, &changed);
    VEC_FREE(&changed);
    return done;
}

bool pass_intrinsic(Module *m, Error *error)
{
    ValueList masked = {0};
    if (has_wrapper(m) && !module_run_passes(m, "always-inline", error))
        return false;
    for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f; f = LLVMGetNextFunction(f)) {
        treat_all(m, f);
        if (has_masked(f))
            VEC_PUSH(&masked, f);
    }
    bool done = split_masked(m, &masked, error);
    VEC_FREE(&masked);
    return done;
}

/* ---- Marks ------------------------------------------------------------------------------------ */

/* They access no memory of the program, or have hooks (pass_memory.c), or are the caller's own (va_list). */
static bool is_harmless(const char *name)
{
    static const char *const prefixes[] = {
        "llvm.lifetime.", "llvm.dbg.", "llvm.assume", "llvm.memcpy.", "llvm.memmove.", "llvm.memset.", "llvm.va_",
        "llvm.prefetch", "llvm.stackrestore", "llvm.invariant.", "llvm.launder.", "llvm.strip.", "llvm.clear_cache",
        "llvm.experimental.noalias", "llvm.eh.", "llvm.x86.sse2.clflush", "llvm.x86.clflushopt", "llvm.x86.clwb",
        "llvm.x86.cldemote", "llvm.ubsantrap", "llvm.threadlocal.address", "llvm.ptr", NULL};
    for (const char *const *prefix = prefixes; *prefix; prefix++)
        if (name_begins(name, *prefix))
            return true;
    return false;
}

/* The attribute has two bits for each kind of memory: of arguments, inaccessible, other. */
static bool accesses_memory(LLVMValueRef function)
{
    enum { INACCESSIBLE = 3 << 2 };
    LLVMAttributeRef memory = find_attribute(function, "memory");
    return !memory || (LLVMGetEnumAttributeValue(memory) & ~(uint64_t)INACCESSIBLE);
}

static bool has_shared_pointer(LLVMValueRef call)
{
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        LLVMValueRef argument = LLVMGetOperand(call, i);
        LLVMTypeRef type = LLVMTypeOf(argument);
        bool is_vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
        if (LLVMGetTypeKind(is_vector ? LLVMGetElementType(type) : type) == LLVMPointerTypeKind &&
            (is_vector || !private_pointer(NULL, argument)))
            return true;
    }
    return false;
}

static bool is_unseen(LLVMValueRef instruction)
{
    LLVMValueRef callee = callee_of(instruction);
    const char *name = callee_name(instruction);
    return callee && name_begins(name, "llvm.") && !is_harmless(name) && accesses_memory(callee) &&
           has_shared_pointer(instruction);
}

void pass_intrinsic_marks(Module *m)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f; f = LLVMGetNextFunction(f)) {
        ValueList list = module_instructions(f);
        for (uint32_t i = 0; i < list.count; i++)
            if (is_unseen(list.items[i]))
                unseen_mark(m, list.items[i], UNSEEN_ASSEMBLY, callee_name(list.items[i]) + strlen("llvm."));
        VEC_FREE(&list);
    }
}
