/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares results with what they must be. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* qsort_r() */
#endif
#include "compare.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One comparison. */
struct comparison {
    const struct kernel_argument *argument;
    struct kernel_values actual;
    struct kernel_values expected;
    /* per component of an element: */
    size_t components;
    struct kernel_component component[KERNEL_MOST_COMPONENTS];
    struct kernel_tolerance tolerance[KERNEL_MOST_COMPONENTS];
    double scale[KERNEL_MOST_COMPONENTS]; /* the mean magnitude of what is expected */
};

/* What it has found. */
struct findings {
    uint64_t differing;
    size_t first; /* element that is wrong */
    size_t first_component;
    size_t worst; /* element that is farthest off */
    double ratio; /* its error, as a multiple of what is allowed */
    double relative;
    double absolute;
    double ulp;
};

static const void *number_at(const struct comparison *comparison,
                             const struct kernel_values *values, size_t element, size_t component)
{
    return (const char *)values->data + element * kernel_type_bytes(&comparison->argument->type) +
           comparison->component[component].offset;
}

/* ---- numbers ---- */

/* Maps the bits of a real number to integers that are ordered as the numbers are. */
static int64_t ordered(const struct kernel_type *type, const void *from)
{
    int16_t bits16;
    int32_t bits32;
    int64_t bits64;
    switch (type->scalar_bytes) {
    case 2:
        memcpy(&bits16, from, sizeof bits16);
        return bits16 < 0 ? (int64_t)INT16_MIN - bits16 : bits16;
    case 4:
        memcpy(&bits32, from, sizeof bits32);
        return bits32 < 0 ? (int64_t)INT32_MIN - bits32 : bits32;
    default:
        memcpy(&bits64, from, sizeof bits64);
        return bits64 < 0 ? INT64_MIN - bits64 : bits64;
    }
}

static bool is_nan(const struct kernel_component *component, const void *from)
{
    return component->type.kind == KERNEL_REAL && isnan(kernel_load_real(&component->type, from));
}

static void print_number(const struct kernel_type *type, const void *from, char text[64])
{
    if (type->kind == KERNEL_STRUCT)
        snprintf(text, 64, "other bytes");
    else if (type->kind == KERNEL_REAL && isnan(kernel_load_real(type, from)))
        snprintf(text, 64, "nan"); /* without its sign */
    else
        snprintf(text, 64, type->kind == KERNEL_REAL ? "%.9g" : "%.0f",
                 kernel_load_number(type, from));
}

/* ---- element by element ---- */

/* Divides an error by what is allowed. */
static double error_ratio(double error, double allowed)
{
    return error == 0 ? 0 : error / allowed;
}

/* Takes in a number that is not the one expected. */
static void note_difference(const struct comparison *comparison, size_t element, size_t component,
                            const void *actual, const void *expected, struct findings *findings)
{
    const struct kernel_type *type = &comparison->component[component].type;
    const struct kernel_tolerance *tolerance = &comparison->tolerance[component];
    bool is_struct = type->kind == KERNEL_STRUCT;
    double e = is_struct ? NAN : kernel_load_number(type, expected);
    double off = is_struct ? NAN : fabs(kernel_load_number(type, actual) - e);
    double size = fmax(fabs(e), comparison->scale[component]);
    double relative = isfinite(off) ? error_ratio(off, size) : INFINITY;
    double ulp = type->kind == KERNEL_REAL && isfinite(off)
                     ? fabs((double)ordered(type, actual) - (double)ordered(type, expected))
                     : off;
    double ratio = tolerance->exact || !isfinite(off) ? INFINITY
                   : tolerance->is_ulp
                       ? error_ratio(off == 0 ? 0 : ulp, tolerance->ulp)
                       : error_ratio(off, tolerance->absolute + tolerance->relative * size);
    if (relative > findings->relative)
        findings->worst = element;
    findings->ratio = fmax(findings->ratio, ratio);
    findings->relative = fmax(findings->relative, relative);
    findings->absolute = isfinite(off) ? fmax(findings->absolute, off) : INFINITY;
    findings->ulp = isfinite(off) ? fmax(findings->ulp, ulp) : INFINITY;
    if (ratio > 1 && findings->differing++ == 0) {
        findings->first = element;
        findings->first_component = component;
    }
}

/* Elements that a thread takes at a time. */
#define BLOCK ((size_t)8192)

static size_t block_count(size_t elements)
{
    return (elements + BLOCK - 1) / BLOCK;
}

/* Whether a block has the bytes that are expected. Arrays that are expected have no NaN, but a sum
 * may be one. */
static bool is_same(const struct comparison *comparison, size_t block)
{
    size_t bytes = kernel_type_bytes(&comparison->argument->type);
    size_t from = block * BLOCK, count = comparison->expected.count;
    size_t length = count - from < BLOCK ? count - from : BLOCK;
    return count > 1 &&
           memcmp((const char *)comparison->actual.data + from * bytes,
                  (const char *)comparison->expected.data + from * bytes, length * bytes) == 0;
}

static bool are_same(const struct comparison *comparison)
{
    size_t blocks = block_count(comparison->expected.count), others = 0;
#pragma omp parallel for reduction(+ : others)
    for (size_t block = 0; block < blocks; block++)
        others += !is_same(comparison, block);
    return others == 0;
}

static void find_in_block(const struct comparison *comparison, size_t block,
                          struct findings *findings)
{
    size_t count = comparison->expected.count;
    for (size_t i = block * BLOCK; i < count && i < (block + 1) * BLOCK; i++)
        for (size_t c = 0; c < comparison->components; c++) {
            const void *actual = number_at(comparison, &comparison->actual, i, c);
            const void *expected = number_at(comparison, &comparison->expected, i, c);
            if (memcmp(actual, expected, comparison->component[c].type.scalar_bytes) != 0 ||
                is_nan(&comparison->component[c], expected))
                note_difference(comparison, i, c, actual, expected, findings);
        }
}

/* Adds what was found in a block, in whatever order blocks come. */
static void add_findings(const struct findings *block, struct findings *sum)
{
    bool farther = block->relative > sum->relative;
    if (farther || (block->relative == sum->relative && block->worst < sum->worst))
        sum->worst = block->worst;
    if (block->differing && (!sum->differing || block->first < sum->first)) {
        sum->first = block->first;
        sum->first_component = block->first_component;
    }
    sum->differing += block->differing;
    sum->ratio = fmax(sum->ratio, block->ratio);
    sum->relative = fmax(sum->relative, block->relative);
    sum->absolute = fmax(sum->absolute, block->absolute);
    sum->ulp = fmax(sum->ulp, block->ulp);
}

static void find(const struct comparison *comparison, struct findings *findings)
{
    size_t blocks = block_count(comparison->expected.count);
#pragma omp parallel for schedule(dynamic)
    for (size_t block = 0; block < blocks; block++) {
        struct findings found = {0};
        if (is_same(comparison, block))
            continue;
        find_in_block(comparison, block, &found);
#pragma omp critical
        add_findings(&found, findings);
    }
}

/* ---- what is said of it ---- */

/* Names the line of [results] that is about the result, which may not be there. */
static void name_line(const struct kernel_argument *argument, char text[128])
{
    const char *label = strchr(argument->place.section, ' ');
    snprintf(text, 128, "[results%s] %s", label ? label : "", argument->name);
}

/* Asks whether rounding explains the differences, and says what would allow it: where a third of
 * the digits agree, or integers differ by one. "" where it does not. */
static void ask_about_rounding(const struct comparison *comparison, const struct findings *findings,
                               char text[256])
{
    const struct kernel_component *component = &comparison->component[findings->first_component];
    static const double epsilons[] = {[2] = 0x1p-10, [4] = FLT_EPSILON, [8] = DBL_EPSILON};
    bool is_real = component->type.kind == KERNEL_REAL;
    size_t bytes = is_real && comparison->argument->tolerance.how == KERNEL_SUM
                       ? comparison->argument->type.scalar_bytes
                       : component->type.scalar_bytes;
    bool near = is_real ? findings->relative <= cbrt(epsilons[bytes])
                        : component->type.kind != KERNEL_STRUCT && findings->absolute <= 1;
    char line[128], say[64];
    name_line(comparison->argument, line);
    if (!is_real)
        snprintf(say, sizeof say, "absolute 1");
    else if (comparison->tolerance[findings->first_component].is_ulp)
        snprintf(say, sizeof say, "ulp %.0f", findings->ulp);
    else
        snprintf(say, sizeof say, "relative 1e%.0f", ceil(log10(findings->relative)));
    text[0] = '\0';
    if (near)
        snprintf(text, 256, ": differs by rounding? Then say %s = %s", line, say);
}

/* Says by how much numbers are off, in the unit in which they are compared. */
static void measure(const struct comparison *comparison, const struct findings *findings,
                    struct clopt_verdict *verdict, const char **unit)
{
    const struct kernel_tolerance *tolerance = &comparison->tolerance[0];
    bool mixed = comparison->argument->type.kind == KERNEL_STRUCT;
    if (mixed || (tolerance->absolute > 0 && tolerance->relative > 0)) {
        *verdict = (struct clopt_verdict){.error = findings->ratio, .bound = 1};
        *unit = "of what is allowed";
    } else if (tolerance->exact) {
        *verdict = (struct clopt_verdict){.error = (double)findings->differing};
        *unit = "";
    } else if (tolerance->is_ulp) {
        *verdict = (struct clopt_verdict){.error = findings->ulp, .bound = tolerance->ulp};
        *unit = "ulp";
    } else if (tolerance->absolute > 0) {
        *verdict =
            (struct clopt_verdict){.error = findings->absolute, .bound = tolerance->absolute};
        *unit = "absolute";
    } else {
        *verdict =
            (struct clopt_verdict){.error = findings->relative, .bound = tolerance->relative};
        *unit = "relative";
    }
    verdict->right = findings->differing == 0;
    if (verdict->right && verdict->error > verdict->bound)
        verdict->error = verdict->bound; /* by the rounding of one division */
}

static void say_right(const struct comparison *comparison, const char *unit,
                      struct clopt_verdict *verdict)
{
    size_t numbers = comparison->expected.count * comparison->components;
    if (*unit)
        snprintf(verdict->text, sizeof verdict->text,
                 "%s: %zu elements compared, largest error %.2g %s", comparison->argument->name,
                 numbers, verdict->error, unit);
    else
        snprintf(verdict->text, sizeof verdict->text, "%s: %zu elements equal",
                 comparison->argument->name, numbers);
}

static void say_wrong(const struct comparison *comparison, const struct findings *findings,
                      struct clopt_verdict *verdict)
{
    char saw[64], wanted[64], where[48] = "", question[256], most[96] = "";
    size_t c = findings->first_component;
    print_number(&comparison->component[c].type,
                 number_at(comparison, &comparison->actual, findings->first, c), saw);
    print_number(&comparison->component[c].type,
                 number_at(comparison, &comparison->expected, findings->first, c), wanted);
    ask_about_rounding(comparison, findings, question);
    if (comparison->components > 1)
        snprintf(where, sizeof where, ", component %zu", c);
    if (isfinite(findings->relative) && comparison->expected.count > 1)
        snprintf(most, sizeof most, "; by %.2g relative at most, at %zu", findings->relative,
                 findings->worst);
    else if (isfinite(findings->relative))
        snprintf(most, sizeof most, "; by %.2g relative", findings->relative);
    if (comparison->argument->tolerance.how == KERNEL_SUM)
        snprintf(verdict->text, sizeof verdict->text, "%s: the sum differs%s: %s instead of %s%s%s",
                 comparison->argument->name, where, saw, wanted, most, question);
    else
        snprintf(verdict->text, sizeof verdict->text,
                 "%s: %" PRIu64 " of %zu elements differ, first at %zu%s: %s instead of %s%s%s",
                 comparison->argument->name, findings->differing,
                 comparison->expected.count * comparison->components, findings->first, where, saw,
                 wanted, most, question);
}

/* ---- ways to compare ---- */

static void compare_each(struct comparison *comparison, struct clopt_verdict *verdict)
{
    struct findings findings = {0};
    const char *unit;
    find(comparison, &findings);
    measure(comparison, &findings, verdict, &unit);
    if (verdict->right)
        say_right(comparison, unit, verdict);
    else
        say_wrong(comparison, &findings, verdict);
}

static int compare_bytes(const void *a, const void *b, void *bytes)
{
    return memcmp(a, b, *(const size_t *)bytes);
}

/* Copies elements in ascending order; NULL when memory runs out. */
static void *sort(const struct comparison *comparison, const struct kernel_values *values)
{
    struct kernel_type type = comparison->argument->type;
    size_t bytes = kernel_type_bytes(&type);
    void *sorted = malloc(values->count * bytes);
    if (!sorted)
        return NULL;
    memcpy(sorted, values->data, values->count * bytes);
    if (type.width > 1 || type.kind == KERNEL_STRUCT)
        qsort_r(sorted, values->count, bytes, compare_bytes, &bytes);
    else
        qsort_r(sorted, values->count, bytes, kernel_type_compare, &type);
    return sorted;
}

static enum clopt_status compare_sorted(struct comparison *comparison,
                                        struct clopt_verdict *verdict, struct clopt_error *error)
{
    void *actual = sort(comparison, &comparison->actual);
    void *expected = sort(comparison, &comparison->expected);
    comparison->actual.data = actual;
    comparison->expected.data = expected;
    if (actual && expected)
        compare_each(comparison, verdict);
    free(actual);
    free(expected);
    return actual && expected ? CLOPT_OK : clopt_fail_memory(error);
}

/* Adds up a component of all elements; integers modulo 2 to the 64th. */
static void add_up(const struct comparison *comparison, const struct kernel_values *values,
                   size_t component, void *sum, double *magnitude)
{
    const struct kernel_type *type = &comparison->component[component].type;
    long double real = 0, size = 0;
    uint64_t integer = 0;
    for (size_t i = 0; i < values->count; i++) {
        const void *number = number_at(comparison, values, i, component);
        double value = kernel_load_number(type, number);
        real += (long double)value;
        size += (long double)fabs(value);
        if (type->kind != KERNEL_REAL)
            integer += (uint64_t)kernel_load_integer(type, number);
    }
    double rounded = (double)real;
    memcpy(sum, type->kind == KERNEL_REAL ? (void *)&rounded : (void *)&integer, sizeof rounded);
    *magnitude = (double)size;
}

/* Compares sums as arrays of one element. */
static void compare_sums(struct comparison *comparison, struct clopt_verdict *verdict)
{
    uint64_t actual[KERNEL_MOST_COMPONENTS], expected[KERNEL_MOST_COMPONENTS];
    for (size_t c = 0; c < comparison->components; c++) {
        double ignored;
        add_up(comparison, &comparison->actual, c, &actual[c], &ignored);
        add_up(comparison, &comparison->expected, c, &expected[c], &comparison->scale[c]);
    }
    for (size_t c = 0; c < comparison->components; c++) {
        comparison->component[c].type.scalar_bytes = sizeof *actual;
        comparison->component[c].offset = c * sizeof *actual;
    }
    comparison->actual = (struct kernel_values){actual, 1};
    comparison->expected = (struct kernel_values){expected, 1};
    compare_each(comparison, verdict);
}

/* Learns how large the numbers are that are expected. */
static void find_scales(struct comparison *comparison)
{
    for (size_t c = 0; c < comparison->components; c++) {
        const struct kernel_component *component = &comparison->component[c];
        long double sum = 0;
        size_t finite = 0;
        size_t count = component->type.kind == KERNEL_STRUCT ? 0 : comparison->expected.count;
#pragma omp parallel for reduction(+ : sum, finite)
        for (size_t i = 0; i < count; i++) {
            double value = kernel_load_number(&component->type,
                                              number_at(comparison, &comparison->expected, i, c));
            if (!isfinite(value))
                continue;
            sum += (long double)fabs(value);
            finite++;
        }
        comparison->scale[c] = finite ? (double)(sum / finite) : 0;
    }
}

static void begin(struct comparison *comparison, const struct kernel_argument *argument,
                  bool approximate)
{
    *comparison = (struct comparison){.argument = argument,
                                      .components = kernel_type_components(&argument->type)};
    for (size_t c = 0; c < comparison->components; c++) {
        comparison->component[c] = kernel_type_component(&argument->type, c);
        comparison->tolerance[c] =
            kernel_tolerance_of(&argument->tolerance, &comparison->component[c], approximate);
    }
}

enum clopt_status kernel_compare(const struct kernel_argument *argument, bool approximate,
                                 struct kernel_values actual, struct kernel_values expected,
                                 struct clopt_verdict *verdict, struct clopt_error *error)
{
    struct comparison comparison;
    begin(&comparison, argument, approximate);
    comparison.actual = actual;
    comparison.expected = expected;
    if (argument->tolerance.how == KERNEL_SUM) {
        compare_sums(&comparison, verdict);
        return CLOPT_OK;
    }
    if (actual.count != expected.count)
        return kernel_fail(&argument->place, error,
                           "this variant's result has another size; it can be compared as a sum, "
                           "or by a program; scratch is not compared");
    if (!are_same(&comparison))
        find_scales(&comparison);
    if (argument->tolerance.how == KERNEL_SORTED)
        return compare_sorted(&comparison, verdict, error);
    compare_each(&comparison, verdict);
    return CLOPT_OK;
}

enum clopt_status kernel_compare_refuse_nan(const struct kernel_argument *argument,
                                            struct kernel_values values, struct clopt_error *error)
{
    static const uint32_t poison = CLOPT_POISON;
    struct comparison comparison;
    size_t first = SIZE_MAX, count = 0, unwritten = 0;
    if (argument->tolerance.how == KERNEL_BY_PROGRAM)
        return CLOPT_OK; /* it may know better */
    begin(&comparison, argument, false);
#pragma omp parallel for reduction(min : first) reduction(+ : count, unwritten)
    for (size_t i = 0; i < values.count; i++)
        for (size_t c = 0; c < comparison.components; c++) {
            const void *number = number_at(&comparison, &values, i, c);
            if (!is_nan(&comparison.component[c], number))
                continue;
            first = i < first ? i : first;
            count++;
            unwritten += comparison.component[c].type.scalar_bytes >= sizeof poison &&
                         memcmp(number, &poison, sizeof poison) == 0;
        }
    if (!count)
        return CLOPT_OK;
    return clopt_fail(error, CLOPT_WRONG_RESULT,
                      "%s: %zu of %zu elements are NaN, first at %zu, and NaN is never right: %s",
                      argument->name, count, values.count * comparison.components, first,
                      unwritten == count
                          ? "nothing writes them; say inout, with what they hold before, or give "
                            "the buffer the length that is written"
                          : "give its inputs other contents in [arguments] or [study] another "
                            "seed, or leave it out: ignore in [results]");
}
