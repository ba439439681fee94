/* SPDX-License-Identifier: BSD-3-Clause */
/* What [results] says: how a result is compared with what it must be. */
#include "tolerance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct kernel_tolerance kernel_tolerance_usual(void)
{
    return (struct kernel_tolerance){.usual = true};
}

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

static const struct {
    const char *word;
    enum kernel_comparison how;
} comparisons[] = {{"sum", KERNEL_SUM},
                   {"sorted", KERNEL_SORTED},
                   {"program", KERNEL_BY_PROGRAM},
                   {"ignore", KERNEL_IGNORED}};

/* Reads the number after a word. */
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

/* Reads the command, which is all the rest. */
static enum clopt_status read_program(struct kernel_scan *scan, struct kernel_tolerance *tolerance,
                                      struct clopt_error *error)
{
    const char *command = kernel_scan_rest(scan);
    if (!*command)
        return kernel_scan_fail(scan, error, "expected program COMMAND");
    tolerance->program = strdup(command);
    scan->at += strlen(command);
    return tolerance->program ? CLOPT_OK : clopt_fail_memory(error);
}

/* Reads sum, sorted, program or ignore; `found` is false for any other word. */
static enum clopt_status read_comparison(struct kernel_scan *scan, const char *word,
                                         struct kernel_tolerance *tolerance, bool *found,
                                         struct clopt_error *error)
{
    *found = false;
    for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++)
        if (strcmp(word, comparisons[i].word) == 0) {
            *found = true;
            if (tolerance->how != KERNEL_EACH)
                return kernel_scan_fail(scan, error, "only one of sum, sorted, program and ignore");
            tolerance->how = comparisons[i].how;
        }
    return tolerance->how == KERNEL_BY_PROGRAM && *found ? read_program(scan, tolerance, error)
                                                         : CLOPT_OK;
}

static enum clopt_status read_word(struct kernel_scan *scan, const char *word,
                                   struct kernel_tolerance *tolerance, struct clopt_error *error)
{
    bool found;
    enum clopt_status status = read_comparison(scan, word, tolerance, &found, error);
    if (status || found)
        return status;
    if (strcmp(word, "exact") == 0)
        tolerance->exact = true;
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
                                "expected exact, absolute X, relative X, ulp N, sum, sorted, "
                                "program COMMAND, ignore or file(PATH)");
    }
    return CLOPT_OK;
}

/* Checks that what was said goes together. */
static enum clopt_status check(const struct kernel_scan *scan, const struct kernel_type *type,
                               const struct kernel_tolerance *tolerance, bool bounded,
                               struct clopt_error *error)
{
    bool is_struct = type->kind == KERNEL_STRUCT;
    bool has_numbers = !is_struct || type->members;
    bool judges = tolerance->how != KERNEL_IGNORED && tolerance->how != KERNEL_BY_PROGRAM;
    int kinds = tolerance->exact + tolerance->is_ulp + bounded;
    if (kinds > 1)
        return kernel_scan_fail(scan, error, "only absolute and relative go together");
    if (!judges && (kinds || (tolerance->file && tolerance->how == KERNEL_IGNORED)))
        return kernel_scan_fail(scan, error, "nothing goes together with ignore or a program");
    if ((bounded || tolerance->is_ulp) && !has_numbers)
        return kernel_scan_fail(scan, error, "structures without members are compared exact");
    if (tolerance->is_ulp && (type->kind != KERNEL_REAL || tolerance->how == KERNEL_SUM))
        return kernel_scan_fail(scan, error, "ulp is for real numbers, one by one");
    if (tolerance->how == KERNEL_SUM && is_struct)
        return kernel_scan_fail(scan, error, "structures have no sum");
    if (tolerance->how == KERNEL_SORTED && (bounded || tolerance->is_ulp) &&
        (type->width > 1 || is_struct))
        return kernel_scan_fail(scan, error, "sorted vectors and structures are compared exact");
    return CLOPT_OK;
}

enum clopt_status kernel_tolerance_read(const struct kernel_place *place,
                                        const struct kernel_type *type,
                                        struct kernel_tolerance *tolerance,
                                        struct clopt_error *error)
{
    struct kernel_scan scan = kernel_scan_begin(place);
    *tolerance = (struct kernel_tolerance){.place = *place};
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
    tolerance->usual = !bounded && !tolerance->exact && !tolerance->is_ulp;
    if (tolerance->usual && tolerance->how == KERNEL_SORTED && kernel_type_components(type) > 1) {
        tolerance->usual = false;
        tolerance->exact = true;
    }
    if (status)
        kernel_tolerance_fini(tolerance);
    return status;
}

void kernel_tolerance_fini(struct kernel_tolerance *tolerance)
{
    free(tolerance->file);
    free(tolerance->program);
    tolerance->file = tolerance->program = NULL;
}
