/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds out which OpenCL driver keeps the devices from being listed. */
#ifndef CLOPT_OPENCL_DRIVER_H
#define CLOPT_OPENCL_DRIVER_H

#include <signal.h>

#include <clopt/error.h>

/* What a child that lists devices is about, as its messages begin. */
#define CLOPT_LISTING "listing the OpenCL devices"

/* Where the message says that a process was lost while it was listing devices: tries each driver
 * alone, and adds to the message which one hangs or crashes, and what to do. `*stop` ends it (may
 * be NULL). Only for a process that has not opened OpenCL. Returns the error's status. */
enum clopt_status clopt_driver_accuse(const volatile sig_atomic_t *stop, struct clopt_error *error);

#endif
