/* SPDX-License-Identifier: BSD-3-Clause */
/* What a layer of OpenCL for tests consists of, but for the calls that it replaces: one file of
 * such a layer includes it, and defines replace(). */
#pragma once

#include <string.h>

#include <CL/cl_layer.h>

#define EXPORTED __attribute__((visibility("default")))

static const cl_icd_dispatch *below; /* the drivers, or another layer */

/* Puts the layer's own calls in the place of those below. */
static void replace(cl_icd_dispatch *dispatch);

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
    static cl_icd_dispatch dispatch;
    cl_uint most = sizeof dispatch / sizeof(void *);
    *our_count = count < most ? count : most;
    memcpy(&dispatch, next, *our_count * sizeof(void *));
    below = next;
    replace(&dispatch);
    *ours = &dispatch;
    return CL_SUCCESS;
}
