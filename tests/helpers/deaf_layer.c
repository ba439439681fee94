/* SPDX-License-Identifier: BSD-3-Clause */
/* A layer of OpenCL whose drivers take each callback for an event, and never call it. */
#include <string.h>

#include <CL/cl_layer.h>

#define EXPORTED __attribute__((visibility("default")))

static cl_icd_dispatch dispatch;

static CL_API_ENTRY cl_int CL_API_CALL take(cl_event event, cl_int status,
                                            void(CL_CALLBACK *call)(cl_event, cl_int, void *),
                                            void *user)
{
    (void)event, (void)status, (void)call, (void)user;
    return CL_SUCCESS;
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
    dispatch.clSetEventCallback = take;
    *ours = &dispatch;
    return CL_SUCCESS;
}
