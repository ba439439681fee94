/* SPDX-License-Identifier: BSD-3-Clause */
/* How a result is compared with what it must be. */
#include "tolerance.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct kernel_tolerance kernel_tolerance_usual(const struct kernel_type *type)
{
    return type->kind == KERNEL_REAL ? (struct kernel_tolerance){.relative = 1e-5}
                                     : (struct kernel_tolerance){.exact = true};
}

/* ---- reading ---- */

/* Reads the number behind a word. */
static enum clopt_status read_number(struct kernel_scan *scan, const char *word, double *number,
                                     struct clopt_error *error)
{
    char *end;
    const char *text = kernel_scan_rest(scan);
    *number = strtod(text, &end);
    if (end == text || !(*number >= 0) || !isfinite(*number))
        return kernel_scan_fail(scan, error, "%s needs a number that is not negative", word);
    scan->at = end;
    return CLOPT_OK;
}

static enum clopt_status read_file(struct kernel_scan *scan, struct kernel_tolerance *tolerance,
                                   struct clopt_error *error)
{
    enum clopt_status status = kernel_scan_bracket(scan, '(', &tolerance->file, error);
    if (!status && !tolerance->file)
        status = kernel_scan_fail(scan, error, "expected file(PATH)");
    return status;
}

static enum clopt_status read_word(struct kernel_scan *scan, const char *word,
                                   struct kernel_tolerance *tolerance, struct clopt_error *error)
{
    if (strcmp(word, "exact") == 0)
        tolerance->exact = true;
    else if (strcmp(word, "ignore") == 0)
        tolerance->ignore = true;
    else if (strcmp(word, "absolute") == 0)
        return read_number(scan, word, &tolerance->absolute, error);
    else if (strcmp(word, "relative") == 0)
        return read_number(scan, word, &tolerance->relative, error);
    else if (strcmp(word, "ulp") == 0) {
        tolerance->is_ulp = true;
        return read_number(scan, word, &tolerance->ulp, error);
    } else if (strcmp(word, "file") == 0)
        return read_file(scan, tolerance, error);
    else {
        scan->at -= strlen(word);
        return kernel_scan_fail(scan, error,
                                "expected exact, absolute X, relative X, ulp N, ignore or "
                                "file(PATH)");
    }
    return CLOPT_OK;
}

/* Checks that what was said goes together; `words` is a mask of what kinds there were. */
static enum clopt_status check(const struct kernel_scan *scan, const struct kernel_type *type,
                               const struct kernel_tolerance *tolerance, bool bounded,
                               struct clopt_error *error)
{
    int kinds = tolerance->exact + tolerance->ignore + tolerance->is_ulp + bounded;
    if (kinds > 1 || (tolerance->ignore && tolerance->file))
        return kernel_scan_fail(scan, error, "only absolute and relative go together");
    if ((bounded || tolerance->is_ulp) && type->kind == KERNEL_STRUCT)
        return kernel_scan_fail(scan, error, "structures are compared exact");
    if (tolerance->is_ulp && type->kind != KERNEL_REAL)
        return kernel_scan_fail(scan, error, "ulp is for real numbers");
    return CLOPT_OK;
}

enum clopt_status kernel_tolerance_read(const struct kernel_place *place,
                                        const struct kernel_type *type,
                                        struct kernel_tolerance *tolerance,
                                        struct clopt_error *error)
{
    struct kernel_scan scan = kernel_scan_begin(place);
    *tolerance = (struct kernel_tolerance){0};
    enum clopt_status status = CLOPT_OK;
    bool bounded = false;
    while (!status && *kernel_scan_rest(&scan)) {
        char word[KERNEL_WORD] = "";
        kernel_scan_word(&scan, word);
        status = read_word(&scan, word, tolerance, error);
        bounded |= strcmp(word, "absolute") == 0 || strcmp(word, "relative") == 0;
        scan.at += *kernel_scan_rest(&scan) == ',';
    }
    if (!status)
        status = check(&scan, type, tolerance, bounded, error);
    if (!status && !bounded && !tolerance->exact && !tolerance->ignore && !tolerance->is_ulp) {
        struct kernel_tolerance usual = kernel_tolerance_usual(type);
        usual.file = tolerance->file;
        *tolerance = usual;
    }
    if (status)
        kernel_tolerance_fini(tolerance);
    return status;
}

void kernel_tolerance_fini(struct kernel_tolerance *tolerance)
{
    free(tolerance->file);
    tolerance->file = NULL;
}

/* ---- comparing ---- */

/* What a comparison has found. */
struct findings {
    uint64_t differing;
    size_t first; /* scalar that is wrong */
    double worst; /* error, as a multiple of what is allowed */
};

/* Maps the bits of a real number to integers that are ordered as the numbers are. */
static int64_t ordered(const struct kernel_type *type, const unsigned char *from)
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

/* Loads an integer as a real number; where 53 bits do not hold it, it is near enough for a
 * tolerance. */
static double load(const struct kernel_type *type, const unsigned char *from)
{
    uint64_t bits = 0;
    if (type->kind == KERNEL_REAL)
        return kernel_load_real(type, from);
    memcpy(&bits, from, type->scalar_bytes); /* little-endian hosts only, as OpenCL's are */
    unsigned unused = 64 - 8 * (unsigned)type->scalar_bytes;
    if (type->kind == KERNEL_UNSIGNED)
        return (double)bits;
    return (double)((int64_t)(bits << unused) >> unused);
}

/* How far one scalar is off, as a multiple of what is allowed. */
static double judge_scalar(const struct kernel_type *type, const struct kernel_tolerance *tolerance,
                           const unsigned char *actual, const unsigned char *expected)
{
    if (memcmp(actual, expected, type->scalar_bytes) == 0 &&
        !(type->kind == KERNEL_REAL && isnan(kernel_load_real(type, actual))))
        return 0;
    if (tolerance->exact)
        return INFINITY;
    double a = load(type, actual);
    double e = load(type, expected);
    if (a == e)
        return 0;
    if (isnan(a) || isnan(e) || isinf(a) || isinf(e))
        return INFINITY;
    double off = tolerance->is_ulp
                     ? fabs((double)ordered(type, actual) - (double)ordered(type, expected))
                     : fabs(a - e);
    double allowed =
        tolerance->is_ulp ? tolerance->ulp : tolerance->absolute + tolerance->relative * fabs(e);
    return off == 0 ? 0 : off / allowed;
}

static void find(const struct kernel_type *type, const struct kernel_tolerance *tolerance,
                 const unsigned char *actual, const unsigned char *expected, size_t count,
                 struct findings *findings)
{
    size_t stride = kernel_type_bytes(type);
    for (size_t i = 0; i < count; i++)
        for (unsigned lane = 0; lane < type->width; lane++) {
            size_t at = i * stride + lane * type->scalar_bytes;
            double error = judge_scalar(type, tolerance, actual + at, expected + at);
            if (error > findings->worst)
                findings->worst = error;
            if (error > 1 && findings->differing++ == 0)
                findings->first = i * type->width + lane;
        }
}

static void print_scalar(const struct kernel_type *type, const unsigned char *from, char text[64])
{
    if (type->kind == KERNEL_STRUCT)
        snprintf(text, 64, "other bytes");
    else if (type->kind == KERNEL_REAL)
        snprintf(text, 64, "%.17g", kernel_load_real(type, from));
    else
        snprintf(text, 64, "%.0f", load(type, from));
}

void kernel_compare(const char *name, const struct kernel_type *type,
                    const struct kernel_tolerance *tolerance, const void *actual,
                    const void *expected, size_t count, struct clopt_verdict *verdict)
{
    struct findings findings = {0};
    size_t scalars = count * type->width;
    find(type, tolerance, actual, expected, count, &findings);
    verdict->error = tolerance->exact ? (double)findings.differing : findings.worst;
    verdict->bound = tolerance->exact ? 0 : 1;
    verdict->right = findings.differing == 0;
    if (verdict->right) {
        snprintf(verdict->text, sizeof verdict->text, "%s: %zu elements %s", name, scalars,
                 tolerance->exact ? "equal" : "compared, error as a part of what is allowed");
        return;
    }
    char saw[64];
    char wanted[64];
    size_t at = findings.first / type->width * kernel_type_bytes(type) +
                findings.first % type->width * type->scalar_bytes;
    print_scalar(type, (const unsigned char *)actual + at, saw);
    print_scalar(type, (const unsigned char *)expected + at, wanted);
    snprintf(verdict->text, sizeof verdict->text,
             "%s: %" PRIu64 " of %zu elements differ, first at %zu: %s instead of %s", name,
             findings.differing, scalars, findings.first, saw, wanted);
}
