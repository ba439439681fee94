/* SPDX-License-Identifier: BSD-3-Clause */
/* Classes of devices, for each of which there are guidelines of its own. */
#pragma once

enum clopt_device_class {
    CLOPT_DEVICE_CPU,
    CLOPT_DEVICE_NVIDIA,
    CLOPT_DEVICE_AMD,
    CLOPT_DEVICE_INTEGRATED,
    CLOPT_DEVICE_OTHER_GPU,
    CLOPT_DEVICE_OTHER,
    CLOPT_DEVICE_CLASSES,
};

extern const char *const clopt_device_class_names[CLOPT_DEVICE_CLASSES];

/* Tells the class of a device of a type ("cpu"); type and vendor may be NULL. */
enum clopt_device_class clopt_device_class(const char *type, const char *vendor, const char *name);
