/* consistent.c - the memory models as predicates on whole graphs: SC, TSO, RC11
 *
 * Relations are rows of bit sets over elements: an initial write per location, two elements (its read, its write)
 * per update, a start per created thread, one per other step. Branches on inputs are left out. The definitions follow
 * the literature word for word; speed comes from small graphs only.
 *
 * Strong steps happen before others only through what they release and acquire; the order of those that conflict,
 * together with program order and reads-from, has no cycle. Under TSO they drain the store buffer, as do seq_cst
 * fences, seq_cst stores, updates, compare and exchange that fails, and the creation of a thread.
 */
#include <string.h>

#include "weak.h"

enum { MAX_ELEMENTS = 64 };
typedef uint64_t Row;

typedef struct Element {
    uint8_t kind;     /* READ, WRITE, FENCE, STRONG */
    uint8_t location; /* NO_NODE: none */
    uint8_t order;
    bool exclusive; /* of an update, or an exchange that has failed */
} Element;

typedef struct Relations {
    unsigned n;
    Element element[MAX_ELEMENTS];
    Row own[MAX_ELEMENTS]; /* program order, without the initial writes */
    Row po[MAX_ELEMENTS];  /* the same, initial writes first            */
    Row rf[MAX_ELEMENTS], co[MAX_ELEMENTS], fr[MAX_ELEMENTS];
    Row created[MAX_ELEMENTS];
    Row strong[MAX_ELEMENTS]; /* the order of conflicting steps          */
    Row synced[MAX_ELEMENTS]; /* a strong step acquires what another released */
    Row initial, reads, writes, at[LOCATIONS];
    uint8_t reader[MAX_NODES], writer[MAX_NODES]; /* elements of a node  */
    uint8_t update[MAX_ELEMENTS];                 /* of the read of an update: its write; else NO_NODE */
} Relations;

static Row bit(unsigned i)
{
    return (Row)1 << i;
}
static unsigned first(Row row)
{
    return (unsigned)__builtin_ctzll(row);
}
#define EACH(i, row)                                                                                                   \
    for (Row rest_##i = (row); rest_##i; rest_##i &= rest_##i - 1)                                                     \
        for (unsigned i = first(rest_##i), go_##i = 1; go_##i; go_##i = 0)

static bool acquires(unsigned order)
{
    return order == ORDER_ACQUIRE || order == ORDER_ACQ_REL || order == ORDER_SEQ_CST;
}
static bool releases(unsigned order)
{
    return order == ORDER_RELEASE || order == ORDER_ACQ_REL || order == ORDER_SEQ_CST;
}

/* ---- Building ------------------------------------------------------------ */

static unsigned add(Relations *rel, unsigned kind, unsigned location, unsigned order)
{
    unsigned i = rel->n++;
    rel->element[i] = (Element){.kind = (uint8_t)kind, .location = (uint8_t)location, .order = (uint8_t)order};
    rel->own[i] = rel->po[i] = rel->rf[i] = rel->co[i] = rel->fr[i] = rel->created[i] = rel->strong[i] =
        rel->synced[i] = 0;
    rel->update[i] = NO_NODE;
    if (kind == NODE_READ)
        rel->reads |= bit(i);
    if (kind == NODE_WRITE)
        rel->writes |= bit(i);
    if (location != NO_NODE)
        rel->at[location] |= bit(i);
    return i;
}

static void add_node(Relations *rel, const Code *code, const WeakGraph *graph, unsigned id)
{
    const Node *node = &graph->node[id];
    rel->reader[id] = rel->writer[id] = NO_NODE;
    switch ((NodeKind)node->kind) {
    case NODE_READ:
        rel->reader[id] = (uint8_t)add(rel, NODE_READ, node->location, node->order);
        rel->element[rel->reader[id]].exclusive = node_ins(code, node)->kind == INS_CAS;
        break;
    case NODE_WRITE: rel->writer[id] = (uint8_t)add(rel, NODE_WRITE, node->location, node->order); break;
    case NODE_UPDATE:
        rel->reader[id] = (uint8_t)add(rel, NODE_READ, node->location, node->order);
        rel->writer[id] = (uint8_t)add(rel, NODE_WRITE, node->location, node->order);
        rel->update[rel->reader[id]] = rel->writer[id];
        rel->element[rel->reader[id]].exclusive = rel->element[rel->writer[id]].exclusive = true;
        break;
    case NODE_FENCE: rel->reader[id] = (uint8_t)add(rel, NODE_FENCE, NO_NODE, node->order); break;
    case NODE_STRONG:
    case NODE_CREATE: rel->reader[id] = (uint8_t)add(rel, NODE_STRONG, NO_NODE, ORDER_STRONG); break;
    case NODE_BRANCH: break;
    }
}

/* Elements of a thread are added one after the other; `mine` is the set of those so far. */
static void add_thread(Relations *rel, const Code *code, const WeakGraph *graph, unsigned t, unsigned creator)
{
    unsigned from = rel->n;
    if (creator != NO_NODE)
        add(rel, NODE_STRONG, NO_NODE, ORDER_STRONG);
    for (unsigned i = 0; i < graph->length[t]; i++)
        add_node(rel, code, graph, graph->of[t][i]);
    Row mine = (bit(rel->n) - 1) & ~(bit(from) - 1);
    for (unsigned i = from; i < rel->n; i++)
        rel->own[i] = rel->po[i] = mine & ~(bit(i + 1) - 1);
}

static unsigned writer_of(const Relations *rel, unsigned id)
{
    return id >= INITIAL ? id - INITIAL : rel->writer[id];
}

static void add_coherence(Relations *rel, const WeakGraph *graph)
{
    for (unsigned x = 0; x < LOCATIONS; x++) {
        Row later = 0;
        for (unsigned i = graph->writes[x]; i-- > 0;) {
            unsigned w = rel->writer[graph->coherence[x][i]];
            rel->co[w] = later;
            later |= bit(w);
        }
        rel->co[x] = later;
    }
    for (unsigned id = 0; id < graph->count; id++) {
        const Node *node = &graph->node[id];
        if (node->kind != NODE_READ && node->kind != NODE_UPDATE)
            continue;
        unsigned w = writer_of(rel, node->from), r = rel->reader[id];
        rel->rf[w] |= bit(r);
        rel->fr[r] = rel->co[w];
    }
}

static unsigned sync_of(const Code *code, const Node *node, unsigned resource)
{
    const Ins *ins = node_ins(code, node);
    unsigned sync = 0;
    for (unsigned i = 0; i < ins->terms; i++)
        if (ins->term[i].resource == resource && (ins->kind != INS_TRY || node->read))
            sync |= ins->term[i].sync;
    return sync;
}

static void add_strong(Relations *rel, const Code *code, const WeakGraph *graph)
{
    for (unsigned j = 0; j < graph->strong_count; j++)
        for (unsigned i = 0; i < j; i++) {
            const Node *a = &graph->node[graph->strong[i]], *b = &graph->node[graph->strong[j]];
            unsigned from = rel->reader[graph->strong[i]], to = rel->reader[graph->strong[j]];
            const Ins *ins = node_ins(code, a);
            if (!nodes_conflict(code, a, b))
                continue;
            rel->strong[from] |= bit(to);
            for (unsigned n = 0; n < ins->terms; n++) {
                unsigned r = ins->term[n].resource;
                if (sync_of(code, a, r) & SYNC_RELEASE && sync_of(code, b, r) & SYNC_ACQUIRE)
                    rel->synced[from] |= bit(to);
            }
        }
}

static void build(Relations *rel, const Code *code, const WeakGraph *graph)
{
    uint8_t creator[MAX_THREADS], start[MAX_THREADS];
    memset(creator, NO_NODE, sizeof creator);
    rel->n = 0;
    rel->reads = rel->writes = 0;
    memset(rel->at, 0, sizeof rel->at);
    for (unsigned x = 0; x < LOCATIONS; x++)
        add(rel, NODE_WRITE, x, ORDER_RELAXED);
    rel->initial = bit(rel->n) - 1;
    for (unsigned id = 0; id < graph->count; id++)
        if (graph->node[id].kind == NODE_CREATE)
            creator[graph->node[id].child] = (uint8_t)id;
    for (unsigned t = 0; t < code->threads; t++) {
        start[t] = (uint8_t)rel->n;
        add_thread(rel, code, graph, t, creator[t]);
    }
    for (unsigned x = 0; x < LOCATIONS; x++)
        rel->po[x] = (bit(rel->n) - 1) & ~rel->initial;
    for (unsigned t = 0; t < code->threads; t++)
        if (creator[t] != NO_NODE)
            rel->created[rel->reader[creator[t]]] |= bit(start[t]);
    add_coherence(rel, graph);
    add_strong(rel, code, graph);
}

/* ---- Relations ------------------------------------------------------------- */

/* The elements that `of` leads to from a set. */
static Row image(const Row *of, Row set)
{
    Row out = 0;
    EACH(i, set)
    out |= of[i];
    return out;
}

static void close(unsigned n, Row *a)
{
    for (unsigned k = 0; k < n; k++) {
        Row row = a[k];
        if (row)
            for (unsigned i = 0; i < n; i++)
                if (a[i] >> k & 1)
                    a[i] |= row;
    }
}

/* Takes away elements without successors until there are none. */
static bool is_acyclic(unsigned n, const Row *a)
{
    Row left = n == 64 ? ~(Row)0 : bit(n) - 1;
    for (bool again = true; again && left;) {
        again = false;
        EACH(i, left)
        if (!(a[i] & left)) {
            left &= ~bit(i);
            again = true;
        }
    }
    return !left;
}

static bool is_irreflexive(unsigned n, const Row *a)
{
    for (unsigned i = 0; i < n; i++)
        if (a[i] >> i & 1)
            return false;
    return true;
}

/* No write comes between the read and the write of an update. */
static bool is_atomic(const Relations *rel)
{
    EACH(r, rel->reads)
    if (rel->update[r] != NO_NODE && image(rel->co, rel->fr[r]) & bit(rel->update[r]))
        return false;
    return true;
}

/* ---- SC and TSO -------------------------------------------------------------- */

static bool is_sc(const Relations *rel)
{
    Row all[MAX_ELEMENTS] = {0};
    for (unsigned i = 0; i < rel->n; i++)
        all[i] = rel->po[i] | rel->rf[i] | rel->co[i] | rel->fr[i] | rel->strong[i] | rel->created[i];
    return is_acyclic(rel->n, all);
}

static bool is_tso(const Relations *rel)
{
    Row all[MAX_ELEMENTS] = {0};
    for (unsigned i = 0; i < rel->n; i++) {
        Row here = rel->element[i].location != NO_NODE ? rel->at[rel->element[i].location] : 0;
        all[i] = (rel->po[i] & here) | rel->rf[i] | rel->co[i] | rel->fr[i];
    }
    if (!is_acyclic(rel->n, all))
        return false;
    Row passing = 0, nothing = 0; /* reads that may come before earlier stores; weak fences */
    for (unsigned i = 0; i < rel->n; i++) {
        const Element *e = &rel->element[i];
        if (e->kind == NODE_READ && !e->exclusive)
            passing |= bit(i);
        if (e->kind == NODE_FENCE && e->order != ORDER_SEQ_CST)
            nothing |= bit(i);
    }
    for (unsigned i = 0; i < rel->n; i++) {
        const Element *e = &rel->element[i];
        bool buffered = e->kind == NODE_WRITE && !e->exclusive && e->order != ORDER_SEQ_CST && !(rel->initial >> i & 1);
        Row kept = nothing >> i & 1 ? 0 : rel->po[i] & ~nothing & ~(buffered ? passing : 0);
        Row external = rel->rf[i] & ~(rel->initial >> i & 1 ? 0 : rel->own[i]);
        all[i] = kept | external | rel->co[i] | rel->fr[i] | rel->strong[i] | rel->created[i];
    }
    return is_acyclic(rel->n, all);
}

/* ---- RC11 ---------------------------------------------------------------------- */

static Row same_location(const Relations *rel, unsigned i, Row set)
{
    return rel->element[i].location == NO_NODE ? 0 : set & rel->at[rel->element[i].location];
}

/* The writes of the release sequence that begins with the write w. */
static Row release_sequence(const Relations *rel, unsigned w)
{
    Row set = bit(w) | (same_location(rel, w, rel->own[w]) & rel->writes);
    for (Row added = set; added;) {
        Row next = 0;
        EACH(r, image(rel->rf, added))
        if (rel->update[r] != NO_NODE)
            next |= bit(rel->update[r]);
        added = next & ~set;
        set |= next;
    }
    return set;
}

static void happens_before(const Relations *rel, Row *hb)
{
    Row into[MAX_ELEMENTS]; /* of a read: where it makes what it reads visible */
    Row acquire_fences = 0;
    for (unsigned i = 0; i < rel->n; i++)
        if (rel->element[i].kind == NODE_FENCE && acquires(rel->element[i].order))
            acquire_fences |= bit(i);
    EACH(r, rel->reads)
    into[r] = (acquires(rel->element[r].order) ? bit(r) : 0) | (rel->own[r] & acquire_fences);
    Row reached[MAX_ELEMENTS]; /* of a write: what synchronises with it as the head of a release sequence */
    EACH(w, rel->writes)
    reached[w] = image(into, image(rel->rf, release_sequence(rel, w)));
    for (unsigned i = 0; i < rel->n; i++) {
        const Element *e = &rel->element[i];
        hb[i] = rel->po[i] | rel->created[i] | rel->synced[i];
        if (e->kind == NODE_WRITE && releases(e->order))
            hb[i] |= reached[i];
        if (e->kind == NODE_FENCE && releases(e->order))
            hb[i] |= image(reached, rel->own[i] & rel->writes);
    }
    close(rel->n, hb);
}

static bool psc_is_acyclic(const Relations *rel, const Row *hb, const Row *eco)
{
    Row accesses = 0, fences = 0, scb[MAX_ELEMENTS], psc[MAX_ELEMENTS], away[MAX_ELEMENTS];
    for (unsigned i = 0; i < rel->n; i++)
        if (rel->element[i].order == ORDER_SEQ_CST)
            *(rel->element[i].kind == NODE_FENCE ? &fences : &accesses) |= bit(i);
    if (!(accesses | fences))
        return true;
    for (unsigned i = 0; i < rel->n; i++)
        away[i] = rel->po[i] & ~same_location(rel, i, rel->po[i]);
    for (unsigned i = 0; i < rel->n; i++)
        scb[i] = rel->po[i] | image(away, image(hb, away[i])) | same_location(rel, i, hb[i]) | rel->co[i] | rel->fr[i];
    for (unsigned i = 0; i < rel->n; i++) {
        psc[i] = 0;
        if (!((accesses | fences) >> i & 1))
            continue;
        bool fence = fences >> i & 1;
        Row to = image(scb, bit(i) | (fence ? hb[i] : 0));
        psc[i] = (to & accesses) | ((to | image(hb, to)) & fences);
        if (fence)
            psc[i] |= (hb[i] | image(hb, image(eco, hb[i]))) & fences;
    }
    return is_acyclic(rel->n, psc);
}

static bool is_rc11(const Relations *rel)
{
    Row all[MAX_ELEMENTS] = {0}, hb[MAX_ELEMENTS], eco[MAX_ELEMENTS];
    for (unsigned i = 0; i < rel->n; i++)
        all[i] = rel->po[i] | rel->rf[i] | rel->strong[i] | rel->created[i];
    if (!is_acyclic(rel->n, all))
        return false;
    happens_before(rel, hb);
    for (unsigned i = 0; i < rel->n; i++)
        eco[i] = rel->rf[i] | rel->co[i] | rel->fr[i];
    close(rel->n, eco);
    if (!is_irreflexive(rel->n, hb))
        return false;
    for (unsigned i = 0; i < rel->n; i++)
        if (image(eco, hb[i]) >> i & 1)
            return false;
    return psc_is_acyclic(rel, hb, eco);
}

bool weakgraph_is_consistent(const Code *code, const WeakGraph *graph, MemoryModel memory)
{
    Relations rel;
    build(&rel, code, graph);
    if (!is_atomic(&rel))
        return false;
    return memory == MEMORY_SC ? is_sc(&rel) : memory == MEMORY_TSO ? is_tso(&rel) : is_rc11(&rel);
}
