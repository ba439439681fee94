/* SPDX-License-Identifier: BSD-3-Clause */
/* What the loader of OpenCL looks for in a layer. */
#include "layer/layer.h"

#include <pthread.h>

const cl_icd_dispatch *clopt_next;

static cl_icd_dispatch target, dispatch;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void clopt_layer_lock(void)
{
    pthread_mutex_lock(&mutex);
}

void clopt_layer_unlock(void)
{
    pthread_mutex_unlock(&mutex);
}

CLOPT_API CL_API_ENTRY cl_int CL_API_CALL clGetLayerInfo(cl_layer_info name, size_t size,
                                                         void *value, size_t *needed)
{
    cl_layer_api_version version = CL_LAYER_API_VERSION_100;
    static const char title[] = "clopt";
    const void *answer = name == CL_LAYER_API_VERSION ? (const void *)&version : title;
    size_t bytes = name == CL_LAYER_API_VERSION ? sizeof version : sizeof title;
    if ((name != CL_LAYER_API_VERSION && name != CL_LAYER_NAME) || (value && size < bytes))
        return CL_INVALID_VALUE;
    if (value)
        memcpy(value, answer, bytes);
    if (needed)
        *needed = bytes;
    return CL_SUCCESS;
}

CLOPT_API CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint count, const cl_icd_dispatch *next,
                                                      cl_uint *our_count,
                                                      const cl_icd_dispatch **ours)
{
    cl_uint entries = sizeof target / sizeof(void *);
    if (!next || !our_count || !ours)
        return CL_INVALID_VALUE;
    bool first = !clopt_next; /* another loader of the process has the same drivers below it */
    clopt_loaders_count();
    if (first) {
        memcpy(&target, next, (count < entries ? count : entries) * sizeof(void *));
        clopt_next = &target;
        dispatch = target;
    }
    if (first && clopt_record_open()) {
        clopt_objects_install(&dispatch);
        clopt_memory_install(&dispatch);
        clopt_queues_install(&dispatch);
        clopt_programs_install(&dispatch);
        clopt_kernels_install(&dispatch);
        clopt_launches_install(&dispatch);
        clopt_layouts_install(&dispatch);
        clopt_times_install(&dispatch);
        clopt_captures_install(&dispatch);
        clopt_activities_install(&dispatch);
        clopt_activities_begin();
        clopt_winners_read();
    }
    *our_count = count < entries ? count : entries;
    *ours = &dispatch;
    return CL_SUCCESS;
}
