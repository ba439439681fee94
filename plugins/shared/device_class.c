/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells classes of devices apart. */
#include "shared/device_class.h"

#include <stddef.h>
#include <string.h>

const char *const clopt_device_class_names[CLOPT_DEVICE_CLASSES] = {
    "CPUs", "NVIDIA GPUs", "AMD GPUs", "integrated GPUs", "other GPUs", "other devices"};

/* Nothing says for sure whether a GPU shares its memory with the processor: those of vendors that
 * mostly make such are taken for integrated. */
enum clopt_device_class clopt_device_class(const char *type, const char *vendor, const char *name)
{
    static const struct {
        const char *vendor;
        enum clopt_device_class class;
    } vendors[] = {{"NVIDIA", CLOPT_DEVICE_NVIDIA},    {"Advanced Micro Devices", CLOPT_DEVICE_AMD},
                   {"AMD", CLOPT_DEVICE_AMD},          {"Intel", CLOPT_DEVICE_INTEGRATED},
                   {"ARM", CLOPT_DEVICE_INTEGRATED},   {"QUALCOMM", CLOPT_DEVICE_INTEGRATED},
                   {"Apple", CLOPT_DEVICE_INTEGRATED}, {"Imagination", CLOPT_DEVICE_INTEGRATED}};
    if (type && strcmp(type, "cpu") == 0)
        return CLOPT_DEVICE_CPU;
    if (!type || strcmp(type, "gpu") != 0)
        return CLOPT_DEVICE_OTHER;
    for (size_t i = 0; vendor && !strstr(name, "Arc") && i < sizeof vendors / sizeof *vendors; i++)
        if (strncmp(vendor, vendors[i].vendor, strlen(vendors[i].vendor)) == 0)
            return vendors[i].class;
    return CLOPT_DEVICE_OTHER_GPU;
}
