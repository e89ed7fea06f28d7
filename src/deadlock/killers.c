/* killers.c - see killers.h */
#include "deadlock/killers.h"

#include <stdlib.h>

#include "base/mem.h"
#include "deadlock/throwing.h"

typedef struct StaticKillers {
    Killers base;
    const Image *image;
    bool *kills; /* by code; NULL: not analysed yet */
} StaticKillers;

static void analyse(StaticKillers *self)
{
    ModelPointsTo *p = model_pointsto_create(self->image, 1);
    Throwing throwing;
    throwing_init(&throwing, p);
    self->kills = mem_alloc(self->image->codes.count + 1u);
    for (uint32_t i = 0; i < p->activations.count; i++)
        self->kills[p->activations.items[i]->code->number] |= throwing.activations[i];
    throwing_release(&throwing);
    model_pointsto_destroy(p);
}

static bool may_kill(Killers *base, const Code *method)
{
    StaticKillers *self = (StaticKillers *)base;
    if (!self->kills)
        analyse(self);
    return self->kills[method->number];
}

static void destroy(Killers *base)
{
    free(((StaticKillers *)base)->kills);
    free(base);
}

Killers *killers_create(const Image *image)
{
    StaticKillers *self = mem_alloc(sizeof *self);
    *self = (StaticKillers){.base = {may_kill, destroy}, .image = image};
    return &self->base;
}
