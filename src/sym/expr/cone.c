/* cone.c - see cone.h */
#include "sym/expr/cone.h"

struct Cone {
    const ExprPool *pool;
    uint64_t *places; /* by node id: stamp and position in `nodes` */
    uint32_t room;
    uint32_t stamp;
    VEC(ExprId) nodes;
    VEC(uint32_t) stack;
};

Cone *cone_create(const ExprPool *pool)
{
    Cone *cone = mem_alloc(sizeof *cone);
    cone->pool = pool;
    return cone;
}

void cone_destroy(Cone *cone)
{
    if (!cone)
        return;
    free(cone->places);
    VEC_FREE(&cone->nodes);
    VEC_FREE(&cone->stack);
    free(cone);
}

static void start(Cone *cone)
{
    uint32_t count = expr_count(cone->pool), room = cone->room ? cone->room : 256;
    while (room < count)
        room *= 2;
    if (room > cone->room) {
        cone->places = mem_resize(cone->places, room * sizeof *cone->places);
        for (uint32_t i = cone->room; i < room; i++)
            cone->places[i] = 0;
        cone->room = room;
    }
    if (++cone->stamp == 0) {
        for (uint32_t i = 0; i < cone->room; i++)
            cone->places[i] = 0;
        cone->stamp = 1;
    }
    cone->nodes.count = cone->stack.count = 0;
}

static bool is_placed(const Cone *cone, uint32_t id)
{
    return cone->places[id] >> 32 == cone->stamp;
}

/* Places the node if its operands are; else puts them on the stack. */
static void visit(Cone *cone, uint32_t id)
{
    const ExprNode *node = &cone->pool->nodes[id];
    uint32_t waiting = cone->stack.count;
    for (unsigned i = 0; i < expr_operands((ExprOp)node->op); i++)
        if (!is_placed(cone, node->word[i]))
            VEC_PUSH(&cone->stack, node->word[i]);
    if (cone->stack.count > waiting)
        return;
    cone->places[id] = (uint64_t)cone->stamp << 32 | cone->nodes.count;
    VEC_PUSH(&cone->nodes, (ExprId){id});
    cone->stack.count--;
}

const ExprId *cone_collect(Cone *cone, const ExprId *roots, uint32_t root_count, uint32_t *count)
{
    start(cone);
    for (uint32_t i = 0; i < root_count; i++) {
        VEC_PUSH(&cone->stack, roots[i].id);
        while (cone->stack.count) {
            uint32_t id = cone->stack.items[cone->stack.count - 1];
            if (is_placed(cone, id))
                cone->stack.count--;
            else
                visit(cone, id);
        }
    }
    *count = cone->nodes.count;
    return cone->nodes.items;
}

uint32_t cone_position(const Cone *cone, ExprId e)
{
    assert(is_placed(cone, e.id));
    return (uint32_t)cone->places[e.id];
}
