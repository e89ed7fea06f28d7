/* script.c - random actor programs; see script.h */
#include "script.h"

#include <stdio.h>
#include <string.h>

uint32_t script_value_bits = 7;
uint32_t script_known_bits = UINT32_MAX;

typedef struct Generator {
    Script *script;
    uint64_t random;
    unsigned sends, receives;
    uint8_t knows[MOST_PARTIES]; /* bit set of parties it may send to */
    unsigned next_party;         /* to be spawned                     */
} Generator;

static unsigned draw(Generator *g, unsigned bound)
{
    g->random = g->random * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)((g->random >> 33) % bound);
}

static Act *add(Generator *g, unsigned party, ActKind kind, unsigned a, unsigned b)
{
    Script *script = g->script;
    if (script->count[party] == MOST_ACTS)
        return NULL;
    Act *act = &script->acts[party][script->count[party]++];
    *act = (Act){(uint8_t)kind, (uint8_t)a, (uint8_t)b};
    return act;
}

/* Main, or an actor that the party knows. */
static unsigned draw_known(Generator *g, unsigned party)
{
    unsigned p = draw(g, MOST_PARTIES);
    return g->knows[party] >> p & 1 ? p : 0;
}

static void add_send(Generator *g, unsigned party)
{
    unsigned known = 0, nth;
    for (unsigned p = 1; p < MOST_PARTIES; p++)
        known += g->knows[party] >> p & 1;
    if (!known || g->sends >= MOST_SENDS)
        return;
    nth = draw(g, known);
    for (unsigned p = 1; p < MOST_PARTIES; p++)
        if (g->knows[party] >> p & 1 && nth-- == 0) {
            g->sends += add(g, party, ACT_SEND, p, draw(g, 2)) != NULL;
            return;
        }
}

/* Whoever is spawned is spawned for certain, so that others may send to it. */
static bool has_skip(const Script *script, unsigned party)
{
    bool restarts = script->count[party] && script->acts[party][0].kind == ACT_RESTART;
    for (unsigned i = 0; i < script->count[party]; i++) {
        ActKind kind = (ActKind)script->acts[party][i].kind;
        bool may_crash = restarts && kind != ACT_RESTART && kind != ACT_SPAWN;
        if (kind == ACT_SKIP || kind == ACT_EXIT || may_crash)
            return true;
    }
    return false;
}

/* And only once: an actor restarts behind its spawns. */
static void place_restart(Script *script, unsigned party)
{
    unsigned behind = 0;
    for (unsigned i = 0; i < script->count[party]; i++)
        if (script->acts[party][i].kind == ACT_SPAWN)
            behind = i + 1;
    for (unsigned i = 0; i < script->count[party]; i++)
        if (script->acts[party][i].kind == ACT_RESTART && script->acts[party][i].a < behind)
            script->acts[party][i].a = (uint8_t)behind;
}

static void add_spawn(Generator *g, unsigned party)
{
    if (g->next_party >= g->script->parties || g->script->count[party] == MOST_ACTS || has_skip(g->script, party))
        return;
    unsigned child = g->next_party++;
    add(g, party, ACT_SPAWN, child, 0);
    g->knows[party] |= (uint8_t)(1u << child);
    g->knows[child] = g->knows[party];
}

static void add_receive(Generator *g, unsigned party)
{
    unsigned kind = draw(g, 12);
    if (kind < 6)
        add(g, party, ACT_RECEIVE, 0, 0);
    else if (kind == 6)
        add(g, party, ACT_RECEIVE_FROM, draw_known(g, party), 0);
    else if (kind == 7)
        add(g, party, ACT_RECEIVE_TAG, draw(g, 2), 0);
    else if (kind == 8)
        add(g, party, ACT_RECEIVE_IF, draw(g, 2), 0);
    else
        add(g, party, ACT_TRY, 0, 0);
}

static void add_act(Generator *g, unsigned party)
{
    unsigned kind = draw(g, 20);
    if (kind < 7)
        add_send(g, party);
    else if (kind < 13)
        add_receive(g, party);
    else if (kind == 13)
        add_spawn(g, party);
    else if (kind == 14)
        add(g, party, ACT_CHOOSE, 2 + draw(g, 2), 0);
    else if (kind == 15)
        add(g, party, ACT_SKIP, 1 + draw(g, 2), 0);
    else if (kind == 16)
        add(g, party, ACT_SHARED, 0, 0);
    else if (kind == 17)
        add(g, party, draw(g, 3) ? ACT_DAEMON : ACT_EXIT, 0, 0);
    else if (g->sends < MOST_SENDS)
        g->sends += add(g, party, ACT_REPLY, 0, 0) != NULL;
}

static void write_main(Generator *g)
{
    unsigned spawned = 1 + draw(g, g->script->parties - 1);
    for (unsigned i = 0; i < spawned; i++)
        add_spawn(g, 0);
    for (unsigned i = draw(g, 4); i > 0; i--)
        add_send(g, 0);
}

/* Actors that nobody spawned are spawned by an earlier one, or are left out. */
static void write_actor(Generator *g, unsigned party)
{
    if (draw(g, 6) == 0 && g->script->crash)
        add(g, party, ACT_RESTART, 1 + draw(g, 3), 0);
    if (g->next_party <= g->script->parties - 1 && draw(g, 2))
        add_spawn(g, party);
    for (unsigned i = 1 + draw(g, MOST_ACTS - 1); i > 0; i--)
        add_act(g, party);
    place_restart(g->script, party);
}

/* ---- Faults where they belong ------------------------------------------------------------ */

static unsigned spawned_by_main(const Script *script)
{
    unsigned count = 0;
    for (unsigned i = 0; i < script->count[0]; i++)
        count += script->acts[0][i].kind == ACT_SPAWN;
    return count;
}

static void draw_rules(Generator *g, unsigned first)
{
    Script *script = g->script;
    script->rules = 1 + draw(g, MOST_RULES);
    for (unsigned i = 0; i < script->rules; i++)
        script->rule[i] = (Rule){.fault = (uint8_t)draw(g, 3),
                                 .from = (uint8_t)draw(g, first + 1),
                                 .to = (uint8_t)draw(g, first + 1),
                                 .tag = (uint8_t)(draw(g, 2) ? ANY_TAG : draw(g, 2)),
                                 .most = (uint8_t)(draw(g, 4) ? 1 : 0),
                                 .main = draw(g, 5) == 0};
}

static void draw_links(Generator *g, unsigned first)
{
    for (unsigned i = 1 + draw(g, 2); i > 0; i--) {
        unsigned a = 1 + draw(g, first), b = 1 + draw(g, first);
        g->script->linked[a][b] = g->script->linked[b][a] = a != b;
    }
}

/* Some acts become others that have to do with faults. */
static void change_acts(Generator *g, unsigned first)
{
    bool timers = draw(g, 2);
    for (unsigned p = 1; p < g->script->parties; p++)
        for (unsigned i = 0; i < g->script->count[p]; i++) {
            Act *act = &g->script->acts[p][i];
            unsigned a = 1 + draw(g, first), b = 1 + draw(g, first);
            if (act->kind != ACT_SHARED && act->kind != ACT_CHOOSE && act->kind != ACT_DAEMON && draw(g, 4))
                continue;
            if (act->kind == ACT_SPAWN || act->kind == ACT_RESTART || act->kind == ACT_EXIT)
                continue;
            if (timers && draw(g, 2))
                *act = (Act){(uint8_t)(draw(g, 3) ? ACT_TIMER : ACT_CANCEL), (uint8_t)draw(g, 2), 0};
            else if (g->script->linked[a][b])
                *act = (Act){(uint8_t)(draw(g, 2) ? ACT_CUT : ACT_HEAL), (uint8_t)a, (uint8_t)b};
            else if (g->script->memory != MEMORY_KEPT)
                *act = (Act){ACT_SYNC, 0, 0};
        }
}

/* Actors that spawn nobody may start again: whoever is spawned is spawned for certain. */
static void add_restarts(Generator *g)
{
    Script *script = g->script;
    script->crash += script->crash == 0;
    for (unsigned p = 1; p < script->parties; p++) {
        bool suits = script->count[p] < MOST_ACTS && draw(g, 2);
        for (unsigned i = 0; i < script->count[p]; i++)
            suits &= script->acts[p][i].kind != ACT_SPAWN && script->acts[p][i].kind != ACT_RESTART;
        if (!suits)
            continue;
        memmove(&script->acts[p][1], &script->acts[p][0], script->count[p]++ * sizeof(Act));
        script->acts[p][0] = (Act){ACT_RESTART, (uint8_t)(1 + draw(g, 2)), 0};
    }
}

static void add_faults(Script *script, uint64_t seed)
{
    Generator g = {.script = script, .random = seed * 0xd1342543de82ef95ull + 99};
    unsigned first = spawned_by_main(script);
    draw(&g, 2);
    if (draw(&g, 2) || !first)
        return;
    script->memory = (Memory)draw(&g, 3);
    if (script->memory != MEMORY_KEPT)
        add_restarts(&g);
    if (draw(&g, 2))
        draw_rules(&g, first);
    if (draw(&g, 2))
        draw_links(&g, first);
    change_acts(&g, first);
}

void script_generate(Script *script, uint64_t seed)
{
    Generator g = {.script = script, .random = seed * 0x9e3779b97f4a7c15ull + 12345, .next_party = 1};
    memset(script, 0, sizeof *script);
    draw(&g, 2);
    script->parties = 3 + draw(&g, MOST_PARTIES - 2);
    script->channels = draw(&g, 4);
    script->timeouts = 1 + draw(&g, 2);
    unsigned faults = draw(&g, 8);
    script->lose = faults == 1 || faults == 4 ? 1 + draw(&g, 2) : 0;
    script->duplicate = faults == 2 || faults == 4 ? 1 : 0;
    script->crash = faults == 3 || faults == 4 ? 1 : 0;
    write_main(&g);
    for (unsigned p = 1; p < g.next_party; p++)
        write_actor(&g, p);
    script->parties = g.next_party;
    add_faults(script, seed);
}

void script_print(const Script *script)
{
    static const char *const names[] = {"send", "reply", "spawn", "receive", "from", "tag", "if", "try", "choose", "skip",
                                        "shared", "daemon", "exit", "restart", "sync", "timer", "cancel", "cut", "heal"};
    static const char *const channels[] = {"bag", "fifo", "causal", "mailbox"};
    printf("%s lose %u duplicate %u crash %u timeouts %u\n", channels[script->channels], script->lose, script->duplicate,
           script->crash, script->timeouts);
    printf("  memory %u", script->memory);
    for (unsigned i = 0; i < script->rules; i++)
        printf(" rule(%u,%u%s,%u,%u,%u)", script->rule[i].fault, script->rule[i].from, script->rule[i].main ? " main" : "",
               script->rule[i].to, script->rule[i].tag, script->rule[i].most);
    for (unsigned a = 0; a < MOST_PARTIES; a++)
        for (unsigned b = a; b < MOST_PARTIES; b++)
            if (script->linked[a][b])
                printf(" link(%u,%u)", a, b);
    printf("\n");
    for (unsigned p = 0; p < script->parties; p++) {
        printf("  %u:", p);
        for (unsigned i = 0; i < script->count[p]; i++)
            printf(" %s(%u,%u)", names[script->acts[p][i].kind], script->acts[p][i].a, script->acts[p][i].b);
        printf("\n");
    }
}
