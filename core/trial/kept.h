/* SPDX-License-Identifier: BSD-3-Clause */
/* What clopt's cache keeps of a device and its driver. */
#ifndef CLOPT_TRIAL_KEPT_H
#define CLOPT_TRIAL_KEPT_H

#include <jansson.h>

#include <clopt/device.h>

/* Keeps JSON of a device under a name that says what it is and its version, "peaks 1", and finds it
 * there; NULL: there is none. What cannot be kept is measured again another time. */
void clopt_kept_put(const char *name, const struct clopt_device_info *device, const json_t *json);
json_t *clopt_kept_get(const char *name, const struct clopt_device_info *device);

#endif
