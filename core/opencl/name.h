/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of OpenCL's codes, for messages. */
#pragma once

#include <CL/cl.h>

#include <clopt/error.h>

/* Returns "CL_OUT_OF_RESOURCES" for -5 and so on; "unknown OpenCL error" for what is unknown. */
const char *clopt_cl_error_name(cl_int code);

/* Reports a failed call as "clBuildProgram: CL_BUILD_PROGRAM_FAILURE (-11)", with the status that
 * fits: CLOPT_OUT_OF_RESOURCES for want of memory, registers and the like, CLOPT_DEVICE_LOST where
 * the device does not answer, else CLOPT_FAILED. */
enum clopt_status clopt_fail_cl(struct clopt_error *error, const char *call, cl_int code);

/* Does so where the code is not CL_SUCCESS. */
enum clopt_status clopt_check_cl(struct clopt_error *error, const char *call, cl_int code);
