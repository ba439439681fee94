/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares arrays on the device that made them, so that large results need not be read back. */
#include <math.h>
#include <stdlib.h>

#include "base/text.h"
#include "opencl/name.h"
#include "worker/build.h"
#include "worker/compare.h"

#define WORK_ITEMS 4096

/* How much of what is expected the device has at once. */
#define BAND_BYTES ((size_t)4 << 20)

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
    "                       ulong from, ulong count, float absolute, float relative,   \\\n"
    "                       __global part *parts)                                      \\\n"
    "    {                                                                             \\\n"
    "        part found = {0, 0, 0, 0.0f, 0.0f, 0.0f, 0.0f};                           \\\n"
    "        LOOP if (actual[from + i] != expected[i] && found.mismatches++ == 0)      \\\n"
    "            found.first = from + i;                                               \\\n"
    "        parts[get_global_id(0)] = found;                                          \\\n"
    "    }\n"
    "EXACT(compare_uchar, uchar)\n"
    "EXACT(compare_uint, uint)\n"
    "__kernel void compare_float(__global const float *actual, __global const float *expected,\n"
    "                            ulong from, ulong count, float absolute, float relative,\n"
    "                            __global part *parts)\n"
    "{\n"
    "    part found = {0, 0, 0, 0.0f, 0.0f, 0.0f, 0.0f};\n"
    "    LOOP {\n"
    "        float a = actual[from + i], e = expected[i];\n"
    "        if (a == e)\n"
    "            continue;\n"
    "        float difference = fabs(a - e);\n"
    "        float allowed = absolute + relative * fabs(e);\n"
    "        if (!(difference <= allowed) && found.mismatches++ == 0)\n"
    "            found.first = from + i;\n"
    "        found.absolute = raise_to(found.absolute, difference);\n"
    "        found.relative = raise_to(found.relative, difference / fabs(e));\n"
    "        found.worst = raise_to(found.worst, difference / allowed);\n"
    "        found.ulp = raise_to(found.ulp,\n"
    "            isnan(a) ? INFINITY : fabs((float)ordered(a) - (float)ordered(e)));\n"
    "    }\n"
    "    parts[get_global_id(0)] = found;\n"
    "}\n";

/* Adds a band to those before it. */
static void add_up(const struct part *parts, struct clopt_comparison *sum)
{
    uint64_t before = sum->mismatches;
    for (size_t i = 0; i < WORK_ITEMS; i++) {
        bool first = sum->mismatches == 0 || (before == 0 && parts[i].first < sum->first);
        if (parts[i].mismatches && first)
            sum->first = parts[i].first;
        sum->mismatches += parts[i].mismatches;
        sum->absolute = fmax(sum->absolute, parts[i].absolute);
        sum->relative = fmax(sum->relative, parts[i].relative);
        sum->ulp = fmax(sum->ulp, parts[i].ulp);
        sum->worst = fmax(sum->worst, parts[i].worst);
    }
}

/* One comparison on its way. */
struct comparer {
    struct clopt_context *context;
    cl_kernel kernel;
    cl_mem actual;
    cl_mem found; /* as `parts`, on the device */
    struct part *parts;
    cl_float allowed[2]; /* absolute, relative */
};

/* Runs the kernel over buffers that exist, and reads what the work-items found. */
static enum clopt_status run(const struct comparer *comparer, cl_mem expected, size_t from,
                             size_t count, struct clopt_error *error)
{
    cl_ulong range[] = {from, count};
    const struct {
        size_t bytes;
        const void *value;
    } arguments[] = {
        {sizeof(cl_mem), &comparer->actual},
        {sizeof expected, &expected},
        {sizeof range[0], &range[0]},
        {sizeof range[1], &range[1]},
        {sizeof(cl_float), &comparer->allowed[0]},
        {sizeof(cl_float), &comparer->allowed[1]},
        {sizeof(cl_mem), &comparer->found},
    };
    cl_int code = CL_SUCCESS;
    for (cl_uint i = 0; i < sizeof arguments / sizeof *arguments && code == CL_SUCCESS; i++)
        code = clSetKernelArg(comparer->kernel, i, arguments[i].bytes, arguments[i].value);
    if (code != CL_SUCCESS)
        return clopt_fail_cl(error, "clSetKernelArg", code);
    cl_command_queue queue = comparer->context->queue;
    size_t global = WORK_ITEMS;
    code = clEnqueueNDRangeKernel(queue, comparer->kernel, 1, NULL, &global, NULL, 0, NULL, NULL);
    if (code != CL_SUCCESS)
        return clopt_fail_cl(error, "clEnqueueNDRangeKernel", code);
    code =
        clEnqueueReadBuffer(queue, comparer->found, CL_TRUE, 0,
                            WORK_ITEMS * sizeof *comparer->parts, comparer->parts, 0, NULL, NULL);
    return code == CL_SUCCESS ? CLOPT_OK : clopt_fail_cl(error, "clEnqueueReadBuffer", code);
}

/* Compares some elements with a copy of what is expected. */
static enum clopt_status compare_band(const struct comparer *comparer, const void *expected,
                                      size_t element_bytes, size_t from, size_t count,
                                      struct clopt_comparison *sum, struct clopt_error *error)
{
    cl_int code;
    const char *first = (const char *)expected + from * element_bytes;
    cl_mem copy =
        clCreateBuffer(comparer->context->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                       count * element_bytes, (void *)first, &code);
    if (code != CL_SUCCESS)
        return clopt_fail_cl(error, "clopt's own comparison: clCreateBuffer", code);
    enum clopt_status status = run(comparer, copy, from, count, error);
    clReleaseMemObject(copy);
    if (!status)
        add_up(comparer->parts, sum);
    return status;
}

static enum clopt_status create(struct comparer *comparer, enum clopt_element element,
                                struct clopt_error *error)
{
    comparer->parts = malloc(WORK_ITEMS * sizeof *comparer->parts);
    enum clopt_status status = comparer->parts
                                   ? clopt_build_own(comparer->context, "compare", source,
                                                     &comparer->context->compare_program, error)
                                   : clopt_fail_memory(error);
    if (status)
        return status;
    const char *name = element == CLOPT_UINT8     ? "compare_uchar"
                       : element == CLOPT_FLOAT32 ? "compare_float"
                                                  : "compare_uint";
    cl_int code;
    comparer->kernel = clCreateKernel(comparer->context->compare_program, name, &code);
    if (code == CL_SUCCESS)
        comparer->found = clCreateBuffer(comparer->context->context, CL_MEM_WRITE_ONLY,
                                         WORK_ITEMS * sizeof *comparer->parts, NULL, &code);
    return code == CL_SUCCESS ? CLOPT_OK : clopt_fail_cl(error, "clopt's own comparison", code);
}

enum clopt_status clopt_compare_device(struct clopt_context *context, enum clopt_element element,
                                       cl_mem actual, const void *expected, size_t count,
                                       double absolute, double relative,
                                       struct clopt_comparison *comparison,
                                       struct clopt_error *error)
{
    struct comparer comparer = {
        .context = context, .actual = actual, .allowed = {(cl_float)absolute, (cl_float)relative}};
    size_t bytes = clopt_element_bytes(element);
    size_t most = BAND_BYTES / bytes;
    *comparison = (struct clopt_comparison){0};
    enum clopt_status status = create(&comparer, element, error);
    for (size_t from = 0; from < count && !status; from += most)
        status = compare_band(&comparer, expected, bytes, from,
                              count - from < most ? count - from : most, comparison, error);
    if (comparer.found)
        clReleaseMemObject(comparer.found);
    if (comparer.kernel)
        clReleaseKernel(comparer.kernel);
    free(comparer.parts);
    return status;
}
