/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls NVML, which is loaded where it is needed. */
#include "opencl/nvml.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

#define LIBRARY "libnvidia-ml.so.1"

/* cl_nv_device_attribute_query. */
#define PCI_BUS    0x4008
#define PCI_SLOT   0x4009 /* device and function */
#define PCI_DOMAIN 0x400A

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

/* Returns what the device says of its place on the PCI bus; false: nothing. */
static bool ask(const struct clopt_context *context, cl_device_info what, cl_uint *number)
{
    *number = 0;
    return clGetDeviceInfo(context->id, what, sizeof *number, number, NULL) == CL_SUCCESS;
}

static enum clopt_status find_device(const struct clopt_context *context, struct clopt_nvml *nvml,
                                     struct clopt_error *error)
{
    int (*find_by_bus)(const char *, void **);
    char place[32];
    cl_uint domain, bus, slot;
    if (!ask(context, PCI_BUS, &bus) || !ask(context, PCI_SLOT, &slot))
        return clopt_fail(error, CLOPT_FAILED,
                          "the device does not say where on the PCI bus it is");
    ask(context, PCI_DOMAIN, &domain); /* older drivers do not know it */
    snprintf(place, sizeof place, "%08x:%02x:%02x.%x", domain, bus, slot >> 3, slot & 7);
    enum clopt_status status = find(nvml, "nvmlDeviceGetHandleByPciBusId_v2", &find_by_bus, error);
    int code = status ? 0 : find_by_bus(place, &nvml->device);
    if (!code)
        return status;
    fail(nvml, "nvmlDeviceGetHandleByPciBusId_v2", code, error);
    return clopt_fail_within(error, "GPU %s", place);
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
