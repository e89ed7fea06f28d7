/* litmus.h - how the tables of litmus programs are written */
#ifndef ORACLE_WEAK_LITMUS_H
#define ORACLE_WEAK_LITMUS_H

#include "weak.h"

#define R ORDER_RELAXED
#define A ORDER_ACQUIRE
#define L ORDER_RELEASE
#define AR ORDER_ACQ_REL
#define S ORDER_SEQ_CST

enum { X, Y, Z, W };

#define LD(reg, loc, ord) {.kind = INS_LOAD, .r = (reg), .x = (loc), .order = (ord)}
#define ST(loc, val, ord) {.kind = INS_STORE, .x = (loc), .c = (val), .order = (ord)}
#define ADD(reg, loc, val, ord) {.kind = INS_ADD, .r = (reg), .x = (loc), .c = (val), .order = (ord)}
#define CAS(reg, loc, old, new, ord) {.kind = INS_CAS, .r = (reg), .x = (loc), .c = (old), .d = (new), .order = (ord), .failed = (ord)}
#define AWAIT(loc, val, ord) {.kind = INS_AWAIT, .x = (loc), .c = (val), .order = (ord)}
#define AWAIT_SET(loc, old, new, ord) {.kind = INS_AWAIT_SET, .x = (loc), .c = (old), .d = (new), .order = (ord)}
#define FENCE(ord) {.kind = INS_FENCE, .order = (ord)}
#define IF(reg, val, n) {.kind = INS_IF, .r = (reg), .c = (val), .d = (n)}
#define ASSUME(reg, val) {.kind = INS_ASSUME, .r = (reg), .c = (val)}
#define BRANCH(reg, n, val) {.kind = INS_BRANCH, .r = (reg), .x = (n), .c = (val)}

#define CODE(n, ...) {.threads = (n), .code = {__VA_ARGS__}}
#define T(...) {__VA_ARGS__}

/* The shapes of the literature (shapes.c). */
extern const Litmus shapes[];
extern const uint32_t shape_count;

#endif
