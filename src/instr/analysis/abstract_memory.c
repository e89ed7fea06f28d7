/* abstract_memory.c - see abstract_memory.h */
#include "instr/analysis/abstract_memory.h"

void abstract_memory_init(AbsMemory *memory)
{
    *memory = (AbsMemory){0};
    for (uint32_t i = 0; i < OBJECT_FIRST; i++)
        VEC_PUSH(&memory->objects, ((Object){.kind = OBJECT_GLOBAL}));
}

void abstract_memory_release(AbsMemory *memory)
{
    for (uint32_t i = 0; i < memory->objects.count; i++) {
        Object *object = &memory->objects.items[i];
        for (uint32_t k = 0; k < object->parts.count; k++)
            abstract_value_release(&object->parts.items[k].value);
        VEC_FREE(&object->parts);
    }
    VEC_FREE(&memory->objects);
}

uint32_t abstract_memory_create(AbsMemory *memory, ObjectKind kind, LLVMValueRef value, bool single)
{
    VEC_PUSH(&memory->objects, ((Object){.kind = kind, .value = value, .single = single}));
    return memory->objects.count - 1;
}

Object *abstract_memory_get(const AbsMemory *memory, uint32_t object) { return &memory->objects.items[object]; }

static bool has_parts(const Object *object, uint32_t number)
{
    return number >= OBJECT_FIRST && object->kind != OBJECT_FUNCTION && object->kind != OBJECT_THREAD;
}

static ObjectPart *part_at(Object *object, AbsAtom where, uint64_t size)
{
    for (uint32_t i = 0; i < object->parts.count; i++) {
        ObjectPart *part = &object->parts.items[i];
        if (!part->zero && part->size == size && part->where.offset == where.offset &&
            part->where.stride == where.stride)
            return part;
    }
    VEC_PUSH(&object->parts, ((ObjectPart){.where = where, .size = size}));
    return &object->parts.items[object->parts.count - 1];
}

static void store_at(AbsMemory *memory, AbsAtom where, uint64_t size, const AbsValue *value)
{
    enum { MOST_PARTS = 512 };
    Object *object = abstract_memory_get(memory, where.object);
    if (!has_parts(object, where.object) || abstract_value_is_empty(value))
        return;
    if (object->parts.count > MOST_PARTS)
        where = (AbsAtom){where.object, 1, 0};
    memory->changed |= abstract_value_join(&part_at(object, where, size)->value, value);
}

void abstract_memory_store(AbsMemory *memory, const AbsValue *to, uint64_t size, const AbsValue *value)
{
    for (uint32_t i = 0; i < to->atoms.count; i++)
        store_at(memory, to->atoms.items[i], size, value);
}

/* A part that is read as a whole gives its value; of others only the addresses are known. In an object that external
 * code can reach, parts may have been moved. */
static void load_part(const Object *object, const ObjectPart *part, AbsAtom where, uint64_t size, AbsValue *value)
{
    if (!object->foreign && !atom_overlaps(part->where, part->size, where, size))
        return;
    if (part->zero) {
        abstract_value_add_number(value, 0);
        return;
    }
    abstract_value_join(value, &part->value);
    if (part->size != size || !atom_meets(part->where, where))
        abstract_value_add_numbers(value);
}

void abstract_memory_load(const AbsMemory *memory, const AbsValue *from, uint64_t size, AbsValue *value)
{
    for (uint32_t i = 0; i < from->atoms.count; i++) {
        AbsAtom where = from->atoms.items[i];
        const Object *object = abstract_memory_get(memory, where.object);
        if (where.object == OBJECT_UNKNOWN) {
            abstract_value_add(value, where);
            abstract_value_add_numbers(value);
        }
        if (!has_parts(object, where.object))
            continue;
        for (uint32_t k = 0; k < object->parts.count; k++)
            load_part(object, &object->parts.items[k], where, size, value);
        if (object->foreign)
            abstract_value_add_numbers(value);
        if (object->zeroed)
            abstract_value_add_number(value, 0);
    }
}

static bool is_inside(const ObjectPart *part, AbsAtom from, uint64_t size)
{
    return from.stride == 0 && part->where.stride == 0 && size && part->where.offset >= from.offset &&
           part->where.offset + (int64_t)part->size <= from.offset + (int64_t)size;
}

static void copy_part(AbsMemory *memory, AbsAtom to, AbsAtom from, uint64_t size, uint32_t number)
{
    const ObjectPart *part = &abstract_memory_get(memory, from.object)->parts.items[number];
    AbsValue value = {0};
    if (part->zero) {
        abstract_value_add(&value, to);
        abstract_memory_clear(memory, &value);
        abstract_value_release(&value);
        return;
    }
    uint64_t part_size = part->size;
    if (is_inside(part, from, size)) {
        AbsAtom where = atom_moved(to, part->where.offset - from.offset);
        abstract_value_join(&value, &part->value);
        store_at(memory, where, part_size, &value);
    } else if (!size || atom_overlaps(part->where, part->size, from, size)) {
        abstract_value_join(&value, &part->value);
        abstract_value_add_numbers(&value);
        store_at(memory, (AbsAtom){to.object, 1, 0}, part_size, &value);
    }
    abstract_value_release(&value);
}

static void copy_object(AbsMemory *memory, AbsAtom to, AbsAtom from, uint64_t size)
{
    const Object *source = abstract_memory_get(memory, from.object);
    Object *target = abstract_memory_get(memory, to.object);
    if (!has_parts(source, from.object) || !has_parts(target, to.object))
        return;
    memory->changed |= (source->foreign && !target->foreign) || (source->zeroed && !target->zeroed);
    target->foreign |= source->foreign;
    target->zeroed |= source->zeroed;
    uint32_t count = source->parts.count;
    for (uint32_t i = 0; i < count; i++)
        copy_part(memory, to, from, size, i);
}

void abstract_memory_copy(AbsMemory *memory, const AbsValue *to, const AbsValue *from, uint64_t size)
{
    for (uint32_t i = 0; i < to->atoms.count; i++)
        for (uint32_t k = 0; k < from->atoms.count; k++)
            copy_object(memory, to->atoms.items[i], from->atoms.items[k], size);
}

void abstract_memory_hand_out(AbsMemory *memory, const AbsValue *to)
{
    for (uint32_t i = 0; i < to->atoms.count; i++) {
        uint32_t number = to->atoms.items[i].object;
        Object *object = abstract_memory_get(memory, number);
        if (!has_parts(object, number) || object->foreign ||
            (object->value && LLVMIsAGlobalVariable(object->value) && LLVMIsGlobalConstant(object->value)))
            continue;
        object->foreign = memory->changed = true;
        for (uint32_t k = 0; k < object->parts.count; k++)
            abstract_memory_hand_out(memory, &abstract_memory_get(memory, number)->parts.items[k].value);
    }
}

void abstract_memory_begin_zero(AbsMemory *memory, AbsAtom where, uint64_t size)
{
    VEC_PUSH(&abstract_memory_get(memory, where.object)->parts,
             ((ObjectPart){.where = where, .size = size, .zero = true}));
}

void abstract_memory_clear(AbsMemory *memory, const AbsValue *to)
{
    for (uint32_t i = 0; i < to->atoms.count; i++) {
        Object *object = abstract_memory_get(memory, to->atoms.items[i].object);
        if (!has_parts(object, to->atoms.items[i].object) || object->zeroed)
            continue;
        object->zeroed = memory->changed = true;
    }
}
