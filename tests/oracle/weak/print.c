/* print.c - toy programs and graphs as text; see weak.h */
#include <stdio.h>

#include "weak.h"

static const char *order_name(unsigned order)
{
    static const char *const names[] = {"", "rlx", "acq", "rel", "ar", "sc"};
    return names[order];
}

static const char *relation_name(unsigned relation)
{
    static const char *const names[] = {"true", "==", "!=", "<", "<=", ">", ">=", "<", "<=", ">", ">=", "?"};
    return names[relation];
}

static const char *resource_name(unsigned r)
{
    static const char *const names[] = {"m0", "m1", "s0", "s1", "c0", "c1", "rw", "end0", "end1", "end2", "end3"};
    return names[r];
}

static char location_name(unsigned x)
{
    return "xyzw"[x];
}

static void print_terms(const Ins *ins)
{
    const char *between = "wait ";
    for (unsigned i = 0; i < ins->terms; i++)
        if (ins->term[i].relation != REL_TRUE) {
            printf("%s%s %s %d", between, resource_name(ins->term[i].resource), relation_name(ins->term[i].relation),
                   ins->term[i].operand);
            between = ins->any ? " or " : " and ";
        }
    for (unsigned i = 0; i < ins->terms; i++) {
        const Term *term = &ins->term[i];
        const char *effect = term->effect == EFFECT_SET ? ":=" : "+=";
        printf("%s %s", i || *between == ' ' ? "," : "", resource_name(term->resource));
        if (term->effect != EFFECT_NONE)
            printf(" %s %d", effect, term->value);
        printf("%s%s", term->sync & SYNC_ACQUIRE ? " acq" : "", term->sync & SYNC_RELEASE ? " rel" : "");
    }
}

static void print_kind(const Ins *ins)
{
    const char *order = order_name(ins->order);
    char x = location_name(ins->x % LOCATIONS);
    switch ((InsKind)ins->kind) {
    case INS_LOAD: printf("r%u = %c.%s", ins->r, x, order); break;
    case INS_STORE:
        if (ins->uses_register)
            printf("%c.%s = r%u + %d", x, order, ins->r, ins->c);
        else
            printf("%c.%s = %d", x, order, ins->c);
        break;
    case INS_ADD: printf("r%u = add(%c.%s, %d)", ins->r, x, order, ins->c); break;
    case INS_CAS:
        printf("r%u = cas%s(%c.%s.%s, %d -> %d)", ins->r, ins->weak ? "_weak" : "", x, order, order_name(ins->failed),
               ins->c, ins->d);
        break;
    case INS_AWAIT: printf("await %c.%s %s %d", x, order, ins->differs ? "!=" : "==", ins->c); break;
    case INS_AWAIT_SET:
        printf("await %c.%s %s %d then = %d", x, order, ins->differs ? "!=" : "==", ins->c, ins->d);
        break;
    case INS_FENCE: printf("fence.%s", order); break;
    case INS_STRONG:
        print_terms(ins);
        printf(" -> r%u", ins->r);
        break;
    case INS_TRY:
        printf("r%u = try ", ins->r);
        print_terms(ins);
        break;
    case INS_BRANCH: printf("r%u = (input%u < %d)", ins->r, ins->x, ins->c); break;
    case INS_CHOOSE:
        printf("r%u = choose ", ins->r);
        if (ins->terms)
            print_terms(ins);
        else
            printf("%d", ins->c);
        break;
    case INS_SPAWN: printf("start T%d", ins->c); break;
    case INS_EXIT: printf("exit"); break;
    case INS_IF: printf("unless r%u == %d skip %d", ins->r, ins->c, ins->d); break;
    case INS_ASSUME: printf("assume r%u == %d", ins->r, ins->c); break;
    }
}

static void print_ins(const Ins *ins)
{
    print_kind(ins);
    if (ins->asks)
        printf(" asks input%u", ins->asks - 1u);
    if (ins->sum)
        printf(" (sum >= %d)", ins->c);
}

void code_print(const Code *code)
{
    for (unsigned t = 0; t < code->threads; t++) {
        printf("  T%u%s:", t, t < code->roots ? "" : " (started)");
        for (unsigned i = 0; i < code->length[t]; i++) {
            printf(i ? "; " : " ");
            print_ins(&code->code[t][i]);
        }
        printf("\n");
    }
    for (unsigned r = 0; r < RESOURCES; r++)
        if (code->initial[r])
            printf("  %s is %d at first\n", resource_name(r), (int)code->initial[r]);
    for (unsigned i = 0; i < INPUTS; i++)
        if (code->domain[i] > 1)
            printf("  input%u is below %u\n", i, code->domain[i]);
}

static void print_name(const WeakGraph *graph, unsigned id)
{
    if (id >= INITIAL)
        printf("initial");
    else
        printf("%u.%u", graph->node[id].thread, graph->node[id].index);
}

void weakgraph_print(const Code *code, const WeakGraph *graph)
{
    for (unsigned t = 0; t < code->threads; t++)
        for (unsigned i = 0; i < graph->length[t]; i++) {
            const Node *node = &graph->node[graph->of[t][i]];
            printf("    %u.%u ", t, i);
            print_ins(node_ins(code, node));
            if (node->kind == NODE_READ || node->kind == NODE_UPDATE) {
                printf("   reads %d from ", node->read);
                print_name(graph, node->from);
            } else if (node->kind == NODE_STRONG) {
                printf("   gets %d", node->read);
            }
            if (node_ins(code, node)->asks || node->kind == NODE_BRANCH || node_ins(code, node)->kind == INS_CHOOSE)
                printf("   outcome %d", node->outcome);
            printf("\n");
        }
    for (unsigned x = 0; x < LOCATIONS; x++)
        for (unsigned i = 0; i < graph->writes[x] && graph->writes[x] > 1; i++) {
            printf(i ? " < " : "    %c: ", location_name(x));
            print_name(graph, graph->coherence[x][i]);
            printf(i + 1u == graph->writes[x] ? "\n" : "");
        }
    for (unsigned i = 0; i < graph->strong_count; i++) {
        printf(i ? " " : "    strong: ");
        print_name(graph, graph->strong[i]);
        printf(i + 1u == graph->strong_count ? "\n" : "");
    }
}
