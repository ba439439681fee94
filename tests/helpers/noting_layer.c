/* SPDX-License-Identifier: BSD-3-Clause */
/* A layer of OpenCL that notes each build of a source in the file BUILDS_NOTED names. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl_layer.h>

#define EXPORTED __attribute__((visibility("default")))

static cl_icd_dispatch dispatch;

static const cl_icd_dispatch *drivers;

static CL_API_ENTRY cl_int CL_API_CALL build(cl_program program, cl_uint count,
                                             const cl_device_id *devices, const char *options,
                                             void(CL_CALLBACK *call)(cl_program, void *),
                                             void *user)
{
    const char *path = getenv("BUILDS_NOTED");
    size_t bytes = 0;
    drivers->clGetProgramInfo(program, CL_PROGRAM_SOURCE, 0, NULL, &bytes);
    FILE *file = path && bytes > 1 ? fopen(path, "a") : NULL;
    if (file) {
        fprintf(file, "%s\n", options ? options : "");
        fclose(file);
    }
    return drivers->clBuildProgram(program, count, devices, options, call, user);
}

EXPORTED CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info name, size_t size,
                                                        void *value, size_t *needed)
{
    const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
    if (name != CL_LAYER_API_VERSION || (value && size < sizeof version))
        return CL_INVALID_VALUE;
    if (value)
        memcpy(value, &version, sizeof version);
    if (needed)
        *needed = sizeof version;
    return CL_SUCCESS;
}

EXPORTED CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint count, const cl_icd_dispatch *next,
                                                     cl_uint *our_count,
                                                     const cl_icd_dispatch **ours)
{
    cl_uint most = sizeof dispatch / sizeof(void *);
    *our_count = count < most ? count : most;
    memcpy(&dispatch, next, *our_count * sizeof(void *));
    drivers = next;
    dispatch.clBuildProgram = build;
    *ours = &dispatch;
    return CL_SUCCESS;
}
