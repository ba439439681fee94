/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs: their source, or why there is none, and the options they were built with. */
#include "layer/layer.h"

#include "file/sha256.h"
#include "library/winner.h"

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
static void add_content(char name[CLOPT_HASH_SIZE], const void *content, size_t bytes)
{
    struct clopt_sha256 hash;
    clopt_sha256_init(&hash);
    clopt_sha256_add(&hash, name, CLOPT_HASH_SIZE);
    clopt_sha256_add(&hash, content, bytes);
    clopt_sha256_end(&hash, name);
}

static cl_program take(cl_program made, struct clopt_program *program)
{
    if (program)
        memcpy(program->hash, program->content, sizeof program->hash);
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
        add_content(program->content, content, bytes);
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
        add_content(program->content, program->source, strlen(program->source));
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
            add_content(program->content, part->hash, sizeof part->hash);
    }
    clopt_layer_unlock();
    return take(made, program);
}

/* ---- builds ---- */

/* What a build is given. It becomes the program's once the driver says that it has succeeded: a
 * program keeps what it is where a build fails. */
struct build {
    _Atomic unsigned references; /* by the call, and by the driver where it is to call back */
    char *options;
    char source_hash[CLOPT_HASH_SIZE]; /* of the source and what it includes now, as it is built */
    bool impossible; /* kernels of the program are there: the standard lets no build succeed */
    _Atomic bool taken;
    void(CL_CALLBACK *notify)(cl_program program, void *user);
    void *user;
};

static void drop_build(struct build *build)
{
    if (build && --build->references == 0) {
        free(build->options);
        free(build);
    }
}

static void hash_source(const struct clopt_program *program, struct build *build)
{
    if (!program || !program->source || !build->options || !clopt_record_get()->winners[0] ||
        !clopt_wisdom_hash(program->source, build->options, build->source_hash))
        build->source_hash[0] = '\0';
}

static struct build *begin_build(cl_program handle, const char *options,
                                 void(CL_CALLBACK *notify)(cl_program program, void *user),
                                 void *user)
{
    struct build *build = calloc(1, sizeof *build);
    if (!build)
        return NULL;
    build->references = notify ? 2 : 1;
    build->options = strdup(options ? options : "");
    build->notify = notify;
    build->user = user;
    clopt_layer_lock();
    struct clopt_program *program = clopt_object_find(CLOPT_PROGRAM, handle);
    build->impossible = program && program->object.references > 1;
    if (program)
        program->object.references++;
    clopt_layer_unlock();
    hash_source(program, build);
    clopt_layer_lock();
    clopt_object_drop(program);
    clopt_layer_unlock();
    return build;
}

/* Makes what was built the program's; NULL: what that is now is not known. Kernels of earlier
 * builds are not of this one. */
static void take_over(cl_program handle, struct build *build)
{
    clopt_layer_lock();
    struct clopt_program *program = clopt_object_find(CLOPT_PROGRAM, handle);
    if (program) {
        program->builds++;
        free(program->options);
        program->options = build ? build->options : NULL;
        snprintf(program->source_hash, sizeof program->source_hash, "%s",
                 build ? build->source_hash : "");
        memcpy(program->hash, program->content, sizeof program->hash);
        if (program->options)
            add_content(program->hash, program->options, strlen(program->options));
    }
    if (program && build)
        build->options = NULL;
    clopt_layer_unlock();
    if (build)
        build->taken = true;
}

static bool is_built(cl_program handle)
{
    cl_device_id devices[64];
    size_t bytes = 0;
    bool built = false;
    if (clopt_next->clGetProgramInfo(handle, CL_PROGRAM_DEVICES, sizeof devices, devices, &bytes))
        return false;
    for (size_t i = 0; i < bytes / sizeof *devices && !built; i++) {
        cl_build_status status = CL_BUILD_NONE;
        built = clopt_next->clGetProgramBuildInfo(handle, devices[i], CL_PROGRAM_BUILD_STATUS,
                                                  sizeof status, &status, NULL) == CL_SUCCESS &&
                status == CL_BUILD_SUCCESS;
    }
    return built;
}

/* Is called by the driver, perhaps before it returns, and hands that on. */
static void CL_CALLBACK end_build(cl_program handle, void *user)
{
    struct build *build = user;
    if (!build->impossible && is_built(handle))
        take_over(handle, build);
    build->notify(handle, build->user);
    drop_build(build);
}

/* Takes the driver's answer; where that contradicts itself, or memory has run out, nothing is known
 * of the program any more. */
static cl_int finish_build(cl_program handle, struct build *build, cl_int result)
{
    bool good = result == CL_SUCCESS;
    if (!build || build->impossible || (build->notify && !good)) {
        if (good || (build && build->taken))
            take_over(handle, NULL);
    } else if (good && !build->notify) {
        take_over(handle, build);
    }
    drop_build(build);
    return result;
}

static CL_API_ENTRY cl_int CL_API_CALL
build_program(cl_program handle, cl_uint count, const cl_device_id *devices, const char *options,
              void(CL_CALLBACK *notify)(cl_program program, void *user), void *user)
{
    struct build *build = begin_build(handle, options, notify, user);
    bool calls = build && notify;
    return finish_build(handle, build,
                        clopt_next->clBuildProgram(handle, count, devices, options,
                                                   calls ? end_build : notify,
                                                   calls ? (void *)build : user));
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
