/* vec.h - growable arrays of any element type
 *
 *     VEC(uint32_t) numbers = {0};
 *     VEC_PUSH(&numbers, 7);
 *     VEC_FREE(&numbers);
 */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include <stdint.h>
#include <stdlib.h>

#include "base/mem.h"

#define VEC(T)          \
    struct {            \
        T *items;       \
        uint32_t count; \
        uint32_t room;  \
    }

/* Makes room for `n` elements in all; the count stays. */
#define VEC_RESERVE(v, n)                                                              \
    do {                                                                               \
        if ((uint32_t)(n) > (v)->room) {                                               \
            uint32_t vec_room_ = (v)->room ? (v)->room : 8;                            \
            while (vec_room_ < (uint32_t)(n))                                          \
                vec_room_ *= 2;                                                        \
            (v)->items = mem_resize((v)->items, (size_t)vec_room_ * sizeof *(v)->items); \
            (v)->room = vec_room_;                                                     \
        }                                                                              \
    } while (0)

#define VEC_PUSH(v, x)                          \
    do {                                        \
        if ((v)->count == (v)->room)            \
            VEC_RESERVE(v, (v)->count + 1);     \
        (v)->items[(v)->count++] = (x);         \
    } while (0)

#define VEC_FREE(v)                             \
    do {                                        \
        free((v)->items);                       \
        (v)->items = NULL;                      \
        (v)->count = (v)->room = 0;             \
    } while (0)

#endif
