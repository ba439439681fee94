/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares arrays on the device that made them, so that large results need not be read back. */
#include <math.h>
#include <stdlib.h>

#include "base/text.h"
#include "opencl/name.h"
#include "worker/compare.h"

#define WORK_ITEMS 4096

/* What one work-item found in its part; the layout is the kernel's. */
struct part {
    cl_uint mismatches;
    cl_uint padding;
    cl_ulong first;
    cl_float absolute;
    cl_float relative;
    cl_float ulp;
    cl_float worst;
};

static const char source[] =
    "typedef struct { uint mismatches; uint padding; ulong first;\n"
    "                 float absolute; float relative; float ulp; float worst; } part;\n"
    "int ordered(float x) { int bits = as_int(x); return bits < 0 ? INT_MIN - bits : bits; }\n"
    "float raise_to(float largest, float x) { return x <= largest ? largest : isnan(x) ? "
    "INFINITY : x; }\n"
    "#define LOOP for (ulong i = get_global_id(0); i < count; i += get_global_size(0))\n"
    "#define EXACT(name, type)                                                         \\\n"
    "    __kernel void name(__global const type *actual, __global const type *expected, \\\n"
    "                       ulong count, float absolute, float relative,               \\\n"
    "                       __global part *parts)                                      \\\n"
    "    {                                                                             \\\n"
    "        part found = {0, 0, 0, 0.0f, 0.0f, 0.0f, 0.0f};                           \\\n"
    "        LOOP if (actual[i] != expected[i] && found.mismatches++ == 0)             \\\n"
    "            found.first = i;                                                      \\\n"
    "        parts[get_global_id(0)] = found;                                          \\\n"
    "    }\n"
    "EXACT(compare_uchar, uchar)\n"
    "EXACT(compare_uint, uint)\n"
    "__kernel void compare_float(__global const float *actual, __global const float *expected,\n"
    "                            ulong count, float absolute, float relative,\n"
    "                            __global part *parts)\n"
    "{\n"
    "    part found = {0, 0, 0, 0.0f, 0.0f, 0.0f, 0.0f};\n"
    "    LOOP {\n"
    "        float a = actual[i], e = expected[i];\n"
    "        if (a == e)\n"
    "            continue;\n"
    "        float difference = fabs(a - e);\n"
    "        float allowed = absolute + relative * fabs(e);\n"
    "        if (!(difference <= allowed) && found.mismatches++ == 0)\n"
    "            found.first = i;\n"
    "        found.absolute = raise_to(found.absolute, difference);\n"
    "        found.relative = raise_to(found.relative, difference / fabs(e));\n"
    "        found.worst = raise_to(found.worst, difference / allowed);\n"
    "        found.ulp = raise_to(found.ulp,\n"
    "            isnan(a) ? INFINITY : fabs((float)ordered(a) - (float)ordered(e)));\n"
    "    }\n"
    "    parts[get_global_id(0)] = found;\n"
    "}\n";

static enum clopt_status build_once(struct clopt_context *context, struct clopt_error *error)
{
    if (context->compare_program)
        return CLOPT_OK;
    char *log = NULL;
    enum clopt_status status =
        clopt_program_build(context, source, "", &context->compare_program, &log, error);
    free(log);
    return status ? clopt_fail_within(error, "clopt's own compare kernel") : CLOPT_OK;
}

static void add_up(const struct part *parts, struct clopt_comparison *sum)
{
    *sum = (struct clopt_comparison){0};
    for (size_t i = 0; i < WORK_ITEMS; i++) {
        if (parts[i].mismatches && (!sum->mismatches || parts[i].first < sum->first))
            sum->first = parts[i].first;
        sum->mismatches += parts[i].mismatches;
        sum->absolute = fmax(sum->absolute, parts[i].absolute);
        sum->relative = fmax(sum->relative, parts[i].relative);
        sum->ulp = fmax(sum->ulp, parts[i].ulp);
        sum->worst = fmax(sum->worst, parts[i].worst);
    }
}

/* Runs the kernel over buffers that exist, and reads what the work-items found. */
static enum clopt_status run(struct clopt_context *context, cl_kernel kernel, cl_mem actual,
                             cl_mem expected, size_t count, double absolute, double relative,
                             cl_mem found, struct part *parts, struct clopt_error *error)
{
    cl_ulong elements = count;
    cl_float allowed[] = {(cl_float)absolute, (cl_float)relative};
    cl_int code = clSetKernelArg(kernel, 0, sizeof actual, &actual);
    if (code == CL_SUCCESS)
        code = clSetKernelArg(kernel, 1, sizeof expected, &expected);
    if (code == CL_SUCCESS)
        code = clSetKernelArg(kernel, 2, sizeof elements, &elements);
    if (code == CL_SUCCESS)
        code = clSetKernelArg(kernel, 3, sizeof allowed[0], &allowed[0]);
    if (code == CL_SUCCESS)
        code = clSetKernelArg(kernel, 4, sizeof allowed[1], &allowed[1]);
    if (code == CL_SUCCESS)
        code = clSetKernelArg(kernel, 5, sizeof found, &found);
    if (code != CL_SUCCESS)
        return clopt_fail_cl(error, "clSetKernelArg", code);
    size_t global = WORK_ITEMS;
    code = clEnqueueNDRangeKernel(context->queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
    if (code != CL_SUCCESS)
        return clopt_fail_cl(error, "clEnqueueNDRangeKernel", code);
    code = clEnqueueReadBuffer(context->queue, found, CL_TRUE, 0, WORK_ITEMS * sizeof *parts, parts,
                               0, NULL, NULL);
    return code == CL_SUCCESS ? CLOPT_OK : clopt_fail_cl(error, "clEnqueueReadBuffer", code);
}

enum clopt_status clopt_compare_device(struct clopt_context *context, enum clopt_element element,
                                       cl_mem actual, const void *expected, size_t count,
                                       double absolute, double relative,
                                       struct clopt_comparison *comparison,
                                       struct clopt_error *error)
{
    cl_mem copy = NULL, found = NULL;
    cl_kernel kernel = NULL;
    struct part *parts = malloc(WORK_ITEMS * sizeof *parts);
    enum clopt_status status = parts ? build_once(context, error) : clopt_fail_memory(error);
    if (status)
        goto out;
    const char *name = element == CLOPT_UINT8     ? "compare_uchar"
                       : element == CLOPT_FLOAT32 ? "compare_float"
                                                  : "compare_uint";
    cl_int code;
    kernel = clCreateKernel(context->compare_program, name, &code);
    if (code == CL_SUCCESS)
        copy = clCreateBuffer(context->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                              count * clopt_element_bytes(element), (void *)expected, &code);
    if (code == CL_SUCCESS)
        found = clCreateBuffer(context->context, CL_MEM_WRITE_ONLY, WORK_ITEMS * sizeof *parts,
                               NULL, &code);
    if (code != CL_SUCCESS) {
        status = clopt_fail_cl(error, "clopt's own comparison", code);
        goto out;
    }
    status = run(context, kernel, actual, copy, count, absolute, relative, found, parts, error);
    if (!status)
        add_up(parts, comparison);
out:
    if (found)
        clReleaseMemObject(found);
    if (copy)
        clReleaseMemObject(copy);
    if (kernel)
        clReleaseKernel(kernel);
    free(parts);
    return status;
}
