/* SPDX-License-Identifier: BSD-3-Clause */
/* What [results] says: how a result is compared with what it must be. */
#include "tolerance.h"

#include <math.h>

/* Sums in another order differ by more than one rounding; half, float and double have about 3, 7
 * and 16 digits. What native_ and half_ functions compute may be off by 8192 ulp of a float. */
static double usual_relative(size_t scalar_bytes, bool approximate)
{
    double relative = scalar_bytes == 2 ? 1e-2 : scalar_bytes == 4 ? 1e-4 : 1e-10;
    return approximate && relative < 1e-2 ? 1e-2 : relative;
}

struct kernel_tolerance kernel_tolerance_of(const struct kernel_tolerance *tolerance,
                                            const struct kernel_component *component,
                                            bool approximate)
{
    struct kernel_tolerance resolved = *tolerance;
    bool real = component->type.kind == KERNEL_REAL;
    if (!real && (tolerance->usual || component->is_member))
        resolved.exact = true;
    else if (tolerance->usual)
        resolved.relative = usual_relative(component->type.scalar_bytes, approximate);
    return resolved;
}

/* ---- reading ---- */

enum word { EXACT, ABSOLUTE, RELATIVE, ULP, NOT_A_NUMBER, EXPECTED, COMPARISON };

/* What a line may say, and the number that follows. */
static const struct {
    const char *name;
    enum word word;
    enum kernel_comparison how;
    size_t number; /* where it goes, in the tolerance */
} words[] = {
    {"exact", EXACT, 0, 0},
    {"absolute", ABSOLUTE, 0, offsetof(struct kernel_tolerance, absolute)},
    {"relative", RELATIVE, 0, offsetof(struct kernel_tolerance, relative)},
    {"ulp", ULP, 0, offsetof(struct kernel_tolerance, ulp)},
    {"nan", NOT_A_NUMBER, 0, 0},
    {"file", EXPECTED, 0, 0},
    {"sum", COMPARISON, KERNEL_SUM, 0},
    {"sorted", COMPARISON, KERNEL_SORTED, 0},
    {"program", COMPARISON, KERNEL_BY_PROGRAM, 0},
    {"ignore", COMPARISON, KERNEL_IGNORED, 0},
    {NULL, 0, 0, 0},
};

/* Reads the number after a word. */
static void read_number(struct kernel_scan *scan, const char *word, double *number)
{
    char *end;
    kernel_scan_next(scan);
    *number = strtod(scan->at, &end);
    if (end == scan->at || !(*number >= 0) || !isfinite(*number))
        kernel_scan_fail(scan, "%s needs a number that is not negative", word);
    scan->at = end;
}

/* Reads a word, and what belongs to it. */
static void read_word(struct kernel_scan *scan, struct kernel_tolerance *tolerance)
{
    unsigned w = kernel_scan_choice(scan, words, sizeof *words);
    if (!words[w].name)
        kernel_scan_fail(scan, "expected exact, absolute X, relative X, ulp N, nan, sum, "
                               "sorted, program COMMAND, ignore or file(PATH)");
    else if (words[w].number)
        read_number(scan, words[w].name, (double *)((char *)tolerance + words[w].number));
    else if (words[w].word == EXPECTED) {
        free(tolerance->file);
        tolerance->file = kernel_scan_bracket(scan, '(');
        if (!tolerance->file)
            kernel_scan_fail(scan, "expected file(PATH)");
    } else if (words[w].word == COMPARISON && tolerance->how != KERNEL_EACH)
        kernel_scan_fail(scan, "only one of sum, sorted, program and ignore");
    else if (words[w].word == COMPARISON)
        tolerance->how = words[w].how;
    tolerance->exact |= words[w].word == EXACT && words[w].name;
    tolerance->nan |= words[w].word == NOT_A_NUMBER;
    tolerance->is_ulp |= words[w].word == ULP;
    tolerance->bounded |= words[w].word == ABSOLUTE || words[w].word == RELATIVE;
    if (words[w].how == KERNEL_BY_PROGRAM) {
        /* Reads the command, which is all the rest. */
        if (!kernel_scan_next(scan))
            kernel_scan_fail(scan, "expected program COMMAND");
        tolerance->program = clopt_strdup(scan->at);
        scan->at += strlen(scan->at);
    }
}

/* Checks that what was said goes together. */
static void check(const struct kernel_scan *scan, const struct kernel_type *type,
                  const struct kernel_tolerance *tolerance)
{
    bool is_struct = type->kind == KERNEL_STRUCT, sums = tolerance->how == KERNEL_SUM;
    bool ignored = tolerance->how == KERNEL_IGNORED, is_ulp = tolerance->is_ulp;
    bool judges = !ignored && tolerance->how != KERNEL_BY_PROGRAM;
    bool near = tolerance->bounded || is_ulp;
    if (tolerance->exact + is_ulp + tolerance->bounded > 1)
        kernel_scan_fail(scan, "only absolute and relative go together");
    else if (!judges && (tolerance->exact || near || (tolerance->file && ignored)))
        kernel_scan_fail(scan, "nothing goes together with ignore or a program");
    else if (near && is_struct && !type->members)
        kernel_scan_fail(scan, "structures without members are compared exact");
    else if (is_ulp && (type->kind != KERNEL_REAL || sums))
        kernel_scan_fail(scan, "ulp is for real numbers, one by one");
    else if (sums && is_struct)
        kernel_scan_fail(scan, "structures have no sum");
    else if (tolerance->how == KERNEL_SORTED && near && (type->width > 1 || is_struct))
        kernel_scan_fail(scan, "sorted vectors and structures are compared exact");
}

void kernel_tolerance_read(const struct kernel_position *position, const struct kernel_type *type,
                           struct kernel_tolerance *tolerance, struct clopt_error *error)
{
    struct kernel_scan scan = kernel_scan_begin(position, error);
    *tolerance = (struct kernel_tolerance){.position = *position};
    while (kernel_scan_next(&scan)) {
        read_word(&scan, tolerance);
        scan.at += kernel_scan_next(&scan) == ',';
    }
    check(&scan, type, tolerance);
    tolerance->usual = !tolerance->bounded && !tolerance->exact && !tolerance->is_ulp;
    if (tolerance->usual && tolerance->how == KERNEL_SORTED && kernel_type_components(type) > 1) {
        tolerance->usual = false;
        tolerance->exact = true;
    }
}

void kernel_tolerance_fini(struct kernel_tolerance *tolerance)
{
    free(tolerance->file);
    free(tolerance->program);
    tolerance->file = tolerance->program = NULL;
}
