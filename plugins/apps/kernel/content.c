/* SPDX-License-Identifier: BSD-3-Clause */
/* What a buffer holds before a run. */
#include "content.h"

static const struct {
    const char *name;
    enum kernel_filling filling;
    size_t least; /* numbers in its brackets */
    size_t most;
} fillings[] = {
    {"zero", KERNEL_ZERO, 0, 0},           {"constant", KERNEL_CONSTANT, 1, 1},
    {"ramp", KERNEL_RAMP, 0, 2},           {"uniform", KERNEL_UNIFORM, 2, 2},
    {"normal", KERNEL_NORMAL, 2, 2},       {"integers", KERNEL_INTEGERS, 2, 2},
    {"bytes", KERNEL_BYTES, 0, 0},         {"permutation", KERNEL_PERMUTATION, 0, 0},
    {"offsets", KERNEL_OFFSETS, 1, 1},     {"file", KERNEL_FILE, 0, 0},
    {"nans", KERNEL_NANS, 0, 0},           {"infinities", KERNEL_INFINITIES, 0, 0},
    {"denormals", KERNEL_DENORMALS, 0, 0}, {NULL, KERNEL_NOTHING, 0, 0},
};

/* Checks that elements of a type can hold what they are to be filled with. */
static void check_type(const struct kernel_scan *scan, const struct kernel_type *type,
                       enum kernel_filling filling)
{
    bool is_struct = type->kind == KERNEL_STRUCT;
    if (filling == KERNEL_NOTHING)
        kernel_scan_fail(scan, "expected zero, constant(X), ramp, uniform(LOW, HIGH), "
                               "normal(MEAN, DEVIATION), integers(LOW, HIGH), permutation, "
                               "offsets(TOTAL), bytes, nans, infinities, denormals or "
                               "file(PATH)");
    else if (filling >= KERNEL_NANS && filling <= KERNEL_DENORMALS && type->kind != KERNEL_REAL)
        kernel_scan_fail(scan, "nans, infinities and denormals are for real numbers");
    else if ((filling == KERNEL_UNIFORM || filling == KERNEL_NORMAL) && type->kind != KERNEL_REAL)
        kernel_scan_fail(scan, "uniform and normal are for real numbers; there is "
                               "integers(LOW, HIGH)");
    else if ((filling == KERNEL_PERMUTATION || filling == KERNEL_OFFSETS) &&
             (type->kind == KERNEL_REAL || is_struct || type->width != 1))
        kernel_scan_fail(scan, "permutation and offsets are for integers");
    else if (is_struct && filling != KERNEL_ZERO && filling != KERNEL_BYTES &&
             filling != KERNEL_FILE)
        kernel_scan_fail(scan, "structures without members can be zero, bytes or file(PATH)");
}

/* Reads one content; what follows it is left. */
static void read_one(struct kernel_scan *scan, const struct kernel_type *type,
                     struct kernel_content *content)
{
    kernel_scan_next(scan);
    struct kernel_scan before = *scan;
    unsigned i = kernel_scan_choice(scan, fillings, sizeof *fillings);
    *content = (struct kernel_content){.filling = fillings[i].filling};
    check_type(&before, type, content->filling);
    char *inside = kernel_scan_bracket(scan, '(');
    content->numbers.position = scan->position;
    if (content->filling == KERNEL_FILE) {
        content->file = inside;
        if (!inside || !*inside)
            kernel_scan_fail(scan, "expected file(PATH)");
        return;
    }
    if (inside && fillings[i].most == 0)
        kernel_scan_fail(scan, "%s takes nothing in brackets", fillings[i].name);
    else if (inside || fillings[i].least)
        kernel_expressions_read(scan, inside ? inside : "", fillings[i].least, fillings[i].most,
                                &content->numbers);
    free(inside);
}

/* Reads "+ diagonal(X)". */
static void read_diagonal(struct kernel_scan *scan, const struct kernel_type *type,
                          struct kernel_content *content)
{
    static const char *const words[] = {"diagonal", NULL};
    scan->at++;
    kernel_scan_next(scan);
    struct kernel_scan before = *scan;
    bool found = kernel_scan_choice(scan, words, sizeof *words) == 0;
    CLOPT_FREED char *inside = found ? kernel_scan_bracket(scan, '(') : NULL;
    if (!inside || type->kind != KERNEL_REAL || type->width != 1)
        kernel_scan_fail(&before, "expected diagonal(X), for elements that are real numbers");
    else
        kernel_expressions_read(scan, inside, 1, 1, &content->diagonal);
}

/* Reads a content for each member of a structure, or one for all of them. */
static void read_members(struct kernel_scan *scan, const struct kernel_type *type,
                         struct kernel_content *content)
{
    struct kernel_scan first = *scan;
    bool several = false;
    *content = (struct kernel_content){.filling = KERNEL_MEMBERS};
    content->members = clopt_calloc(type->member_count, sizeof *content->members);
    while (content->member_count < type->member_count && !scan->error->status) {
        size_t m = content->member_count++;
        bool comma = m && kernel_scan_next(scan) == ',';
        several |= m == 1 && comma;
        if (several && !comma)
            kernel_scan_fail(scan, "expected one content for all members, or %zu",
                             type->member_count);
        else if (several)
            scan->at++;
        else
            *scan = first;
        read_one(scan, &type->members[m].type, &content->members[m]);
        if (content->members[m].filling == KERNEL_FILE)
            kernel_scan_fail(scan, "a file holds whole structures");
    }
}

/* Reads the content of one region: of a whole buffer where there is one only. */
static void read_region(struct kernel_scan *scan, const struct kernel_type *type,
                        struct kernel_content *content, bool first)
{
    static const char *const words[] = {"sorted", NULL};
    kernel_scan_next(scan);
    struct kernel_scan before = *scan;
    bool is_sorted = kernel_scan_choice(scan, words, sizeof *words) == 0;
    if (is_sorted && (type->kind == KERNEL_STRUCT || type->width != 1))
        kernel_scan_fail(&before, "only scalars can be sorted");
    kernel_scan_next(scan);
    bool whole = strcmp(scan->at, "zero") == 0 || strcmp(scan->at, "bytes") == 0 ||
                 strncmp(scan->at, "file", 4) == 0; /* of a structure */
    if (type->members && !whole)
        read_members(scan, type, content);
    else
        read_one(scan, type, content);
    if (is_sorted && content->filling == KERNEL_FILE)
        kernel_scan_fail(&before, "the content of a file cannot be sorted; leave sorted out");
    if (!first && content->filling == KERNEL_FILE)
        kernel_scan_fail(&before, "a file holds the whole buffer");
    content->is_sorted = is_sorted;
}

/* Reads how many elements a region has, and that others follow. */
static void read_next(struct kernel_scan *scan, struct kernel_content *content)
{
    static const char *const words[] = {"then", NULL};
    CLOPT_FREED char *inside = kernel_scan_bracket(scan, '[');
    kernel_expressions_read(scan, inside ? inside : "", 1, 1, &content->count);
    kernel_scan_next(scan);
    if (kernel_scan_choice(scan, words, sizeof *words) != 0)
        kernel_scan_fail(scan, "expected then CONTENT, for the other elements");
    if (content->filling == KERNEL_FILE)
        kernel_scan_fail(scan, "a file holds the whole buffer");
    content->next = clopt_calloc(1, sizeof *content->next);
}

void kernel_content_read(struct kernel_scan *scan, const struct kernel_type *type,
                         struct kernel_content *content)
{
    struct kernel_content *last = content;
    for (struct kernel_content *region = content; region; region = region->next) {
        last = region;
        read_region(scan, type, region, region == content);
        if (kernel_scan_next(scan) == '[')
            read_next(scan, region);
    }
    bool may_have_diagonal = last == content && content->filling != KERNEL_FILE;
    if (kernel_scan_next(scan) == '+' && may_have_diagonal)
        read_diagonal(scan, type, content);
    kernel_scan_end(scan);
}

void kernel_content_fini(struct kernel_content *content)
{
    for (size_t m = 0; m < content->member_count; m++)
        kernel_content_fini(&content->members[m]);
    kernel_expressions_fini(&content->numbers);
    kernel_expressions_fini(&content->diagonal);
    kernel_expressions_fini(&content->count);
    if (content->next)
        kernel_content_fini(content->next);
    free(content->members);
    free(content->next);
    free(content->file);
    *content = (struct kernel_content){0};
}
