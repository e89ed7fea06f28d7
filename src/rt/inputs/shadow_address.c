/* shadow_address.c - see shadow_address.h */
#include "rt/inputs/shadow_address.h"

#include <string.h>

#include "rt/detect/bug.h"
#include "rt/inputs/branch.h"
#include "rt/inputs/concretise.h"
#include "rt/inputs/shadow_memory.h"
#include "rt/inputs/tracking.h"
#include "rt/memory/globals.h"
#include "rt/memory/memory.h"
#include "rt/memory/object_map.h"
#include "sym/expr/choices.h"

enum { MOST_PLACES = 256, MOST_POINTERS = 4096 };

typedef struct Origin {
    uint64_t base;
    uint64_t stride;
    uint64_t low, high;  /* first and last place, once the address was settled; else low > high */
} Origin;

static VEC(Origin) origins;
/* What memory holds where a symbolic address is about to be written. */
static uint8_t old_bytes[16];
/* An access at one of several places in a block of symbolic size; its bounds are decided for all of them. */
static struct {
    uint64_t address, size;
} settled;

bool shadow_address_is_settled(uint64_t address, uint64_t size)
{
    return settled.address == address && settled.size == size;
}

static Origin *origin_of(uint32_t shadow)
{
    uint64_t *number = map_find(&tracking.origins, shadow);
    return number ? &origins.items[*number - 1] : NULL;
}

static void set_origin(uint32_t shadow, Origin origin)
{
    bool added;
    if (tracking.origins.count == 0)
        origins.count = 0;
    uint64_t *number = map_insert(&tracking.origins, shadow, &added);
    if (!added) {
        origins.items[*number - 1] = origin;
        return;
    }
    *number = origins.count + 1;
    VEC_PUSH(&origins, origin);
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* ---- Addresses without an origin ---------------------------------------------------------- */

/* If the address is one of a few pointers, decides which one. */
static bool pin_pointer(ExprId address, uint64_t concrete)
{
    if (!rt.self || !choices_are_few(tracking.pool, address, MOST_POINTERS))
        return false;
    branch_pin(address, concrete);
    return true;
}

/* The origin of a number that was computed from the address of an object and something else. */
static bool find_origin(ExprId address, Origin *origin)
{
    const ExprNode *node = expr_get(tracking.pool, address);
    ObjectRange object;
    Bits value;
    for (unsigned i = 0; node->op == EXPR_ADD && i < 2; i++)
        if (expr_is_const(tracking.pool, expr_operand(node, i), &value) &&
            shadow_address_object((uint64_t)value, &object)) {
            *origin = (Origin){.base = (uint64_t)value, .stride = 1};
            return true;
        }
    return false;
}

/* ---- Computing addresses ---------------------------------------------------------------- */

uint32_t sennit_rt_shadow_index(uint32_t s_base, const void *base, uint32_t s_index, uint64_t index, uint32_t width,
                                uint64_t scale)
{
    ExprPool *pool = tracking.pool;
    const Origin *known = s_base ? origin_of(s_base) : NULL;
    if (s_base && !known && pin_pointer(shadow_expr(s_base), address_of(base)))
        s_base = 0;
    ExprId from = expr_or_const(pool, shadow_expr(s_base), 64, address_of(base));
    ExprId by = s_index ? expr_sext(pool, shadow_expr(s_index), 64) : expr_const(pool, 64, index);
    (void)width;
    by = expr_binary(pool, EXPR_MUL, by, expr_const(pool, 64, scale));
    ExprId sum = expr_binary(pool, EXPR_ADD, from, by);
    if (expr_is_const(pool, sum, NULL))
        return 0;
    if (s_base && !known)
        return sum.id;
    Origin origin = {.base = known ? known->base : address_of(base), .stride = known ? known->stride : 0, .low = 1};
    if (s_index)
        origin.stride = common_divisor(origin.stride, scale);
    set_origin(sum.id, origin);
    return sum.id;
}

/* ---- Objects -------------------------------------------------------------------------------- */

bool shadow_address_object(uint64_t address, ObjectRange *range)
{
    const Block *block = memory_find_block(address);
    if (block) {
        *range = (ObjectRange){.address = block->address, .size = block_room(block), .name = "block",
                               .size_shadow = block->room ? block->size_shadow : 0, .size_now = block->size};
        return true;
    }
    const SennitGlobal *global = globals_find(address);
    if (global) {
        *range = (ObjectRange){.address = address_of(global->address), .size = global->size, .name = global->name};
        return true;
    }
    return object_map_find(address, range);
}

static _Noreturn void report_outside(uint64_t address, uint64_t size, const ObjectRange *object, bool heap)
{
    report_bug(heap ? BUG_HEAP_BOUNDS : BUG_BOUNDS, "%llu byte%s at offset %lld of %s%s%s (%llu bytes)",
               (unsigned long long)size, size == 1 ? "" : "s", (long long)(address - object->address),
               heap ? "a block" : "`", heap ? "" : object->name, heap ? "" : "'",
               (unsigned long long)(object->size_shadow ? object->size_now : object->size));
}

/* Decides whether all of the access lies in the object. */
static void decide_inside(ExprId address, uint64_t concrete, uint64_t size, const ObjectRange *object)
{
    ExprPool *pool = tracking.pool;
    if (object->size < size)
        report_outside(concrete, size, object, in_heaps(object->address));
    uint64_t last = object->size - size;
    bool inside = concrete - object->address <= last;
    ExprId offset = expr_binary(pool, EXPR_SUB, address, expr_const(pool, 64, object->address));
    branch_decide(expr_binary(pool, EXPR_ULE, offset, expr_const(pool, 64, last)), inside);
    if (inside && object->size_shadow) { /* inside the room; is the block that large? */
        ExprId end = expr_binary(pool, EXPR_ADD, offset, expr_const(pool, 64, size));
        inside = concrete - object->address + size <= object->size_now;
        branch_decide(expr_binary(pool, EXPR_ULE, end, shadow_expr(object->size_shadow)), inside);
    }
    if (!inside)
        report_outside(concrete, size, object, in_heaps(object->address));
}

/* ---- Settling an address --------------------------------------------------------------------- */

/* Must the place of the access be known? */
static bool wants_place(uint32_t access, uint64_t size)
{
    return size == 0 || access == SENNIT_ACCESS_WITHOUT_EXPRESSION ||
           (access == SENNIT_ACCESS_SHARED && rt.ex->agent_count > 1);
}

/* The object at the origin, or the one that ends there: an index may count from the end. */
static bool find_origins_object(const Origin *origin, ObjectRange *object)
{
    return origin->base &&
           (shadow_address_object(origin->base, object) || shadow_address_object(origin->base - 1, object));
}

uint32_t sennit_rt_shadow_pointer(uint32_t s, const void *p, uint64_t size, uint32_t access, const SennitSite *site)
{
    ExprId address = shadow_expr(s);
    uint64_t concrete = address_of(p);
    const Origin *known = origin_of(s);
    Origin origin = known ? *known : (Origin){0};
    ObjectRange object;
    sennit_rt_site = site;
    if (!rt.self)
        return 0;
    if (!known && !find_origin(address, &origin) && pin_pointer(address, concrete))
        return 0;
    if (!find_origins_object(&origin, &object)) {
        concretise_value(address, concrete, "address");
        return 0;
    }
    uint64_t stride = origin.stride ? origin.stride : 1, bytes = size ? size : 1;
    decide_inside(address, concrete, bytes, &object);
    uint64_t below = (concrete - object.address) / stride,
             above = (object.address + object.size - bytes - concrete) / stride;
    origin.low = concrete - below * stride;
    origin.high = concrete + above * stride;
    branch_narrow(address, concrete, stride, wants_place(access, size) ? 1 : MOST_PLACES, &origin.low, &origin.high);
    if (origin.low == origin.high)
        return 0;
    origin.stride = stride;
    set_origin(s, origin);
    if (object.size_shadow) {
        settled.address = concrete;
        settled.size = bytes;
    }
    memcpy(old_bytes, p, bytes < sizeof old_bytes ? bytes : sizeof old_bytes);
    return s;
}

/* ---- Reading and writing through it ------------------------------------------------------------- */

static ExprId value_of(uint64_t address, const void *bytes, uint32_t width)
{
    Bits value = 0;
    uint32_t shadow = shadow_memory_get(address, bytes, width);
    memcpy(&value, bytes, (width + 7) / 8);
    return expr_or_const(tracking.pool, shadow_expr(shadow), (Sort)width, bits_cut(value, (Sort)width));
}

static ExprId value_at(uint64_t address, uint32_t width)
{
    return value_of(address, (const void *)(uintptr_t)address, width);
}

static ExprId read_between(ExprId address, const ExprId *values, uint64_t low, uint64_t stride, uint32_t first,
                           uint32_t last)
{
    bool same = true;
    for (uint32_t i = first + 1; i <= last && same; i++)
        same = expr_same(values[i], values[first]);
    if (same)
        return values[first];
    uint32_t middle = first + (last - first + 1) / 2;
    ExprId limit = expr_const(tracking.pool, 64, low + middle * stride);
    return expr_ite(tracking.pool, expr_binary(tracking.pool, EXPR_ULT, address, limit),
                    read_between(address, values, low, stride, first, middle - 1),
                    read_between(address, values, low, stride, middle, last));
}

uint32_t sennit_rt_shadow_load(const void *p, uint32_t s_address, uint32_t width)
{
    const Origin *origin = s_address ? origin_of(s_address) : NULL;
    settled.size = 0;
    if (!origin || origin->low >= origin->high)
        return shadow_memory_get(address_of(p), p, width);
    ExprId values[MOST_PLACES];
    uint32_t count = (uint32_t)((origin->high - origin->low) / origin->stride) + 1;
    for (uint32_t i = 0; i < count; i++)
        values[i] = value_at(origin->low + i * origin->stride, width);
    ExprId e = read_between(shadow_expr(s_address), values, origin->low, origin->stride, 0, count - 1);
    return shadow_of_expr(e);
}

static void put(uint64_t at, ExprId value, uint32_t width)
{
    shadow_memory_put(at, shadow_of_expr(value), width);
}

/* A byte that belongs to several places is the last byte of the first of them, ..., the first byte of the last. */
static ExprId byte_after_store(const Origin *origin, ExprId address, ExprId value, ExprId old, uint64_t at)
{
    ExprPool *pool = tracking.pool;
    uint64_t size = expr_sort(pool, value) / 8u;
    for (uint64_t index = 0; index < size && index <= at - origin->low; index++) {
        uint64_t place = at - index;
        if (place > origin->high || (place - origin->low) % origin->stride)
            continue;
        ExprId hit = expr_binary(pool, EXPR_EQ, address, expr_const(pool, 64, place));
        old = expr_ite(pool, hit, expr_extract(pool, value, (unsigned)(8 * index), 8), old);
    }
    return old;
}

/* Stores to overlapping places, byte by byte. */
static void store_bytes(const Origin *origin, ExprId address, ExprId value, uint64_t here)
{
    uint64_t size = (expr_sort(tracking.pool, value) + 7u) / 8;
    value = expr_zext(tracking.pool, value, (Sort)(8 * size));
    for (uint64_t at = origin->low; at < origin->high + size; at++) {
        const void *before = at - here < size ? &old_bytes[at - here] : (const void *)(uintptr_t)at;
        put(at, byte_after_store(origin, address, value, value_of(at, before, 8), at), 8);
    }
}

/* Memory at `p` holds the new value already, at all other places the old one. */
void sennit_rt_shadow_store(void *p, uint32_t s_address, uint32_t s, uint32_t width)
{
    const Origin *origin = s_address ? origin_of(s_address) : NULL;
    uint64_t here = address_of(p);
    settled.size = 0;
    if (!origin || origin->low >= origin->high) {
        shadow_memory_put(here, s, width);
        return;
    }
    ExprPool *pool = tracking.pool;
    ExprId address = shadow_expr(s_address), value;
    Bits bits = 0;
    memcpy(&bits, p, (width + 7) / 8);
    value = expr_or_const(pool, shadow_expr(s), (Sort)width, bits_cut(bits, (Sort)width));
    if (origin->stride < (width + 7) / 8) {
        store_bytes(origin, address, value, here);
        return;
    }
    for (uint64_t at = origin->low; at <= origin->high; at += origin->stride) {
        ExprId hit = expr_binary(pool, EXPR_EQ, address, expr_const(pool, 64, at));
        ExprId old = at == here ? value_of(at, old_bytes, width) : value_at(at, width);
        put(at, expr_ite(pool, hit, value, old), width);
    }
}
