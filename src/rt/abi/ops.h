/* ops.h - kinds of visible operations of threads */
#ifndef RT_ABI_OPS_H
#define RT_ABI_OPS_H

typedef enum OpKind {
#define OP(name, verb) OP_##name,
#include "rt/abi/ops.def"
#undef OP
    OP_KIND_COUNT
} OpKind;

#endif
