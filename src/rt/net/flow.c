/* flow.c - see flow.h */
#include "rt/net/flow.h"

#include "rt/kernel/transient.h"

static Segment *add_segment(uint64_t resource)
{
    Segment *segment = transient_alloc(sizeof *segment);
    segment->resource = resource;
    return segment;
}

static SocketFlow *create(uint64_t name, bool on_the_way)
{
    SocketFlow *flow = transient_alloc(sizeof *flow);
    uint64_t first = resource_make(RES_SEGMENT, name << 24 | (uint64_t)on_the_way << 23);
    flow->name = name;
    flow->on_the_way = on_the_way;
    flow->written = flow;
    flow->start = flow->first = flow->last = add_segment(first);
    return flow;
}

SocketFlow *flow_create(uint64_t name) { return create(name, false); }

SocketFlow *flow_create_way(SocketFlow *to)
{
    to->written = create(to->name, true);
    return to->written;
}

uint64_t flow_resource(const SocketFlow *flow, FlowPart part)
{
    return resource_make(RES_FLOW, flow->name << 4 | (uint64_t)flow->on_the_way << 3 | (uint64_t)part);
}

Segment *flow_after(Segment *segment)
{
    if (!segment->next)
        segment->next = add_segment(segment->resource + 1);
    return segment->next;
}

Segment *flow_put(SocketFlow *flow, LiveAccesses *touches, int64_t value)
{
    Segment *segment = flow->last;
    touch_lanes(touches, touch(touches, segment->resource, MODE_WRITE, &segment->value),
                value & SEGMENT_END ? SEGMENT_LANES_END : SEGMENT_LANES_BYTES);
    segment->value = value;
    flow->last = flow_after(segment);
    flow->tail += ((int64_t)1 << 40) + (value & SEGMENT_BYTES ? value & SEGMENT_SIZE : 0);
    return segment;
}

void flow_drop(SocketFlow *flow)
{
    flow->first = flow_after(flow->first);
    flow->into = 0;
    flow->head += (int64_t)1 << 40;
}

FlowView *flow_view(SocketFlow *flow)
{
    for (FlowView *view = flow->views; view; view = view->next)
        if (view->agent == rt.self->id)
            return view;
    FlowView *view = transient_alloc(sizeof *view);
    *view = (FlowView){.next = flow->views, .agent = rt.self->id, .first = flow->start};
    flow->views = view;
    return view;
}

void flow_see_head(SocketFlow *flow)
{
    FlowView *view = flow_view(flow);
    view->head = flow->head;
    view->first = flow->first;
}

void flow_see_tail(SocketFlow *flow) { flow_view(flow)->tail = flow->tail; }
