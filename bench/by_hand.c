/* SPDX-License-Identifier: BSD-3-Clause */
/* by_hand: puts a kernel that somebody coarsened, unrolled or vectorized by hand in the place of
 * the app's, so that a study measures it side by side with what clopt rewrites. For bench/rewriting
 * alone. */
#include <clopt/clopt.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of a kernel, at most. */
#define MOST_BYTES 65536

/* A file bench/kernels/KERNEL-VERSION.cl, and how many work-items its kernel merges. */
struct version {
    const char *kernel;
    const char *name;
    unsigned dimension;
    size_t factor;
};

static const struct version versions[] = {
    {"lud_internal", "rows_2", 0, 2},      {"lud_internal", "rows_4", 0, 4},
    {"lud_internal", "columns_2", 1, 2},   {"lud_internal", "columns_4", 1, 4},
    {"lud_internal", "unrolled_4", 0, 1},  {"lud_perimeter", "merged_2", 0, 2},
    {"lud_perimeter", "merged_4", 0, 4},   {"lud_perimeter", "unrolled_full", 0, 1},
    {"compute", "merged_4", 0, 4},         {"compute", "unrolled_4", 0, 1},
    {"srad_cuda_1", "columns_2", 1, 2},    {"matmul", "vectors_16", 0, 16},
    {"lud_internal", "vectors_16", 0, 16}, {"lud_perimeter", "vectors_16", 0, 16},
};

static const struct clopt_parameter parameters[] = {
    {.name = "version", .type = CLOPT_TEXT, .help = "what was done to the kernel by hand"},
    {.name = NULL},
};

static const struct version *find_version(const char *kernel, const char *name)
{
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++)
        if (strcmp(versions[i].kernel, kernel) == 0 && strcmp(versions[i].name, name) == 0)
            return &versions[i];
    return NULL;
}

/* Appends a file to a text of `length` characters. */
static enum clopt_status append_file(const char *path, char *text, size_t size, size_t length,
                                     struct clopt_error *error)
{
    FILE *stream = fopen(path, "r");
    if (!stream)
        return clopt_fail(error, CLOPT_FAILED, "%s: %s", path, strerror(errno));
    size_t read = fread(text + length, 1, size - length - 1, stream);
    bool whole = !ferror(stream) && fgetc(stream) == EOF;
    fclose(stream);
    text[length + read] = '\0';
    return whole ? CLOPT_OK
                 : clopt_fail(error, CLOPT_FAILED, "%s: unreadable, or longer than %zu bytes", path,
                              size - length - 1);
}

/* The app's kernel stays in the program under another name. */
static enum clopt_status replace_kernel(struct clopt_transform *transform, const char *path,
                                        struct clopt_error *error)
{
    const char *kernel = transform->kernel;
    const char *initial = transform->source;
    size_t size = strlen(initial) + MOST_BYTES;
    char *text = malloc(size);
    if (!text)
        return clopt_fail(error, CLOPT_OUT_OF_RESOURCES, "no memory");
    int length = snprintf(text, size, "#define %s initial_%s\n%s\n#undef %s\n", kernel, kernel,
                          initial, kernel);
    enum clopt_status status = append_file(path, text, size, (size_t)length, error);
    if (status) {
        free(text);
        return status;
    }
    /* Other plugins edit the tree. */
    free(transform->source);
    transform->source = text;
    return CLOPT_OK;
}

static enum clopt_status apply(struct clopt_transform *transform, const struct clopt_values *values,
                               struct clopt_error *error)
{
    const char *kernel = transform->kernel;
    const char *name = clopt_values_text(values, "version");
    if (!name)
        return CLOPT_OK;
    const struct version *version = find_version(kernel, name);
    if (!version)
        return clopt_fail(error, CLOPT_INFEASIBLE, "nobody wrote %s for %s", name, kernel);
    char path[4096];
    snprintf(path, sizeof path, BY_HAND_FOLDER "/%s-%s.cl", kernel, name);
    enum clopt_status status = replace_kernel(transform, path, error);
    struct clopt_ndrange_change change = {.local_size = {0}};
    change.merged_items[version->dimension] = version->factor;
    return status ? status : clopt_transform_change_ndrange(transform, &change, error);
}

static const struct clopt_optimization optimization = {
    .parameters = parameters,
    .apply = apply,
};

CLOPT_OPTIMIZATION_PLUGIN("by_hand", "kernels that were optimized by hand", &optimization);
