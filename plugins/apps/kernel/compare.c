/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares results with what they must be. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* qsort_r() */
#endif
#include <float.h>
#include <math.h>

#include "findings.h"

/* ---- what is said of it ---- */

static void put_number(const struct kernel_type *type, const void *from, struct clopt_text *text)
{
    double number = type->kind == KERNEL_STRUCT ? 0 : kernel_load_number(type, from);
    if (type->kind == KERNEL_STRUCT)
        clopt_text_append(text, "other bytes");
    else if (isnan(number))
        clopt_text_append(text, "nan"); /* without its sign */
    else
        clopt_text_printf(text, type->kind == KERNEL_REAL ? "%.9g" : "%.0f", number);
}

/* Asks whether rounding explains the differences, and says what would allow it: where a third of
 * the digits agree, or integers differ by one. */
static void ask_about_rounding(const struct comparison *comparison, const struct findings *findings,
                               struct clopt_text *text)
{
    static const double epsilons[] = {[2] = 0x1p-10, [4] = FLT_EPSILON, [8] = DBL_EPSILON};
    const struct kernel_argument *argument = comparison->pair.argument;
    const struct kernel_type *type = &comparison->component[findings->first_component].type;
    const char *label = strchr(argument->position.section, ' ');
    bool is_real = type->kind == KERNEL_REAL;
    size_t bytes = is_real && argument->tolerance.how == KERNEL_SUM ? argument->type.scalar_bytes
                                                                    : type->scalar_bytes;
    bool near = is_real ? findings->relative <= cbrt(epsilons[bytes])
                        : type->kind != KERNEL_STRUCT && findings->absolute <= 1;
    if (!near)
        return;
    clopt_text_printf(text, ": differs by rounding? Then say [results%s] %s = ", label ? label : "",
                      argument->name);
    if (!is_real)
        clopt_text_append(text, "absolute 1");
    else if (comparison->tolerance[findings->first_component].is_ulp)
        clopt_text_printf(text, "ulp %.0f", findings->ulp);
    else
        clopt_text_printf(text, "relative 1e%.0f", ceil(log10(findings->relative)));
}

/* Says by how much numbers are off, in the unit in which they are compared, which is returned. */
static const char *measure(const struct comparison *comparison, const struct findings *findings,
                           struct clopt_verdict *verdict)
{
    const struct kernel_tolerance *tolerance = &comparison->tolerance[0];
    bool mixed = comparison->pair.argument->type.kind == KERNEL_STRUCT ||
                 (tolerance->absolute > 0 && tolerance->relative > 0);
    bool exact = tolerance->exact, absolute = tolerance->absolute > 0;
    const struct {
        bool applies;
        double error, bound;
        const char *unit;
    } units[] = {
        {mixed, findings->ratio, 1, "of what is allowed"},
        {exact, (double)findings->differing, 0, ""},
        {tolerance->is_ulp, findings->ulp, tolerance->ulp, "ulp"},
        {absolute, findings->absolute, tolerance->absolute, "absolute"},
        {true, findings->relative, tolerance->relative, "relative"},
    };
    size_t i = 0;
    while (!units[i].applies)
        i++;
    bool right = findings->differing == 0;
    *verdict =
        (struct clopt_verdict){.right = right, .error = units[i].error, .bound = units[i].bound};
    if (right && verdict->error > verdict->bound)
        verdict->error = verdict->bound; /* by the rounding of one division */
    return units[i].unit;
}

static void say_wrong(const struct comparison *comparison, const struct findings *findings,
                      struct clopt_text *text)
{
    size_t elements = comparison->pair.expected.count;
    const struct kernel_type *type = &comparison->component[findings->first_component].type;
    if (comparison->pair.argument->tolerance.how == KERNEL_SUM)
        clopt_text_append(text, "the sum differs");
    else
        clopt_text_printf(text, "%" PRIu64 " of %zu elements differ, first at %zu",
                          findings->differing, elements * comparison->components, findings->first);
    if (comparison->components > 1)
        clopt_text_printf(text, ", component %zu", findings->first_component);
    clopt_text_append(text, ": ");
    put_number(type, findings->wrong, text);
    clopt_text_append(text, " instead of ");
    put_number(type,
               kernel_number_at(comparison, &comparison->pair.expected, findings->first,
                                findings->first_component),
               text);
    if (isfinite(findings->relative))
        clopt_text_printf(text, "; by %.2g relative", findings->relative);
    if (isfinite(findings->relative) && elements > 1)
        clopt_text_printf(text, " at most, at %zu", findings->worst);
    ask_about_rounding(comparison, findings, text);
}

/* ---- ways to compare ---- */

/* Says what was found, element by element. */
static void judge(const struct comparison *comparison, const struct findings *findings,
                  struct clopt_verdict *verdict)
{
    size_t numbers = comparison->pair.expected.count * comparison->components;
    const char *unit = measure(comparison, findings, verdict);
    CLOPT_OWNED(clopt_text) text = {0};
    const char *plural = numbers == 1 ? "" : "s";
    clopt_text_printf(&text, "%s: ", comparison->pair.argument->name);
    if (!verdict->right)
        say_wrong(comparison, findings, &text);
    else if (*unit)
        clopt_text_printf(&text, "%zu element%s compared, largest error %.2g %s", numbers, plural,
                          verdict->error, unit);
    else
        clopt_text_printf(&text, "%zu element%s equal", numbers, plural);
    snprintf(verdict->text, sizeof verdict->text, "%s", text.data);
}

static void compare_each(const struct comparison *comparison, struct clopt_verdict *verdict)
{
    struct findings findings = {0};
    kernel_find_differences(comparison, &findings);
    judge(comparison, &findings, verdict);
}

static int compare_bytes(const void *a, const void *b, void *bytes)
{
    return memcmp(a, b, *(const size_t *)bytes);
}

/* Copies elements in ascending order; NULL when memory runs out. */
static void *sort(const struct comparison *comparison, const struct kernel_values *values)
{
    struct kernel_type type = comparison->pair.argument->type;
    size_t bytes = kernel_type_bytes(&type);
    void *sorted = malloc(values->count * bytes);
    if (!sorted)
        return NULL;
    memcpy(sorted, values->data, values->count * bytes);
    if (type.width > 1 || type.kind == KERNEL_STRUCT)
        qsort_r(sorted, values->count, bytes, compare_bytes, &bytes);
    else
        kernel_type_sort(&type, sorted, values->count);
    return sorted;
}

static void compare_sorted(struct comparison *comparison, struct clopt_verdict *verdict,
                           struct clopt_error *error)
{
    CLOPT_FREED void *actual = NULL, *expected = NULL;
#pragma omp parallel sections
    {
        actual = sort(comparison, &comparison->pair.actual);
#pragma omp section
        expected = sort(comparison, &comparison->pair.expected);
    }
    comparison->pair.actual.data = actual;
    comparison->pair.expected.data = expected;
    if (actual && expected)
        compare_each(comparison, verdict);
    else
        clopt_fail_memory(error);
}

/* Adds up a component of all elements; integers modulo 2 to the 64th. */
static void add_up(const struct comparison *comparison, const struct kernel_values *values,
                   size_t component, void *sum, double *magnitude)
{
    const struct kernel_type *type = &comparison->component[component].type;
    long double real = 0, size = 0;
    uint64_t integer = 0;
    for (size_t i = 0; i < values->count; i++) {
        const void *number = kernel_number_at(comparison, values, i, component);
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
        add_up(comparison, &comparison->pair.actual, c, &actual[c], &ignored);
        add_up(comparison, &comparison->pair.expected, c, &expected[c], &comparison->scale[c]);
    }
    for (size_t c = 0; c < comparison->components; c++) {
        struct kernel_type *type = &comparison->component[c].type;
        type->scalar_bytes = sizeof *actual; /* whatever was added up */
        type->scalar = type->kind == KERNEL_REAL     ? CLOPT_SCALAR_DOUBLE
                       : type->kind == KERNEL_SIGNED ? CLOPT_SCALAR_LONG
                                                     : CLOPT_SCALAR_ULONG;
        comparison->component[c].offset = c * sizeof *actual;
    }
    comparison->pair.actual = (struct kernel_values){actual, 1};
    comparison->pair.expected = (struct kernel_values){expected, 1};
    compare_each(comparison, verdict);
}

/* Adds up the magnitudes of a component in a block, as far as they are finite. */
static double add_magnitudes(const struct comparison *comparison, size_t block, size_t component,
                             size_t *finite)
{
    double numbers[KERNEL_BLOCK], sum = 0;
    size_t length = kernel_block_length(comparison->pair.expected.count, block);
    kernel_load_block(comparison, &comparison->pair.expected, block, component, numbers);
    for (size_t i = 0; i < length; i++) {
        bool counts = isfinite(numbers[i]);
        sum += counts ? fabs(numbers[i]) : 0;
        *finite += counts;
    }
    return sum;
}

/* Learns how large the numbers are that are expected. */
static void find_scales(struct comparison *comparison)
{
    for (size_t c = 0; c < comparison->components; c++) {
        bool is_struct = comparison->component[c].type.kind == KERNEL_STRUCT;
        long double sum = 0;
        size_t finite = 0,
               blocks = kernel_block_count(is_struct ? 0 : comparison->pair.expected.count);
#pragma omp parallel for reduction(+ : sum, finite)
        for (size_t block = 0; block < blocks; block++)
            sum += (long double)add_magnitudes(comparison, block, c, &finite);
        comparison->scale[c] = finite ? (double)(sum / finite) : 0;
    }
}

static void begin(struct comparison *comparison, const struct kernel_pair *pair)
{
    *comparison = (struct comparison){.pair = *pair,
                                      .components = kernel_type_components(&pair->argument->type)};
    for (size_t c = 0; c < comparison->components; c++) {
        comparison->component[c] = kernel_type_component(&pair->argument->type, c);
        comparison->tolerance[c] = kernel_tolerance_of(
            &pair->argument->tolerance, &comparison->component[c], pair->approximate);
    }
}

void kernel_compare(const struct kernel_pair *pair, struct clopt_verdict *verdict,
                    struct clopt_error *error)
{
    enum kernel_comparison how = pair->argument->tolerance.how;
    struct comparison comparison;
    begin(&comparison, pair);
    if (how == KERNEL_SUM) {
        compare_sums(&comparison, verdict);
        return;
    }
    if (pair->actual.count != pair->expected.count) {
        kernel_fail(&pair->argument->position, error,
                    "this variant's result has another size; it can be compared as a sum, or by a "
                    "program; scratch is not compared");
        return;
    }
    if (!kernel_are_same(&comparison))
        find_scales(&comparison);
    if (how == KERNEL_SORTED)
        compare_sorted(&comparison, verdict, error);
    else
        compare_each(&comparison, verdict);
}

enum clopt_status kernel_compare_rows(const struct kernel_pair *pair, struct clopt_rows *rows,
                                      struct clopt_verdict *verdict)
{
    struct comparison all, band;
    struct findings findings = {0};
    bool differ = false;
    begin(&all, pair);
    for (size_t from = 0; from < rows->count && clopt_rows_find(rows, from); from += rows->read) {
        struct findings found = {0};
        band = all;
        band.pair.actual = (struct kernel_values){rows->data, rows->read};
        band.pair.expected = (struct kernel_values){
            (const char *)pair->expected.data + from * rows->row_bytes, rows->read};
        if (kernel_are_same(&band))
            continue;
        if (!differ)
            find_scales(&all);
        differ = true;
        memcpy(band.scale, all.scale, sizeof band.scale);
        kernel_find_differences(&band, &found);
        found.first += from;
        found.worst += from;
        kernel_add_findings(&found, &findings);
    }
    judge(&all, &findings, verdict);
    return clopt_rows_end(rows);
}

/* Whether some numbers of a block are NaN. */
static bool has_nan(const struct comparison *comparison, const struct kernel_values *values,
                    size_t block)
{
    double numbers[KERNEL_BLOCK];
    bool found = false;
    size_t length = kernel_block_length(values->count, block);
    for (size_t c = 0; c < comparison->components && !found; c++) {
        if (comparison->component[c].type.kind != KERNEL_REAL)
            continue;
        kernel_load_block(comparison, values, block, c, numbers);
        for (size_t i = 0; i < length; i++)
            found |= isnan(numbers[i]) != 0;
    }
    return found;
}

/* What there is of NaN among values. */
struct nans {
    size_t first;
    size_t count;
    size_t unwritten; /* they are what buffers hold before a run */
};

static void find_nans(const struct comparison *comparison, const struct kernel_values *values,
                      size_t block, struct nans *nans)
{
    static const uint32_t poison = CLOPT_POISON;
    size_t from = block * KERNEL_BLOCK, length = kernel_block_length(values->count, block);
    for (size_t i = from; i < from + length; i++)
        for (size_t c = 0; c < comparison->components; c++) {
            const void *number = kernel_number_at(comparison, values, i, c);
            if (!kernel_is_nan(&comparison->component[c], number))
                continue;
            nans->first = i < nans->first ? i : nans->first;
            nans->count++;
            nans->unwritten += comparison->component[c].type.scalar_bytes >= sizeof poison &&
                               memcmp(number, &poison, sizeof poison) == 0;
        }
}

void kernel_compare_refuse_nan(const struct kernel_argument *argument, struct kernel_values values,
                               struct clopt_error *error)
{
    struct comparison comparison;
    struct nans nans = {.first = SIZE_MAX};
    if (argument->tolerance.how == KERNEL_BY_PROGRAM || argument->tolerance.nan || error->status)
        return; /* it may know better */
    begin(&comparison, &(struct kernel_pair){.argument = argument});
    size_t blocks = kernel_block_count(values.count);
#pragma omp parallel for
    for (size_t block = 0; block < blocks; block++)
        if (has_nan(&comparison, &values, block))
#pragma omp critical
            find_nans(&comparison, &values, block, &nans);
    if (nans.count)
        clopt_fail(
            error, CLOPT_WRONG_RESULT,
            "%s: %zu of %zu elements are NaN, first at %zu, and NaN is never right: %s",
            argument->name, nans.count, values.count * comparison.components, nans.first,
            nans.unwritten == nans.count
                ? "if nothing writes them, say inout, with what they hold before, or give "
                  "the buffer the length that is written"
                : "if its inputs are whole and right, give them other contents in [arguments] "
                  "or [study] another seed, or leave it out: ignore in [results]");
}
