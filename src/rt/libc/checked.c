/* checked.c - see checked.h */
#include "rt/libc/checked.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

#include "rt/inputs/shadow_memory.h"
#include "rt/libc/text.h"
#include "rt/sync/hidden.h"
#include "rt/sync/plain.h"

typedef struct CheckedRange {
    uint64_t address, size;
} CheckedRange;

/* ---- Arguments ------------------------------------------------------------------------- */

static uint64_t pointer_of(const CheckedCall *call, const LibraryEffect *effect)
{
    uint64_t address = call->args[effect->a];
    return effect->through && address ? *(const uint64_t *)(uintptr_t)address : address;
}

static int64_t result_of(const CheckedCall *call, const LibraryEffect *effect)
{
    return effect->narrow ? (int32_t)call->result[0] : (int64_t)call->result[0];
}

static uint64_t limit_of(const CheckedCall *call, const LibraryEffect *effect)
{
    return effect->n >= CHECKED_EVEN_IF_0 ? SIZE_MAX : call->args[effect->n];
}

static uint64_t count_of(const CheckedCall *call, const LibraryEffect *effect)
{
    return (int64_t)call->args[effect->n] > 0 ? call->args[effect->n] : 0;
}

/* ---- Extents ----------------------------------------------------------------------------- */

static uint32_t unit_at(const char *text, uint64_t index, const LibraryEffect *effect)
{
    wchar_t wide;
    if (effect->size == 1)
        return (uint32_t)(effect->more ? tolower((unsigned char)text[index]) : (unsigned char)text[index]);
    memcpy(&wide, text + index * sizeof wide, sizeof wide);
    return (uint32_t)(effect->more ? (wchar_t)towlower((wint_t)wide) : wide);
}

/* Bytes that a comparison of two strings reads of each. */
static uint64_t common_size(const CheckedCall *call, const LibraryEffect *effect)
{
    const char *a = (const char *)(uintptr_t)call->args[effect->a], *b = (const char *)(uintptr_t)call->args[effect->b];
    uint64_t limit = limit_of(call, effect), count = 0;
    if (!b || !limit)
        return 0;
    uint64_t most = text_measure(a, effect->size, limit) / effect->size;
    uint64_t other = text_measure(b, effect->size, most) / effect->size;
    while (count + 1 < other && unit_at(a, count, effect) == unit_at(b, count, effect))
        count++;
    return (count + 1) * effect->size;
}

static uint64_t result_size(const CheckedCall *call, const LibraryEffect *effect)
{
    int64_t result = result_of(call, effect);
    uint64_t count = (uint64_t)result + effect->more, limit = limit_of(call, effect);
    if (result < 0 || (result == 0 && effect->n == CHECKED_NO_LIMIT))
        return 0;
    return (count < limit ? count : limit) * effect->size;
}

static uint64_t found_size(const CheckedCall *call, const LibraryEffect *effect)
{
    uint64_t found = call->result[0], begin = call->args[effect->a];
    if (found)
        return found - begin + effect->size;
    if (effect->n == CHECKED_NO_LIMIT)
        return text_measure((const void *)(uintptr_t)begin, effect->size, SIZE_MAX);
    return limit_of(call, effect) * effect->size;
}

static uint64_t copied_size(const CheckedCall *call, const LibraryEffect *effect)
{
    return call->result[0] ? call->result[0] - call->args[effect->b] : call->args[effect->n];
}

static uint64_t pointed_size(const CheckedCall *call, const LibraryEffect *effect)
{
    const uint64_t *size = (const uint64_t *)(uintptr_t)call->args[effect->n];
    return size ? *size : 0;
}

/* The memory that the effect is about; of size 0 if there is none. */
static CheckedRange find_range(const CheckedCall *call, const LibraryEffect *effect, uint64_t kept)
{
    CheckedRange range = {pointer_of(call, effect), 0};
    const void *p = (const void *)(uintptr_t)range.address;
    if (!p)
        return range;
    switch ((EffectExtent)effect->extent) {
    case EXTENT_BYTES: range.size = effect->size; break;
    case EXTENT_COUNT: range.size = count_of(call, effect) * effect->size; break;
    case EXTENT_PRODUCT: range.size = count_of(call, effect) * call->args[effect->b]; break;
    case EXTENT_PAIRS: range.size = count_of(call, effect) & ~1ull; break;
    case EXTENT_NUMBER: range.size = text_measure_number(p, (int)call->args[effect->n]); break;
    case EXTENT_FLOAT: range.size = text_measure_float(p); break;
    case EXTENT_COPIED: range.size = copied_size(call, effect); break;
    case EXTENT_TEXT: range.size = text_measure(p, effect->size, limit_of(call, effect)); break;
    case EXTENT_COMMON: range.size = common_size(call, effect); break;
    case EXTENT_POINTED: range.size = pointed_size(call, effect); break;
    case EXTENT_FOUND: range.size = found_size(call, effect); break;
    case EXTENT_RESULT: range.size = result_size(call, effect); break;
    case EXTENT_APPEND:
        range.size = text_measure(p, effect->size, SIZE_MAX) - kept;
        range.address += kept;
        break;
    case EXTENT_PASSED: range = (CheckedRange){kept, kept && range.address > kept ? range.address - kept : 0}; break;
    }
    return range;
}

/* ---- Effects ----------------------------------------------------------------------------- */

static bool is_state(const LibraryEffect *effect) { return effect->access >= EFFECT_USES; }

/* A step, which lasts up to the thread's next operation: the last thing before the call. */
static void use_state(const LibraryEffect *effects)
{
    for (unsigned i = 0; i < CHECKED_EFFECTS && effects[i].access; i++)
        if (effects[i].access == EFFECT_USES)
            hidden_read((Hidden)effects[i].a);
        else if (effects[i].access == EFFECT_CHANGES)
            hidden_write((Hidden)effects[i].a);
}

static void announce(CheckedRange range, uint8_t access)
{
    if (access != EFFECT_WRITE)
        plain_read(range.address, range.size);
    if (access != EFFECT_READ)
        plain_write(range.address, range.size);
}

/* Something to remember for afterwards: the length of a string, the value of a pointer. */
static uint64_t keep(const CheckedCall *call, const LibraryEffect *effect)
{
    const void *p = (const void *)(uintptr_t)pointer_of(call, effect);
    if (effect->extent == EXTENT_PASSED)
        return address_of(p);
    if (effect->extent != EXTENT_APPEND || !p)
        return 0;
    uint64_t size = text_measure(p, effect->size, SIZE_MAX);
    plain_read(address_of(p), size);
    return size - effect->size;
}

void checked_before(CheckedCall *call)
{
    if (!rt.self)
        return;
    int error = errno;
    const LibraryEffect *effects = call->row->effects;
    for (unsigned i = 0; i < CHECKED_EFFECTS && effects[i].access; i++)
        if (is_state(&effects[i]))
            continue;
        else if (effects[i].when == EFFECT_BEFORE)
            announce(find_range(call, &effects[i], 0), effects[i].access);
        else
            call->kept[i] = keep(call, &effects[i]);
    use_state(effects);
    errno = error;
}

static bool happens(const CheckedCall *call, const LibraryEffect *effect)
{
    switch ((EffectTime)effect->when) {
    case EFFECT_BEFORE: return false;
    case EFFECT_AFTER: return true;
    case EFFECT_IF_0: return (int32_t)call->result[0] == 0;
    case EFFECT_IF_SET: return call->result[0] != 0;
    case EFFECT_IF_RETURNED: return call->result[0] == call->args[effect->a];
    case EFFECT_IF_POSITIVE: return (int32_t)call->result[0] > 0;
    case EFFECT_IF_NOT_NEGATIVE: return (int32_t)call->result[0] >= 0;
    }
    return false;
}

/* What was written is concrete: arguments and what they point to were concretised before the call. */
void checked_after(CheckedCall *call)
{
    if (!rt.self)
        return;
    int error = errno;
    const LibraryEffect *effects = call->row->effects;
    for (unsigned i = 0; i < CHECKED_EFFECTS && effects[i].access; i++) {
        CheckedRange range = {0};
        if (is_state(&effects[i]))
            continue;
        if (happens(call, &effects[i])) {
            range = find_range(call, &effects[i], call->kept[i]);
            announce(range, effects[i].access);
        } else if (tracking.on && effects[i].when == EFFECT_BEFORE) {
            range = find_range(call, &effects[i], 0);
        }
        if (effects[i].access != EFFECT_READ && range.size)
            shadow_memory_overwritten((const void *)(uintptr_t)range.address, range.size);
    }
    errno = error;
}
