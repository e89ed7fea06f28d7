/* files.c - files of the program: names, contents and positions are resources, and fresh in each execution
 *
 * litmus: -DPART=0 -> executions 2 bugs assertion
 * litmus: -DPART=1 -> executions 2 bugs assertion
 * litmus: -DPART=2 -> executions 2 bugs assertion
 * litmus: -DPART=3 -> executions 4
 * litmus: -DPART=4 -> executions 6 bugs assertion
 * litmus: -DPART=5 -> executions 1
 * litmus: -DPART=6 -> executions 2
 * litmus: -DPART=7 -> executions 1
 * litmus: -DPART=8 -> executions 1
 * litmus: -DPART=9 -> executions 4 bugs assertion
 * litmus: -DPART=10 -> executions 2
 * litmus: -DPART=11 -> executions 2 bugs assertion
 * litmus: -DPART=12 -> executions 1
 * litmus: -DPART=13 -> executions 3 bugs deadlock
 * litmus: -DPART=14 -> executions 6 bugs assertion
 * litmus: -DPART=15 -> executions 1
 * litmus: -DPART=16 --sym-file=in.txt=3 -> executions 2 verdict bounded
 * litmus: -DPART=17 --sym-file=in.txt=2 -> executions 2 verdict bounded bugs assertion
 * litmus: -DPART=18 -> executions 2 bugs assertion
 * litmus: -DPART=19 -> executions 2 bugs data-race
 * litmus: -O2 -DPART=19 -> executions 2 bugs data-race
 * litmus: -DPART=20 -> executions 4
 * litmus: -DPART=21 --sym-file=in.txt=3 -> executions 0 verdict any exit 2
 *
 * 0: a file is made and looked for. 1: two threads write to one stream. 2: ... to one descriptor. 3: making a file that
 * must not exist is a lock. 4: three threads write through descriptors of their own. 5: threads with files of their
 * own. 6: the same file is made, and is new in each execution (by a choice). 7: two threads print. 8: two threads read
 * through descriptors of their own. 9: replacing a file by renaming. 10: flockfile. 11: ftell while another writes.
 * 12: no file is left, or changed, outside. 13: flockfile in two orders. 14: a copy (dup) has the same position.
 * 15: listing directories with new files. 16: positions in a file that is an input. 17: lseek is a step. 18: a stream
 * in memory. 19: putc_unlocked without a lock; with -O2 headers would make it code of the program. 20: looking at a
 * stream (ftell) orders nothing but what changes it. 21: a second stream of a descriptor would read ahead as well.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../include/sennit/sennit.h"
#include "litmus.h"

#define A "litmus-a.tmp"
#define B "litmus-b.tmp"

static FILE *stream;
static int file, count, locked;

/* How often the rest of the list has the name. */
static int count_entries(DIR *directory, const char *name)
{
    const struct dirent *entry;
    int found = 0;
    while ((entry = readdir(directory)))
        found += strcmp(entry->d_name, name) == 0;
    return found;
}

static void list_changed(void)
{
    assert(close(open(A, O_CREAT | O_WRONLY, 0600)) == 0);
    DIR *here = opendir(".");
    assert(count_entries(here, A) == 1);
    assert(unlink(A) == 0 && mkdir(B, 0700) == 0 && close(open(B "/x", O_CREAT | O_WRONLY, 0600)) == 0);
    rewinddir(here);
    assert(count_entries(here, A) == 0);
    rewinddir(here);
    assert(count_entries(here, B) == 1 && closedir(here) == 0);
    DIR *made = opendir(B);
    assert(count_entries(made, "x") == 1);
    seekdir(made, 0);
    assert(count_entries(made, "..") == 1 && count_entries(made, "x") == 0 && closedir(made) == 0);
    assert(!opendir(A) && !opendir(B "/x"));
}

static void *make(void *unused)
{
    int made = open(A, O_CREAT | O_WRONLY, 0600);
    assert(made >= 0 && close(made) == 0);
    return unused;
}

static void *put(void *letter)
{
    fputc((int)(long)letter, stream);
    return NULL;
}

static void *put_file(void *letter)
{
    char c = (char)(long)letter;
    assert(write(file, &c, 1) == 1);
    return NULL;
}

static void *count_locked(void *unused)
{
    int made = open(A, O_CREAT | O_EXCL | O_RDWR, 0600);
    if (made < 0)
        return unused;
    locked++;
    close(made);
    unlink(A);
    return unused;
}

static void *append(void *letter)
{
    char c = (char)(long)letter;
    int own = open(A, O_WRONLY | O_APPEND);
    assert(write(own, &c, 1) == 1);
    close(own);
    return NULL;
}

static void *make_own(void *name)
{
    char text[8] = "";
    FILE *own = fopen(name ? A : B, "w+");
    fprintf(own, "%d", 42);
    rewind(own);
    assert(fgets(text, sizeof text, own) && strcmp(text, "42") == 0);
    fclose(own);
    return NULL;
}

static void *print(void *unused)
{
    printf("%d\n", 1);
    fputs("text\n", stderr);
    puts("line");
    return unused;
}

static void *read_one(void *unused)
{
    char c;
    int own = open(A, O_RDONLY);
    assert(read(own, &c, 1) == 1 && c == 'x');
    close(own);
    return unused;
}

static void *put_unlocked(void *letter)
{
    putc_unlocked((int)(long)letter, stream);
    return NULL;
}

static void *look(void *unused)
{
    assert(ftell(stream) >= 0);
    return unused;
}

static void *replace(void *unused)
{
    FILE *new = fopen(B, "w");
    fputs("new", new);
    fclose(new);
    assert(rename(B, A) == 0);
    return unused;
}

static void *lock_and_count(void *unused)
{
    flockfile(stdout);
    flockfile(stdout);
    count++;
    putchar_unlocked('x');
    funlockfile(stdout);
    funlockfile(stdout);
    return unused;
}

static void *lock_two(void *turned)
{
    flockfile(turned ? stdout : stderr);
    flockfile(turned ? stderr : stdout);
    funlockfile(stderr);
    funlockfile(stdout);
    return NULL;
}

static void *read_input(void *unused)
{
    char c;
    assert(read(file, &c, 1) == 1);
    return unused;
}

static void check_letters(const char *expected)
{
    char text[8] = "";
    FILE *all = fopen(A, "r");
    assert(fgets(text, sizeof text, all) && strcmp(text, expected) == 0);
}

static void change_outside(void)
{
    struct stat status;
    assert(stat("/etc/passwd", &status) == 0 && status.st_size > 0);
    FILE *users = fopen("/etc/passwd", "r+"), *reader = fopen("/etc/passwd", "r");
    if (users) {
        char text[8] = "";
        fputs("xyz", users);
        fflush(users);
        assert(fgets(text, 4, reader) && strcmp(text, "xyz") == 0);
        assert(unlink("/etc/passwd") == 0 && access("/etc/passwd", F_OK) == -1 && errno == ENOENT);
    }
    assert(mkdir("litmus-d", 0700) == 0 && mkdir("litmus-d", 0700) == -1 && errno == EEXIST);
    assert(close(creat("litmus-d/f", 0600)) == 0 && rmdir("litmus-d") == -1 && errno == ENOTEMPTY);
    assert(rename("litmus-d/f", "litmus-f") == 0 && rmdir("litmus-d") == 0);
    assert(stat("litmus-f", &status) == 0 && S_ISREG(status.st_mode) && status.st_size == 0);
    assert(open("litmus-d/g", O_CREAT | O_WRONLY, 0600) == -1 && errno == ENOENT);
    assert(truncate("litmus-f", 10) == 0 && stat("./litmus-f", &status) == 0 && status.st_size == 10);
    assert(chmod("litmus-f", 0444) == 0 && stat("litmus-f", &status) == 0 && (status.st_mode & 0777) == 0444);
    char template[] = "litmus-XXXXXX", again[] = "litmus-XXXXXX";
    assert(mkstemp(template) > 2 && mkstemp(again) > 2 && strcmp(template, again) != 0);
}

static void read_positions(void)
{
    char text[4];
    struct stat status;
    int first = open("in.txt", O_RDONLY), second = open("in.txt", O_RDONLY);
    assert(read(first, text, 2) == 2 && lseek(second, 0, SEEK_CUR) == 0 && lseek(first, 0, SEEK_CUR) == 2);
    assert(lseek(first, 10, SEEK_SET) == 10 && read(first, text, 1) == 0 && lseek(first, -1, SEEK_END) == 2);
    assert(fstat(second, &status) == 0 && status.st_size == 3 && close(second) == 0);
    stream = fopen("in.txt", "r");
    fgetc(stream);
    fgetc(stream);
    ungetc('?', stream);
    assert(ftell(stream) == 1 && fgetc(stream) == '?' && ftell(stream) == 2);
    fclose(stream);
}

int main(void)
{
    char *text;
    size_t size;
    stream = PART == 1 || PART == 11 ? tmpfile() : NULL;
    file = PART == 2 || PART == 14 ? open(A, O_CREAT | O_RDWR, 0600) : -1;
    switch (PART) {
    case 0:
        start(make, 0);
        assert(access(A, F_OK) == -1);
        break;
    case 1:
        start(put, '1');
        fputc('2', stream);
        join_all();
        rewind(stream);
        assert(fgetc(stream) == '2');
        break;
    case 2:
        start(put_file, '1');
        put_file((void *)(long)'2');
        join_all();
        check_letters("21");
        break;
    case 3:
        start(count_locked, 0);
        count_locked(NULL);
        break;
    case 4:
        make(NULL);
        for (int i = 0; i < 3; i++)
            start(append, 'a' + i);
        join_all();
        check_letters("abc");
        break;
    case 5:
        start(make_own, 0);
        make_own(stdin);
        break;
    case 6:
        assert(access(A, F_OK) == -1);
        make(NULL);
        sennit_choose(2);
        break;
    case 7:
        start(print, 0);
        print(NULL);
        break;
    case 8:
        stream = fopen(A, "w");
        fputc('x', stream);
        fclose(stream);
        start(read_one, 0);
        read_one(NULL);
        break;
    case 9:
        replace(NULL);
        assert(truncate(A, 1) == 0);
        start(replace, 0);
        stream = fopen(A, "r");
        fgetc(stream);
        assert(fgetc(stream) == 'e');
        break;
    case 10:
        start(lock_and_count, 0);
        lock_and_count(NULL);
        break;
    case 11:
        start(put, '1');
        assert(ftell(stream) == 0);
        break;
    case 12: change_outside(); break;
    case 13:
        start(lock_two, 0);
        lock_two(stdin);
        break;
    case 14: {
        int copy = dup(file);
        start(put_file, '1');
        start(put_file, '2');
        assert(write(copy, "3", 1) == 1);
        join_all();
        check_letters("123");
        break;
    }
    case 15:
        list_changed();
        break;
    case 16: read_positions(); break;
    case 17:
        file = open("in.txt", O_RDONLY);
        start(read_input, 0);
        assert(lseek(file, 0, SEEK_CUR) == 0);
        break;
    case 21:
        stream = fopen("in.txt", "r");
        fdopen(fileno(stream), "r");
        break;
    case 19:
        stream = tmpfile();
        start(put_unlocked, '1');
        put_unlocked((void *)(long)'2');
        join_all();
        fclose(stream);
        break;
    case 20:
        stream = tmpfile();
        start(look, 0);
        start(look, 0);
        flockfile(stream);
        putc_unlocked('1', stream);
        funlockfile(stream);
        break;
    default:
        stream = open_memstream(&text, &size);
        start(put, '1');
        fputc('2', stream);
        join_all();
        fclose(stream);
        assert(strcmp(text, "21") == 0);
        free(text);
    }
    join_all();
    return 0;
}
