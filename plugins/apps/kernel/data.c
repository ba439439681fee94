/* SPDX-License-Identifier: BSD-3-Clause */
/* The contents of buffers, and what is right, in host memory. */
#include "data.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "array.h"

/* Random contents that are larger take longer to make than to read from clopt's cache. */
#define SMALL_BYTES ((size_t)1 << 20)

/* ---- files ---- */

/* Reads a raw file of exactly so many bytes. */
static enum clopt_status read_raw(const struct kernel_place *place, const char *path, void *data,
                                  size_t bytes, struct clopt_error *error)
{
    FILE *file;
    struct clopt_error reason;
    if (clopt_file_open(path, &file, &reason))
        return kernel_fail(place, error, "%s", reason.message);
    struct stat about;
    enum clopt_status status = CLOPT_OK;
    if (fstat(fileno(file), &about) != 0)
        status = kernel_fail(place, error, "%s: cannot be read: %s", path, strerror(errno));
    else if ((uintmax_t)about.st_size != bytes)
        status = kernel_fail(place, error, "%s: has %lld bytes, the buffer has %zu", path,
                             (long long)about.st_size, bytes);
    else if (fread(data, 1, bytes, file) != bytes)
        status = kernel_fail(place, error, "%s: cannot be read", path);
    fclose(file);
    return status;
}

/* Reads a file of the study into memory. */
static enum clopt_status read_file(const struct kernel_definition *definition,
                                   const struct kernel_argument *argument, bool expected,
                                   struct kernel_scope *scope, void *data, size_t bytes,
                                   struct clopt_error *error)
{
    const char *input = kernel_file_input(definition, argument, expected);
    const char *path = input ? clopt_values_text(scope->problem->inputs, input) : NULL;
    if (!path)
        return kernel_fail(&argument->place, error, "its file has been lost");
    if (kernel_array_is_named(path))
        return kernel_array_load(argument, path, scope, data, error);
    return read_raw(&argument->place, path, data, bytes, error);
}

/* ---- contents ---- */

/* What the cache is to make. */
struct making {
    const struct kernel_argument *argument;
    struct kernel_scope *scope;
    size_t count;
    size_t columns; /* of a matrix; the length of anything else */
};

static enum clopt_status make_contents(void *user, void *data, size_t bytes,
                                       struct clopt_error *error)
{
    const struct making *making = user;
    (void)bytes;
    return kernel_content_fill(&making->argument->content, &making->argument->type,
                               making->argument->name, making->scope, making->count,
                               making->columns, data, error);
}

/* Makes contents in memory, or finds them in clopt's cache. */
static enum clopt_status make_datum(struct making *making, const struct clopt_problem *problem,
                                    size_t bytes, struct kernel_datum *datum,
                                    struct clopt_error *error)
{
    const struct kernel_content *content = &making->argument->content;
    enum kernel_filling filling = content->filling;
    bool random = filling != KERNEL_ZERO && filling != KERNEL_CONSTANT && filling != KERNEL_RAMP;
    datum->contents_bytes = bytes;
    datum->cached = (random || content->next) && bytes > SMALL_BYTES;
    if (datum->cached)
        return clopt_cached(problem, making->argument->name, bytes, make_contents, making,
                            &datum->contents, error);
    if (bytes > SMALL_BYTES && clopt_check_memory(problem, bytes, error))
        return error->status;
    void *data = malloc(bytes);
    datum->contents = data;
    return data ? make_contents(making, data, bytes, error) : clopt_fail_memory(error);
}

enum clopt_status kernel_datum_fill(const struct kernel_definition *definition,
                                    const struct kernel_argument *argument,
                                    const struct clopt_problem *problem, struct kernel_datum *datum,
                                    struct clopt_error *error)
{
    struct kernel_scope scope;
    size_t bytes;
    kernel_scope_init(&scope, &definition->names, problem);
    struct making making = {.argument = argument, .scope = &scope};
    if (argument->kind != KERNEL_BUFFER || argument->content.filling == KERNEL_NOTHING)
        return CLOPT_OK;
    enum clopt_status status = kernel_argument_size(argument, &scope, &making.count, &bytes, error);
    if (status)
        return status;
    int64_t columns = 0;
    if (argument->values.count == 2)
        status = kernel_evaluate_integer(&scope, &argument->values, 1, 1, &columns, error);
    if (status)
        return status;
    making.columns = columns ? (size_t)columns : making.count;
    if (argument->content.filling != KERNEL_FILE)
        return make_datum(&making, problem, bytes, datum, error);
    void *data = malloc(bytes);
    datum->contents = data;
    datum->contents_bytes = bytes;
    return data ? read_file(definition, argument, false, &scope, data, bytes, error)
                : clopt_fail_memory(error);
}

enum clopt_status kernel_datum_expect(const struct kernel_definition *definition,
                                      const struct kernel_argument *argument,
                                      const struct clopt_problem *problem,
                                      struct kernel_datum *datum, struct clopt_error *error)
{
    struct kernel_scope scope;
    size_t count;
    kernel_scope_init(&scope, &definition->names, problem);
    if (!kernel_argument_is_result(argument) || !argument->tolerance.file)
        return CLOPT_OK;
    enum clopt_status status =
        kernel_argument_size(argument, &scope, &count, &datum->expected_bytes, error);
    if (status)
        return status;
    datum->expected = malloc(datum->expected_bytes);
    if (!datum->expected)
        return clopt_fail_memory(error);
    status = read_file(definition, argument, true, &scope, datum->expected, datum->expected_bytes,
                       error);
    return status
               ? status
               : kernel_compare_refuse_nan(argument, kernel_datum_expected(argument, datum), error);
}

struct kernel_values kernel_datum_expected(const struct kernel_argument *argument,
                                           const struct kernel_datum *datum)
{
    return (struct kernel_values){datum->expected,
                                  datum->expected_bytes / kernel_type_bytes(&argument->type)};
}

void kernel_datum_fini(struct kernel_datum *datum)
{
    if (datum->cached && datum->contents)
        clopt_cached_release(datum->contents, datum->contents_bytes);
    else if (!datum->cached)
        free((void *)datum->contents);
    free(datum->expected);
    *datum = (struct kernel_datum){0};
}
