/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds of programs: by which options, from which objects and headers kernels are made. */
#include "layer/program.h"

#include "file/file.h"
#include "file/inclusion.h"
#include "library/winner.h"

/* What a build is given. It becomes the program's once the driver says that it has succeeded: a
 * program keeps what it is where a build fails. */
struct build {
    _Atomic unsigned references; /* by the call, and by the driver where it is to call back */
    char *options;
    bool compiles; /* by clCompileProgram(), to an object: */
    char *object;  /* the source with the headers that it gets; NULL: not known */
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
        free(build->object);
        free(build);
    }
}

static struct build *begin_build(cl_program handle, const char *options,
                                 void(CL_CALLBACK *notify)(cl_program program, void *user),
                                 void *user)
{
    struct build *build = calloc(1, sizeof *build);
    if (!build)
        return NULL;
    build->references = notify ? 2 : 1;
    build->notify = notify;
    build->user = user;
    clopt_layer_lock();
    const struct clopt_program *program = clopt_object_find(CLOPT_PROGRAM, handle);
    build->impossible = program && program->object.references > 1;
    if (program && program->built_by) /* a driver hardly looks at others for a binary */
        options = program->built_by;
    build->options = strdup(options ? options : "");
    clopt_layer_unlock();
    return build;
}

/* Hashes what is built, with all files that it includes, for winners and for binaries of it. */
static void hash_source(cl_program handle, struct build *build)
{
    if (!build || !build->options)
        return;
    clopt_layer_lock();
    struct clopt_program *program = clopt_object_find(CLOPT_PROGRAM, handle);
    if (program)
        program->object.references++;
    bool hashed = program && program->built_by; /* when its binary was found */
    if (hashed)
        memcpy(build->source_hash, program->source_hash, sizeof build->source_hash);
    clopt_layer_unlock();
    const char *source = build->compiles ? build->object : program ? program->source : NULL;
    if (!hashed && (!source || !clopt_wisdom_hash(source, build->options, build->source_hash)))
        build->source_hash[0] = '\0';
    clopt_layer_lock();
    clopt_object_drop(program);
    clopt_layer_unlock();
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
        free(program->compiled);
        free(program->compiled_options);
        program->options = program->compiled = program->compiled_options = NULL;
        snprintf(program->source_hash, sizeof program->source_hash, "%s",
                 build ? build->source_hash : "");
    }
    if (program && build && build->compiles) {
        program->compiled = build->object;
        program->compiled_options = build->options;
        build->object = build->options = NULL;
    } else if (program && build) {
        program->options = build->options;
        build->options = NULL;
    }
    if (program)
        clopt_program_name(program);
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
    hash_source(handle, build);
    clopt_activity_note(CLOPT_BUILDS, true);
    cl_kernel attached = clopt_proxy_begin(handle);
    const struct clopt_source_build asked = {handle, count, devices, options,
                                             build ? build->source_hash : ""};
    bool may_load = build && !notify && !build->impossible;
    cl_int result = may_load ? clopt_proxy_build(&asked)
                             : clopt_next->clBuildProgram(handle, count, devices, options,
                                                          calls ? end_build : notify,
                                                          calls ? (void *)build : user);
    clopt_proxy_end(handle, attached, result);
    clopt_activity_note(CLOPT_BUILDS, false);
    return finish_build(handle, build, result);
}

/* ---- objects ---- */

struct headers {
    cl_uint count;
    const cl_program *programs;
    const char **names;
};

/* Returns the text of a header by its name, with the lock held; NULL: it is none of them. */
static const char *find_header(const struct headers *headers, const char *name)
{
    for (cl_uint i = 0; name && i < headers->count; i++)
        if (strcmp(headers->names[i], name) == 0) {
            const struct clopt_program *known =
                clopt_object_find(CLOPT_PROGRAM, headers->programs[i]);
            return known ? known->source : NULL;
        }
    return NULL;
}

/* Appends a source with its headers in it; false: they include each other, or there is too much. */
static bool append_source(struct clopt_text *text, const char *source,
                          const struct headers *headers, cl_uint depth)
{
    for (size_t length; *source; source += length) {
        CLOPT_FREED char *name = clopt_included_name(source);
        const char *header = find_header(headers, name);
        length = strcspn(source, "\n");
        if (header && (depth == headers->count || !append_source(text, header, headers, depth + 1)))
            return false;
        if (!header)
            clopt_text_append_bytes(text, source, length);
        clopt_text_append_char(text, '\n');
        length += source[length] == '\n';
    }
    return text->length < CLOPT_MOST_TEXT_BYTES;
}

static char *join_headers(cl_program handle, const struct headers *headers)
{
    CLOPT_OWNED(clopt_text) text = {0};
    clopt_layer_lock();
    const struct clopt_program *program = clopt_object_find(CLOPT_PROGRAM, handle);
    bool whole = program && program->source && headers->count &&
                 append_source(&text, program->source, headers, 0);
    char *same = program && program->source && !headers->count ? strdup(program->source) : NULL;
    clopt_layer_unlock();
    return whole ? clopt_text_take(&text) : same;
}

static CL_API_ENTRY cl_int CL_API_CALL
compile_program(cl_program handle, cl_uint device_count, const cl_device_id *devices,
                const char *options, cl_uint count, const cl_program *headers, const char **names,
                void(CL_CALLBACK *notify)(cl_program program, void *user), void *user)
{
    struct build *build = begin_build(handle, options, notify, user);
    bool calls = build && notify;
    if (build) {
        build->compiles = true;
        if (!count || (headers && names))
            build->object = join_headers(handle, &(struct headers){count, headers, names});
    }
    hash_source(handle, build);
    clopt_activity_note(CLOPT_BUILDS, true);
    cl_kernel attached = clopt_proxy_begin(handle);
    cl_int result =
        clopt_next->clCompileProgram(handle, device_count, devices, options, count, headers, names,
                                     calls ? end_build : notify, calls ? (void *)build : user);
    clopt_proxy_end(handle, attached, result);
    clopt_activity_note(CLOPT_BUILDS, false);
    return finish_build(handle, build, result);
}

/* Whether all objects were compiled with the same options, so that their sources one after another
 * are a program; the lock is held. */
static bool are_alike(const cl_program *programs, cl_uint count)
{
    const struct clopt_program *first =
        count ? clopt_object_find(CLOPT_PROGRAM, programs[0]) : NULL;
    bool alike = first;
    for (cl_uint i = 0; i < count && alike; i++) {
        const struct clopt_program *object = clopt_object_find(CLOPT_PROGRAM, programs[i]);
        alike = object && object->compiled && object->compiled_options &&
                strcmp(object->compiled_options, first->compiled_options) == 0;
    }
    return alike;
}

/* Makes what is linked of such objects their sources; the lock is held. */
static void take_objects(struct clopt_program *linked, const cl_program *programs, cl_uint count,
                         const char *options)
{
    CLOPT_OWNED(clopt_text) text = {0}, all = {0};
    const struct clopt_program *first = clopt_object_find(CLOPT_PROGRAM, programs[0]);
    for (cl_uint i = 0; i < count; i++) {
        const struct clopt_program *object = clopt_object_find(CLOPT_PROGRAM, programs[i]);
        clopt_text_printf(&text, "%s%s", i ? "\n" : "", object->compiled);
    }
    clopt_text_printf(&all, "%s%s%s", first->compiled_options, *options ? " " : "", options);
    linked->source = clopt_text_take(&text);
    linked->options = clopt_text_take(&all);
    if (count == 1)
        memcpy(linked->source_hash, first->source_hash, sizeof linked->source_hash);
    else if (!clopt_wisdom_hash(linked->source, linked->options, linked->source_hash))
        linked->source_hash[0] = '\0';
    clopt_program_add(linked->content, linked->source, strlen(linked->source));
    linked->kind = CLOPT_PROGRAM_SOURCE;
}

static CL_API_ENTRY cl_program CL_API_CALL
link_program(cl_context context, cl_uint device_count, const cl_device_id *devices,
             const char *options, cl_uint count, const cl_program *programs,
             void(CL_CALLBACK *notify)(cl_program program, void *user), void *user, cl_int *result)
{
    clopt_activity_note(CLOPT_BUILDS, true);
    for (cl_uint i = 0; programs && i < count; i++)
        clopt_proxy_settle(programs[i]);
    cl_program made = clopt_next->clLinkProgram(context, device_count, devices, options, count,
                                                programs, notify, user, result);
    clopt_activity_note(CLOPT_BUILDS, false);
    struct clopt_program *linked = made ? clopt_program_create(CLOPT_PROGRAM_LINKED) : NULL;
    bool is_library = options && strstr(options, "-create-library");
    clopt_layer_lock();
    if (linked && !is_library && are_alike(programs, count))
        take_objects(linked, programs, count, options ? options : "");
    for (cl_uint i = 0; linked && !linked->source && i < count; i++) {
        const struct clopt_program *part = clopt_object_find(CLOPT_PROGRAM, programs[i]);
        if (part)
            clopt_program_add(linked->content, part->hash, sizeof part->hash);
    }
    clopt_layer_unlock();
    return clopt_program_take(made, linked);
}

void clopt_builds_install(cl_icd_dispatch *dispatch)
{
    dispatch->clBuildProgram = build_program;
    dispatch->clCompileProgram = compile_program;
    dispatch->clLinkProgram = link_program;
}
