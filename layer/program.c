/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs: their source, or why there is none, and the options they were built with. */
#include "layer/layer.h"

#include "file/sha256.h"

static void fini_program(struct clopt_object *object)
{
    struct clopt_program *program = (struct clopt_program *)object;
    while (program->built) {
        struct clopt_built *built = program->built;
        program->built = built->next;
        clopt_handle_leave(CLOPT_PROGRAM, built->program);
        free(built);
    }
    free(program->source);
    free(program->options);
}

static struct clopt_program *create(enum clopt_program_kind kind)
{
    struct clopt_program *program = calloc(1, sizeof *program);
    if (program) {
        program->object.fini = fini_program;
        program->kind = kind;
    }
    return program;
}

/* Names a program by its content; options are added when it is built. */
static void add_content(struct clopt_program *program, const void *content, size_t bytes)
{
    struct clopt_sha256 hash;
    clopt_sha256_init(&hash);
    clopt_sha256_add(&hash, program->hash, sizeof program->hash);
    clopt_sha256_add(&hash, content, bytes);
    clopt_sha256_end(&hash, program->hash);
}

static cl_program take(cl_program made, struct clopt_program *program)
{
    if (made)
        clopt_object_add(CLOPT_PROGRAM, made, program);
    return made;
}

/* Takes in a program without a source; NULL: it was not made. */
static cl_program take_content(cl_program made, enum clopt_program_kind kind, const void *content,
                               size_t bytes)
{
    struct clopt_program *program = made ? create(kind) : NULL;
    if (program)
        add_content(program, content, bytes);
    return take(made, program);
}

/* Joins the parts of a source; NULL when memory runs out. */
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
    return text;
}

static CL_API_ENTRY cl_program CL_API_CALL create_with_source(cl_context context, cl_uint count,
                                                              const char **strings,
                                                              const size_t *lengths, cl_int *result)
{
    cl_program made =
        clopt_next->clCreateProgramWithSource(context, count, strings, lengths, result);
    struct clopt_program *program = made ? create(CLOPT_PROGRAM_SOURCE) : NULL;
    if (program && (program->source = join(count, strings, lengths)))
        add_content(program, program->source, strlen(program->source));
    return take(made, program);
}

static CL_API_ENTRY cl_program CL_API_CALL create_with_binary(cl_context context, cl_uint count,
                                                              const cl_device_id *devices,
                                                              const size_t *lengths,
                                                              const unsigned char **binaries,
                                                              cl_int *of_devices, cl_int *result)
{
    cl_program made = clopt_next->clCreateProgramWithBinary(context, count, devices, lengths,
                                                            binaries, of_devices, result);
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

static CL_API_ENTRY cl_program CL_API_CALL
link_program(cl_context context, cl_uint device_count, const cl_device_id *devices,
             const char *options, cl_uint count, const cl_program *programs,
             void(CL_CALLBACK *notify)(cl_program program, void *user), void *user, cl_int *result)
{
    cl_program made = clopt_next->clLinkProgram(context, device_count, devices, options, count,
                                                programs, notify, user, result);
    struct clopt_program *program = made ? create(CLOPT_PROGRAM_LINKED) : NULL;
    clopt_layer_lock();
    for (cl_uint i = 0; program && i < count; i++) {
        const struct clopt_program *part = clopt_object_find(CLOPT_PROGRAM, programs[i]);
        if (part)
            add_content(program, part->hash, sizeof part->hash);
    }
    clopt_layer_unlock();
    return take(made, program);
}

/* Notes the options before the call: a driver may build in a thread of its own, and call back. */
static CL_API_ENTRY cl_int CL_API_CALL
build_program(cl_program handle, cl_uint count, const cl_device_id *devices, const char *options,
              void(CL_CALLBACK *notify)(cl_program program, void *user), void *user)
{
    clopt_layer_lock();
    struct clopt_program *program = clopt_object_find(CLOPT_PROGRAM, handle);
    if (program) {
        const char *given = options ? options : "";
        free(program->options);
        program->options = strdup(given);
        add_content(program, given, strlen(given));
    }
    clopt_layer_unlock();
    return clopt_next->clBuildProgram(handle, count, devices, options, notify, user);
}

void clopt_programs_install(cl_icd_dispatch *dispatch)
{
    dispatch->clCreateProgramWithSource = create_with_source;
    dispatch->clCreateProgramWithBinary = create_with_binary;
    dispatch->clCreateProgramWithIL = create_with_il;
    dispatch->clCreateProgramWithBuiltInKernels = create_with_built_in_kernels;
    dispatch->clLinkProgram = link_program;
    dispatch->clBuildProgram = build_program;
}
