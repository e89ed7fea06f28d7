/* number.c - see number.h; the only file that sees gmp.h
 *
 * Design: small integers are computed in machine words; everything else, which is rare, with temporary GMP rationals.
 */
#include "abs/value/number.h"

#include <gmp.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"

/* ---- To and from GMP ------------------------------------------------------------ */

static void load_integer(mpz_t z, Value v)
{
    if (value_is_int(v)) {
        mpz_set_si(z, value_int(v));
        return;
    }
    const Cell *cell = value_cell(v);
    mpz_import(z, cell->tag, -1, sizeof(Value), 0, 0, cell->args);
    if (cell->count)
        mpz_neg(z, z);
}

static Value store_integer(Arena *arena, const mpz_t z)
{
    if (mpz_fits_slong_p(z) && value_fits_int(mpz_get_si(z)))
        return value_from_int(mpz_get_si(z));
    size_t limbs = (mpz_sizeinbase(z, 2) + 63) / 64;
    Cell *cell = arena_alloc(arena, sizeof *cell + limbs * sizeof(Value));
    cell->kind = CELL_INT;
    cell->count = mpz_sgn(z) < 0;
    cell->tag = (uint32_t)limbs;
    mpz_export(cell->args, NULL, -1, sizeof(Value), 0, 0, z);
    cell->hash = cell->count + 23u;
    for (size_t i = 0; i < limbs; i++)
        cell->hash = map_mix(cell->hash, cell->args[i]);
    return value_from_cell(cell);
}

static uint64_t part_hash(Value v)
{
    return value_is_int(v) ? map_mix(v, 11) : value_cell(v)->hash;
}

static void load(mpq_t q, Value v)
{
    if (value_is_kind(v, CELL_RAT)) {
        load_integer(mpq_numref(q), value_cell(v)->args[0]);
        load_integer(mpq_denref(q), value_cell(v)->args[1]);
    } else {
        load_integer(mpq_numref(q), v);
        mpz_set_ui(mpq_denref(q), 1);
    }
}

/* `q` is canonical. */
static Value store(Arena *arena, const mpq_t q)
{
    Value numerator = store_integer(arena, mpq_numref(q));
    if (mpz_cmp_ui(mpq_denref(q), 1) == 0)
        return numerator;
    Cell *cell = arena_alloc(arena, sizeof *cell + 2 * sizeof(Value));
    cell->kind = CELL_RAT;
    cell->count = 0;
    cell->tag = 0;
    cell->args[0] = numerator;
    cell->args[1] = store_integer(arena, mpq_denref(q));
    cell->hash = map_mix(map_mix(29, part_hash(cell->args[0])), part_hash(cell->args[1]));
    return value_from_cell(cell);
}

/* ---- Arithmetic -------------------------------------------------------------------- */

/* a - b * truncate(a / b): the remainder has the sign of a */
static void remainder_of(mpq_t result, const mpq_t a, const mpq_t b)
{
    mpq_t quotient;
    mpq_init(quotient);
    mpq_div(quotient, a, b);
    mpz_tdiv_q(mpq_numref(quotient), mpq_numref(quotient), mpq_denref(quotient));
    mpz_set_ui(mpq_denref(quotient), 1);
    mpq_mul(quotient, quotient, b);
    mpq_sub(result, a, quotient);
    mpq_clear(quotient);
}

static Value apply_large(Arena *arena, NumberOp op, Value a, Value b)
{
    mpq_t x, y;
    mpq_inits(x, y, NULL);
    load(x, a);
    load(y, b);
    switch (op) {
    case NUMBER_ADD: mpq_add(x, x, y); break;
    case NUMBER_SUB: mpq_sub(x, x, y); break;
    case NUMBER_MUL: mpq_mul(x, x, y); break;
    case NUMBER_DIV: mpq_div(x, x, y); break;
    case NUMBER_MOD: remainder_of(x, x, y); break;
    }
    Value result = store(arena, x);
    mpq_clears(x, y, NULL);
    return result;
}

Value number_apply(Arena *arena, NumberOp op, Value a, Value b)
{
    if ((op == NUMBER_DIV || op == NUMBER_MOD) && b == value_from_int(0))
        return VALUE_NONE;
    if (value_is_int(a) && value_is_int(b)) {
        int64_t x = value_int(a), y = value_int(b), z;
        bool wide = false;
        switch (op) {
        case NUMBER_ADD: z = x + y; break;
        case NUMBER_SUB: z = x - y; break;
        case NUMBER_MUL: wide = __builtin_mul_overflow(x, y, &z); break;
        case NUMBER_DIV: wide = x % y != 0; z = wide ? 0 : x / y; break;
        case NUMBER_MOD: z = x % y; break;
        default: return VALUE_NONE;
        }
        if (!wide && value_fits_int(z))
            return value_from_int(z);
    }
    return apply_large(arena, op, a, b);
}

Value number_negate(Arena *arena, Value a)
{
    return number_apply(arena, NUMBER_SUB, value_from_int(0), a);
}

Value number_truncate(Arena *arena, Value a)
{
    if (!value_is_kind(a, CELL_RAT))
        return a;
    mpq_t x;
    mpq_init(x);
    load(x, a);
    mpz_tdiv_q(mpq_numref(x), mpq_numref(x), mpq_denref(x));
    Value result = store_integer(arena, mpq_numref(x));
    mpq_clear(x);
    return result;
}

Value number_numerator(Value a)
{
    return value_is_kind(a, CELL_RAT) ? value_cell(a)->args[0] : a;
}

Value number_denominator(Value a)
{
    return value_is_kind(a, CELL_RAT) ? value_cell(a)->args[1] : value_from_int(1);
}

/* ---- Conversion ----------------------------------------------------------------------- */

static Value take_integer(Arena *arena, mpz_t z)
{
    Value result = store_integer(arena, z);
    mpz_clear(z);
    return result;
}

Value number_from_bits(Arena *arena, __int128 n)
{
    if (n >= -VALUE_INT_MAX && n < VALUE_INT_MAX)
        return value_from_int((int64_t)n);
    unsigned __int128 size = n < 0 ? -(unsigned __int128)n : (unsigned __int128)n;
    uint64_t limbs[2] = {(uint64_t)size, (uint64_t)(size >> 64)};
    mpz_t z;
    mpz_init(z);
    mpz_import(z, 2, -1, sizeof limbs[0], 0, 0, limbs);
    if (n < 0)
        mpz_neg(z, z);
    return take_integer(arena, z);
}

bool number_to_bits(Value a, __int128 *n)
{
    if (value_is_int(a)) {
        *n = value_int(a);
        return true;
    }
    if (!value_is_kind(a, CELL_INT) || value_cell(a)->tag > 2)
        return false;
    const Cell *cell = value_cell(a);
    unsigned __int128 size = (unsigned __int128)(cell->tag > 1 ? cell->args[1] : 0) << 64 | cell->args[0];
    if (size >> 126)
        return false;
    *n = cell->count ? -(__int128)size : (__int128)size;
    return true;
}

Value number_parse(Arena *arena, const char *digits)
{
    mpz_t z;
    mpz_init_set_str(z, digits, 10);
    return take_integer(arena, z);
}

Value number_from_double(Arena *arena, double x)
{
    mpq_t q;
    mpq_init(q);
    mpq_set_d(q, x);
    Value result = store(arena, q);
    mpq_clear(q);
    return result;
}

Value number_round(Arena *arena, double x)
{
    mpz_t z;
    mpz_init_set_d(z, x);
    return take_integer(arena, z);
}

double number_to_double(Value a)
{
    if (value_is_int(a))
        return (double)value_int(a);
    mpq_t x;
    mpq_init(x);
    load(x, a);
    double result = mpq_get_d(x);
    mpq_clear(x);
    return result;
}

/* ---- Questions --------------------------------------------------------------------------- */

bool number_is(Value a)
{
    return value_is_int(a) || value_is_kind(a, CELL_INT) || value_is_kind(a, CELL_RAT);
}

int number_compare(Value a, Value b)
{
    if (value_is_int(a) && value_is_int(b))
        return value_int(a) < value_int(b) ? -1 : value_int(a) > value_int(b);
    mpq_t x, y;
    mpq_inits(x, y, NULL);
    load(x, a);
    load(y, b);
    int order = mpq_cmp(x, y);
    mpq_clears(x, y, NULL);
    return order;
}

int number_sign(Value a)
{
    return number_compare(a, value_from_int(0));
}

void number_print(Value a, Text *text)
{
    if (value_is_int(a)) {
        text_add(text, "%lld", (long long)value_int(a));
        return;
    }
    mpq_t x;
    mpq_init(x);
    load(x, a);
    char *digits = mpq_get_str(NULL, 10, x);
    text_add_string(text, digits);
    void (*release)(void *, size_t);
    mp_get_memory_functions(NULL, NULL, &release);
    release(digits, strlen(digits) + 1);
    mpq_clear(x);
}
