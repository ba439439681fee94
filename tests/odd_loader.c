/* SPDX-License-Identifier: BSD-3-Clause */
/* Loaded before the OpenCL loader, does what CLOPT_ODD_LOADER says: "gpu": every device says that
 * it is a GPU, so that clopt builds and gets ready while it measures; "dies": the process that asks
 * for the platforms dies, once for each byte of the file CLOPT_ODD_LIVES. */
#include <dlfcn.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CL/cl.h>

#define EXPORTED __attribute__((visibility("default")))

typedef cl_int (*ask_device)(cl_device_id, cl_device_info, size_t, void *, size_t *);
typedef cl_int (*ask_platforms)(cl_uint, cl_platform_id *, cl_uint *);

static bool is_to_do(const char *what)
{
    const char *wanted = getenv("CLOPT_ODD_LOADER");
    return wanted && strcmp(wanted, what) == 0;
}

EXPORTED cl_int clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t size, void *value,
                                size_t *size_needed)
{
    void *symbol = dlsym(RTLD_NEXT, "clGetDeviceInfo");
    ask_device ask;
    memcpy(&ask, &symbol, sizeof ask);
    cl_int code = ask(device, what, size, value, size_needed);
    cl_device_type type = CL_DEVICE_TYPE_GPU;
    if (is_to_do("gpu") && code == CL_SUCCESS && what == CL_DEVICE_TYPE && value)
        memcpy(value, &type, sizeof type);
    return code;
}

/* Takes one of the lives, a byte each. */
static bool take_life(void)
{
    const char *path = getenv("CLOPT_ODD_LIVES");
    struct stat file;
    return path && stat(path, &file) == 0 && file.st_size > 0 &&
           truncate(path, file.st_size - 1) == 0;
}

EXPORTED cl_int clGetPlatformIDs(cl_uint room, cl_platform_id *platforms, cl_uint *count)
{
    void *symbol = dlsym(RTLD_NEXT, "clGetPlatformIDs");
    ask_platforms ask;
    memcpy(&ask, &symbol, sizeof ask);
    if (is_to_do("dies") && take_life())
        raise(SIGKILL);
    return ask(room, platforms, count);
}
