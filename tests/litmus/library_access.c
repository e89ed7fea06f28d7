/* library_access.c - library functions read as much as they need, and what they read and write can race
 *
 * litmus: -DPART=0 -> executions 1
 * litmus: -DPART=1 -> executions 1 bugs data-race
 * litmus: -DPART=2 -> executions 1 bugs data-race
 * litmus: -DPART=3 -> executions 1 bugs data-race
 * litmus: -DPART=4 -> executions 1 bugs heap-bounds
 * litmus: -DPART=5 -> executions 1 bugs use-after-free
 *
 * 0: searches, comparisons and numbers that end before the byte that another thread writes. 1: a number that does not.
 * 2: the time of a sleep. 3: a function called through a pointer. 4: a structure that is filled. 5: a freed text.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <wchar.h>

#include "litmus.h"

static char text[] = "ab:12,x_";
static wchar_t wide[] = L"ab:cd";
static struct timespec pause_time = {0, 1000};
static int sorted[] = {1, 3, 5, 7, 9};

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static void *write_end(void *unused)
{
    text[sizeof text - 2] = 'z';
    wide[4] = L'e';
    sorted[4] = 10;
    return unused;
}

static void *write_digit(void *unused)
{
    text[4] = '3';
    return unused;
}

static void *set_time(void *unused)
{
    pause_time.tv_nsec = 5;
    return unused;
}

static void look(void)
{
    int key = 5;
    assert(strchr(text, ':') == text + 2);
    assert(strcspn(text, ",") == 5);
    assert(strpbrk(text, ",;") == text + 5);
    assert(strstr(text, ":1") == text + 2);
    assert(strcmp(text, "ac") < 0 && strcasecmp(text, "AC") < 0 && strncmp(text, "ab:12", 5) == 0);
    assert(atoi(text + 3) == 12 && strtol(text + 3, NULL, 10) == 12 && strtod(text + 3, NULL) == 12);
    assert(wcschr(wide, L':') == wide + 2 && wcsncmp(wide, L"ab:c", 4) == 0);
    assert(*(int *)bsearch(&key, sorted, 5, sizeof *sorted, compare) == 5);
}

static void fill(void)
{
    time_t now = 0;
    struct tm *result = malloc(sizeof *result - 1);
    gmtime_r(&now, result);
    free(result);
}

static void read_freed(void)
{
    char *number = strdup("12");
    free(number);
    assert(strtol(number, NULL, 10) == 12);
}

int main(void)
{
    long (*volatile convert)(const char *, char **, int) = strtol;
    pthread_t thread;
    pthread_create(&thread, NULL, PART == 0 ? write_end : PART == 2 ? set_time : write_digit, NULL);
    if (PART == 0)
        look();
    if (PART == 1)
        strtol(text + 3, NULL, 10);
    if (PART == 2)
        nanosleep(&pause_time, NULL);
    if (PART == 3)
        convert(text + 3, NULL, 10);
    if (PART == 4)
        fill();
    if (PART == 5)
        read_freed();
    pthread_join(thread, NULL);
    return 0;
}
