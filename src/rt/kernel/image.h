/* image.h - parts of memory as they were at some moment, to be put back later
 *
 * Whoever owns state that changes while an execution runs adds it here. Arrays that only grow while an execution
 * continues need their length alone.
 */
#ifndef RT_KERNEL_IMAGE_H
#define RT_KERNEL_IMAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/vec.h"

typedef struct RtImage {
    VEC(unsigned char) bytes;
    uint32_t epoch;
    bool whole;        /* of a process: of any size */
} RtImage;

/* Images of this many bytes cost more than the steps they save. */
enum { IMAGE_MOST = 256 << 10 };

void image_reset(RtImage *image);
void image_release(RtImage *image);
/* Adds what the memory holds now. */
void image_add(RtImage *image, void *memory, size_t size);
/* The same for the elements of a growable array that starts at *items, where that may be another place later. */
void image_add_items(RtImage *image, void *items, size_t size);
static inline bool image_is_full(const RtImage *image) { return !image->whole && image->bytes.count > IMAGE_MOST; }
/* Writes everything back. */
void image_put_back(const RtImage *image);

/* Something has changed that images do not have: those taken so far are void. */
void image_void_all(void);
bool image_is_void(const RtImage *image);

#endif
