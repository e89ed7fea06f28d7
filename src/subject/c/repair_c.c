/* repair_c.c - see repair_c.h */
#include "subject/c/repair_c.h"

#include <string.h>

#include "rt/weak/override.h"
#include "subject/c/weak_words.h"

enum { MOST_SITES = 24 };
_Static_assert(MOST_SITES <= (int)MOST_OVERRIDES, "all of them can be changed together");

/* A place of the program with an atomic operation that could be stronger. */
typedef struct WeakSite {
    uint64_t site;
    uint32_t position; /* of one of its steps                       */
    uint64_t resource; /* 0: a fence                                */
    bool reads, writes;
    bool shared;       /* it has accessed several objects           */
    uint8_t order;     /* Order                                     */
} WeakSite;

typedef struct Repairs {
    WeakWords words;
    WeakSite sites[MOST_SITES];
    uint32_t count;
    uint32_t wanted, offered; /* the number of the change that is wanted, and of those passed */
    bool found;
    Text *out;
} Repairs;

/* ---- Places ------------------------------------------------------------------ */

static const Access *fence_of(const WeakWords *words, uint32_t position)
{
    const Event *event = &words->ex->events[position];
    for (uint32_t i = 0; i < event->access_count; i++) {
        const Access *access = &words->ex->accesses[event->first_access + i];
        if (access->order != ORDER_STRONG && access->mode == MODE_NONE && access->resource == 0)
            return access;
    }
    return NULL;
}

static WeakSite *get_site(Repairs *repairs, uint32_t position)
{
    uint64_t site = repairs->words.ex->events[position].site;
    for (uint32_t i = 0; i < repairs->count; i++)
        if (repairs->sites[i].site == site)
            return &repairs->sites[i];
    if (repairs->count == MOST_SITES)
        return NULL;
    repairs->sites[repairs->count] = (WeakSite){.site = site, .position = position};
    return &repairs->sites[repairs->count++];
}

static void add_site(Repairs *repairs, uint32_t position)
{
    const Access *access = weakwords_access(&repairs->words, position);
    const Access *fence = access ? NULL : fence_of(&repairs->words, position);
    if (!access && !fence)
        return;
    unsigned order = access_order(access ? access : fence, true);
    WeakSite *site = order == ORDER_SEQ_CST ? NULL : get_site(repairs, position);
    if (!site)
        return;
    site->order = (uint8_t)order;
    site->shared |= site->resource && access && site->resource != access->resource;
    site->resource = access ? access->resource : 0;
    site->reads |= access && (access->mode == MODE_READ || access->order & ORDER_UPDATES);
    site->writes |= access && access->mode != MODE_READ;
}

/* ---- Changes ------------------------------------------------------------------- */

typedef struct Change {
    const WeakSite *site;
    uint8_t order; /* of C */
    bool fence;
} Change;

static const char *order_name(unsigned order)
{
    static const char *const names[] = {[C_RELAXED] = "relaxed", [C_CONSUME] = "consume", [C_ACQUIRE] = "acquire",
                                        [C_RELEASE] = "release", [C_ACQ_REL] = "acq_rel", [C_SEQ_CST] = "seq_cst"};
    return names[order];
}

static bool acquires(const WeakSite *site) { return site->order == ORDER_ACQUIRE || site->order >= ORDER_ACQ_REL; }
static bool releases(const WeakSite *site) { return site->order >= ORDER_RELEASE; }

/* What the operation has then: an update may have both. */
static unsigned result_of(const Change *change)
{
    bool acquire = change->order == C_ACQUIRE && releases(change->site);
    bool release = change->order == C_RELEASE && acquires(change->site);
    return acquire || release ? C_ACQ_REL : change->order;
}

static void describe(const Repairs *repairs, const Change *changes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const Change *change = &changes[i];
        text_add_string(repairs->out, i == 0 ? "" : i + 1 == count ? " and " : ", ");
        if (change->fence)
            text_add(repairs->out, "atomic_thread_fence(memory_order_%s) before the ", order_name(change->order));
        else
            text_add(repairs->out, "memory_order_%s for the ", order_name(result_of(change)));
        weakwords_add_operation(&repairs->words, change->site->position, repairs->out);
        text_add_string(repairs->out, change->site->shared ? ", wherever this code is used," : "");
    }
}

static void offer(Repairs *repairs, const Change *changes, uint32_t count)
{
    Override overrides[MOST_SITES] = {0};
    if (repairs->offered++ != repairs->wanted)
        return;
    for (uint32_t i = 0; i < count; i++)
        overrides[i] = (Override){changes[i].site->site, changes[i].order, changes[i].fence};
    override_set(overrides, count);
    describe(repairs, changes, count);
    repairs->found = true;
}

static void offer_one(Repairs *repairs, const WeakSite *site, unsigned order, bool fence)
{
    offer(repairs, &(Change){site, (uint8_t)order, fence}, 1);
}

static void offer_two(Repairs *repairs, const Change *first, const Change *second)
{
    Change both[] = {*first, *second};
    offer(repairs, both, 2);
}

/* ---- All of them ------------------------------------------------------------------ */

static void offer_acquire_release(Repairs *repairs)
{
    for (uint32_t i = 0; i < repairs->count; i++) {
        const WeakSite *site = &repairs->sites[i];
        if (site->writes && !releases(site))
            offer_one(repairs, site, C_RELEASE, false);
        if (site->reads && !acquires(site))
            offer_one(repairs, site, C_ACQUIRE, false);
        bool update = site->reads && site->writes && site->order == ORDER_RELAXED;
        if (update || (!site->resource && site->order < ORDER_ACQ_REL))
            offer_one(repairs, site, C_ACQ_REL, false);
    }
    for (uint32_t i = 0; i < repairs->count; i++)
        for (uint32_t k = 0; k < repairs->count; k++) {
            const WeakSite *out = &repairs->sites[i], *in = &repairs->sites[k];
            if (i != k && out->writes && !releases(out) && in->reads && !acquires(in) && in->resource == out->resource)
                offer_two(repairs, &(Change){out, C_RELEASE, false}, &(Change){in, C_ACQUIRE, false});
        }
}

/* Fences that make earlier loads acquire, and later stores release. */
static void offer_weak_fences(Repairs *repairs)
{
    for (uint32_t i = 0; i < repairs->count; i++) {
        const WeakSite *site = &repairs->sites[i];
        if (site->resource)
            offer_one(repairs, site, C_ACQUIRE, true);
        if (site->writes && !releases(site))
            offer_one(repairs, site, C_RELEASE, true);
    }
}

static void offer_each_seq_cst(Repairs *repairs, bool fence)
{
    for (uint32_t i = 0; i < repairs->count; i++)
        if (!fence || repairs->sites[i].resource)
            offer_one(repairs, &repairs->sites[i], C_SEQ_CST, fence);
}

static void offer_two_seq_cst(Repairs *repairs, bool fence)
{
    for (uint32_t i = 0; i < repairs->count; i++)
        for (uint32_t k = i + 1; k < repairs->count; k++)
            if (!fence || (repairs->sites[i].resource && repairs->sites[k].resource))
                offer_two(repairs, &(Change){&repairs->sites[i], C_SEQ_CST, fence},
                          &(Change){&repairs->sites[k], C_SEQ_CST, fence});
}

static void offer_all_seq_cst(Repairs *repairs)
{
    Change changes[MOST_SITES];
    for (uint32_t i = 0; i < repairs->count; i++)
        changes[i] = (Change){&repairs->sites[i], C_SEQ_CST, false};
    if (repairs->count > 2)
        offer(repairs, changes, repairs->count);
}

bool repair_c(Program *program, const Execution *ex, const Finding *finding, uint32_t number, Text *words)
{
    Repairs repairs = {.words = {program, ex}, .wanted = number, .out = words};
    override_set(NULL, 0);
    for (uint32_t i = 0; i < ex->event_count && i < finding->position; i++)
        add_site(&repairs, i);
    offer_acquire_release(&repairs);
    offer_weak_fences(&repairs);
    offer_each_seq_cst(&repairs, true);
    offer_each_seq_cst(&repairs, false);
    offer_two_seq_cst(&repairs, true);
    offer_two_seq_cst(&repairs, false);
    offer_all_seq_cst(&repairs);
    return repairs.found;
}
