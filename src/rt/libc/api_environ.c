/* api_environ.c - arguments and environment: restored at the start of every execution
 *
 * A program may change the texts in place (rt/memory/given.h), and its environment by the functions below. What they
 * add is allocated in run memory.
 */
#include <errno.h>
#include <sys/single_threaded.h>

#include "rt/kernel/node.h"
#include "rt/kernel/transient.h"
#include "rt/libc/api_libc.h"
#include "rt/libc/text.h"
#include "rt/memory/given.h"
#include "rt/sync/hidden.h"

static struct {
    char **given;
    char **own;       /* NULL: not changed in this execution */
    size_t count, room;
} environment;

/* ---- Lifecycle --------------------------------------------------------------------- */

void libc_init(void)
{
    __libc_single_threaded = 0; /* the real process has one thread, whatever the program creates */
    rt.options.argv = given_list((const char *const *)rt.options.argv);
    rt.options.envp = environ = environment.given = given_list((const char *const *)environ);
}

void libc_init_environment(void)
{
    node_keep(&environment, sizeof environment);
    node_keep(&environ, sizeof environ);
    node_keep(&optind, sizeof optind);
    node_keep(&optarg, sizeof optarg);
    node_keep(&opterr, sizeof opterr);
    node_keep(&optopt, sizeof optopt);
}

/* getopt keeps its position in the arguments; optind 0 resets it. */
static void restore_getopt(void)
{
    char *nothing[] = {(char *)"", NULL};
    if (optind == 1)
        return;
    optind = 0;
    getopt(1, nothing, "");
}

void libc_begin_node(char **own)
{
    environ = environment.given = own;
    environment.own = NULL;
    optind = 1;
}

void libc_reset_environment(void)
{
    restore_getopt();
    if (environment.own)
        environ = environment.given;
    environment.own = NULL;
}

/* ---- Changing the environment --------------------------------------------------------- */

static void own_environment(size_t more)
{
    size_t count = 0;
    while (environ && environ[count])
        count++;
    if (environment.own == environ && environment.own && count + more < environment.room)
        return;
    environment.room = 2 * (count + more) + 8;
    environment.own = transient_alloc(environment.room * sizeof *environment.own);
    if (count)
        memcpy(environment.own, environ, count * sizeof *environ);
    environ = environment.own;
}

static bool is_about(const char *entry, const char *name, size_t length)
{
    return strncmp(entry, name, length) == 0 && entry[length] == '=';
}

/* Its entry, or the end of the list. */
static char **find_entry(const char *name, size_t length)
{
    char **entry = environ;
    while (*entry && !is_about(*entry, name, length))
        entry++;
    return entry;
}

static bool is_name(const char *name)
{
    if (name && *name && !strchr(name, '='))
        return true;
    errno = EINVAL;
    return false;
}

int sennit_rt_setenv(const char *name, const char *value, int overwrite)
{
    if (!rt.self)
        return setenv(name, value, overwrite);
    if (!is_name(name))
        return -1;
    text_read(value);
    hidden_write(HIDDEN_ENVIRONMENT);
    own_environment(1);
    char **entry = find_entry(name, strlen(name));
    if (*entry && !overwrite)
        return 0;
    size_t size = strlen(name) + strlen(value) + 2;
    *entry = transient_alloc(size);
    snprintf(*entry, size, "%s=%s", name, value);
    return 0;
}

int sennit_rt_unsetenv(const char *name)
{
    if (!rt.self)
        return unsetenv(name);
    if (!is_name(name))
        return -1;
    hidden_write(HIDDEN_ENVIRONMENT);
    own_environment(0);
    for (char **entry = find_entry(name, strlen(name)); *entry; entry = find_entry(name, strlen(name)))
        do
            entry[0] = entry[1];
        while (*++entry);
    return 0;
}

int sennit_rt_putenv(char *text)
{
    const char *end = strchr(text, '=');
    if (!rt.self)
        return putenv(text);
    if (!end)
        return sennit_rt_unsetenv(text);
    text_read(text);
    hidden_write(HIDDEN_ENVIRONMENT);
    own_environment(1);
    *find_entry(text, (size_t)(end - text)) = text;
    return 0;
}

int sennit_rt_clearenv(void)
{
    if (!rt.self)
        return clearenv();
    hidden_write(HIDDEN_ENVIRONMENT);
    own_environment(0);
    memset(environment.own, 0, environment.room * sizeof *environment.own);
    return 0;
}

char *sennit_rt_getenv(const char *name)
{
    text_read(name);
    hidden_read(HIDDEN_ENVIRONMENT);
    return getenv(name);
}

char *sennit_rt_secure_getenv(const char *name)
{
    text_read(name);
    hidden_read(HIDDEN_ENVIRONMENT);
    return secure_getenv(name);
}
