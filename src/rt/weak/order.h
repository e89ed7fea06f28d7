/* order.h - C's memory orders: their numbers, which operations may have them, and what they are in footprints */
#ifndef RT_WEAK_ORDER_H
#define RT_WEAK_ORDER_H

#include "core/event.h"

/* The numbers of memory_order in C. */
enum { C_RELAXED, C_CONSUME, C_ACQUIRE, C_RELEASE, C_ACQ_REL, C_SEQ_CST };

static inline bool order_acquires(unsigned order) { return order != C_RELAXED && order != C_RELEASE; }
static inline bool order_releases(unsigned order) { return order >= C_RELEASE; }

/* Consume is acquire, as in all compilers. */
static inline Order order_of(uint32_t order)
{
    static const uint8_t orders[] = {ORDER_RELAXED, ORDER_ACQUIRE, ORDER_ACQUIRE,
                                     ORDER_RELEASE, ORDER_ACQ_REL, ORDER_SEQ_CST};
    return (Order)orders[order];
}

typedef enum OrderUse { ORDER_OF_LOAD, ORDER_OF_STORE, ORDER_OF_UPDATE, ORDER_OF_FAILURE, ORDER_OF_FENCE } OrderUse;

/* Ends the exploration with a message if C forbids this order there. */
void order_check(OrderUse use, uint32_t order);

/* Does the program have atomic operations that are weaker than seq_cst? */
bool order_weak_in_program(void);

/* And weak compare-and-exchanges? */
bool order_weak_exchange_in_program(void);

#endif
