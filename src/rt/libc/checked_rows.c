/* checked_rows.c - the rows of rt/abi/library.def that checked.c interprets */
#include <arpa/inet.h>
#include <complex.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <fenv.h>
#include <grp.h>
#include <iconv.h>
#include <ifaddrs.h>
#include <inttypes.h>
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <mntent.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/ether.h>
#include <netinet/in.h>
#include <pthread.h>
#include <pwd.h>
#include <regex.h>
#include <sched.h>
#include <search.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/timex.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <termios.h>
#include <time.h>
#include <uchar.h>
#include <unistd.h>
#include <utime.h>
#include <wchar.h>
#include <wctype.h>

#include "rt/libc/checked.h"
#include "rt/sync/hidden.h"

enum { NONE = CHECKED_NO_LIMIT, EVEN_IF_0 = CHECKED_EVEN_IF_0, WIDE = sizeof(wchar_t) };

#define EFFECT(...) {__VA_ARGS__}
#define BYTES(how, a_, bytes, when_) \
    EFFECT(.access = how, .extent = EXTENT_BYTES, .when = when_, .a = a_, .n = NONE, .size = (uint32_t)(bytes))
#define READS(a, bytes) BYTES(EFFECT_READ, a, bytes, EFFECT_BEFORE)
#define WRITES(a, bytes) BYTES(EFFECT_WRITE, a, bytes, EFFECT_BEFORE)
#define UPDATES(a, bytes) BYTES(EFFECT_UPDATE, a, bytes, EFFECT_BEFORE)
#define WRITES_IF_0(a, bytes) BYTES(EFFECT_WRITE, a, bytes, EFFECT_IF_0)
#define WRITES_IF_SET(a, bytes) BYTES(EFFECT_WRITE, a, bytes, EFFECT_IF_SET)
#define WRITES_IF_POSITIVE(a, bytes) BYTES(EFFECT_WRITE, a, bytes, EFFECT_IF_POSITIVE)
#define WRITES_IF_NOT_NEGATIVE(a, bytes) BYTES(EFFECT_WRITE, a, bytes, EFFECT_IF_NOT_NEGATIVE)

#define COUNT(how, a_, n_, unit) \
    EFFECT(.access = how, .extent = EXTENT_COUNT, .a = a_, .n = n_, .size = (uint32_t)(unit))
#define READS_N(a, n, unit) COUNT(EFFECT_READ, a, n, unit)
#define WRITES_N(a, n, unit) COUNT(EFFECT_WRITE, a, n, unit)
#define UPDATES_N(a, n, unit) COUNT(EFFECT_UPDATE, a, n, unit)

#define WRITES_N_IF_0(a_, n_, unit)                                                                            \
    EFFECT(.access = EFFECT_WRITE, .extent = EXTENT_COUNT, .when = EFFECT_IF_0, .a = a_, .n = n_, \
           .size = (uint32_t)(unit))
#define UPDATES_NM(a_, n_, m) \
    EFFECT(.access = EFFECT_UPDATE, .extent = EXTENT_PRODUCT, .a = a_, .n = n_, .b = m, .size = 1)
#define PAIRS(how, a_, n_) EFFECT(.access = how, .extent = EXTENT_PAIRS, .a = a_, .n = n_)
#define READS_PAIRS(a, n) PAIRS(EFFECT_READ, a, n)
#define WRITES_PAIRS(a, n) PAIRS(EFFECT_WRITE, a, n)

#define TEXT(how, a_, n_, unit, when_, through_)                                                              \
    EFFECT(.access = how, .extent = EXTENT_TEXT, .when = when_, .a = a_, .n = n_, .size = unit, .through = through_)
#define READS_TEXT(a) TEXT(EFFECT_READ, a, NONE, 1, EFFECT_BEFORE, false)
#define READS_TEXT_N(a, n) TEXT(EFFECT_READ, a, n, 1, EFFECT_BEFORE, false)
#define READS_WIDE(a) TEXT(EFFECT_READ, a, NONE, WIDE, EFFECT_BEFORE, false)
#define READS_WIDE_N(a, n) TEXT(EFFECT_READ, a, n, WIDE, EFFECT_BEFORE, false)
#define READS_POINTED_TEXT(a) TEXT(EFFECT_READ, a, NONE, 1, EFFECT_BEFORE, true)
#define READS_POINTED_WIDE(a) TEXT(EFFECT_READ, a, NONE, WIDE, EFFECT_BEFORE, true)
#define READS_POINTED_TEXT_N(a, n) TEXT(EFFECT_READ, a, n, 1, EFFECT_BEFORE, true)
#define READS_POINTED_WIDE_N(a, n) TEXT(EFFECT_READ, a, n, WIDE, EFFECT_BEFORE, true)
#define UPDATES_WIDE(a) TEXT(EFFECT_UPDATE, a, NONE, WIDE, EFFECT_BEFORE, false)
#define UPDATES_TEXT(a) TEXT(EFFECT_UPDATE, a, NONE, 1, EFFECT_BEFORE, false)
#define WRITES_TEXT(a) TEXT(EFFECT_WRITE, a, NONE, 1, EFFECT_IF_SET, false)
#define WRITES_WIDE(a) TEXT(EFFECT_WRITE, a, NONE, WIDE, EFFECT_IF_SET, false)
#define WRITES_TEXT_IF_0(a) TEXT(EFFECT_WRITE, a, NONE, 1, EFFECT_IF_0, false)
#define WRITES_TEXT_IF_RETURNED(a) TEXT(EFFECT_WRITE, a, NONE, 1, EFFECT_IF_RETURNED, false)
#define APPEND(a_, unit) \
    EFFECT(.access = EFFECT_WRITE, .extent = EXTENT_APPEND, .when = EFFECT_AFTER, .a = a_, .n = NONE, .size = unit)
#define APPENDS_TEXT(a) APPEND(a, 1)
#define APPENDS_WIDE(a) APPEND(a, WIDE)

#define COMMON(a_, b_, n_, unit, folds)                                                                        \
    EFFECT(.access = EFFECT_READ, .extent = EXTENT_COMMON, .a = a_, .b = b_, .n = n_, .size = unit, .more = folds)
#define READS_COMMON(a, b, unit) COMMON(a, b, NONE, unit, 0), COMMON(b, a, NONE, unit, 0)
#define READS_COMMON_N(a, b, n, unit) COMMON(a, b, n, unit, 0), COMMON(b, a, n, unit, 0)
#define READS_FOLDED(a, b, unit) COMMON(a, b, NONE, unit, 1), COMMON(b, a, NONE, unit, 1)
#define READS_FOLDED_N(a, b, n, unit) COMMON(a, b, n, unit, 1), COMMON(b, a, n, unit, 1)

#define READS_FOUND(a_, n_, unit) \
    EFFECT(.access = EFFECT_READ, .extent = EXTENT_FOUND, .when = EFFECT_AFTER, .a = a_, .n = n_, .size = unit)
#define READS_TO_RESULT(a) READS_FOUND(a, NONE, 1)
#define READS_TO_RESULT_WIDE(a) READS_FOUND(a, NONE, WIDE)
#define COPIED(how, a_, b_, n_) \
    EFFECT(.access = how, .extent = EXTENT_COPIED, .when = EFFECT_AFTER, .a = a_, .b = b_, .n = n_)
#define READS_COPIED(a, b, n) COPIED(EFFECT_READ, a, b, n)
#define WRITES_COPIED(a, b, n) COPIED(EFFECT_WRITE, a, b, n)
#define READS_NUMBER(a_, n_) EFFECT(.access = EFFECT_READ, .extent = EXTENT_NUMBER, .a = a_, .n = n_)
#define READS_FLOAT(a_) EFFECT(.access = EFFECT_READ, .extent = EXTENT_FLOAT, .a = a_, .n = NONE)
#define READS_POINTED_N(a_, n_) \
    EFFECT(.access = EFFECT_READ, .extent = EXTENT_POINTED, .a = a_, .n = n_, .through = true)
#define WRITES_PASSED(a_)                                                                                   \
    EFFECT(.access = EFFECT_WRITE, .extent = EXTENT_PASSED, .when = EFFECT_AFTER, .a = a_, .n = NONE, .through = true)

#define RESULT(how, a_, n_, unit, more_, narrow_)                                                             \
    EFFECT(.access = how, .extent = EXTENT_RESULT, .when = EFFECT_AFTER, .a = a_, .n = n_, .size = (uint32_t)(unit), \
           .more = more_, .narrow = narrow_)
#define READS_RESULT(a, unit, more) RESULT(EFFECT_READ, a, NONE, unit, more, false)
#define WRITES_RESULT(a, unit, more) RESULT(EFFECT_WRITE, a, NONE, unit, more, false)
#define READS_INT_RESULT(a, unit, more) RESULT(EFFECT_READ, a, NONE, unit, more, true)
#define WRITES_INT_RESULT(a, unit, more) RESULT(EFFECT_WRITE, a, NONE, unit, more, true)
#define WRITES_CAPPED(a, n, unit) RESULT(EFFECT_WRITE, a, n, unit, 1, false)

#define READS_RESULT_AND_1(a, unit) RESULT(EFFECT_READ, a, EVEN_IF_0, unit, 1, false)
#define WRITES_INT_CAPPED(a, n, unit) RESULT(EFFECT_WRITE, a, n, unit, 1, true)
#define WRITES_FITTING(a, n, unit) RESULT(EFFECT_WRITE, a, n, unit, 0, false)

#define USES(state) EFFECT(.access = EFFECT_USES, .a = HIDDEN_##state)
#define CHANGES(state) EFFECT(.access = EFFECT_CHANGES, .a = HIDDEN_##state)

#define REDIRECT(name)
#define PURE(name)
#define CHECKED(name_, ...) \
    extern const LibraryRow sennit_rt_row_##name_; \
    const LibraryRow sennit_rt_row_##name_ = {.name = #name_, .effects = {__VA_ARGS__}};
#define CHECKED_LONG_DOUBLE(name_, ...) \
    extern const LibraryRow sennit_rt_row_##name_; \
    const LibraryRow sennit_rt_row_##name_ = {.returns_long_double = true, .name = #name_, .effects = {__VA_ARGS__}};
#include "rt/abi/library.def"
