/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds where results differ from what they must be, element by element. */
#include "findings.h"

#include <float.h>
#include <math.h>

const void *kernel_number_at(const struct comparison *comparison,
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

bool kernel_is_nan(const struct kernel_component *component, const void *from)
{
    return component->type.kind == KERNEL_REAL && isnan(kernel_load_real(&component->type, from));
}

/* ---- element by element ---- */

/* Divides an error by what is allowed. */
static double error_ratio(double error, double allowed)
{
    return error == 0 ? 0 : error / allowed;
}

void kernel_add_findings(const struct findings *more, struct findings *sum)
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
    const void *actual = kernel_number_at(comparison, &comparison->pair.actual, element, component);
    const void *expected =
        kernel_number_at(comparison, &comparison->pair.expected, element, component);
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

size_t kernel_block_count(size_t elements)
{
    return (elements + KERNEL_BLOCK - 1) / KERNEL_BLOCK;
}

size_t kernel_block_length(size_t elements, size_t block)
{
    return elements - block * KERNEL_BLOCK < KERNEL_BLOCK ? elements - block * KERNEL_BLOCK
                                                          : KERNEL_BLOCK;
}

void kernel_load_block(const struct comparison *comparison, const struct kernel_values *values,
                       size_t block, size_t component, double numbers[KERNEL_BLOCK])
{
    kernel_load_numbers(&comparison->component[component].type,
                        kernel_number_at(comparison, values, block * KERNEL_BLOCK, component),
                        kernel_type_bytes(&comparison->pair.argument->type),
                        kernel_block_length(values->count, block), numbers);
}

/* Whether a block has the bytes that are expected. Arrays that are expected have no NaN, but a sum
 * may be one. */
static bool is_same(const struct comparison *comparison, size_t block)
{
    size_t bytes = kernel_type_bytes(&comparison->pair.argument->type);
    size_t from = block * KERNEL_BLOCK, count = comparison->pair.expected.count;
    size_t length = kernel_block_length(count, block);
    return count > 1 &&
           memcmp((const char *)comparison->pair.actual.data + from * bytes,
                  (const char *)comparison->pair.expected.data + from * bytes, length * bytes) == 0;
}

bool kernel_are_same(const struct comparison *comparison)
{
    size_t blocks = kernel_block_count(comparison->pair.expected.count), others = 0;
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
    const void *actual = kernel_number_at(comparison, &comparison->pair.actual, element, component);
    const void *expected =
        kernel_number_at(comparison, &comparison->pair.expected, element, component);
    bool nan = kernel_is_nan(of, expected);
    if (nan && comparison->tolerance[component].nan && kernel_is_nan(of, actual))
        return;
    if (nan || memcmp(actual, expected, of->type.scalar_bytes) != 0) {
        struct findings found = find_difference(comparison, element, component);
        kernel_add_findings(&found, findings);
    }
}

/* Compares a component of a block whose numbers may differ a little, many at a time; those that
 * are not finite one by one. */
static void find_near(const struct comparison *comparison, size_t block, size_t component,
                      struct findings *findings)
{
    double actual[KERNEL_BLOCK], expected[KERNEL_BLOCK], scale = comparison->scale[component];
    const struct kernel_tolerance *tolerance = &comparison->tolerance[component];
    size_t length = kernel_block_length(comparison->pair.expected.count, block);
    struct findings found = {.first_component = component, .worst = SIZE_MAX};
    kernel_load_block(comparison, &comparison->pair.actual, block, component, actual);
    kernel_load_block(comparison, &comparison->pair.expected, block, component, expected);
    for (size_t i = 0; i < length; i++) {
        double off = fabs(actual[i] - expected[i]), magnitude = fabs(expected[i]);
        double size = magnitude > scale ? magnitude : scale;
        double allowed = tolerance->absolute + tolerance->relative * size;
        if (off == 0)
            continue;
        if (!isfinite(off)) {
            find_at(comparison, block * KERNEL_BLOCK + i, component, findings);
            continue;
        }
        if (off / size > found.relative) {
            found.relative = off / size;
            found.worst = block * KERNEL_BLOCK + i;
        }
        found.absolute = off > found.absolute ? off : found.absolute;
        found.ratio = off / allowed > found.ratio ? off / allowed : found.ratio;
        if (off / allowed > 1 && found.differing++ == 0)
            found.first = block * KERNEL_BLOCK + i;
    }
    kernel_add_findings(&found, findings);
}

static void find_in_block(const struct comparison *comparison, size_t block,
                          struct findings *findings)
{
    size_t from = block * KERNEL_BLOCK,
           length = kernel_block_length(comparison->pair.expected.count, block);
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

void kernel_find_differences(const struct comparison *comparison, struct findings *findings)
{
    size_t blocks = kernel_block_count(comparison->pair.expected.count);
#pragma omp parallel for schedule(dynamic)
    for (size_t block = 0; block < blocks; block++) {
        struct findings found = {0};
        if (is_same(comparison, block))
            continue;
        find_in_block(comparison, block, &found);
#pragma omp critical
        kernel_add_findings(&found, findings);
    }
    size_t bytes = comparison->component[findings->first_component].type.scalar_bytes;
    if (findings->differing && bytes <= sizeof findings->wrong)
        memcpy(findings->wrong,
               kernel_number_at(comparison, &comparison->pair.actual, findings->first,
                                findings->first_component),
               bytes);
}
