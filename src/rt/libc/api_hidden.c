/* api_hidden.c - functions that keep something in static memory of the C library (hidden.h)
 *
 * Results in static memory are in variables of ours that the race detector knows like those of the program, so that
 * reading one while another thread makes the next call is noticed, too.
 */
#include <arpa/inet.h>
#include <getopt.h>
#include <grp.h>
#include <locale.h>
#include <pwd.h>
#include <search.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "rt/abi/tracked_hooks.h"
#include "rt/detect/bug.h"
#include "rt/detect/unseen.h"
#include "rt/inputs/shadow_memory.h"
#include "rt/kernel/node.h"
#include "rt/kernel/step.h"
#include "rt/libc/api_libc.h"
#include "rt/libc/text.h"
#include "rt/sync/hidden.h"

enum { TEXT_SIZE = 400 };

/* Of the program, or of each node. */
static struct tm broken_down_of[RT_NODES];
static char time_text_of[RT_NODES][64], number_text_of[RT_NODES][TEXT_SIZE];
#define broken_down (broken_down_of[node_self()])
#define time_text (time_text_of[node_self()])
#define number_text (number_text_of[node_self()])
#define RESULT(variable, name) {&(variable), sizeof(variable), name, NULL, NULL, 0}
static const SennitGlobal records[] __attribute__((section("sennit_stand_ins"), used, aligned(8))) = {
    RESULT(broken_down_of, "the result of gmtime and localtime"),
    RESULT(time_text_of, "the result of ctime and asctime"),
    RESULT(number_text_of, "the result of ecvt, fcvt, l64a and inet_ntoa"),
};

static void *publish(void *result, size_t size)
{
    plain_overwrite(result, size);
    shadow_memory_overwritten(result, size);
    return result;
}

void sennit_rt_library_variable(const char *name, const SennitSite *site)
{
    if (hidden_is_shared())
        unseen_note(UNSEEN_MEMORY, name, site);
}

/* ---- Time ------------------------------------------------------------------------------ */

struct tm *sennit_rt_gmtime(const time_t *time)
{
    plain_read(address_of(time), sizeof *time);
    hidden_write(HIDDEN_TIME);
    return gmtime_r(time, publish(&broken_down, sizeof broken_down));
}

/* The time zone is in the environment. */
struct tm *sennit_rt_localtime(const time_t *time)
{
    plain_read(address_of(time), sizeof *time);
    hidden_write_reading(HIDDEN_TIME, HIDDEN_ENVIRONMENT);
    tzset();
    return localtime_r(time, publish(&broken_down, sizeof broken_down));
}

char *sennit_rt_asctime(const struct tm *time)
{
    char text[sizeof time_text] = "";
    plain_read(address_of(time), sizeof *time);
    if (!asctime_r(time, text))
        return NULL;
    hidden_write(HIDDEN_TIME);
    return memcpy(publish(time_text, sizeof time_text), text, sizeof text);
}

char *sennit_rt_ctime(const time_t *time)
{
    const struct tm *local = sennit_rt_localtime(time);
    return local && asctime_r(local, publish(time_text, sizeof time_text)) ? time_text : NULL;
}

/* ---- Numbers as text ----------------------------------------------------------------------- */

static char *publish_text(const char *text)
{
    publish(number_text, sizeof number_text);
    return strncpy(number_text, text, sizeof number_text - 1);
}

char *sennit_rt_ecvt(double value, int digits, int *point, int *sign)
{
    hidden_write(HIDDEN_NUMBER_TEXT);
    plain_overwrite(point, sizeof *point);
    plain_overwrite(sign, sizeof *sign);
    return publish_text(ecvt(value, digits, point, sign));
}

char *sennit_rt_fcvt(double value, int digits, int *point, int *sign)
{
    hidden_write(HIDDEN_NUMBER_TEXT);
    plain_overwrite(point, sizeof *point);
    plain_overwrite(sign, sizeof *sign);
    return publish_text(fcvt(value, digits, point, sign));
}

char *sennit_rt_l64a(long value)
{
    hidden_write(HIDDEN_NUMBER_TEXT);
    return publish_text(l64a(value));
}

char *sennit_rt_inet_ntoa(struct in_addr address)
{
    hidden_write(HIDDEN_NUMBER_TEXT);
    return publish_text(inet_ntoa(address));
}

/* ---- Accounts -------------------------------------------------------------------------------- */

struct passwd *sennit_rt_getpwnam(const char *name)
{
    text_read(name);
    hidden_write(HIDDEN_ACCOUNTS);
    return getpwnam(name);
}

struct passwd *sennit_rt_getpwuid(uid_t user)
{
    hidden_write(HIDDEN_ACCOUNTS);
    return getpwuid(user);
}

struct group *sennit_rt_getgrnam(const char *name)
{
    text_read(name);
    hidden_write(HIDDEN_ACCOUNTS);
    return getgrnam(name);
}

struct group *sennit_rt_getgrgid(gid_t group)
{
    hidden_write(HIDDEN_ACCOUNTS);
    return getgrgid(group);
}

/* The position in the list of accounts. */
#define ACCOUNT_CALL(result, function, returned)     \
    result sennit_rt_##function(void)                \
    {                                                \
        hidden_write(HIDDEN_ACCOUNTS);               \
        if (node_self())                             \
            report_not_modelled(#function " in a cluster"); \
        lists_accounts |= rt.self != NULL;           \
        returned function();                         \
    }
static bool lists_accounts;
ACCOUNT_CALL(struct passwd *, getpwent, return)
ACCOUNT_CALL(struct group *, getgrent, return)
ACCOUNT_CALL(void, setpwent, )
ACCOUNT_CALL(void, endpwent, )
ACCOUNT_CALL(void, setgrent, )
ACCOUNT_CALL(void, endgrent, )

/* ---- The hash table ---------------------------------------------------------------------------- */

static bool table_exists;

int sennit_rt_hcreate(size_t count)
{
    if (node_self())
        report_not_modelled("hcreate in a cluster");
    hidden_write(HIDDEN_HASH_TABLE);
    int made = hcreate(count);
    table_exists |= rt.self && made;
    return made;
}

void sennit_rt_hdestroy(void)
{
    hidden_write(HIDDEN_HASH_TABLE);
    hdestroy();
    table_exists = false;
}

ENTRY *sennit_rt_hsearch(ENTRY item, ACTION action)
{
    text_read(item.key);
    if (action == FIND)
        hidden_read(HIDDEN_HASH_TABLE);
    else
        hidden_write(HIDDEN_HASH_TABLE);
    return hsearch(item, action);
}

/* ---- Options of the command line ----------------------------------------------------------------- */

/* What nodes of a cluster call: the C library has one state for all of them. */
#define TRACKED(result, name, ...) result sennit_tracked_##name(__VA_ARGS__) __attribute__((weak));
#include "tracked/tracked.def"

SennitGetopt *sennit_rt_getopt_state(void)
{
    static SennitGetopt states[RT_NODES];
    static uint32_t run;
    if (run != rt.execution)
        memset(states, 0, sizeof states);
    run = rt.execution;
    return node_self() ? &states[node_self()] : NULL;
}

/* It may reorder the arguments. */
static void use_options(int argc, char *const argv[], const char *options)
{
    text_read(options);
    plain_write(address_of(argv), (size_t)(argc > 0 ? argc : 0) * sizeof *argv);
    for (int i = 1; i < argc; i++)
        text_read(argv[i]);
}

int sennit_rt_getopt(int argc, char *const argv[], const char *options)
{
    hidden_write(HIDDEN_GETOPT);
    if (node_self())
        return sennit_tracked_getopt(argc, argv, options);
    use_options(argc, argv, options);
    return getopt(argc, argv, options);
}

int sennit_rt_getopt_long(int argc, char *const argv[], const char *options, const struct option *names, int *index)
{
    hidden_write(HIDDEN_GETOPT);
    if (node_self())
        return sennit_tracked_getopt_long(argc, argv, options, names, index);
    use_options(argc, argv, options);
    return getopt_long(argc, argv, options, names, index);
}

int sennit_rt_getopt_long_only(int argc, char *const argv[], const char *options, const struct option *names,
                               int *index)
{
    hidden_write(HIDDEN_GETOPT);
    if (node_self())
        return sennit_tracked_getopt_long_only(argc, argv, options, names, index);
    use_options(argc, argv, options);
    return getopt_long_only(argc, argv, options, names, index);
}

/* ---- Locale ------------------------------------------------------------------------------------------ */

static char *first_locale; /* NULL: not changed in this execution */

/* Nearly every function depends on it, so it may not change while several threads run. */
char *sennit_rt_setlocale(int category, const char *name)
{
    if (!rt.self)
        return setlocale(category, name);
    if (name)
        text_read(name);
    hidden_read(HIDDEN_LOCALE);
    const char *old = setlocale(category, NULL);
    if (!name || strcmp(name, old) == 0)
        return setlocale(category, NULL);
    if (node_self())
        report_not_modelled("setlocale that changes the locale in a cluster");
    if (hidden_is_shared())
        report_not_modelled("setlocale that changes the locale while there are several threads");
    if (!first_locale)
        first_locale = mem_copy_string(setlocale(LC_ALL, NULL));
    return setlocale(category, name);
}

struct lconv *sennit_rt_localeconv(void)
{
    hidden_read(HIDDEN_LOCALE);
    return localeconv();
}

/* ---- The mode of new files ------------------------------------------------------------------------------ */

static struct {
    mode_t initial, now; /* the process keeps its own */
    bool known;
} mask;

mode_t libc_umask(void) { return mask.now; }

mode_t sennit_rt_umask(mode_t set)
{
    if (!rt.self)
        return umask(set);
    hidden_write(HIDDEN_UMASK);
    mode_t old = mask.now;
    mask.now = set & 0777;
    return old;
}

/* ---- Lifecycle -------------------------------------------------------------------------------------------- */

static void reset_mask(void)
{
    if (!mask.known) {
        mask.initial = umask(022);
        umask(mask.initial);
        mask.known = true;
    }
    mask.now = mask.initial;
}

void libc_init_hidden(void) { node_keep(&mask, sizeof mask); }

void libc_reset_hidden(void)
{
    if (table_exists)
        hdestroy();
    table_exists = false;
    if (first_locale) {
        setlocale(LC_ALL, first_locale);
        free(first_locale);
        first_locale = NULL;
    }
    if (lists_accounts) {
        endpwent();
        endgrent();
    }
    lists_accounts = false;
    reset_mask();
}
