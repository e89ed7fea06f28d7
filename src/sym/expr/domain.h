/* domain.h - an abstract domain: bounds and known bits of a value
 *
 * The set of values a node may still have, over-approximated in three ways at once: by unsigned bounds, by signed
 * bounds and by known bits. An empty set is a contradiction; the converse does not hold. Integers have signed bounds
 * only, where INT64_MIN and INT64_MAX mean none. Bit-vectors wider than 64 bits are not approximated.
 */
#ifndef SYM_EXPR_DOMAIN_H
#define SYM_EXPR_DOMAIN_H

#include "sym/expr/expr.h"

typedef struct Domain {
    uint64_t lo, hi;      /* unsigned, inclusive */
    int64_t slo, shi;     /* signed, inclusive   */
    uint64_t zeros, ones; /* bits that must be 0, 1 */
} Domain;

/* All values of the sort; one value. */
Domain domain_top(Sort sort);
Domain domain_const(Sort sort, Bits value);

/* Whether one value is left; then *value is set (cut to the sort). */
bool domain_is_single(const Domain *domain, Sort sort, Bits *value);
bool domain_contains(const Domain *domain, Sort sort, Bits value);

/* Refines each of the three approximations by the others. False if the set becomes empty. */
bool domain_reduce(Domain *domain, Sort sort);
/* Intersects with `other`. False if the set becomes empty; *changed becomes true if it got smaller. */
bool domain_meet(Domain *domain, const Domain *other, Sort sort, bool *changed);

/* Narrow one bound; false if the set becomes empty. */
bool domain_at_most(Domain *domain, Sort sort, uint64_t hi, bool *changed);
bool domain_at_least(Domain *domain, Sort sort, uint64_t lo, bool *changed);
bool domain_signed_between(Domain *domain, Sort sort, int64_t slo, int64_t shi, bool *changed);

/* Domains of an operation's operands and result, with their sorts. */
typedef struct DomainFrame {
    const ExprNode *node;
    Sort sorts[3];
    Domain *operands[3];
    Domain *result;
} DomainFrame;

/* The domain of the result, given those of the operands. */
Domain domain_forward(const DomainFrame *frame);
/* Narrows the operands to values that can give the result. False if one becomes empty. */
bool domain_backward(const DomainFrame *frame, bool *changed);

#endif
