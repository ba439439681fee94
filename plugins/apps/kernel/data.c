/* SPDX-License-Identifier: BSD-3-Clause */
/* The contents of buffers, and what is right, in host memory. */
#include "data.h"

/* Random contents that are larger take longer to make than to read from clopt's cache. */
#define SMALL_BYTES ((size_t)1 << 20)

/* Reads a raw file of exactly so many bytes. */
static void read_raw(const struct kernel_position *position, const char *path, void *data,
                     size_t bytes, struct clopt_error *error)
{
    CLOPT_CLOSED FILE *file = NULL;
    struct clopt_error reason;
    if (clopt_file_open(path, &file, &reason)) {
        kernel_fail(position, error, "%s", reason.message);
        return;
    }
    uint64_t length = clopt_file_rest(file);
    if (length != bytes)
        kernel_fail(position, error, "%s: has %" PRIu64 " bytes, the buffer has %zu", path, length,
                    bytes);
    else if (fread(data, 1, bytes, file) != bytes)
        kernel_fail(position, error, "%s: cannot be read", path);
}

/* Reads a file of the study into memory, which the caller frees. */
static void *read_file(const struct kernel_argument *argument, const char *input,
                       struct kernel_scope *scope, size_t *bytes)
{
    const char *path = clopt_values_text(scope->problem->inputs, input);
    *bytes = kernel_argument_bytes(argument, scope);
    void *data = scope->error->status ? NULL : malloc(*bytes);
    const char *ending = path ? strrchr(path, '.') : NULL;
    if (!path)
        kernel_fail(&argument->position, scope->error, "its file has been lost");
    else if (!data && !scope->error->status)
        clopt_fail_memory(scope->error);
    else if (data && ending && strcmp(ending, ".npy") == 0)
        kernel_array_load(argument, path, scope, data);
    else if (data)
        read_raw(&argument->position, path, data, *bytes, scope->error);
    return data;
}

/* What clopt's cache is to make. */
struct making {
    const struct kernel_argument *argument;
    struct kernel_scope *scope;
    struct kernel_elements elements;
};

static enum clopt_status make_contents(void *user, void *data, size_t bytes,
                                       struct clopt_error *error)
{
    const struct making *making = user;
    struct kernel_scope scope = *making->scope;
    struct kernel_elements elements = making->elements;
    (void)bytes;
    error->status = CLOPT_OK;
    scope.error = error;
    elements.data = data;
    kernel_content_fill(&making->argument->content, making->argument->name, elements, &scope);
    return error->status;
}

/* Makes contents in memory, or finds them in clopt's cache. */
static void make_datum(struct making *making, size_t bytes, struct kernel_datum *datum)
{
    struct clopt_error *error = making->scope->error;
    const struct clopt_problem *problem = making->scope->problem;
    const struct kernel_content *content = &making->argument->content;
    enum kernel_filling filling = content->filling;
    bool random = filling != KERNEL_ZERO && filling != KERNEL_CONSTANT && filling != KERNEL_RAMP;
    datum->contents_bytes = bytes;
    datum->cached = (random || content->next) && bytes > SMALL_BYTES;
    if (datum->cached) {
        clopt_cached(problem, making->argument->name, bytes, make_contents, making,
                     &datum->contents, error);
        return;
    }
    if (bytes > SMALL_BYTES && clopt_check_memory(problem, bytes, error))
        return;
    void *data = calloc(bytes, 1);
    datum->contents = data;
    if (data)
        make_contents(making, data, bytes, error);
    else
        clopt_fail_memory(error);
}

void kernel_datum_fill(const struct kernel_argument *argument, struct kernel_scope *scope,
                       struct kernel_datum *datum)
{
    if (argument->content_input)
        datum->contents =
            read_file(argument, argument->content_input, scope, &datum->contents_bytes);
    else if (argument->kind == KERNEL_BUFFER && argument->content.filling != KERNEL_NOTHING) {
        size_t bytes = kernel_argument_bytes(argument, scope);
        size_t count = kernel_evaluate_product(scope, &argument->values), columns = count;
        if (argument->values.count == 2)
            columns = (size_t)kernel_evaluate_integer(scope, &argument->values, 1, 1);
        struct making making = {argument, scope, {&argument->type, count, columns, NULL}};
        if (!scope->error->status)
            make_datum(&making, bytes, datum);
    }
    if (!argument->expected_input || scope->error->status)
        return;
    size_t bytes;
    datum->expected.data = read_file(argument, argument->expected_input, scope, &bytes);
    datum->expected.count = bytes / kernel_type_bytes(&argument->type);
    kernel_compare_refuse_nan(argument, datum->expected, scope->error);
}

void kernel_datum_fini(struct kernel_datum *datum)
{
    if (datum->cached && datum->contents)
        clopt_cached_release(datum->contents, datum->contents_bytes);
    else if (!datum->cached)
        free((void *)datum->contents);
    free((void *)datum->expected.data);
    *datum = (struct kernel_datum){0};
}
