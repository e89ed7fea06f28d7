/* link.c - see link.h */
#include "rt/actors/link.h"

#include "rt/actors/actor_fault.h"
#include "rt/kernel/step.h"
#include "rt/kernel/transient.h"

typedef struct ActorLink ActorLink;
struct ActorLink {
    ActorLink *next;
    uint64_t resource;
    int64_t cut;
};

static ActorLink *links;

void link_reset(void) { links = NULL; }

/* The same in both directions. */
static uint64_t resource_between(const Actor *a, const Actor *b)
{
    bool ordered = a->agent < b->agent;
    uint64_t low = ordered ? a->agent : b->agent, high = ordered ? b->agent : a->agent;
    return resource_make(RES_LINK, high << 28 | low);
}

static ActorLink *find(const Actor *a, const Actor *b)
{
    ActorLink *link = links;
    uint64_t resource = link ? resource_between(a, b) : 0;
    while (link && link->resource != resource)
        link = link->next;
    return link;
}

void link_make(const Actor *a, const Actor *b)
{
    if (find(a, b))
        return;
    ActorLink *link = transient_alloc(sizeof *link);
    *link = (ActorLink){.next = links, .resource = resource_between(a, b)};
    links = link;
}

bool link_set(const Actor *a, const Actor *b, bool cut)
{
    ActorLink *link = find(a, b);
    if (!link)
        return false;
    step_begin(cut ? OP_ACTOR_CUT : OP_ACTOR_HEAL, link->resource);
    step_wait();
    step_value(0, link->cut, cut);
    link->cut = cut;
    step_done();
    return true;
}

bool link_carries(const Actor *sender, const Actor *receiver)
{
    const ActorLink *link = find(sender, receiver);
    if (!link)
        return true;
    step_begin(OP_ACTOR_LINK, link->resource)->mode = MODE_READ;
    step_wait();
    step_value(0, link->cut, link->cut);
    if (link->cut)
        actor_fault_count(FAULT_CUT);
    step_done();
    return !link->cut;
}

void link_add_state(Fingerprint *print)
{
    for (const ActorLink *link = links; link; link = link->next)
        fingerprint_add(print, link->cut ? ~link->resource : link->resource);
}
