/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses among devices by name, without OpenCL. */
#pragma once

#include <jansson.h>
#include <signal.h>

#include <clopt/device.h>
#include <clopt/error.h>

/* Returns the number of device `index` among those of its platform alone. */
size_t clopt_device_ordinal(const struct clopt_device_info *devices, size_t index);

static inline bool clopt_device_is_cpu(const struct clopt_device_info *device)
{
    return strcmp(device->type, "cpu") == 0;
}

/* Convert a device to a JSON object with the names of the struct's fields, and back. */
json_t *clopt_device_to_json(const struct clopt_device_info *device);
enum clopt_status clopt_device_from_json(const json_t *json, struct clopt_device_info *device,
                                         struct clopt_error *error);

/* Which device is meant: shell patterns as of fnmatch(), matched without regard to case against
 * the whole name, or any part of it where the pattern has no wildcard. NULL or "" matches all. */
struct clopt_device_pattern {
    const char *platform;
    const char *name;
    const char *type; /* cpu, gpu, accelerator, custom */
    /* A pattern for platform or name, or a type: what follows -d; "" where nothing does. */
    const char *any;
    bool numbered; /* of several that are equal, one is meant: */
    size_t number; /* this, in the order in which `clopt devices` lists them */
};

/* Whether two devices are told apart by nothing but their numbers. */
bool clopt_device_are_equal(const struct clopt_device_info *one,
                            const struct clopt_device_info *other);

/* Chooses the one device that matches. None or several is CLOPT_INVALID with a list of all. */
enum clopt_status clopt_device_choose(const struct clopt_device_info *devices, size_t count,
                                      const struct clopt_device_pattern *pattern, size_t *index,
                                      struct clopt_error *error);

/* ---- finds out which OpenCL driver keeps the devices from being listed ---- */

/* What a child that lists devices is about, as its messages begin. */
#define CLOPT_LISTING "listing the OpenCL devices"

/* Where the message says that a process was lost while it was listing devices: tries each driver
 * alone, and adds to the message which one hangs or crashes, and what to do. `*stop` ends it (may
 * be NULL). Only for a process that has not opened OpenCL. Returns the error's status. */
enum clopt_status clopt_driver_accuse(const volatile sig_atomic_t *stop, struct clopt_error *error);
