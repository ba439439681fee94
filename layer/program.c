/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs: their source, or why there is none. */
#include "layer/program.h"

#include <ctype.h>

#include "file/cache.h"

static void fini_program(struct clopt_object *object)
{
    struct clopt_program *program = (struct clopt_program *)object;
    while (program->built) {
        struct clopt_built *built = program->built;
        program->built = built->next;
        clopt_handle_leave(CLOPT_PROGRAM, built->program);
        free(built);
    }
    clopt_proxy_drop(program);
    free(program->source);
    free(program->built_by);
    free(program->options);
    free(program->compiled);
    free(program->compiled_options);
}

struct clopt_program *clopt_program_create(enum clopt_program_kind kind)
{
    struct clopt_program *program = calloc(1, sizeof *program);
    if (program) {
        program->object.fini = fini_program;
        program->kind = kind;
    }
    return program;
}

void clopt_program_add(char name[CLOPT_HASH_SIZE], const void *content, size_t bytes)
{
    struct clopt_sha256 hash;
    const uint64_t sum[2] = {clopt_cache_checksum(content, bytes), bytes};
    clopt_sha256_init(&hash);
    clopt_sha256_add(&hash, name, CLOPT_HASH_SIZE);
    clopt_sha256_add(&hash, sum, sizeof sum);
    clopt_sha256_end(&hash, name);
}

void clopt_program_name(struct clopt_program *program)
{
    memcpy(program->hash, program->content, sizeof program->hash);
    const char *options = program->options ? program->options : program->compiled_options;
    if (options)
        clopt_program_add(program->hash, options, strlen(options));
}

/* Names what a source has in common with those that differ from it in numbers alone: applications
 * that tune themselves make many. */
static void name_family(struct clopt_program *program)
{
    struct clopt_sha256 hash;
    clopt_sha256_init(&hash);
    if (!program->source)
        clopt_sha256_add(&hash, program->content, sizeof program->content);
    for (const char *at = program->source; at && *at;) {
        const char *begin = at;
        while (isalpha((unsigned char)*at) || *at == '_' ||
               (at > begin && isdigit((unsigned char)*at)))
            at++;
        if (at == begin && isdigit((unsigned char)*at))
            while (isalnum((unsigned char)*at) || *at == '.')
                begin = ++at;
        else if (at == begin)
            at++;
        clopt_sha256_add(&hash, at == begin ? "0" : begin, at == begin ? 1 : (size_t)(at - begin));
    }
    clopt_sha256_end(&hash, program->family);
}

cl_program clopt_program_take(cl_program made, struct clopt_program *program)
{
    if (program) {
        if (!clopt_record_get()->untimed) /* else no report reads it */
            name_family(program);
        clopt_program_name(program);
    }
    if (made)
        clopt_object_add(CLOPT_PROGRAM, made, program);
    return made;
}

const char *clopt_program_obstacle(const struct clopt_program *program)
{
    static const char *const obstacles[] = {
        "its program has no source that could be read",
        "its program is a binary, which has no source to rewrite: empty the cache that the "
        "application keeps, and it builds from source",
        "its program is IL, which has no source to rewrite: let the application build from source",
        "its program is of kernels that are built into the device",
        "its program is linked from a library, or from objects of different build options",
        "its program was made by a call that clopt does not know"};
    return program && program->source ? NULL
                                      : obstacles[program ? program->kind : CLOPT_PROGRAM_UNKNOWN];
}

/* Takes in a program without a source; NULL: it was not made. */
static cl_program take_content(cl_program made, enum clopt_program_kind kind, const void *content,
                               size_t bytes)
{
    struct clopt_program *program = made ? clopt_program_create(kind) : NULL;
    if (program)
        clopt_program_add(program->content, content, bytes);
    return clopt_program_take(made, program);
}

/* Joins the parts of a source; NULL when memory runs out, or where a NUL is in it, not at its end:
 * what drivers make of that is not known. */
static char *join(cl_uint count, const char **strings, const size_t *lengths)
{
    size_t total = 0;
    for (cl_uint i = 0; i < count; i++)
        total += lengths && lengths[i] ? lengths[i] : strlen(strings[i]);
    char *text = malloc(total + 1), *at = text;
    for (cl_uint i = 0; text && i < count; i++) {
        size_t length = lengths && lengths[i] ? lengths[i] : strlen(strings[i]);
        memcpy(at, strings[i], length);
        at += length;
    }
    if (text)
        *at = '\0';
    while (text && at > text && !at[-1])
        at--;
    if (text && strlen(text) != (size_t)(at - text)) {
        free(text);
        return NULL;
    }
    return text;
}

static CL_API_ENTRY cl_program CL_API_CALL create_with_source(cl_context context, cl_uint count,
                                                              const char **strings,
                                                              const size_t *lengths, cl_int *result)
{
    cl_program made =
        clopt_next->clCreateProgramWithSource(context, count, strings, lengths, result);
    struct clopt_program *program = made ? clopt_program_create(CLOPT_PROGRAM_SOURCE) : NULL;
    if (program)
        program->is_text = true;
    if (program && (program->source = join(count, strings, lengths)))
        clopt_program_add(program->content, program->source, strlen(program->source));
    return clopt_program_take(made, program);
}

static CL_API_ENTRY cl_program CL_API_CALL create_with_binary(cl_context context, cl_uint count,
                                                              const cl_device_id *devices,
                                                              const size_t *lengths,
                                                              const unsigned char **binaries,
                                                              cl_int *of_devices, cl_int *result)
{
    cl_program made = clopt_next->clCreateProgramWithBinary(context, count, devices, lengths,
                                                            binaries, of_devices, result);
    struct clopt_program *known =
        made && count == 1 ? clopt_binary_find(binaries[0], lengths[0]) : NULL;
    if (known)
        return clopt_program_take(made, known);
    return made ? take_content(made, CLOPT_PROGRAM_BINARY, binaries[0], lengths[0]) : NULL;
}

static CL_API_ENTRY cl_program CL_API_CALL create_with_il(cl_context context, const void *il,
                                                          size_t bytes, cl_int *result)
{
    return take_content(clopt_next->clCreateProgramWithIL(context, il, bytes, result),
                        CLOPT_PROGRAM_IL, il, bytes);
}

static CL_API_ENTRY cl_program CL_API_CALL create_with_built_in_kernels(cl_context context,
                                                                        cl_uint count,
                                                                        const cl_device_id *devices,
                                                                        const char *names,
                                                                        cl_int *result)
{
    cl_program made =
        clopt_next->clCreateProgramWithBuiltInKernels(context, count, devices, names, result);
    return made ? take_content(made, CLOPT_PROGRAM_BUILT_IN, names, strlen(names)) : NULL;
}

void clopt_programs_install(cl_icd_dispatch *dispatch)
{
    dispatch->clCreateProgramWithSource = create_with_source;
    dispatch->clCreateProgramWithBinary = create_with_binary;
    dispatch->clCreateProgramWithIL = create_with_il;
    dispatch->clCreateProgramWithBuiltInKernels = create_with_built_in_kernels;
    clopt_binaries_install(dispatch);
    clopt_proxies_install(dispatch);
    clopt_builds_install(dispatch);
}
