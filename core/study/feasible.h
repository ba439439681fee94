/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether NDRanges and local memory fit a device. */
#ifndef CLOPT_STUDY_FEASIBLE_H
#define CLOPT_STUDY_FEASIBLE_H

#include <clopt/app.h>
#include <clopt/device.h>

/* Report CLOPT_INFEASIBLE in words for a table's footnote. A device of NULL, or a limit of 0, is
 * not known and allows all. */
enum clopt_status clopt_fits_work_group(const char *kernel, const struct clopt_ndrange *ndrange,
                                        const struct clopt_device_info *device,
                                        struct clopt_error *error);
enum clopt_status clopt_fits_local_memory(const char *kernel, uint64_t bytes,
                                          const struct clopt_device_info *device,
                                          struct clopt_error *error);

#endif
