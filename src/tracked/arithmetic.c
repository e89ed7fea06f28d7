/* arithmetic.c - arithmetic of <stdlib.h> and <strings.h> */
#include <stdlib.h>

#include "tracked/tracked.h"

int sennit_tracked_abs(int n) { return n < 0 ? -n : n; }
long sennit_tracked_labs(long n) { return n < 0 ? -n : n; }

div_t sennit_tracked_div(int a, int b) { return (div_t){a / b, a % b}; }
ldiv_t sennit_tracked_ldiv(long a, long b) { return (ldiv_t){a / b, a % b}; }

/* The number of the lowest set bit, from 1; 0 if none is set. */
int sennit_tracked_ffs(int n) { return __builtin_ffs(n); }
int sennit_tracked_ffsl(long n) { return __builtin_ffsl(n); }
