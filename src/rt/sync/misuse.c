/* misuse.c - see misuse.h */
#include "rt/sync/misuse.h"

#include <string.h>

#include "rt/detect/bug.h"
#include "rt/detect/names.h"
#include "rt/kernel/resource.h"
#include "rt/kernel/runtime.h"
#include "rt/kernel/thread.h"

static void add_witness(Finding *finding, const Witness *other)
{
    if (other->agent != thread_self())
        bug_add_agent(finding, other->agent);
    if (other->site)
        bug_add_site(finding, site_name(other->site));
}

static void name_object(uint64_t resource, char *text, size_t size)
{
    if (resource >> 56 == RES_END)
        name_agent((AgentId)(resource & 0xffffffffffffffull), text, size);
    else
        name_resource(resource, LANES_ALL, text, size);
}

void misuse_report(const char *verb, const char *type, uint64_t resource, const char *how, const Witness *other)
{
    char actor[48], object[96], whom[48] = "";
    Finding *finding = bug_add(BUG_LOCK_MISUSE);
    name_agent(thread_strand(), actor, sizeof actor);
    name_object(resource, object, sizeof object);
    if (other) {
        add_witness(finding, other);
        name_agent(other->agent, whom, sizeof whom);
    }
    finding->address = resource_address(resource);
    snprintf(finding->text, sizeof finding->text, "%s %s %s %s%s %s%s%s", actor, verb, type, object,
             strstr(how, "which ") ? "," : "", how, other ? " by " : "", whom);
    bug_noted();
    thread_halt();
}
