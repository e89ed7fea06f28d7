/* library_streams.c - streams of other kinds, several places at once, and what a program can measure
 *
 * litmus: -DPART=0 -> executions 1
 * litmus: -DPART=1 -> executions 1
 * litmus: -DPART=2 -> executions 1
 * litmus: -DPART=3 -> executions 1
 * litmus: -DPART=4 -> executions 2 bugs data-race
 * litmus: -DPART=5 -> executions 1 bugs data-race
 * litmus: -DPART=6 -> executions 1 bugs data-race
 * litmus: -DPART=7 -> executions 1 bugs data-race
 * litmus: -DPART=8 -> executions 1
 *
 * 0: wide characters. 1: memory as a file (fmemopen), words, positions. 2: readv and its relatives. 3: lists, names, the
 * machine, children. 4: the memory of fmemopen is used otherwise. 5: readv, 6: pread into memory that another thread
 * reads. 7: two threads read one directory. 8: messages.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <err.h>
#include <error.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <search.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <syslog.h>
#include <unistd.h>
#include <wchar.h>

#include "litmus.h"

static FILE *stream;
static DIR *directory;
static char text[16];
static int file;

static void use_wide(void)
{
    wchar_t line[8];
    stream = tmpfile();
    assert(fwide(stream, 0) == 0 && fputwc(L'a', stream) == L'a' && fputws(L"bc\n", stream) >= 0);
    assert(fwprintf(stream, L"%d%ls%s", 7, L"x", "y") == 3 && fwide(stream, 0) > 0);
    rewind(stream);
    assert(fgetwc(stream) == L'a' && ungetwc(L'z', stream) == L'z' && fgetws(line, 8, stream));
    assert(wcscmp(line, L"zbc\n") == 0 && fgetws(line, 8, stream) && wcscmp(line, L"7xy") == 0);
    assert(getwc(stream) == WEOF && fclose(stream) == 0);
    assert(swprintf(line, 8, L"%d", 123) == 3 && wcscmp(line, L"123") == 0 && swprintf(line, 2, L"%d", 123) < 0);
    assert(wprintf(L"%d %ls\n", 12, L"abc") == 7);
}

static void use_memory(void)
{
    fpos_t start;
    stream = fmemopen(text, sizeof text, "w+");
    assert(fputs("hello", stream) >= 0 && fflush(stream) == 0 && strcmp(text, "hello") == 0);
    rewind(stream);
    assert(fgetpos(stream, &start) == 0 && fgetc(stream) == 'h' && fsetpos(stream, &start) == 0 && fclose(stream) == 0);
    stream = tmpfile();
    assert(putw(12345, stream) == 0 && __fpending(stream) == sizeof(int) && __fwriting(stream));
    rewind(stream);
    assert(getw(stream) == 12345 && getw(stream) == EOF && feof(stream) && fclose(stream) == 0);
}

static void use_parts(void)
{
    char a[3], b[8];
    struct iovec parts[] = {{"abc", 3}, {"defgh", 5}}, places[] = {{a, 3}, {b, 8}};
    file = open("parts.tmp", O_CREAT | O_RDWR, 0600);
    assert(writev(file, parts, 2) == 8 && lseek(file, 0, SEEK_SET) == 0);
    assert(readv(file, places, 2) == 8 && memcmp(a, "abc", 3) == 0 && memcmp(b, "defgh", 5) == 0);
    assert(pwritev(file, parts, 1, 2) == 3 && preadv(file, places, 1, 2) == 3 && memcmp(a, "abc", 3) == 0);
    assert(preadv(file, places, 1, -1) == -1 && errno == EINVAL && readv(file, places, 0) == 0);
    assert(writev(1, parts, 2) == 8 && close(file) == 0 && unlink("parts.tmp") == 0);
}

static void measure(void)
{
    struct rusage usage;
    struct sysinfo info;
    struct tms used;
    struct rlimit none = {0, 0};
    double load;
    char target[64];
    assert(wait(NULL) == -1 && errno == ECHILD && waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
    assert(getrusage(RUSAGE_SELF, &usage) == 0 && getrusage(77, &usage) == -1 && errno == EINVAL);
    assert(sysinfo(&info) == 0 && info.totalram > 0 && times(&used) != (clock_t)-1 && getloadavg(&load, 1) == 1);
    assert(setrlimit(RLIMIT_CORE, &none) == 0);
    assert(readlink("/nothing/there", target, sizeof target) == -1 && errno == ENOENT);
    assert(readlink("/proc/self", target, sizeof target) > 0);
    file = open("new.tmp", O_CREAT | O_WRONLY, 0600);
    assert(close(file) == 0 && readlink("new.tmp", target, sizeof target) == -1 && errno == EINVAL);
    assert(eaccess("new.tmp", R_OK) == 0 && fchmodat(AT_FDCWD, "new.tmp", 0600, 0) == 0 && unlink("new.tmp") == 0);
}

static int compare_ints(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int visit(const char *path, const struct stat *status, int kind)
{
    (void)path, (void)status, (void)kind;
    return 7;
}

static void search(void)
{
    struct { void *next, *previous; } a, b;
    int numbers[3] = {1, 2}, two = 2, three = 3;
    size_t count = 2;
    glob_t found;
    insque(&a, NULL);
    insque(&b, &a);
    assert(a.next == &b && b.previous == &a);
    remque(&b);
    assert(a.next == NULL);
    assert(lsearch(&two, numbers, &count, sizeof two, compare_ints) == &numbers[1] && count == 2);
    assert(lsearch(&three, numbers, &count, sizeof two, compare_ints) == &numbers[2] && count == 3);
    assert(glob("/et[c]", 0, NULL, &found) == 0 && found.gl_pathc == 1 && strcmp(found.gl_pathv[0], "/etc") == 0);
    globfree(&found);
    assert(ftw("/", visit, 4) == 7);
}

static void *put(void *unused)
{
    fputc('x', stream);
    return unused;
}

static void *look(void *unused)
{
    assert(text[0] == 0 || text[0] == 'a');
    return unused;
}

static void *list(void *unused)
{
    readdir(directory);
    return unused;
}

static void print_messages(void)
{
    warnx("%s", "text");
    error_at_line(0, 0, "file", 1, "%d", 1);
    openlog("name", 0, LOG_USER);
    syslog(LOG_INFO, "%s", "text");
}

int main(void)
{
    struct iovec part = {text, 1};
    switch (PART) {
    case 0: use_wide(); break;
    case 1: use_memory(); break;
    case 2: use_parts(); break;
    case 3:
        search();
        measure();
        break;
    case 4:
        stream = fmemopen(text, sizeof text, "w");
        start(put, 0);
        start(put, 0);
        text[1] = 'y';
        join_all();
        fclose(stream);
        break;
    case 5:
    case 6:
        file = open("text.tmp", O_CREAT | O_RDWR, 0600);
        assert(write(file, "a", 1) == 1 && lseek(file, 0, SEEK_SET) == 0);
        start(look, 0);
        assert((PART == 5 ? readv(file, &part, 1) : pread(file, text, 1, 0)) == 1);
        break;
    case 7:
        directory = opendir("/");
        start(list, 0);
        list(NULL);
        break;
    default: print_messages();
    }
    join_all();
    (void)part;
    return 0;
}
