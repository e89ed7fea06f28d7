/* condition.c - see condition.h */
#include "instr/module/condition.h"

#include <stddef.h>

#include "instr/module/callee.h"
#include "instr/module/module.h"

/* A value computed from the one that an atomic instruction found: (found & mask) >> shift, in `width` bits, to which
 * the source may have been extended. */
typedef struct WordBits {
    LLVMValueRef source;
    uint64_t mask;
    unsigned shift, width, source_bits;
    bool sign_extended; /* the whole source, sign-extended to `width` */
    bool cut;           /* truncated: no longer comparable as signed  */
} WordBits;

/* ---- Helpers --------------------------------------------------------- */

static unsigned bits_of(LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind == LLVMPointerTypeKind)
        return 64;
    return kind == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 0;
}

static uint64_t ones(unsigned bits)
{
    return bits >= 64 ? UINT64_MAX : (1ull << bits) - 1;
}

static bool get_constant(LLVMValueRef value, uint64_t *constant)
{
    if (LLVMIsAConstantPointerNull(value)) {
        *constant = 0;
        return true;
    }
    if (!LLVMIsAConstantInt(value) || bits_of(LLVMTypeOf(value)) > 64)
        return false;
    *constant = LLVMConstIntGetZExtValue(value);
    return true;
}

static bool is_opcode(LLVMValueRef value, LLVMOpcode opcode)
{
    return LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == opcode;
}

/* Skips __builtin_expect and freeze, which do not change a value. */
static LLVMValueRef look_through(const Resolver *resolver, LLVMValueRef value)
{
    for (;;) {
        LLVMValueRef next = resolver->resolve(resolver, value);
        if (is_opcode(next, LLVMFreeze) || name_begins(callee_name(next), "llvm.expect"))
            next = LLVMGetOperand(next, 0);
        if (next == value)
            return value;
        value = next;
    }
}

static bool is_atomic_source(LLVMValueRef value)
{
    return (is_opcode(value, LLVMLoad) && LLVMGetOrdering(value) != LLVMAtomicOrderingNotAtomic) ||
           is_opcode(value, LLVMAtomicRMW);
}

/* extractvalue of a cmpxchg: 0 the value found, 1 whether it succeeded; otherwise -1. */
static int part_of_cmpxchg(LLVMValueRef value)
{
    if (!is_opcode(value, LLVMExtractValue) || LLVMGetNumIndices(value) != 1 ||
        !is_opcode(LLVMGetOperand(value, 0), LLVMAtomicCmpXchg))
        return -1;
    return (int)LLVMGetIndices(value)[0];
}

unsigned condition_source_bits(LLVMValueRef source)
{
    return bits_of(LLVMTypeOf(is_opcode(source, LLVMAtomicCmpXchg) ? LLVMGetOperand(source, 1) : source));
}

/* ---- Words ---------------------------------------------------------------- */

static bool parse_word(const Resolver *resolver, LLVMValueRef value, WordBits *word);

static bool parse_source(LLVMValueRef value, WordBits *word)
{
    LLVMValueRef source = value;
    if (part_of_cmpxchg(value) == 0)
        source = LLVMGetOperand(value, 0);
    else if (!is_atomic_source(value))
        return false;
    unsigned bits = bits_of(LLVMTypeOf(value));
    *word = (WordBits){.source = source, .mask = ones(bits), .width = bits, .source_bits = bits};
    return bits != 0 && bits <= 64;
}

static bool extend_word(WordBits *word, unsigned width, bool with_sign)
{
    bool untouched = word->width == word->source_bits && word->mask == ones(word->width) && word->shift == 0;
    if (width > 64 || word->sign_extended || (with_sign && !untouched))
        return false;
    word->sign_extended = with_sign;
    word->width = width;
    return true;
}

static bool cut_word(WordBits *word, unsigned width)
{
    if (word->sign_extended && width < word->source_bits)
        return false;
    if (word->sign_extended) { /* what is left is still a sign-extended source, or the source */
        word->sign_extended = width != word->source_bits;
        word->width = width;
        return true;
    }
    uint64_t kept = word->mask & (ones(width) << word->shift);
    word->cut |= kept != word->mask || width < word->source_bits;
    word->mask = kept;
    word->width = width;
    return true;
}

static bool mask_word(WordBits *word, uint64_t bits)
{
    if (word->sign_extended && (bits & ~ones(word->source_bits)))
        return false;
    word->sign_extended = false;
    word->mask &= bits << word->shift;
    return true;
}

static bool shift_word(WordBits *word, uint64_t distance)
{
    if (word->sign_extended || word->shift + distance >= 64)
        return false;
    word->shift += (unsigned)distance;
    word->mask &= UINT64_MAX << word->shift;
    word->cut = true;
    return true;
}

/* value & bits. An arithmetic shift inside is equivalent to a logical one if the mask clears the copies of the sign. */
static bool parse_masked(const Resolver *resolver, LLVMValueRef value, uint64_t bits, WordBits *word)
{
    uint64_t distance;
    value = look_through(resolver, value);
    if (is_opcode(value, LLVMAShr) && get_constant(LLVMGetOperand(value, 1), &distance)) {
        unsigned width = bits_of(LLVMTypeOf(value));
        return distance < width && !(bits & ~ones(width - (unsigned)distance)) &&
               parse_word(resolver, LLVMGetOperand(value, 0), word) && shift_word(word, distance) &&
               mask_word(word, bits);
    }
    return parse_word(resolver, value, word) && mask_word(word, bits);
}

static bool parse_and(const Resolver *resolver, LLVMValueRef value, WordBits *word)
{
    uint64_t constant;
    LLVMValueRef left = LLVMGetOperand(value, 0), right = LLVMGetOperand(value, 1);
    if (get_constant(right, &constant))
        return parse_masked(resolver, left, constant, word);
    return get_constant(left, &constant) && parse_masked(resolver, right, constant, word);
}

static bool parse_word(const Resolver *resolver, LLVMValueRef value, WordBits *word)
{
    value = look_through(resolver, value);
    if (parse_source(value, word))
        return true;
    if (!LLVMIsAInstruction(value) || !bits_of(LLVMTypeOf(value)))
        return false;
    unsigned width = bits_of(LLVMTypeOf(value));
    uint64_t constant;
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMZExt:
    case LLVMSExt:
        return parse_word(resolver, LLVMGetOperand(value, 0), word) &&
               extend_word(word, width, LLVMGetInstructionOpcode(value) == LLVMSExt);
    case LLVMTrunc:
        return parse_word(resolver, LLVMGetOperand(value, 0), word) && cut_word(word, width);
    case LLVMPtrToInt:
    case LLVMIntToPtr:
        return parse_word(resolver, LLVMGetOperand(value, 0), word) && word->width == width;
    case LLVMAnd:
        return parse_and(resolver, value, word);
    case LLVMLShr:
        return get_constant(LLVMGetOperand(value, 1), &constant) &&
               parse_word(resolver, LLVMGetOperand(value, 0), word) && shift_word(word, constant);
    default:
        return false;
    }
}

/* ---- Comparisons ---------------------------------------------------------- */

static Relation relation_of(LLVMIntPredicate predicate, bool swapped)
{
    switch (predicate) {
    case LLVMIntEQ: return REL_EQ;
    case LLVMIntNE: return REL_NE;
    case LLVMIntULT: return swapped ? REL_UGT : REL_ULT;
    case LLVMIntULE: return swapped ? REL_UGE : REL_ULE;
    case LLVMIntUGT: return swapped ? REL_ULT : REL_UGT;
    case LLVMIntUGE: return swapped ? REL_ULE : REL_UGE;
    case LLVMIntSLT: return swapped ? REL_SGT : REL_SLT;
    case LLVMIntSLE: return swapped ? REL_SGE : REL_SLE;
    case LLVMIntSGT: return swapped ? REL_SLT : REL_SGT;
    case LLVMIntSGE: return swapped ? REL_SLE : REL_SGE;
    default: return REL_TRUE;
    }
}

static bool is_signed(Relation relation)
{
    return relation >= REL_SLT;
}

static bool is_equality(Relation relation)
{
    return relation == REL_EQ || relation == REL_NE;
}

static Relation as_unsigned(Relation relation)
{
    return (Relation)(relation - REL_SLT + REL_ULT);
}

/* Comparing with a constant, given in the width of the word. */
static bool compare_constant(const WordBits *word, Relation relation, uint64_t constant, Condition *out)
{
    uint64_t source_ones = ones(word->source_bits);
    if (word->sign_extended) {
        /* Equal or ordered as signed numbers, if the source can hold the constant at all. */
        int64_t number = (int64_t)(constant << (64 - word->width)) >> (64 - word->width);
        int64_t limit = (int64_t)(source_ones >> 1);
        if (number > limit || number < -limit - 1 || (!is_equality(relation) && !is_signed(relation)))
            return false;
        constant &= source_ones;
    } else {
        if (is_signed(relation) && (word->cut || word->width != word->source_bits)) {
            /* A zero-extended value is not negative: the comparison is in effect unsigned. */
            if (word->width <= word->source_bits || (constant >> (word->width - 1) & 1))
                return false;
            relation = as_unsigned(relation);
        }
        uint64_t moved = constant << word->shift;
        if (moved >> word->shift != constant || (moved & ~source_ones))
            return false;
        if (word->shift && !is_equality(relation))
            return false;
        constant = moved;
    }
    *out = (Condition){.source = word->source, .mask = word->mask, .relation = relation, .constant = constant};
    return true;
}

/* Comparing with a value: both in the source's own width, or both extended alike from it. */
static bool compare_value(const WordBits *word, Relation relation, LLVMValueRef operand, Condition *out)
{
    bool extended = word->width > word->source_bits;
    if (extended) {
        LLVMOpcode needed = word->sign_extended ? LLVMSExt : LLVMZExt;
        if (!is_opcode(operand, needed))
            return false;
        operand = LLVMGetOperand(operand, 0);
        if (!word->sign_extended && is_signed(relation))
            relation = as_unsigned(relation);
        else if (word->sign_extended && !is_signed(relation) && !is_equality(relation))
            return false;
    }
    if (bits_of(LLVMTypeOf(operand)) != word->source_bits || word->cut || word->shift)
        return false;
    *out = (Condition){.source = word->source, .mask = word->mask, .relation = relation, .operand = operand};
    return true;
}

static bool compare_word(const Resolver *resolver, const WordBits *word, Relation relation, LLVMValueRef operand,
                         Condition *out)
{
    uint64_t constant;
    operand = look_through(resolver, operand);
    if (relation == REL_TRUE)
        return false;
    if (get_constant(operand, &constant))
        return compare_constant(word, relation, constant, out);
    return compare_value(word, relation, operand, out);
}

/* ---- Booleans ------------------------------------------------------------- */

static Meaning unknown(void)
{
    return (Meaning){.kind = MEANS_UNKNOWN};
}

static Meaning negate(Meaning meaning)
{
    meaning.constant = !meaning.constant;
    return meaning;
}

static Meaning of_condition(const Condition *condition)
{
    return (Meaning){.kind = MEANS_CONDITION, .constant = true, .condition = *condition};
}

/* The boolean inside an integer: zext, sext, trunc of an i1. NULL if there is none. */
static LLVMValueRef undress(const Resolver *resolver, LLVMValueRef value)
{
    for (;;) {
        value = look_through(resolver, value);
        if (bits_of(LLVMTypeOf(value)) == 1)
            return value;
        if (!is_opcode(value, LLVMZExt) && !is_opcode(value, LLVMSExt) && !is_opcode(value, LLVMTrunc))
            return NULL;
        value = LLVMGetOperand(value, 0);
    }
}

static Meaning meaning_of_comparison(const Resolver *resolver, LLVMValueRef value)
{
    LLVMValueRef left = LLVMGetOperand(value, 0), right = LLVMGetOperand(value, 1);
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(value);
    uint64_t constant;
    LLVMValueRef boolean = undress(resolver, left);
    if (boolean && get_constant(look_through(resolver, right), &constant) && constant == 0 &&
        (predicate == LLVMIntEQ || predicate == LLVMIntNE)) {
        Meaning meaning = condition_meaning(resolver, boolean);
        return predicate == LLVMIntEQ ? negate(meaning) : meaning;
    }
    WordBits word;
    Condition condition;
    if (parse_word(resolver, left, &word) &&
        compare_word(resolver, &word, relation_of(predicate, false), right, &condition))
        return of_condition(&condition);
    if (parse_word(resolver, right, &word) &&
        compare_word(resolver, &word, relation_of(predicate, true), left, &condition))
        return of_condition(&condition);
    return unknown();
}

/* trunc to i1: the lowest bit. */
static Meaning meaning_of_bit(const Resolver *resolver, LLVMValueRef value)
{
    LLVMValueRef operand = LLVMGetOperand(value, 0), boolean = undress(resolver, operand);
    if (boolean)
        return condition_meaning(resolver, boolean);
    WordBits word;
    if (!parse_word(resolver, operand, &word) || !mask_word(&word, 1))
        return unknown();
    Condition condition = {.source = word.source, .mask = word.mask, .relation = REL_NE};
    return of_condition(&condition);
}

static Meaning meaning_of_not(const Resolver *resolver, LLVMValueRef value)
{
    uint64_t constant;
    if (get_constant(LLVMGetOperand(value, 1), &constant) && constant == 1)
        return negate(condition_meaning(resolver, LLVMGetOperand(value, 0)));
    return unknown();
}

/* "cmpxchg succeeded" is "found == expected". */
static Meaning meaning_of_success(LLVMValueRef cmpxchg)
{
    LLVMValueRef expected = LLVMGetOperand(cmpxchg, 1);
    unsigned bits = condition_source_bits(cmpxchg);
    if (bits == 0 || bits > 64)
        return unknown();
    Condition condition = {.source = cmpxchg, .mask = ones(bits), .relation = REL_EQ};
    if (!get_constant(expected, &condition.constant))
        condition.operand = expected;
    return of_condition(&condition);
}

Meaning condition_meaning(const Resolver *resolver, LLVMValueRef value)
{
    uint64_t constant;
    value = look_through(resolver, value);
    if (get_constant(value, &constant))
        return (Meaning){.kind = MEANS_CONSTANT, .constant = constant != 0};
    if (part_of_cmpxchg(value) == 1)
        return meaning_of_success(LLVMGetOperand(value, 0));
    if (is_opcode(value, LLVMICmp))
        return meaning_of_comparison(resolver, value);
    if (is_opcode(value, LLVMTrunc))
        return meaning_of_bit(resolver, value);
    if (is_opcode(value, LLVMXor))
        return meaning_of_not(resolver, value);
    return unknown();
}

/* ---- Conditions ----------------------------------------------------------- */

bool condition_equal(const Condition *a, const Condition *b)
{
    return a->source == b->source && a->mask == b->mask && a->relation == b->relation && a->operand == b->operand &&
           a->constant == b->constant;
}

Relation condition_negate(Relation relation)
{
    static const Relation opposite[] = {
        [REL_TRUE] = REL_TRUE, [REL_EQ] = REL_NE,   [REL_NE] = REL_EQ,   [REL_ULT] = REL_UGE,
        [REL_ULE] = REL_UGT,   [REL_UGT] = REL_ULE, [REL_UGE] = REL_ULT, [REL_SLT] = REL_SGE,
        [REL_SLE] = REL_SGT,   [REL_SGT] = REL_SLE, [REL_SGE] = REL_SLT};
    return opposite[relation];
}

bool condition_holds(const Condition *condition, uint64_t value, unsigned bits)
{
    uint64_t a = value & condition->mask, b = condition->constant;
    int64_t sa = (int64_t)(a << (64 - bits)), sb = (int64_t)(b << (64 - bits));
    switch (condition->relation) {
    case REL_EQ: return a == b;
    case REL_NE: return a != b;
    case REL_ULT: return a < b;
    case REL_ULE: return a <= b;
    case REL_UGT: return a > b;
    case REL_UGE: return a >= b;
    case REL_SLT: return sa < sb;
    case REL_SLE: return sa <= sb;
    case REL_SGT: return sa > sb;
    case REL_SGE: return sa >= sb;
    default: return true;
    }
}
