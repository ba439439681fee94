/* SPDX-License-Identifier: BSD-3-Clause */
/* What a buffer holds before a run. */
#include "content.h"

#include <stdlib.h>
#include <string.h>

/* ---- reading ---- */

static const struct {
    const char *name;
    enum kernel_filling filling;
    size_t least; /* numbers in its brackets */
    size_t most;
} fillings[] = {
    {"zero", KERNEL_ZERO, 0, 0},       {"constant", KERNEL_CONSTANT, 1, 1},
    {"ramp", KERNEL_RAMP, 0, 2},       {"uniform", KERNEL_UNIFORM, 2, 2},
    {"normal", KERNEL_NORMAL, 2, 2},   {"integers", KERNEL_INTEGERS, 2, 2},
    {"bytes", KERNEL_BYTES, 0, 0},     {"permutation", KERNEL_PERMUTATION, 0, 0},
    {"offsets", KERNEL_OFFSETS, 1, 1}, {"file", KERNEL_FILE, 0, 0},
};

/* Reads the numbers of a filling. */
static enum clopt_status read_numbers(struct kernel_scan *scan, size_t filling,
                                      struct kernel_content *content, struct clopt_error *error)
{
    char *inside;
    enum clopt_status status = kernel_scan_bracket(scan, '(', &inside, error);
    if (status)
        return status;
    content->numbers.place = *scan->place;
    if (inside && fillings[filling].most == 0)
        status =
            kernel_scan_fail(scan, error, "%s takes nothing in brackets", fillings[filling].name);
    else if (inside || fillings[filling].least)
        status = kernel_expressions_read(scan->place, inside ? inside : "", fillings[filling].least,
                                         fillings[filling].most, &content->numbers, error);
    free(inside);
    return status;
}

static enum clopt_status read_file(struct kernel_scan *scan, struct kernel_content *content,
                                   struct clopt_error *error)
{
    enum clopt_status status = kernel_scan_bracket(scan, '(', &content->file, error);
    if (!status && (!content->file || !*content->file))
        status = kernel_scan_fail(scan, error, "expected file(PATH)");
    return status;
}

/* Checks that elements of a type can hold what they are to be filled with. */
static enum clopt_status check_type(const struct kernel_scan *scan, const struct kernel_type *type,
                                    enum kernel_filling filling, struct clopt_error *error)
{
    if ((filling == KERNEL_UNIFORM || filling == KERNEL_NORMAL) && type->kind != KERNEL_REAL)
        return kernel_scan_fail(scan, error,
                                "uniform and normal are for real numbers; there is "
                                "integers(LOW, HIGH)");
    if ((filling == KERNEL_PERMUTATION || filling == KERNEL_OFFSETS) &&
        (type->kind == KERNEL_REAL || type->kind == KERNEL_STRUCT || type->width != 1))
        return kernel_scan_fail(scan, error, "permutation and offsets are for integers");
    if (type->kind == KERNEL_STRUCT && filling != KERNEL_ZERO && filling != KERNEL_BYTES &&
        filling != KERNEL_FILE)
        return kernel_scan_fail(scan, error,
                                "structures without members can be zero, bytes or file(PATH)");
    return CLOPT_OK;
}

/* Reads "+ diagonal(X)". */
static enum clopt_status read_diagonal(struct kernel_scan *scan, const struct kernel_type *type,
                                       struct kernel_content *content, struct clopt_error *error)
{
    char word[KERNEL_WORD] = "";
    char *inside = NULL;
    enum clopt_status status = CLOPT_OK;
    scan->at++;
    kernel_scan_rest(scan);
    struct kernel_scan before = *scan;
    kernel_scan_word(scan, word);
    if (strcmp(word, "diagonal") == 0)
        status = kernel_scan_bracket(scan, '(', &inside, error);
    if (status)
        return status;
    if (!inside || type->kind != KERNEL_REAL || type->width != 1)
        status = kernel_scan_fail(&before, error,
                                  "expected diagonal(X), for elements that are real numbers");
    else
        status = kernel_expressions_read(scan->place, inside, 1, 1, &content->diagonal, error);
    free(inside);
    return status;
}

/* Reads one content; what follows it is left. */
static enum clopt_status read_one(struct kernel_scan *scan, const struct kernel_type *type,
                                  struct kernel_content *content, struct clopt_error *error)
{
    static const char expected[] = "expected zero, constant(X), ramp, uniform(LOW, HIGH), "
                                   "normal(MEAN, DEVIATION), integers(LOW, HIGH), permutation, "
                                   "offsets(TOTAL), bytes or file(PATH)";
    *content = (struct kernel_content){0};
    char word[KERNEL_WORD] = "";
    kernel_scan_rest(scan);
    struct kernel_scan before = *scan;
    kernel_scan_word(scan, word);
    size_t i = 0;
    while (i < sizeof fillings / sizeof *fillings && strcmp(fillings[i].name, word) != 0)
        i++;
    if (i == sizeof fillings / sizeof *fillings)
        return kernel_scan_fail(&before, error, "%s", expected);
    content->filling = fillings[i].filling;
    enum clopt_status status = check_type(&before, type, content->filling, error);
    if (status)
        return status;
    return content->filling == KERNEL_FILE ? read_file(scan, content, error)
                                           : read_numbers(scan, i, content, error);
}

/* Reads a content for each member of a structure, or one for all of them. */
static enum clopt_status read_members(struct kernel_scan *scan, const struct kernel_type *type,
                                      struct kernel_content *content, struct clopt_error *error)
{
    struct kernel_scan first = *scan;
    enum clopt_status status = CLOPT_OK;
    bool several = false;
    *content = (struct kernel_content){.filling = KERNEL_MEMBERS};
    content->members = calloc(type->member_count, sizeof *content->members);
    if (!content->members)
        return clopt_fail_memory(error);
    while (content->member_count < type->member_count && !status) {
        size_t m = content->member_count++;
        if (m == 1)
            several = *kernel_scan_rest(scan) == ',';
        if (several && *kernel_scan_rest(scan) != ',')
            return kernel_scan_fail(scan, error, "expected one content for all members, or %zu",
                                    type->member_count);
        if (several)
            scan->at++;
        else
            *scan = first;
        status = read_one(scan, &type->members[m].type, &content->members[m], error);
        if (!status && content->members[m].filling == KERNEL_FILE)
            status = kernel_scan_fail(scan, error, "a file holds whole structures");
    }
    return status;
}

/* Whether a structure has a content as a whole. */
static bool is_whole(const struct kernel_scan *scan)
{
    return strcmp(scan->at, "zero") == 0 || strcmp(scan->at, "bytes") == 0 ||
           strncmp(scan->at, "file", 4) == 0;
}

/* Reads the content of one region: of a whole buffer where there is one only. */
static enum clopt_status read_region(struct kernel_scan *scan, const struct kernel_type *type,
                                     struct kernel_content *content, struct clopt_error *error)
{
    struct kernel_scan before = *scan;
    char word[KERNEL_WORD] = "";
    kernel_scan_word(scan, word);
    bool is_sorted = strcmp(word, "sorted") == 0;
    if (is_sorted && (type->kind == KERNEL_STRUCT || type->width != 1))
        return kernel_scan_fail(&before, error, "only scalars can be sorted");
    if (is_sorted)
        kernel_scan_rest(scan);
    else
        *scan = before;
    enum clopt_status status = type->members && !is_whole(scan)
                                   ? read_members(scan, type, content, error)
                                   : read_one(scan, type, content, error);
    if (!status && is_sorted && content->filling == KERNEL_FILE)
        status = kernel_scan_fail(&before, error, "a file keeps its order");
    content->is_sorted = is_sorted;
    return status;
}

/* Reads how many elements a region has, and what the others hold. */
static enum clopt_status read_next(struct kernel_scan *scan, struct kernel_content *content,
                                   struct clopt_error *error)
{
    char word[KERNEL_WORD] = "";
    char *inside;
    enum clopt_status status = kernel_scan_bracket(scan, '[', &inside, error);
    if (status || !inside)
        return status;
    status = kernel_expressions_read(scan->place, inside, 1, 1, &content->count, error);
    free(inside);
    kernel_scan_rest(scan);
    if (!status && (!kernel_scan_word(scan, word) || strcmp(word, "then") != 0))
        status = kernel_scan_fail(scan, error, "expected then CONTENT, for the other elements");
    if (!status && content->filling == KERNEL_FILE)
        status = kernel_scan_fail(scan, error, "a file holds the whole buffer");
    if (status)
        return status;
    content->next = calloc(1, sizeof *content->next);
    return content->next ? CLOPT_OK : clopt_fail_memory(error);
}

enum clopt_status kernel_content_read(struct kernel_scan *scan, const struct kernel_type *type,
                                      struct kernel_content *content, struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    struct kernel_content *last = content;
    for (struct kernel_content *region = content; region && !status; region = region->next) {
        last = region;
        kernel_scan_rest(scan);
        struct kernel_scan before = *scan;
        status = read_region(scan, type, region, error);
        if (!status && region != content && region->filling == KERNEL_FILE)
            status = kernel_scan_fail(&before, error, "a file holds the whole buffer");
        if (!status && *kernel_scan_rest(scan) == '[')
            status = read_next(scan, region, error);
    }
    bool may_have_diagonal = last == content && content->filling != KERNEL_FILE;
    if (!status && *kernel_scan_rest(scan) == '+' && may_have_diagonal)
        status = read_diagonal(scan, type, content, error);
    if (!status && *kernel_scan_rest(scan))
        status = kernel_scan_fail(scan, error, "expected nothing more");
    if (status)
        kernel_content_fini(content);
    return status;
}

void kernel_content_fini(struct kernel_content *content)
{
    for (size_t m = 0; m < content->member_count; m++)
        kernel_content_fini(&content->members[m]);
    free(content->members);
    content->members = NULL;
    content->member_count = 0;
    kernel_expressions_fini(&content->numbers);
    kernel_expressions_fini(&content->diagonal);
    kernel_expressions_fini(&content->count);
    if (content->next)
        kernel_content_fini(content->next);
    free(content->next);
    content->next = NULL;
    free(content->file);
    content->file = NULL;
}
