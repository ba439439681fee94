/* SPDX-License-Identifier: BSD-3-Clause */
/* Loaded before the OpenCL loader, makes every device say that it is a GPU: clopt then builds and
 * gets ready while it measures, as it does on real ones. */
#include <dlfcn.h>
#include <string.h>

#include <CL/cl.h>

typedef cl_int (*ask_device)(cl_device_id, cl_device_info, size_t, void *, size_t *);

__attribute__((visibility("default"))) cl_int clGetDeviceInfo(cl_device_id device,
                                                              cl_device_info what, size_t size,
                                                              void *value, size_t *size_needed)
{
    void *symbol = dlsym(RTLD_NEXT, "clGetDeviceInfo");
    ask_device ask;
    memcpy(&ask, &symbol, sizeof ask);
    cl_int code = ask(device, what, size, value, size_needed);
    cl_device_type type = CL_DEVICE_TYPE_GPU;
    if (code == CL_SUCCESS && what == CL_DEVICE_TYPE && value)
        memcpy(value, &type, sizeof type);
    return code;
}
