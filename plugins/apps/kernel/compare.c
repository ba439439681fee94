/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares results with what they must be. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* qsort_r() */
#endif
#include "compare.h"

#include <float.h>
#include <math.h>

/* One comparison. */
struct comparison {
    struct kernel_pair pair;
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
    unsigned char wrong[8]; /* the number that is, of what has no more bytes */
};

static const void *number_at(const struct comparison *comparison,
                             const struct kernel_values *values, size_t element, size_t component)
{
    return (const char *)values->data +
           element * kernel_type_bytes(&comparison->pair.argument->type) +
           comparison->component[component].offset;
}

/* ---- numbers ---- */

/* Maps the bits of a real number to integers that are ordered as the numbers are. */
static int64_t ordered(const struct kernel_type *type, const void *from)
{
    struct kernel_type bits = {.kind = KERNEL_SIGNED, .scalar_bytes = type->scalar_bytes};
    int64_t least, most, value = kernel_load_integer(&bits, from);
    kernel_type_range(&bits, &least, &most);
    return value < 0 ? least - value : value;
}

static bool is_nan(const struct kernel_component *component, const void *from)
{
    return component->type.kind == KERNEL_REAL && isnan(kernel_load_real(&component->type, from));
}

/* ---- element by element ---- */

/* Divides an error by what is allowed. */
static double error_ratio(double error, double allowed)
{
    return error == 0 ? 0 : error / allowed;
}

/* Adds what was found elsewhere, in whatever order that is. */
static void add_findings(const struct findings *more, struct findings *sum)
{
    bool farther = more->relative > sum->relative;
    if (farther || (more->relative == sum->relative && more->worst < sum->worst))
        sum->worst = more->worst;
    if (more->differing && (!sum->differing || more->first < sum->first)) {
        sum->first = more->first;
        sum->first_component = more->first_component;
        memcpy(sum->wrong, more->wrong, sizeof sum->wrong);
    }
    sum->differing += more->differing;
    sum->ratio = fmax(sum->ratio, more->ratio);
    sum->relative = fmax(sum->relative, more->relative);
    sum->absolute = fmax(sum->absolute, more->absolute);
    sum->ulp = fmax(sum->ulp, more->ulp);
}

/* What there is to say of a number that is not the one expected. */
static struct findings find_difference(const struct comparison *comparison, size_t element,
                                       size_t component)
{
    const struct kernel_type *type = &comparison->component[component].type;
    const struct kernel_tolerance *tolerance = &comparison->tolerance[component];
    const void *actual = number_at(comparison, &comparison->pair.actual, element, component);
    const void *expected = number_at(comparison, &comparison->pair.expected, element, component);
    bool is_struct = type->kind == KERNEL_STRUCT;
    double e = is_struct ? NAN : kernel_load_number(type, expected);
    double off = is_struct ? NAN : fabs(kernel_load_number(type, actual) - e);
    double size = fmax(fabs(e), comparison->scale[component]);
    struct findings found = {.first = element,
                             .first_component = component,
                             .worst = element,
                             .ratio = INFINITY,
                             .relative = INFINITY,
                             .absolute = INFINITY,
                             .ulp = INFINITY};
    if (isfinite(off)) {
        found.relative = error_ratio(off, size);
        found.absolute = off;
        found.ulp = type->kind == KERNEL_REAL
                        ? fabs((double)ordered(type, actual) - (double)ordered(type, expected))
                        : off;
        found.ratio = tolerance->exact ? INFINITY
                      : tolerance->is_ulp
                          ? error_ratio(off == 0 ? 0 : found.ulp, tolerance->ulp)
                          : error_ratio(off, tolerance->absolute + tolerance->relative * size);
    }
    found.differing = found.ratio > 1;
    return found;
}

/* Elements that a thread takes at a time. */
#define BLOCK ((size_t)2048)

static size_t block_count(size_t elements)
{
    return (elements + BLOCK - 1) / BLOCK;
}

/* How many of so many elements are in a block. */
static size_t block_length(size_t elements, size_t block)
{
    return elements - block * BLOCK < BLOCK ? elements - block * BLOCK : BLOCK;
}

/* Loads a component of the elements of a block. */
static void load_block(const struct comparison *comparison, const struct kernel_values *values,
                       size_t block, size_t component, double numbers[BLOCK])
{
    kernel_load_numbers(&comparison->component[component].type,
                        number_at(comparison, values, block * BLOCK, component),
                        kernel_type_bytes(&comparison->pair.argument->type),
                        block_length(values->count, block), numbers);
}

/* Whether a block has the bytes that are expected. Arrays that are expected have no NaN, but a sum
 * may be one. */
static bool is_same(const struct comparison *comparison, size_t block)
{
    size_t bytes = kernel_type_bytes(&comparison->pair.argument->type);
    size_t from = block * BLOCK, count = comparison->pair.expected.count;
    size_t length = block_length(count, block);
    return count > 1 &&
           memcmp((const char *)comparison->pair.actual.data + from * bytes,
                  (const char *)comparison->pair.expected.data + from * bytes, length * bytes) == 0;
}

static bool are_same(const struct comparison *comparison)
{
    size_t blocks = block_count(comparison->pair.expected.count), others = 0;
#pragma omp parallel for reduction(+ : others)
    for (size_t block = 0; block < blocks; block++)
        others += !is_same(comparison, block);
    return others == 0;
}

/* Compares a component of an element, whatever it is. */
static void find_at(const struct comparison *comparison, size_t element, size_t component,
                    struct findings *findings)
{
    const struct kernel_component *of = &comparison->component[component];
    const void *actual = number_at(comparison, &comparison->pair.actual, element, component);
    const void *expected = number_at(comparison, &comparison->pair.expected, element, component);
    bool nan = is_nan(of, expected);
    if (nan && comparison->tolerance[component].nan && is_nan(of, actual))
        return;
    if (nan || memcmp(actual, expected, of->type.scalar_bytes) != 0) {
        struct findings found = find_difference(comparison, element, component);
        add_findings(&found, findings);
    }
}

/* Compares a component of a block whose numbers may differ a little, many at a time; those that
 * are not finite one by one. */
static void find_near(const struct comparison *comparison, size_t block, size_t component,
                      struct findings *findings)
{
    double actual[BLOCK], expected[BLOCK], scale = comparison->scale[component];
    const struct kernel_tolerance *tolerance = &comparison->tolerance[component];
    size_t length = block_length(comparison->pair.expected.count, block);
    struct findings found = {.first_component = component, .worst = SIZE_MAX};
    load_block(comparison, &comparison->pair.actual, block, component, actual);
    load_block(comparison, &comparison->pair.expected, block, component, expected);
    for (size_t i = 0; i < length; i++) {
        double off = fabs(actual[i] - expected[i]), magnitude = fabs(expected[i]);
        double size = magnitude > scale ? magnitude : scale;
        double allowed = tolerance->absolute + tolerance->relative * size;
        if (off == 0)
            continue;
        if (!isfinite(off)) {
            find_at(comparison, block * BLOCK + i, component, findings);
            continue;
        }
        if (off / size > found.relative) {
            found.relative = off / size;
            found.worst = block * BLOCK + i;
        }
        found.absolute = off > found.absolute ? off : found.absolute;
        found.ratio = off / allowed > found.ratio ? off / allowed : found.ratio;
        if (off / allowed > 1 && found.differing++ == 0)
            found.first = block * BLOCK + i;
    }
    add_findings(&found, findings);
}

static void find_in_block(const struct comparison *comparison, size_t block,
                          struct findings *findings)
{
    size_t from = block * BLOCK, length = block_length(comparison->pair.expected.count, block);
    for (size_t c = 0; c < comparison->components; c++) {
        const struct kernel_tolerance *tolerance = &comparison->tolerance[c];
        bool near = comparison->component[c].type.kind != KERNEL_STRUCT && !tolerance->exact &&
                    !tolerance->is_ulp;
        if (near)
            find_near(comparison, block, c, findings);
        for (size_t i = 0; i < length && !near; i++)
            find_at(comparison, from + i, c, findings);
    }
}

static void find(const struct comparison *comparison, struct findings *findings)
{
    size_t blocks = block_count(comparison->pair.expected.count);
#pragma omp parallel for schedule(dynamic)
    for (size_t block = 0; block < blocks; block++) {
        struct findings found = {0};
        if (is_same(comparison, block))
            continue;
        find_in_block(comparison, block, &found);
#pragma omp critical
        add_findings(&found, findings);
    }
    size_t bytes = comparison->component[findings->first_component].type.scalar_bytes;
    if (findings->differing && bytes <= sizeof findings->wrong)
        memcpy(findings->wrong,
               number_at(comparison, &comparison->pair.actual, findings->first,
                         findings->first_component),
               bytes);
}

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
               number_at(comparison, &comparison->pair.expected, findings->first,
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
    find(comparison, &findings);
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
    double numbers[BLOCK], sum = 0;
    size_t length = block_length(comparison->pair.expected.count, block);
    load_block(comparison, &comparison->pair.expected, block, component, numbers);
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
        size_t finite = 0, blocks = block_count(is_struct ? 0 : comparison->pair.expected.count);
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
    if (!are_same(&comparison))
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
        if (are_same(&band))
            continue;
        if (!differ)
            find_scales(&all);
        differ = true;
        memcpy(band.scale, all.scale, sizeof band.scale);
        find(&band, &found);
        found.first += from;
        found.worst += from;
        add_findings(&found, &findings);
    }
    judge(&all, &findings, verdict);
    return clopt_rows_end(rows);
}

/* Whether some numbers of a block are NaN. */
static bool has_nan(const struct comparison *comparison, const struct kernel_values *values,
                    size_t block)
{
    double numbers[BLOCK];
    bool found = false;
    size_t length = block_length(values->count, block);
    for (size_t c = 0; c < comparison->components && !found; c++) {
        if (comparison->component[c].type.kind != KERNEL_REAL)
            continue;
        load_block(comparison, values, block, c, numbers);
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
    size_t from = block * BLOCK, length = block_length(values->count, block);
    for (size_t i = from; i < from + length; i++)
        for (size_t c = 0; c < comparison->components; c++) {
            const void *number = number_at(comparison, values, i, c);
            if (!is_nan(&comparison->component[c], number))
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
    size_t blocks = block_count(values.count);
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
