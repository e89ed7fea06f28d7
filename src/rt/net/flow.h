/* flow.h - one direction of a connection: segments on their way
 *
 * What is written at once is a segment; a large write to a Unix stream is several, as in the kernel. Each segment is
 * a resource of its own, so that a read depends on the writes whose bytes it takes, and on no other; the first one that
 * is missing it accesses only if it would have taken bytes of it, too. The end of a flow is a segment. How many bytes
 * were taken matters to writers only once more than the capacity was written. The connections that wait for accept are
 * a flow, too: of segments without bytes. So is what is on its way to such a flow (wire.h).
 * (docs/design/dependence.md)
 */
#ifndef RT_NET_FLOW_H
#define RT_NET_FLOW_H

#include "rt/kernel/touches.h"

enum {
    FLOW_CAPACITY = 212992, /* Linux's default */
    FLOW_WHOLE = 4096,      /* writes of up to so many bytes are not split */
    FLOW_PIECE = 36544      /* what Linux appends at once to a Unix stream: 32 KiB and the rest of a first page */
};

/* The value of a segment; 0 if there is none yet. Those who only ask for bytes do not depend on the end. */
#define SEGMENT_SIZE (((int64_t)1 << 32) - 1)
#define SEGMENT_BYTES ((int64_t)1 << 32) /* and how many */
#define SEGMENT_END ((int64_t)1 << 40)
#define SEGMENT_RESET ((int64_t)1 << 41) /* the end, and bytes were lost */
#define SEGMENT_ANSWER ((int64_t)1 << 42) /* a reset that answers what arrived at an end that is no more */
enum { SEGMENT_LANES_BYTES = 0x1f, SEGMENT_LANES_END = 0x20 };

typedef struct Segment Segment;
struct Segment {
    Segment *next;
    uint64_t resource;
    int64_t value;
    const unsigned char *bytes;
    void *content;      /* of a segment without bytes */
};

/* The value of `head` and `tail`: segments that were taken completely, or written; and bytes. */
static inline int64_t flow_segments(int64_t value) { return value >> 40; }
static inline int64_t flow_bytes(int64_t value) { return value & (((int64_t)1 << 40) - 1); }

/* What a thread knows of a flow by its own steps. */
typedef struct FlowView FlowView;
struct FlowView {
    FlowView *next;
    AgentId agent;
    int64_t head, tail;  /* when it last accessed them */
    Segment *first;      /* the one to be read at `head` */
};

typedef struct SocketFlow SocketFlow;
struct SocketFlow {
    uint64_t name;
    bool on_the_way;
    SocketFlow *written; /* the one that its segments were written to: itself, or what is on its way */
    int64_t head, tail;
    int64_t taken;       /* bytes of what was written to it, for writers */
    Segment *first;      /* the one to be read */
    Segment *last;       /* the one to be written */
    int64_t into;        /* bytes of `first` that were taken */
    Segment *start;      /* the very first */
    FlowView *views;
};

typedef enum FlowPart { FLOW_HEAD, FLOW_TAIL, FLOW_TAKEN } FlowPart;

/* A new flow; `name` is unique, and a function of the history of the thread that makes it. */
SocketFlow *flow_create(uint64_t name);
/* What is on its way to this one. */
SocketFlow *flow_create_way(SocketFlow *to);
uint64_t flow_resource(const SocketFlow *flow, FlowPart part);
/* The segment after this one, which may not be there yet. */
Segment *flow_after(Segment *segment);

/* Inside a step that accesses the tail for writing: adds a segment, and its access. */
Segment *flow_put(SocketFlow *flow, LiveAccesses *touches, int64_t value);
/* Inside one that accesses the head for writing: the first segment, which is there, was taken. */
void flow_drop(SocketFlow *flow);
/* That of the running thread. */
FlowView *flow_view(SocketFlow *flow);
/* Inside a step of the thread that accesses the head, or the tail. */
void flow_see_head(SocketFlow *flow);
void flow_see_tail(SocketFlow *flow);
/* The room that is left if so many bytes were taken. */
static inline int64_t flow_room(const SocketFlow *flow, int64_t taken)
{
    return FLOW_CAPACITY - (flow_bytes(flow->tail) - taken);
}

#endif
