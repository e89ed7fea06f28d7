/* abstract_memory.h - objects of the analysed program and what their parts may hold
 *
 * An object is a global variable, a function, or an allocation site in one context. Memory is flow-insensitive: a
 * part holds everything that is ever stored there.
 */
#ifndef INSTR_ANALYSIS_ABSTRACT_MEMORY_H
#define INSTR_ANALYSIS_ABSTRACT_MEMORY_H

#include <llvm-c/Core.h>

#include "instr/analysis/abstract_value.h"

typedef enum ObjectKind { OBJECT_GLOBAL, OBJECT_FUNCTION, OBJECT_LOCAL, OBJECT_HEAP, OBJECT_THREAD } ObjectKind;

typedef struct ObjectPart {
    AbsAtom where;
    uint64_t size;
    bool zero;           /* bytes that are zero initially                       */
    AbsValue value;
} ObjectPart;

typedef struct Object {
    ObjectKind kind;
    LLVMValueRef value;  /* variable, function, or the allocating instruction  */
    uint32_t number;     /* OBJECT_THREAD: of its class                        */
    bool single;         /* an execution has at most one such object           */
    bool zeroed;         /* parts without a store are zero                     */
    bool foreign;        /* external code may have stored numbers              */
    VEC(ObjectPart) parts;
} Object;

typedef struct AbsMemory {
    VEC(Object) objects; /* by number, from OBJECT_FIRST                       */
    bool changed;        /* since it was last set to false                     */
} AbsMemory;

void abstract_memory_init(AbsMemory *memory);
void abstract_memory_release(AbsMemory *memory);

/* A new object; answers its number. */
uint32_t abstract_memory_create(AbsMemory *memory, ObjectKind kind, LLVMValueRef value, bool single);
Object *abstract_memory_get(const AbsMemory *memory, uint32_t object);

/* Stores `value` in `size` bytes at each address in `to`. */
void abstract_memory_store(AbsMemory *memory, const AbsValue *to, uint64_t size, const AbsValue *value);
/* Adds what `size` bytes there may hold. */
void abstract_memory_load(const AbsMemory *memory, const AbsValue *from, uint64_t size, AbsValue *value);
/* Copies `size` bytes; 0: unknown. */
void abstract_memory_copy(AbsMemory *memory, const AbsValue *to, const AbsValue *from, uint64_t size);
/* External code gets these addresses: it may store numbers in everything it can reach. */
void abstract_memory_hand_out(AbsMemory *memory, const AbsValue *to);
/* These bytes of an object are zero initially. */
void abstract_memory_begin_zero(AbsMemory *memory, AbsAtom where, uint64_t size);
/* Everything there may be zero. */
void abstract_memory_clear(AbsMemory *memory, const AbsValue *to);

#endif
