/* image.c - see image.h */
#include "rt/kernel/image.h"

#include <stdbool.h>
#include <string.h>

enum { GRAIN = 8 };

/* What precedes the bytes of a piece of memory. */
typedef struct Piece {
    void *at;          /* where they belong; or where that is said */
    uint32_t size;
    bool is_array;
} Piece;

static uint32_t epoch;

void image_void_all(void) { epoch++; }
bool image_is_void(const RtImage *image) { return image->epoch != epoch; }

void image_reset(RtImage *image)
{
    image->bytes.count = 0;
    image->epoch = epoch;
}

void image_release(RtImage *image) { VEC_FREE(&image->bytes); }

static uint32_t room_of(size_t size) { return (uint32_t)((size + GRAIN - 1) & ~(size_t)(GRAIN - 1)); }

/* Of what is too large nothing is kept, but that it is. */
static void add(RtImage *image, Piece piece, const void *bytes)
{
    if (!image->whole && (piece.size > IMAGE_MOST || image_is_full(image))) {
        image->bytes.count = IMAGE_MOST + 1;
        return;
    }
    uint32_t begin = image->bytes.count, needed = (uint32_t)sizeof piece + room_of(piece.size);
    VEC_RESERVE(&image->bytes, begin + needed);
    memcpy(image->bytes.items + begin, &piece, sizeof piece);
    memcpy(image->bytes.items + begin + sizeof piece, bytes, piece.size);
    image->bytes.count = begin + needed;
}

void image_add(RtImage *image, void *memory, size_t size)
{
    if (size)
        add(image, (Piece){memory, size > UINT32_MAX ? UINT32_MAX : (uint32_t)size, false}, memory);
}

void image_add_items(RtImage *image, void *items, size_t size)
{
    const void *first;
    memcpy(&first, items, sizeof first);
    if (size)
        add(image, (Piece){items, size > UINT32_MAX ? UINT32_MAX : (uint32_t)size, true}, first);
}

void image_put_back(const RtImage *image)
{
    const unsigned char *at = image->bytes.items, *end = at + image->bytes.count;
    while (at < end) {
        Piece piece;
        memcpy(&piece, at, sizeof piece);
        void *target = piece.at;
        if (piece.is_array)
            memcpy(&target, piece.at, sizeof target);
        memcpy(target, at + sizeof piece, piece.size);
        at += sizeof piece + room_of(piece.size);
    }
}
