/* order.c - see order.h */
#include "rt/weak/order.h"

#include <stdio.h>

#include "rt/detect/bug.h"

void order_check(OrderUse use, uint32_t order)
{
    static const struct {
        const char *name;
        uint32_t allowed;
    } uses[] = {[ORDER_OF_LOAD] = {"an atomic load", 1 << C_RELAXED | 1 << C_CONSUME | 1 << C_ACQUIRE | 1 << C_SEQ_CST},
                [ORDER_OF_STORE] = {"an atomic store", 1 << C_RELAXED | 1 << C_RELEASE | 1 << C_SEQ_CST},
                [ORDER_OF_UPDATE] = {"an atomic update", 0x3f},
                [ORDER_OF_FAILURE] = {"a failed exchange",
                                      1 << C_RELAXED | 1 << C_CONSUME | 1 << C_ACQUIRE | 1 << C_SEQ_CST},
                [ORDER_OF_FENCE] = {"a fence", 0x3f}};
    static const char *const names[] = {"relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst"};
    char why[96];
    if (order <= C_SEQ_CST && uses[use].allowed >> order & 1)
        return;
    if (order <= C_SEQ_CST)
        snprintf(why, sizeof why, "%s must not have memory_order_%s", uses[use].name, names[order]);
    else
        snprintf(why, sizeof why, "%s has the unknown memory order %u", uses[use].name, order);
    report_refused(why);
}

/* Defined if some module has such an operation. */
extern const char sennit_weak_orders __attribute__((weak));
extern const char sennit_weak_exchanges __attribute__((weak));

bool order_weak_in_program(void) { return &sennit_weak_orders != NULL; }
bool order_weak_exchange_in_program(void) { return &sennit_weak_exchanges != NULL; }
