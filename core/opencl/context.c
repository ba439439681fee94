/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens devices and builds programs for them. */
#include "opencl/context.h"

#include <unistd.h>

#include <clopt/memory.h>

#include "opencl/listing.h"
#include "opencl/name.h"

#define LONGEST_LOG ((size_t)64 * 1024)

/* Finds device number `ordinal`, if it still is the one that is expected. */
static enum clopt_status find_device(struct clopt_context *context,
                                     const struct clopt_device_info *expected, size_t ordinal,
                                     struct clopt_error *error)
{
    CLOPT_FREED struct clopt_device_info *devices = NULL;
    CLOPT_FREED cl_device_id *ids = NULL;
    size_t count = 0;
    CLOPT_TRY(clopt_device_list(expected->platform, &devices, &ids, &count, error));
    if (ordinal >= count || strcmp(devices[ordinal].platform, expected->platform) != 0 ||
        strcmp(devices[ordinal].name, expected->name) != 0)
        return clopt_fail(error, CLOPT_DEVICE_LOST, "%s / %s: the device is no longer there",
                          expected->platform, expected->name);
    context->id = ids[ordinal];
    context->info = devices[ordinal];
    return CLOPT_OK;
}

enum clopt_status clopt_context_open(struct clopt_context *context,
                                     const struct clopt_device_info *expected, size_t ordinal,
                                     struct clopt_error *error)
{
    *context = (struct clopt_context){0};
    CLOPT_TRY(find_device(context, expected, ordinal, error));
    context->traits = clopt_traits_find(context->info.platform);
    const char *call = "clCreateContext";
    cl_int code;
    context->context = clCreateContext(NULL, 1, &context->id, NULL, NULL, &code);
    if (code == CL_SUCCESS) {
        call = "clCreateCommandQueue";
        context->queue =
            clCreateCommandQueue(context->context, context->id, CL_QUEUE_PROFILING_ENABLE, &code);
    }
    if (code == CL_SUCCESS)
        return CLOPT_OK;
    clopt_context_close(context);
    clopt_fail_cl(error, call, code);
    return clopt_fail_within(error, "%s / %s", expected->platform, expected->name);
}

void clopt_context_close(struct clopt_context *context)
{
    if (context->digest_program)
        clReleaseProgram(context->digest_program);
    if (context->permute_program)
        clReleaseProgram(context->permute_program);
    if (context->queue)
        clReleaseCommandQueue(context->queue);
    if (context->context)
        clReleaseContext(context->context);
    free(context->builds);
    *context = (struct clopt_context){0};
}

/* Returns the build log, cut in the middle where it is too long; NULL if there is none. */
static char *build_log(cl_program program, cl_device_id device)
{
    size_t size = 0;
    if (clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) !=
            CL_SUCCESS ||
        size < 2)
        return NULL;
    CLOPT_FREED char *log = clopt_calloc(size + 1, 1);
    if (clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log, NULL) != CL_SUCCESS)
        return NULL;
    size_t length = strlen(log);
    if (length > LONGEST_LOG) {
        /* The first errors matter most, and the verdict at the end. */
        static const char gap[] = "\n[...]\n";
        size_t head = LONGEST_LOG * 3 / 4;
        size_t tail = LONGEST_LOG - head - sizeof gap;
        memcpy(log + head, gap, sizeof gap - 1);
        memmove(log + head + sizeof gap - 1, log + length - tail, tail + 1);
    }
    return strspn(log, " \t\r\n") == strlen(log) ? NULL : clopt_strdup(log);
}

/* Appends the first error line of a log to a message, or all of it. Drivers that hand the source to
 * a compiler as a file name that file, which is gone by now and means the source. */
static void fail_line(struct clopt_error *error, const char *log)
{
    char text[512];
    const char *line = strstr(log, "error");
    while (line && line > log && line[-1] != '\n')
        line--;
    snprintf(text, sizeof text, "%.*s", line ? (int)strcspn(line, "\n") : -1, line ? line : log);
    for (char *at = text; (at = strchr(at, '\n'));)
        *at = ' ';
    char *path = strchr(text, '/');
    char *end = path ? strchr(path, ':') : NULL;
    if (!end) {
        clopt_fail(error, error->status, "%s: %s", error->message, text);
        return;
    }
    *end = '\0';
    clopt_fail(error, error->status, "%s: %.*s%s:%s", error->message, (int)(path - text), text,
               access(path, F_OK) ? "source" : path, end + 1);
}

/* Builds what has been created, and reports what the log says. */
static enum clopt_status build(const struct clopt_context *context, cl_program program,
                               struct clopt_program_code *of, struct clopt_error *error)
{
    cl_int code = clBuildProgram(program, 1, &context->id, of->options, NULL, NULL);
    of->log = build_log(program, context->id);
    if (code == CL_SUCCESS)
        return CLOPT_OK;
    clopt_fail_cl(error, "clBuildProgram", code);
    if (code != CL_OUT_OF_RESOURCES && code != CL_OUT_OF_HOST_MEMORY)
        error->status = CLOPT_BUILD_FAILED;
    if (of->log)
        fail_line(error, of->log);
    return error->status;
}

enum clopt_status clopt_program_make(const struct clopt_context *context,
                                     struct clopt_program_code *of, cl_program *program,
                                     struct clopt_error *error)
{
    cl_int code, loaded = CL_SUCCESS;
    of->log = NULL;
    cl_program made = of->source
                          ? clCreateProgramWithSource(context->context, 1, &of->source, NULL, &code)
                          : clCreateProgramWithBinary(context->context, 1, &context->id, &of->bytes,
                                                      &of->binary, &loaded, &code);
    enum clopt_status status =
        code || loaded
            ? clopt_fail_cl(error,
                            of->source ? "clCreateProgramWithSource" : "clCreateProgramWithBinary",
                            code ? code : loaded)
            : build(context, made, of, error);
    if (!status)
        *program = made;
    else if (made)
        clReleaseProgram(made);
    return status;
}

enum clopt_status clopt_program_binary(cl_program program, unsigned char **binary, size_t *bytes,
                                       struct clopt_error *error)
{
    size_t size = 0;
    cl_int code = clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL);
    if (code != CL_SUCCESS)
        return clopt_fail_cl(error, "clGetProgramInfo(CL_PROGRAM_BINARY_SIZES)", code);
    if (size == 0)
        return clopt_fail(error, CLOPT_FAILED, "the driver has no binary of the program");
    *bytes = size;
    *binary = clopt_calloc(size, 1);
    code = clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof *binary, binary, NULL);
    if (code == CL_SUCCESS)
        return CLOPT_OK;
    free(*binary);
    *binary = NULL;
    return clopt_fail_cl(error, "clGetProgramInfo(CL_PROGRAM_BINARIES)", code);
}
