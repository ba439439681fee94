/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls NVML, which is loaded where it is needed. */
#include "opencl/nvml.h"

#include <dlfcn.h>

#include "text/text.h"

#define LIBRARY "libnvidia-ml.so.1"

/* cl_khr_device_uuid, which headers may lack. */
#define UUID       0x106A
#define UUID_BYTES 16

/* Finds a function of the library. */
static enum clopt_status find(const struct clopt_nvml *nvml, const char *name, void *function,
                              struct clopt_error *error)
{
    void *symbol = dlsym(nvml->library, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol ? CLOPT_OK
                  : clopt_fail(error, CLOPT_FAILED, LIBRARY ": it has no %s; a newer driver has",
                               name);
}

/* Says what a call of the library returned. */
static enum clopt_status fail(const struct clopt_nvml *nvml, const char *call, int code,
                              struct clopt_error *error)
{
    const char *(*name)(int);
    const char *text = find(nvml, "nvmlErrorString", &name, NULL) ? "unknown error" : name(code);
    return clopt_fail(error, CLOPT_FAILED, LIBRARY ": %s: %s (%d)", call, text, code);
}

static enum clopt_status find_device(const struct clopt_context *context, struct clopt_nvml *nvml,
                                     struct clopt_error *error)
{
    int (*find_by_uuid)(const char *, void **);
    unsigned char bytes[UUID_BYTES];
    char uuid[sizeof "GPU-" + sizeof bytes * 2 + 4] = "GPU-";
    if (clGetDeviceInfo(context->id, UUID, sizeof bytes, bytes, NULL) != CL_SUCCESS)
        return clopt_fail(error, CLOPT_FAILED,
                          "the driver does not say which GPU it is (cl_khr_device_uuid)");
    for (size_t i = 0, at = strlen(uuid); i < sizeof bytes; i++)
        at += (size_t)snprintf(uuid + at, sizeof uuid - at, "%s%02x",
                               i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", bytes[i]);
    enum clopt_status status = find(nvml, "nvmlDeviceGetHandleByUUID", &find_by_uuid, error);
    int code = status ? 0 : find_by_uuid(uuid, &nvml->device);
    if (!code)
        return status;
    fail(nvml, "nvmlDeviceGetHandleByUUID", code, error);
    return clopt_fail_within(error, "%s", uuid);
}

enum clopt_status clopt_nvml_open(const struct clopt_context *context, struct clopt_nvml *nvml,
                                  struct clopt_error *error)
{
    int (*init)(void);
    *nvml = (struct clopt_nvml){.library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL)};
    if (!nvml->library)
        return clopt_fail(error, CLOPT_FAILED, "%s", dlerror());
    enum clopt_status status = find(nvml, "nvmlInit_v2", &init, error);
    int code = status ? 0 : init();
    if (code)
        status = fail(nvml, "nvmlInit_v2", code, error);
    if (status) { /* not begun: nothing to shut down */
        dlclose(nvml->library);
        nvml->library = NULL;
        return status;
    }
    status = find_device(context, nvml, error);
    if (status)
        clopt_nvml_close(nvml);
    return status;
}

void clopt_nvml_close(struct clopt_nvml *nvml)
{
    int (*shut_down)(void);
    if (!nvml->library)
        return;
    if (!find(nvml, "nvmlShutdown", &shut_down, NULL))
        shut_down();
    dlclose(nvml->library);
    *nvml = (struct clopt_nvml){.library = NULL};
}

enum clopt_status clopt_nvml_read(const struct clopt_nvml *nvml, uint64_t *energy_mj,
                                  struct clopt_error *error)
{
    int (*read)(void *, unsigned long long *);
    unsigned long long energy = 0;
    enum clopt_status status = find(nvml, "nvmlDeviceGetTotalEnergyConsumption", &read, error);
    int code = status ? 0 : read(nvml->device, &energy);
    *energy_mj = energy;
    return code ? fail(nvml, "nvmlDeviceGetTotalEnergyConsumption", code, error) : status;
}
